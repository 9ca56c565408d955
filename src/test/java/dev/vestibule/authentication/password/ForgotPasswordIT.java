package dev.vestibule.authentication.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForgotPasswordIT {
    private final WithMail mail;
    private final TestServer server;
    private final TestDatabase database;

    ForgotPasswordIT(TestDatabase database) {
        this.database = database;
        mail = WithMail.start(database);
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    private static String forgot(TestProject project, String email) {
        return project.post("/v1/auth/password/forgot")
                .json(Map.of("email", email))
                .expect(200)
                .body();
    }

    @Test
    void onlyAUserGetsAMailButTheResponseIsAlwaysTheSame() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        project.signUp(email);
        mail.mailbox().await(email, 1);
        var unknown = TestServer.newEmail();

        assertThat(forgot(project, email)).isEqualTo("{\"sent\":true}");
        assertThat(forgot(project, unknown)).isEqualTo("{\"sent\":true}");

        mail.mailbox().await(email, 2);
        Eventually.until("the outbox is empty", () -> server.sql().count("SELECT count(*) FROM messages") == 0);
        assertThat(mail.mailbox().to(unknown)).isEmpty();
    }

    /** While the mail waits, the database contains the same for both, except for the address itself. */
    @Test
    void askingWritesTheSameForAKnownAndAnUnknownAddress() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        project.signUp(email);
        server.sql().update("DELETE FROM sign_in_networks WHERE project_id = ?::uuid", project.id()); // a stranger asks
        var unknown = TestServer.newEmail();
        forgot(project, email);
        forgot(project, unknown);

        assertThat(server.sql()
                        .texts(
                                "SELECT DISTINCT requests || ' ' || tries FROM codes"
                                        + " WHERE project_id = ?::uuid AND purpose = 'password_reset'",
                                project.id()))
                .containsExactly("1 0");
        assertThat(server.sql()
                        .count(
                                "SELECT count(*) FROM codes WHERE project_id = ?::uuid"
                                        + " AND purpose = 'password_reset'",
                                project.id()))
                .isEqualTo(2);
    }

    @Test
    void aVerificationDoesNotUseUpTheMailsOfAReset() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        mail.signUp(project, email);

        forgot(project, email);

        mail.mailbox().await(email, 2);
    }

    @Test
    void aBannedUserGetsNoMail() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        project.signUp(email);
        mail.mailbox().await(email, 1);
        server.sql().update("UPDATE users SET is_banned = true WHERE email = ?", email);

        forgot(project, email);

        Eventually.until("the outbox is empty", () -> server.sql().count("SELECT count(*) FROM messages") == 0);
        assertThat(mail.mailbox().to(email)).hasSize(1);
    }

    @Test
    void supportSendsAUserTheMailWhateverOriginsAndCaptchaTheProjectAsksFor() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var user = project.signUp(email).text("user/id");
        mail.mailbox().await(email, 1);
        project.asOwner("PATCH", "")
                .json(Map.of("allowedOrigins", List.of("https://app.example.com"), "captcha", Map.of("when", "always")))
                .expect(200);
        var path = "/v1/dashboard/users/" + user + "/password-reset?projectId=" + project.id();

        server.api().post(path).bearer(server.newMember(project, "viewer")).expect(403);
        assertThat(server.api()
                        .post(path)
                        .header("Origin", "https://auth.example.com")
                        .bearer(server.newMember(project, "support"))
                        .expect(200)
                        .body())
                .isEqualTo("{\"sent\":true}");

        project.post("/v1/auth/password/reset")
                .json(Map.of(
                        "email", email, "code", mail.mailbox().awaitCode(email, 2), "password", "another password"))
                .expect(200);
    }

    @Test
    void nobodyCanSendAMailToAUserWithoutAnEmail() {
        var project = server.newProject();
        var user = project.manage("POST", "/v1/dashboard/users")
                .json(Map.of("externalId", "without-email", "phone", "+4915112345678"))
                .expect(201)
                .text("id");

        assertThat(project.manage("POST", "/v1/dashboard/users/" + user + "/password-reset")
                        .expect(409)
                        .text("code"))
                .isEqualTo("email_required");
    }

    @Test
    void oldStatesAreRemoved() {
        try (var sweeping = WithMail.start(database, Map.of("VESTIBULE_SESSIONS_SWEEP_SECONDS", "1"))) {
            var project = sweeping.server().newProject();
            forgot(project, TestServer.newEmail());
            var rows = "SELECT count(*) FROM codes WHERE purpose = 'password_reset'";
            assertThat(sweeping.server().sql().count(rows)).isEqualTo(1);

            sweeping.clock().advance(Duration.ofHours(1));

            Eventually.until("it is forgotten", () -> sweeping.server().sql().count(rows) == 0);
        }
    }

    @Test
    void aDashboardUserResetsThePasswordInTheSameWay() {
        var email = TestServer.newEmail();
        server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", email, "password", "a dashboard password"))
                .expect(201);
        mail.mailbox().await(email, 1);
        var system = "00000000-0000-7000-8000-000000000000";
        server.api()
                .post("/v1/auth/password/forgot")
                .json(Map.of("projectId", system, "email", email))
                .expect(200);
        server.api()
                .post("/v1/auth/password/reset")
                .json(Map.of(
                        "projectId",
                        system,
                        "email",
                        email,
                        "code",
                        mail.mailbox().awaitCode(email, 2),
                        "password",
                        "another password"))
                .expect(200);

        server.api()
                .post("/v1/dashboard/auth/login")
                .json(Map.of("email", email, "password", "another password"))
                .expect(200);
    }
}
