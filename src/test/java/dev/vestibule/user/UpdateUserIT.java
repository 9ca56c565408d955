package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class UpdateUserIT {
    private static final String EMAIL = "ann@example.com";
    private static final Map<String, Object> EVERYTHING = Map.of(
            "displayName",
            "Countess",
            "avatarUrl",
            "https://cdn.example.com/ann.png",
            "phone",
            "+442071838750",
            "email",
            "countess@example.com",
            "emailVerified",
            true,
            "publicMetadata",
            Map.of("role", "editor"));

    private final TestServer server;
    private final TestProject project;
    private final Response signedUp;
    private final String user;

    UpdateUserIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.signedUp = project.signUp(EMAIL);
        this.user = "/v1/dashboard/users/" + signedUp.text("user/id");
    }

    private Call update(Object fields) {
        return project.manage("PATCH", user).json(fields);
    }

    private JsonNode updated(Object fields) {
        return update(fields).expect(200).json();
    }

    private JsonNode me() {
        return project.me(signedUp.accessToken()).expect(200).json();
    }

    private static JsonNode asTheUserSeesIt(JsonNode managed) {
        return managed.<ObjectNode>deepCopy().without(List.of("externalId", "privateMetadata", "mfaEnabled"));
    }

    @Test
    void everyFieldIsSetAndReadBack() {
        var answer = updated(EVERYTHING);

        EVERYTHING.forEach((field, value) -> {
            if (!(value instanceof Map)) {
                assertThat(answer.path(field).asText()).as(field).isEqualTo(value.toString());
            }
        });
        assertThat(answer.path("publicMetadata")).hasToString("{\"role\":\"editor\"}");
        assertThat(answer.path("updatedAt").asText()).isGreaterThan(signedUp.text("user/updatedAt"));
        assertThat(me()).isEqualTo(asTheUserSeesIt(answer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"displayName", "avatarUrl", "phone", "publicMetadata", "externalId", "privateMetadata"})
    void onlyTheGivenFieldChangesAndNullClearsIt(String field) {
        var before = updated(EVERYTHING);
        var cleared = updated(Collections.singletonMap(field, null));

        assertThat(cleared.path(field).isNull()).isTrue();
        var expected = before.<ObjectNode>deepCopy();
        expected.putNull(field);
        expected.set("updatedAt", cleared.path("updatedAt"));
        assertThat(cleared).isEqualTo(expected);
    }

    @Test
    void anEmptyObjectChangesNothing() {
        assertThat(asTheUserSeesIt(updated(Map.of()))).isEqualTo(signedUp.json().path("user"));
        assertThat(me()).isEqualTo(signedUp.json().path("user"));
    }

    @Test
    void fieldsThatAnApplicationCannotChangeAreRefused() {
        var fields = new HashMap<String, Object>(Map.of(
                "id",
                "019ba6eb-5800-73e4-9f21-6b0d84e7a915",
                "projectId",
                project.id(),
                "isBanned",
                true,
                "phoneVerified",
                true,
                "signInCount",
                99,
                "createdAt",
                "2020-01-01T00:00:00.000Z"));

        assertThat(update(fields).expect(422).failingFields()).containsExactlyInAnyOrderElementsOf(fields.keySet());
        assertThat(me()).isEqualTo(signedUp.json().path("user"));
    }

    @Test
    void onlyThatUserIsChanged() {
        var other = project.signUp();

        updated(EVERYTHING);

        assertThat(project.me(other.accessToken()).expect(200).json())
                .isEqualTo(other.json().path("user"));
    }

    @Test
    void theUserSignsInOnlyWithTheNewEmail() {
        updated(Map.of("email", " Countess@Example.com "));

        project.signIn("countess@example.com");
        project.trySignIn(EMAIL, TestProject.PASSWORD).expect(401);
        project.me(signedUp.accessToken()).expect(200);
        assertThat(project.signUp(EMAIL).text("user/id")).isNotEqualTo(signedUp.text("user/id"));
    }

    @Test
    void aChangedEmailMustBeVerifiedAgain() {
        assertThat(updated(Map.of("emailVerified", true)).path("emailVerified").asBoolean())
                .isTrue();
        assertThat(updated(Map.of("email", "ANN@example.com"))
                        .path("emailVerified")
                        .asBoolean())
                .as("the same email")
                .isTrue();
        assertThat(updated(Map.of("email", "bea@example.com"))
                        .path("emailVerified")
                        .asBoolean())
                .isFalse();
        assertThat(updated(Map.of("email", "cyn@example.com", "emailVerified", true))
                        .path("emailVerified")
                        .asBoolean())
                .isTrue();
        assertThat(updated(Map.of("emailVerified", false)).path("emailVerified").asBoolean())
                .isFalse();
    }

    @Test
    void aChangedPhoneMustBeVerifiedAgain() {
        updated(Map.of("phone", "+442071838750"));
        server.sql().update("UPDATE users SET phone_verified = true WHERE project_id = ?::uuid", project.id());

        assertThat(updated(Map.of("phone", "+442071838750"))
                        .path("phoneVerified")
                        .asBoolean())
                .as("the same phone")
                .isTrue();
        assertThat(updated(Map.of("displayName", "Ann")).path("phoneVerified").asBoolean())
                .isTrue();
        assertThat(updated(Map.of("phone", "+442071838751"))
                        .path("phoneVerified")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void theEmailOfAnotherUserIsAConflictAndChangesNothing() {
        project.signUp("bea@example.com");

        update(Map.of("email", "BEA@example.com", "displayName", "Bea", "password", "a new password"))
                .expect(409);

        assertThat(me()).isEqualTo(signedUp.json().path("user"));
        project.signIn(EMAIL);
    }

    @Test
    void theEmailOfAnotherProjectsUserIsFree() {
        server.newProject().signUp("bea@example.com");

        updated(Map.of("email", "bea@example.com"));
    }

    @Test
    void aNewPasswordEndsEverySessionAndTheOldPassword() {
        var elsewhere = project.signIn(EMAIL);

        updated(Map.of("password", "a new password"));

        for (var session : new Response[] {signedUp, elsewhere}) {
            project.me(session.accessToken()).expect(401);
            project.refresh(session.refreshToken()).expect(401);
        }
        project.trySignIn(EMAIL, TestProject.PASSWORD).expect(401);
        project.trySignIn(EMAIL, "a new password").expect(200);
    }

    @Test
    void aUserWithoutEmailOrPasswordCanBeGivenBoth() {
        server.sql()
                .update("UPDATE users SET email = NULL, password_hash = NULL WHERE project_id = ?::uuid", project.id());

        assertThat(updated(Map.of("displayName", "Ann")).path("email").isNull()).isTrue();
        updated(Map.of("email", "bea@example.com", "password", "a new password"));

        project.trySignIn("bea@example.com", "a new password").expect(200);
    }

    @Test
    void aBannedUserCanBeChangedAndStaysBanned() {
        project.manage("PATCH", user + "/ban").expect(200);

        assertThat(updated(Map.of("password", "a new password"))
                        .path("isBanned")
                        .asBoolean())
                .isTrue();

        project.trySignIn(EMAIL, "a new password").expect(403);
    }

    @Test
    void thePasswordMustNotBeTheNewEmail() {
        assertThat(update(Map.of("password", "ANN@example.com")).expect(422).failingFields())
                .containsExactly("password");
        assertThat(update(Map.of("email", "bea@example.com", "password", "bea@example.com"))
                        .expect(422)
                        .failingFields())
                .containsExactly("password");
        updated(Map.of("email", "bea@example.com", "password", EMAIL));
    }
}
