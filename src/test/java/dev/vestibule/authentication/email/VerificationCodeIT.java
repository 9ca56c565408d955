package dev.vestibule.authentication.email;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a code is good for, how long and how often. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VerificationCodeIT {
    private final WithMail mail;
    private final TestServer server;

    VerificationCodeIT(TestDatabase database) {
        mail = WithMail.start(database);
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    @Test
    void aCodeIsValidOnce() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var code = mail.signUp(project, email);

        WithMail.verify(project, email, code, 200);
        WithMail.verify(project, email, code, 401);
    }

    @Test
    void aCodeIsValidForTenMinutesAfterItWasSent() {
        var project = mail.strictProject();
        var late = TestServer.newEmail();
        var lateCode = mail.signUp(project, late);
        mail.clock().advance(Duration.ofSeconds(1));
        var justInTime = TestServer.newEmail();
        var code = mail.signUp(project, justInTime);

        mail.clock().advance(Duration.ofMinutes(10).minusSeconds(1));

        WithMail.verify(project, late, lateCode, 401);
        WithMail.verify(project, justInTime, code, 200);
    }

    @Test
    void theSixthTryIsInVain() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var code = mail.signUp(project, email);
        for (int i = 0; i < 5; i++) {
            WithMail.verify(project, email, WithMail.anotherThan(code), 401);
        }
        WithMail.verify(project, email, code, 401);
    }

    @Test
    void theFifthTryIsNot() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var code = mail.signUp(project, email);
        for (int i = 0; i < 4; i++) {
            WithMail.verify(project, email, WithMail.anotherThan(code), 401);
        }
        WithMail.verify(project, email, code, 200);
    }

    @Test
    void aCodeIsValidOnlyForItsProjectEmailAndPurpose() {
        var project = mail.strictProject();
        var elsewhere = mail.strictProject();
        var email = TestServer.newEmail();
        var code = mail.signUp(project, email);
        var another = TestServer.newEmail();
        mail.signUp(project, another);
        elsewhere.signUp(email);

        WithMail.verify(elsewhere, email, code, 401);
        WithMail.verify(project, another, code, 401);
        project.post("/v1/auth/password/reset")
                .json(Map.of("email", email, "code", code, "password", "a new password"))
                .expect(422);
        WithMail.verify(project, email, code, 200);
    }

    @Test
    void anUnknownEmailGetsTheAnswerOfAWrongCode() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var code = mail.signUp(project, email);

        assertThat(WithMail.verify(project, TestServer.newEmail(), code, 401).body())
                .isEqualTo(WithMail.verify(project, email, WithMail.anotherThan(code), 401)
                        .body());
    }

    @Test
    void aVerifiedUserGetsNoSessionByACode() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var code = mail.signUp(project, email);
        server.sql().update("UPDATE users SET email_verified = true WHERE email = ?", email);

        WithMail.verify(project, email, code, 401);
    }

    @Test
    void aCodeIsInvalidOnceTheUserHasAnotherEmail() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var code = mail.signUp(project, email);
        server.sql().update("UPDATE users SET email = ? WHERE email = ?", TestServer.newEmail(), email);

        WithMail.verify(project, email, code, 401);
        project.signUp(email); // another user's now
        WithMail.verify(project, email, code, 401);
    }

    @Test
    void noCodeIsInTheDatabase() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var code = mail.signUp(project, email);

        assertThat(server.sql().texts("SELECT codes::text FROM codes"))
                .noneMatch(row -> row.contains(code) || row.contains(email));
    }
}
