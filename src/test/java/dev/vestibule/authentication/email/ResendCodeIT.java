package dev.vestibule.authentication.email;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResendCodeIT {
    private final WithMail mail;
    private final TestServer server;

    ResendCodeIT(TestDatabase database) {
        mail = WithMail.start(database);
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    private static Call resend(TestProject project, String email) {
        return project.post("/v1/auth/resend-code").json(Map.of("email", email));
    }

    /** Every waiting mail is sent once the outbox is empty. */
    private void awaitEmptyOutbox() {
        Eventually.until("the outbox is empty", () -> server.sql().count("SELECT count(*) FROM messages") == 0);
    }

    @Test
    void aNewCodeComesAfterAMinute() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        mail.signUp(project, email);

        mail.clock().advance(Duration.ofSeconds(59));
        assertThat(resend(project, email).expect(200).body()).isEqualTo("{\"sent\":true}");
        awaitEmptyOutbox();
        assertThat(mail.mailbox().to(email)).hasSize(1);

        mail.clock().advance(Duration.ofSeconds(1));
        resend(project, email).expect(200);
        project.post("/v1/auth/verify-email")
                .json(Map.of("email", email, "code", mail.mailbox().awaitCode(email, 2)))
                .expect(200);
    }

    @Test
    void anAddressGetsTenMailsAnHour() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        mail.signUp(project, email);
        for (int i = 0; i < 20; i++) {
            mail.passAMinute();
            resend(project, email).expect(200);
        }
        awaitEmptyOutbox();
        assertThat(mail.mailbox().to(email)).hasSize(10);

        mail.clock().advance(Duration.ofMinutes(40));
        resend(project, email).expect(200);
        mail.mailbox().await(email, 11);
    }

    @Test
    void ofConcurrentRequestsOneIsGranted() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        mail.signUp(project, email);
        mail.passAMinute();

        assertThat(Parallel.send(20, number -> resend(project, email)))
                .allSatisfy(answer -> assertThat(answer.body()).isEqualTo("{\"sent\":true}"));

        awaitEmptyOutbox();
        assertThat(mail.mailbox().to(email)).hasSize(2);
    }

    @Test
    void unknownEmailsGetNoMailAndTheSameResponse() {
        var project = mail.strictProject();
        var unknown = TestServer.newEmail();
        var verified = TestServer.newEmail();
        mail.signUp(project, verified);
        server.sql().update("UPDATE users SET email_verified = true WHERE email = ?", verified);
        var banned = TestServer.newEmail();
        mail.signUp(project, banned);
        server.sql().update("UPDATE users SET is_banned = true WHERE email = ?", banned);
        mail.passAMinute();

        for (var email : new String[] {unknown, verified, banned}) {
            assertThat(resend(project, email).expect(200).body()).isEqualTo("{\"sent\":true}");
        }

        awaitEmptyOutbox();
        assertThat(mail.mailbox().to(unknown)).isEmpty();
        assertThat(mail.mailbox().to(verified)).hasSize(1);
        assertThat(mail.mailbox().to(banned)).hasSize(1);
    }

    @Test
    void anotherProjectsUserOfTheSameEmailGetsNothing() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        mail.signUp(project, email);
        mail.passAMinute();

        resend(mail.strictProject(), email).expect(200);

        awaitEmptyOutbox();
        assertThat(mail.mailbox().to(email)).hasSize(1);
    }

    /** Otherwise a stranger could keep a user from ever getting the first code. */
    @Test
    void requestsBeforeTheSignUpDoNotDelayItsCode() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        for (int i = 0; i < 11; i++) {
            resend(project, email).expect(200);
            mail.passAMinute();
        }
        resend(project, email).expect(200);

        mail.signUp(project, email);
    }
}
