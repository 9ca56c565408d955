package dev.vestibule.authentication.factor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
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

/** Reading a user's mails gets nobody past a second factor, and mails tell the user what happens to it. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MfaByMailIT {
    private static final Duration STEP = Duration.ofSeconds(30);
    private static final String NEW_PASSWORD = "another horse battery";

    private final WithMail mail;
    private final TestServer server;

    MfaByMailIT(TestDatabase database) {
        mail = WithMail.start(database, Map.of("VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1,::1"));
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    /** Sets up an authenticator for a user who has proved an email, or only a phone number. */
    private Authenticator enrol(Response tokens) {
        var setup = server.api()
                .post("/v1/auth/mfa/totp/setup")
                .bearer(tokens.accessToken())
                .expect(200);
        var app = new Authenticator(setup.text("secret"), mail.clock());
        coded(tokens, "totp/verify-setup", app.code()).expect(200);
        mail.clock().advance(STEP);
        return app;
    }

    /** A factor on an account whose email nobody has proved, as an earlier release could create it. */
    private Authenticator enrolUnproved(String email, Response tokens) {
        return server.withoutProof(email, () -> enrol(tokens));
    }

    private Call coded(Response tokens, String path, String code) {
        return server.api()
                .post("/v1/auth/mfa/" + path)
                .bearer(tokens.accessToken())
                .json(Map.of("code", code));
    }

    private static Response verify(TestProject project, Response pending, String code) {
        return project.post("/v1/auth/mfa/verify")
                .json(Map.of("mfaToken", pending.text("mfaToken"), "code", code))
                .expect(200);
    }

    /** Someone signs up with another's email and sets up a factor, to keep the owner out. */
    @Test
    void theCodeOfASignUpRemovesTheFactorOfAStrangerWhoCreatedTheAccount() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var attacker = project.signUp(email);
        var app = enrolUnproved(email, attacker);
        var pending = project.signIn(email);
        var code = mail.mailbox().awaitCode(email);

        var owner = WithMail.verify(project, email, code, 200);
        assertThat(owner.text("user/emailVerified")).isEqualTo("true");
        project.me(owner.accessToken()).expect(200);
        assertThat(TestMailbox.text(mail.mailbox().await(email, 2))).contains("The authenticator app was removed");
        project.me(attacker.accessToken()).expect(401);
        project.post("/v1/auth/mfa/verify")
                .json(Map.of("mfaToken", pending.text("mfaToken"), "code", app.code()))
                .expect(401);
        assertThat(removals(project)).containsExactly("{\"factor\": \"totp\", \"reason\": \"email_claimed\"}");

        // a proof by mail no longer removes the owner's own factor
        enrol(owner);
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        assertThat(project.signIn(email).json().path("mfaRequired").asBoolean()).isTrue();
    }

    /** A mailed code would bypass it: the first proof of an email removes earlier factors. */
    @Test
    void anAppIsSetUpOnlyOnceTheEmailIsProved() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var signedUp = project.signUp(email);
        var refused = server.api()
                .post("/v1/auth/mfa/totp/setup")
                .bearer(signedUp.accessToken())
                .expect(403);
        assertThat(refused.text("reason")).isEqualTo("verification_required");
        var tokens = WithMail.verify(project, email, mail.mailbox().awaitCode(email), 200);
        enrol(tokens);
    }

    /** The first proof of the email takes the account away from the person who has the number. */
    @Test
    void aProvedPhoneIsNoProofOfTheEmail() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var signedUp = project.signUp(email);
        server.provePhone(email);
        assertThat(server.api()
                        .post("/v1/auth/mfa/totp/setup")
                        .bearer(signedUp.accessToken())
                        .expect(403)
                        .text("reason"))
                .isEqualTo("verification_required");
    }

    @Test
    void whatWasSetUpUnderAProofIsConfirmedUnderOneToo() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var signedUp = project.signUp(email);
        server.proveEmail(email);
        var setup = server.api()
                .post("/v1/auth/mfa/totp/setup")
                .bearer(signedUp.accessToken())
                .expect(200);
        project.manage("PATCH", "/v1/dashboard/users/" + signedUp.text("user/id"))
                .json(Map.of("emailVerified", false))
                .expect(200);
        var code = new Authenticator(setup.text("secret"), mail.clock()).code();
        assertThat(coded(signedUp, "totp/verify-setup", code).expect(403).text("reason"))
                .isEqualTo("verification_required");
    }

    @Test
    void ifAFactorIsRequiredTheProofOfTheEmailComesBeforeTheSetup() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        project.signUp(email);
        mail.mailbox().awaitCode(email);
        project.asOwner("PATCH", "").json(Map.of("requireMfa", "required")).expect(200);
        mail.clock().advance(Duration.ofDays(8));

        assertThat(project.signIn(email).text("status")).isEqualTo("verification_required");
        var asked = WithMail.verify(project, email, mail.mailbox().awaitCode(email, 2), 403);
        assertThat(asked.text("reason")).isEqualTo("mfa_enrollment_required");
        var token = Map.of("mfaToken", asked.text("mfaToken"));
        var setup = project.post("/v1/auth/mfa/totp/setup").json(token).expect(200);
        project.post("/v1/auth/mfa/totp/verify-setup")
                .json(Map.of(
                        "mfaToken",
                        asked.text("mfaToken"),
                        "code",
                        new Authenticator(setup.text("secret"), mail.clock()).code()))
                .expect(200);
    }

    private List<String> removals(TestProject project) {
        return server.sql()
                .texts(
                        "SELECT metadata::text FROM audit_log WHERE project_id = ?::uuid"
                                + " AND event = 'auth.mfa.disabled'",
                        project.id());
    }

    @Test
    void ifAVerifiedEmailIsRequiredItComesBeforeTheCode() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var signedUp = project.signUp(email);
        enrolUnproved(email, signedUp);
        mail.mailbox().awaitCode(email);
        project.asOwner("PATCH", "")
                .json(Map.of("requireEmailVerification", true, "confirm", true))
                .expect(200);
        mail.passAMinute();

        var waiting = project.signIn(email);
        assertThat(waiting.text("status")).isEqualTo("verification_required");
        assertThat(waiting.json().has("mfaToken")).isFalse();
        var tokens = WithMail.verify(project, email, mail.mailbox().awaitCode(email, 2), 200);
        var app = enrol(tokens);
        verify(project, project.signIn(email), app.code());
    }

    @Test
    void aResetOfThePasswordLeavesTheFactorAndOpensNoSession() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var signedUp = project.signUp(email);
        mail.mailbox().awaitCode(email);
        server.proveEmail(email);
        project.asOwner("PATCH", "").json(Map.of("securityNotices", false)).expect(200);
        var app = enrol(signedUp);
        var pending = project.signIn(email);
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);

        var reset = project.post("/v1/auth/password/reset")
                .json(Map.of("email", email, "code", mail.mailbox().awaitCode(email, 2), "password", NEW_PASSWORD))
                .expect(200);
        assertThat(reset.json()).hasToString("{\"success\":true}");

        project.post("/v1/auth/mfa/verify")
                .json(Map.of("mfaToken", pending.text("mfaToken"), "code", app.code()))
                .expect(401);
        verify(project, project.trySignIn(email, NEW_PASSWORD).expect(200), app.code());
    }

    /** Somebody signs up with another's email and sets up a factor, to keep the owner out. */
    @Test
    void aResetOfThePasswordThatIsTheFirstProofOfTheEmailRemovesTheFactor() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var attacker = project.signUp(email);
        var app = enrolUnproved(email, attacker);
        mail.mailbox().awaitCode(email);
        var pending = project.signIn(email);
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        project.post("/v1/auth/password/reset")
                .json(Map.of("email", email, "code", mail.mailbox().awaitCode(email, 2), "password", NEW_PASSWORD))
                .expect(200);

        project.post("/v1/auth/mfa/verify")
                .json(Map.of("mfaToken", pending.text("mfaToken"), "code", app.code()))
                .expect(401);
        project.me(attacker.accessToken()).expect(401);
        var owner = project.trySignIn(email, NEW_PASSWORD).expect(200);
        project.me(owner.accessToken()).expect(200);
        assertThat(removals(project)).containsExactly("{\"factor\": \"totp\", \"reason\": \"email_claimed\"}");
    }

    private Response signIn(TestProject project, String email, String password, String network) {
        return project.post("/v1/auth/signin")
                .header("X-Forwarded-For", network)
                .json(Map.of("email", email, "password", password))
                .expect(200);
    }

    private static Call verifyFrom(TestProject project, Response pending, String code, String network) {
        return project.post("/v1/auth/mfa/verify")
                .header("X-Forwarded-For", network)
                .json(Map.of("mfaToken", pending.text("mfaToken"), "code", code));
    }

    /** Anyone who reads the mails has the first factor from any network, and guesses the second. */
    @Test
    void aPasswordResetNeitherAddsNorRemovesTriesOfTheSecondFactor() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var signedUp = project.signUp(email);
        mail.mailbox().awaitCode(email);
        server.proveEmail(email);
        project.asOwner("PATCH", "").json(Map.of("securityNotices", false)).expect(200);
        var app = enrol(signedUp);
        var home = "203.0.113.1";
        verifyFrom(project, signIn(project, email, TestProject.PASSWORD, home), app.code(), home)
                .expect(200);
        var mails = 1;
        for (var network : List.of("198.51.100.2", "198.51.100.77")) {
            mail.passAMinute();
            project.post("/v1/auth/password/forgot")
                    .header("X-Forwarded-For", network)
                    .json(Map.of("email", email))
                    .expect(200);
            var code = mail.mailbox().awaitCode(email, ++mails);
            project.post("/v1/auth/password/reset")
                    .header("X-Forwarded-For", network)
                    .json(Map.of("email", email, "code", code, "password", NEW_PASSWORD))
                    .expect(200);
            for (int i = 0; i < 10; i++) {
                verifyFrom(project, signIn(project, email, NEW_PASSWORD, network), app.wrongCode(), network)
                        .expect(401);
            }
        }
        mail.clock().advance(STEP);
        var away = "198.51.100.99";
        verifyFrom(project, signIn(project, email, NEW_PASSWORD, away), app.code(), away)
                .expect(429);
        verifyFrom(project, signIn(project, email, NEW_PASSWORD, home), app.code(), home)
                .expect(200);
    }

    private void manage(TestProject project, Response user, Map<String, ?> change) {
        project.manage("PATCH", "/v1/dashboard/users/" + user.text("user/id"))
                .json(change)
                .expect(200);
    }

    private Response enrolled(TestProject project, String email) {
        var signedUp = project.signUp(email);
        mail.mailbox().awaitCode(email);
        server.proveEmail(email);
        return signedUp;
    }

    private Call signInByMail(TestProject project, String email) {
        project.post("/v1/auth/passwordless/email-otp")
                .json(Map.of("email", email))
                .expect(200);
        return project.post("/v1/auth/passwordless/verify")
                .json(Map.of("email", email, "code", mail.mailbox().awaitCode(email)));
    }

    /** A mistake of the support desk: another person's mailbox must not get past the factor. */
    @Test
    void managementsChangeOfTheEmailLeavesTheSecondFactor() {
        var project = server.newProject();
        project.asOwner("PATCH", "").json(Map.of("securityNotices", false)).expect(200);
        var user = enrolled(project, TestServer.newEmail());
        var app = enrol(user);
        var next = TestServer.newEmail();
        manage(project, user, Map.of("email", next));
        assertThat(signInByMail(project, next).expect(403).text("message")).contains("a mail alone does not sign in");

        mail.passAMinute();
        project.post("/v1/auth/password/forgot").json(Map.of("email", next)).expect(200);
        project.post("/v1/auth/password/reset")
                .json(Map.of("email", next, "code", mail.mailbox().awaitCode(next, 2), "password", NEW_PASSWORD))
                .expect(200);
        verify(project, project.trySignIn(next, NEW_PASSWORD).expect(200), app.code());
    }

    @Test
    void aMailThatTheFactorStopsTakesNothingFromTheOwner() {
        var project = server.newProject();
        project.asOwner("PATCH", "").json(Map.of("securityNotices", false)).expect(200);
        var user = enrolled(project, TestServer.newEmail());
        var app = enrol(user);
        var next = TestServer.newEmail();
        manage(project, user, Map.of("email", next));
        signInByMail(project, next).expect(403);

        project.me(user.accessToken()).expect(200);
        verify(project, project.signIn(next), app.code());
    }

    @Test
    void markingTheEmailUnverifiedLeavesTheSecondFactor() {
        var project = server.newProject();
        project.asOwner("PATCH", "").json(Map.of("securityNotices", false)).expect(200);
        var email = TestServer.newEmail();
        var user = enrolled(project, email);
        var app = enrol(user);
        manage(project, user, Map.of("emailVerified", false));
        mail.passAMinute();
        project.post("/v1/auth/resend-code").json(Map.of("email", email)).expect(200);

        WithMail.verify(project, email, mail.mailbox().awaitCode(email, 2), 403);
        verify(project, project.signIn(email), app.code());
    }

    @Test
    void theUserIsNotifiedOfEachChange() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var tokens = project.signUp(email);
        mail.mailbox().await(email, 1);
        server.proveEmail(email);
        var app = enrol(tokens);
        assertThat(TestMailbox.text(mail.mailbox().await(email, 2))).contains("An authenticator app was set up");
        coded(tokens, "backup-codes/regenerate", app.code()).expect(200);
        assertThat(TestMailbox.text(mail.mailbox().await(email, 3))).contains("New backup codes were made");
        mail.clock().advance(STEP);
        coded(tokens, "disable", app.code()).expect(200);
        assertThat(TestMailbox.text(mail.mailbox().await(email, 4))).contains("The authenticator app was removed");

        mail.clock().advance(Duration.ofHours(2));
        enrol(project.signIn(email));
        mail.mailbox().await(email, 5);
        project.manage("DELETE", "/v1/dashboard/users/" + tokens.text("user/id") + "/factors")
                .expect(200);
        assertThat(TestMailbox.text(mail.mailbox().await(email, 6)))
                .contains("The authenticator app was removed")
                .doesNotContain("127.0.0.1");
    }
}
