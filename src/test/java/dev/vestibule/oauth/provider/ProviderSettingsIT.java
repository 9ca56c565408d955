package dev.vestibule.oauth.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class ProviderSettingsIT {
    private static final Map<String, Object> GOOD =
            Map.of("clientId", "an id", "clientSecret", "a client secret", "enabled", true);

    private final TestServer server;
    private final TestProject project;

    ProviderSettingsIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Call put(String provider, Object fields) {
        return project.asOwner("PUT", "/providers/" + provider).json(fields);
    }

    private Response list() {
        return project.asOwner("GET", "/providers").expect(200);
    }

    private static Map<String, @Nullable Object> good(String field, @Nullable Object value) {
        var fields = new HashMap<String, @Nullable Object>(GOOD);
        fields.put(field, value);
        return fields;
    }

    private String sealedSecret(String provider) {
        return server.sql()
                .texts(
                        "SELECT encode(sealed_client_secret, 'hex') FROM identity_providers"
                                + " WHERE project_id = ?::uuid AND provider = ?",
                        project.id(),
                        provider)
                .get(0);
    }

    /** Existing settings were created a day earlier. */
    private void letTimePass() {
        server.sql()
                .update(
                        "UPDATE identity_providers SET created_at = created_at - interval '1 day',"
                                + " updated_at = updated_at - interval '1 day' WHERE project_id = ?::uuid",
                        project.id());
    }

    @Test
    void aNewProjectHasSetUpNothing() {
        var list = list().json();
        assertThat(list.get("providers")).isEmpty();
        assertThat(list.get("total").asInt()).isZero();
    }

    @Test
    void aProviderIsListedAsItWasSetUp() {
        var set = put(
                        "github",
                        Map.of(
                                "clientId",
                                " Iv1.0123 ",
                                "clientSecret",
                                "a secret",
                                "enabled",
                                false,
                                "scopes",
                                List.of("user:email", "https://www.example.com/auth/a.b", "user:email"),
                                "oauthFlow",
                                "redirect"))
                .expect(200);

        assertThat(set.json().fieldNames())
                .toIterable()
                .containsExactly(
                        "provider",
                        "name",
                        "icon",
                        "clientId",
                        "enabled",
                        "scopes",
                        "oauthFlow",
                        "issuer",
                        "tenant",
                        "teamId",
                        "keyId",
                        "storeTokens",
                        "nativeClientIds",
                        "createdAt",
                        "updatedAt",
                        "warnings");
        assertThat(set.json().path("warnings")).isEmpty();
        assertThat(set.text("provider")).isEqualTo("github");
        assertThat(set.text("clientId")).isEqualTo("Iv1.0123");
        assertThat(set.text("enabled")).isEqualTo("false");
        assertThat(set.json().path("scopes")).hasToString("[\"user:email\",\"https://www.example.com/auth/a.b\"]");
        assertThat(set.text("oauthFlow")).isEqualTo("redirect");
        ObjectNode stored = set.json().deepCopy();
        stored.remove("warnings");
        assertThat(list().json().path("providers")).singleElement().isEqualTo(stored);
        assertThat(list().text("total")).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"google", "github", "kakao", "microsoft", "facebook", "discord", "naver", "line", "x"})
    void aProviderThatNeedsOnlyAClientCanBeSetUp(String provider) {
        assertThat(put(provider, GOOD).expect(200).text("provider")).isEqualTo(provider);
    }

    @Test
    void theNewestComesFirst() {
        for (var provider : List.of("naver", "google", "line")) {
            letTimePass();
            put(provider, GOOD).expect(200);
        }
        put("naver", GOOD).expect(200);

        assertThat(list().json().path("providers"))
                .extracting(settings -> settings.path("provider").asText())
                .containsExactly("line", "google", "naver");
    }

    @Test
    void omittedFieldsTakeTheirDefaultsAndTheSecretStays() {
        put("google", good("scopes", List.of("email"))).expect(200);
        put("google", good("oauthFlow", "popup")).expect(200);
        letTimePass();
        var before = list().json().at("/providers/0");
        var sealed = sealedSecret("google");

        var again = put("google", Map.of("clientId", "another id", "enabled", false))
                .expect(200);

        assertThat(again.text("clientId")).isEqualTo("another id");
        assertThat(again.text("enabled")).isEqualTo("false");
        assertThat(again.json().path("scopes").isNull()).isTrue();
        assertThat(again.text("oauthFlow")).isEqualTo("auto");
        assertThat(again.text("createdAt")).isEqualTo(before.path("createdAt").asText());
        assertThat(again.text("updatedAt"))
                .isGreaterThan(before.path("updatedAt").asText());
        assertThat(sealedSecret("google")).isEqualTo(sealed);
        put("google", good("clientSecret", null)).expect(200);
        assertThat(sealedSecret("google")).isEqualTo(sealed);
        put("google", GOOD).expect(200);
        assertThat(sealedSecret("google")).isNotEqualTo(sealed);
    }

    @Test
    void aProviderIsEnabledByDefault() {
        var client = Map.of("clientId", "an id", "clientSecret", "a client secret");
        assertThat(put("google", client).expect(200).text("enabled")).isEqualTo("true");
        put("google", Map.of("clientId", "an id", "enabled", false)).expect(200);
        assertThat(put("google", client).expect(200).text("enabled")).isEqualTo("false");
    }

    @Test
    void theFirstSetupNeedsASecret() {
        var without = Map.of("clientId", "an id", "enabled", true);

        assertThat(put("google", without).expect(422).failingFields()).containsExactly("clientSecret");
        assertThat(put("google", Map.of()).expect(422).failingFields()).containsExactly("clientId", "clientSecret");
        put("google", GOOD).expect(200);
        project.asOwner("DELETE", "/providers/google").expect(200);
        assertThat(put("google", without).expect(422).failingFields()).containsExactly("clientSecret");
    }

    @Test
    void aSecretMayHaveAnyCharactersAndSeveralLines() {
        put("google", good("clientSecret", "first line\nsecond line\r\n")).expect(200);
        put("line", good("clientSecret", "\"'\\ 비밀 €" + "x".repeat(8000))).expect(200);
    }

    @ParameterizedTest
    @MethodSource("badFields")
    void aFieldOutOfBoundsIsRefused(String field, @Nullable Object value) {
        assertThat(put("google", good(field, value)).expect(422).failingFields())
                .containsExactly(field);
        assertThat(list().text("total")).isEqualTo("0");
    }

    static List<Object[]> badFields() {
        return Arrays.asList(
                new Object[] {"clientId", null},
                new Object[] {"clientId", ""},
                new Object[] {"clientId", "x".repeat(513)},
                new Object[] {"clientId", "two\nlines"},
                new Object[] {"clientId", "nul\u0000"},
                new Object[] {"clientId", 7},
                new Object[] {"clientSecret", ""},
                new Object[] {"clientSecret", " \n"},
                new Object[] {"clientSecret", "nul\u0000"},
                new Object[] {"clientSecret", "lone \udc00 surrogate"},
                new Object[] {"clientSecret", "x".repeat(8193)},
                new Object[] {"clientSecret", List.of("s")},
                new Object[] {"enabled", null},
                new Object[] {"enabled", "true"},
                new Object[] {"enabled", 1},
                new Object[] {"scopes", "email"},
                new Object[] {"scopes", List.of("")},
                new Object[] {"scopes", List.of("two words")},
                new Object[] {"scopes", List.of("a\"b")},
                new Object[] {"scopes", List.of("a\\b")},
                new Object[] {"scopes", List.of("é")},
                new Object[] {"scopes", List.of("a\u0000")},
                new Object[] {"scopes", List.of("x".repeat(257))},
                new Object[] {"scopes", List.of(1)},
                new Object[] {"scopes", Collections.nCopies(51, "email")},
                new Object[] {"oauthFlow", "POPUP"},
                new Object[] {"oauthFlow", ""},
                new Object[] {"oauthFlow", true});
    }

    @Test
    void theMaximumNumberAndLengthOfScopesAreAccepted() {
        var scopes = new ArrayList<String>();
        for (int i = 0; i < 50; i++) {
            scopes.add("x".repeat(254) + (char) ('a' + i / 26) + (char) ('a' + i % 26));
        }
        assertThat(put("google", good("scopes", scopes)).expect(200).json().path("scopes"))
                .hasSize(50);
        assertThat(put("google", good("scopes", List.of())).expect(200).json().path("scopes"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gitlab",
                "Google",
                "GOOGLE",
                "google%20",
                "%00",
                "..%2f",
                "0",
                "oidc-",
                "oidc--a",
                "oidc-A",
                "oidc-a_b",
                "oidc-a.b",
                "oidc-0123456789012345678901234567890123456",
                "org-0190a5f27b3c7d4e8f5a6b7c8d9e0f1a"
            })
    void aProviderOutsideTheCatalogueIsNotFound(String provider) {
        put(provider, GOOD).expect(404);
        put(provider, Map.of()).expect(404);
        project.asOwner("DELETE", "/providers/" + provider).expect(404);
    }

    @Test
    void aBodyThatIsNotAnObjectIsABadRequest() {
        for (var body : List.of("", "[]", "null", "{", "\"text\"")) {
            project.asOwner("PUT", "/providers/google").text(body).expect(400);
        }
    }

    @Test
    void aDeletedProviderIsGone() {
        put("google", GOOD).expect(200);
        put("kakao", GOOD).expect(200);

        assertThat(project.asOwner("DELETE", "/providers/google").expect(200).json())
                .hasToString("{\"success\":true}");

        assertThat(list().json().path("providers"))
                .singleElement()
                .satisfies(left -> assertThat(left.path("provider").asText()).isEqualTo("kakao"));
        project.asOwner("DELETE", "/providers/google").expect(404);
    }

    @Test
    void projectsHaveSeparateProviders() {
        var other = server.newProject(project.owner(), "Another");
        put("google", GOOD).expect(200);

        assertThat(other.asOwner("GET", "/providers").expect(200).text("total")).isEqualTo("0");
        other.asOwner("DELETE", "/providers/google").expect(404);
        other.asOwner("PUT", "/providers/google")
                .json(Map.of("clientId", "id", "enabled", true))
                .expect(422);
        assertThat(list().text("total")).isEqualTo("1");
    }

    @Test
    void aViewerCanReadButChangeNothing() {
        put("google", GOOD).expect(200);
        var viewer = server.newMember(project, "viewer");

        project.as(viewer, "PUT", "/providers/google").json(GOOD).expect(403);
        project.as(viewer, "DELETE", "/providers/google").expect(403);
        assertThat(project.as(viewer, "GET", "/providers").expect(200).json()).isEqualTo(list().json());
    }
}
