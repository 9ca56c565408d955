package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(WithServer.class)
class UpdateMeIT {
    private static final String PICTURE = "https://cdn.example.com/ann.png?size=2#face";

    private final TestServer server;
    private final TestProject project;
    private final Response signedUp;

    UpdateMeIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.signedUp = project.post("/v1/auth/signup")
                .json(Map.of("email", TestServer.newEmail(), "password", "some password", "displayName", "Ann"))
                .expect(201);
    }

    private Call update(Object fields) {
        return server.api().patch("/v1/auth/me").bearer(signedUp.accessToken()).json(fields);
    }

    private Call update(String field, @Nullable Object value) {
        return update(Collections.singletonMap(field, value));
    }

    private JsonNode me() {
        return project.me(signedUp.accessToken()).expect(200).json();
    }

    @Test
    void theGivenFieldsChangeAndAreReadBack() {
        var answer = update(Map.of("displayName", "  Countess ", "avatarUrl", PICTURE))
                .expect(200);

        assertThat(answer.text("displayName")).isEqualTo("Countess");
        assertThat(answer.text("avatarUrl")).isEqualTo(PICTURE);
        assertThat(answer.text("updatedAt")).isGreaterThanOrEqualTo(signedUp.text("user/updatedAt"));
        assertThat(me()).isEqualTo(answer.json());
    }

    @Test
    void aFieldThatIsAbsentKeepsItsValue() {
        update("avatarUrl", PICTURE).expect(200);

        assertThat(me().path("displayName").asText()).isEqualTo("Ann");
        assertThat(update("displayName", "Bea").expect(200).text("avatarUrl")).isEqualTo(PICTURE);
    }

    @Test
    void nullClearsAField() {
        update("avatarUrl", PICTURE).expect(200);

        assertThat(update("avatarUrl", null)
                        .expect(200)
                        .json()
                        .path("avatarUrl")
                        .isNull())
                .isTrue();
        assertThat(update("displayName", null)
                        .expect(200)
                        .json()
                        .path("displayName")
                        .isNull())
                .isTrue();
        assertThat(me().path("displayName").isNull()).isTrue();
    }

    @Test
    void anEmptyObjectChangesNothing() {
        assertThat(update(Map.of()).expect(200).json())
                .isEqualTo(signedUp.json().path("user"));
        assertThat(me()).isEqualTo(signedUp.json().path("user"));
    }

    @Test
    void nothingElseOfAUserCanBeChanged() {
        var answer = update(Map.of(
                        "email",
                        "other@example.com",
                        "publicMetadata",
                        Map.of("role", "admin"),
                        "emailVerified",
                        true,
                        "isBanned",
                        true,
                        "signInCount",
                        99,
                        "password",
                        "another password",
                        "projectId",
                        "00000000-0000-7000-8000-000000000000",
                        "id",
                        "00000000-0000-7000-8000-000000000001"))
                .expect(200);

        assertThat(answer.json()).isEqualTo(signedUp.json().path("user"));
        assertThat(me()).isEqualTo(signedUp.json().path("user"));
    }

    @Test
    void onlyThatUserIsChanged() {
        var other = project.signUp();

        update("displayName", "Countess").expect(200);

        assertThat(project.me(other.accessToken()).expect(200).json())
                .isEqualTo(other.json().path("user"));
    }

    @ParameterizedTest
    @MethodSource("goodUrls")
    void anAbsoluteHttpUrlIsAccepted(String url) {
        assertThat(update("avatarUrl", url).expect(200).text("avatarUrl")).isEqualTo(url);
    }

    static List<String> goodUrls() {
        return List.of(
                "https://example.com",
                "HTTP://EXAMPLE.COM/",
                "http://localhost:3000/a.png",
                "https://[2001:db8::1]/a.png",
                "https://user@example.com/a",
                "https://example.com/" + "x".repeat(2028));
    }

    @ParameterizedTest
    @MethodSource("badUrls")
    void aUrlThatIsNotAbsoluteHttpIsRefused(Object url) {
        assertThat(update("avatarUrl", url).expect(422).failingFields()).containsExactly("avatarUrl");
    }

    static List<Object> badUrls() {
        return List.of(
                "",
                " ",
                "nonsense",
                "/a.png",
                "//example.com/a.png",
                "https://",
                "https:///a.png",
                "https://[::ffff:1.2.3.99999999999]/a.png",
                "https:example.com",
                "ftp://example.com/a.png",
                "javascript:alert(1)",
                "data:image/png;base64,AA==",
                "https://example.com/a b",
                " https://example.com",
                "https://example.com/\u0000",
                "https://example.com/\n",
                "https://example.com/\ud800",
                "https://example.com/" + "x".repeat(2029),
                1,
                true,
                List.of(PICTURE),
                Map.of("url", PICTURE));
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void aNameOutOfBoundsIsRefused(Object name) {
        assertThat(update("displayName", name).expect(422).failingFields()).containsExactly("displayName");
    }

    static List<Object> badNames() {
        return List.of("", "  ", "x".repeat(101), "a\u0000b", "a\tb", "\udc00", 1, false, List.of());
    }

    @Test
    void everyFailingFieldIsNamedAtOnceAndNothingChanges() {
        assertThat(update(Map.of("displayName", "", "avatarUrl", "nonsense"))
                        .expect(422)
                        .failingFields())
                .containsExactlyInAnyOrder("displayName", "avatarUrl");
        update(Map.of("displayName", "Countess", "avatarUrl", "nonsense")).expect(422);

        assertThat(me()).isEqualTo(signedUp.json().path("user"));
    }
}
