package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class GetMeIT {
    private final TestServer server;
    private final TestProject project;

    GetMeIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    @Test
    void meIsTheFullUserInTheDocumentedOrder() {
        project.signUp("ann@example.com");
        var signedIn = project.signIn("ann@example.com");

        var me = project.me(signedIn.accessToken()).expect(200).json();

        assertThat(me.fieldNames())
                .toIterable()
                .containsExactly(
                        "id",
                        "projectId",
                        "email",
                        "displayName",
                        "avatarUrl",
                        "phone",
                        "emailVerified",
                        "phoneVerified",
                        "isBanned",
                        "publicMetadata",
                        "signInCount",
                        "lastSignInAt",
                        "createdAt",
                        "updatedAt");
        assertThat(me.path("signInCount").asInt()).isEqualTo(1);
        assertThat(me.path("lastSignInAt").asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    }

    @Test
    void meReturnsTheCurrentUserAndNotThatOfTheSignIn() {
        var signedUp = project.signUp("ann@example.com");
        project.signIn("ann@example.com");
        server.sql()
                .update(
                        "UPDATE users SET public_metadata = '{\"role\":\"editor\",\"n\":[1,{\"a\":null}]}', "
                                + "email_verified = true, phone = '+4712345678' WHERE id = ?::uuid",
                        signedUp.text("user/id"));

        var me = project.me(signedUp.accessToken()).expect(200).json();

        assertThat(me.path("publicMetadata")).hasToString("{\"n\":[1,{\"a\":null}],\"role\":\"editor\"}");
        assertThat(me.path("emailVerified").asBoolean()).isTrue();
        assertThat(me.path("phone").asText()).isEqualTo("+4712345678");
        assertThat(me.path("signInCount").asInt()).isEqualTo(1);
    }

    @Test
    void aTimestampOfAFullSecondStillHasMilliseconds() {
        var signedUp = project.signUp();
        server.sql()
                .update(
                        "UPDATE users SET created_at = '2026-01-15 11:30:00+01', last_sign_in_at = '2026-01-15 10:30:00.0407Z'"
                                + " WHERE id = ?::uuid",
                        signedUp.text("user/id"));

        var me = project.me(signedUp.accessToken()).expect(200);

        assertThat(me.text("createdAt")).isEqualTo("2026-01-15T10:30:00.000Z");
        assertThat(me.text("lastSignInAt")).isEqualTo("2026-01-15T10:30:00.040Z");
    }

    @Test
    void everyTokenShowsItsOwnUser() {
        var ann = project.signUp();
        var bob = project.signUp();

        assertThat(project.me(ann.accessToken()).expect(200).text("id")).isEqualTo(ann.text("user/id"));
        assertThat(project.me(bob.accessToken()).expect(200).text("id")).isEqualTo(bob.text("user/id"));
    }
}
