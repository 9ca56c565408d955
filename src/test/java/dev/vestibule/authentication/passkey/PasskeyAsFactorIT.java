package dev.vestibule.authentication.passkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.PasskeyDevice;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A passkey that has verified the person is a second factor of the account: then no single factor opens a session. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PasskeyAsFactorIT {
    private static final String PASSKEYS = "/v1/auth/passkeys";
    private static final String ORIGIN = "https://app.example.com";
    private static final Duration GRACE = Duration.ofDays(7);
    private static final Pattern TOKEN = Pattern.compile("token=([A-Za-z0-9_-]+)");

    private final WithMail mail;
    private final TestServer server;
    private TestProject project;
    private String email;
    private Response signedUp;

    PasskeyAsFactorIT(TestDatabase database) {
        mail = WithMail.start(database);
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    @BeforeEach
    void newUser() {
        project = server.newProject();
        set(Map.of("allowedOrigins", List.of(ORIGIN), "magicLinkUrl", ORIGIN + "/link"));
        email = TestServer.newEmail();
        signedUp = project.signUp(email);
        mail.mailbox().await(email, 1);
        server.proveEmail(email);
    }

    private void set(Map<String, ?> settings) {
        server.sql().update("UPDATE sessions SET expires_at = expires_at + interval '1 year'");
        project.as(server.newMember(project, "owner"), "PATCH", "")
                .json(settings)
                .expect(200);
    }

    private Call with(Response tokens, String method, String path) {
        return server.api().call(method, path).bearer(tokens.accessToken());
    }

    private PasskeyDevice register(Response tokens, int flags) {
        var options =
                with(tokens, "POST", PASSKEYS + "/register/options").expect(200).json();
        var device = new PasskeyDevice(ORIGIN).flags(flags);
        with(tokens, "POST", PASSKEYS + "/register/verify")
                .json(device.create(options))
                .expect(200);
        return device;
    }

    private PasskeyDevice registered() {
        return register(signedUp, PasskeyDevice.PRESENT | PasskeyDevice.VERIFIED);
    }

    private String idOfPasskey(Response tokens) {
        return with(tokens, "GET", PASSKEYS).expect(200).text("0/id");
    }

    private Call signIn(PasskeyDevice device) {
        var options =
                project.post(PASSKEYS + "/authenticate/options").expect(200).json();
        return project.post(PASSKEYS + "/authenticate/verify").json(device.get(options));
    }

    private Call byPassword() {
        return project.trySignIn(email, TestProject.PASSWORD);
    }

    /**
     * Signs in by the code that is mailed after that of the sign up; the notice of a passkey may come before or after
     * it.
     */
    private Call byCode() {
        project.post("/v1/auth/passwordless/email-otp")
                .json(Map.of("email", email))
                .expect(200);
        var code = mail.mailbox().awaitCodeAmongNotices(email, 2);
        return project.post("/v1/auth/passwordless/verify").json(Map.of("email", email, "code", code));
    }

    private Call byLink(int mails) {
        project.post("/v1/auth/passwordless/magic-link")
                .json(Map.of("email", email))
                .expect(200);
        var token = TOKEN.matcher(TestMailbox.text(mail.mailbox().await(email, mails)));
        assertThat(token.find()).isTrue();
        return project.post("/v1/auth/passwordless/verify").json(Map.of("token", token.group(1)));
    }

    private static void asksForThePasskey(Call call) {
        var refused = call.expect(403);
        assertThat(refused.text("reason")).isEqualTo("passkey_required");
        assertThat(refused.json().has("mfaToken")).isFalse();
        assertThat(refused.json().has("accessToken")).isFalse();
    }

    private long sessions() {
        return server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id());
    }

    @Test
    void neitherThePasswordNorTheMailboxOpensASession() {
        var device = registered();
        mail.mailbox().await(email, 2);
        var before = sessions();
        asksForThePasskey(byPassword());
        asksForThePasskey(byCode());
        mail.passAMinute();
        asksForThePasskey(byLink(4));
        assertThat(sessions()).isEqualTo(before);
        signIn(device).expect(200);
    }

    @Test
    void neitherAProofOfTheEmailNorAPasswordResetOpensASession() {
        registered();
        mail.mailbox().await(email, 2);
        mail.passAMinute();
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        var reset = project.post("/v1/auth/password/reset")
                .json(Map.of(
                        "email",
                        email,
                        "code",
                        mail.mailbox().awaitCode(email, 3),
                        "password",
                        "another horse battery"))
                .expect(200);
        assertThat(reset.json().has("accessToken")).isFalse();
        asksForThePasskey(project.trySignIn(email, "another horse battery"));

        project.manage("PATCH", "/v1/dashboard/users/" + signedUp.text("user/id"))
                .json(Map.of("emailVerified", false))
                .expect(200);
        mail.passAMinute();
        project.post("/v1/auth/resend-code").json(Map.of("email", email)).expect(200);
        var code = mail.mailbox().awaitCodeAmongNotices(email, 3);
        asksForThePasskey(project.post("/v1/auth/verify-email").json(Map.of("email", email, "code", code)));
    }

    @Test
    void thePasswordAloneRenewsNoSession() {
        registered();
        with(signedUp, "POST", "/v1/auth/reauthenticate")
                .json(Map.of("password", TestProject.PASSWORD))
                .expect(403);
    }

    @Test
    void markingTheEmailUnverifiedLeavesThePasskeyAsAFactor() {
        var device = registered();
        project.manage("PATCH", "/v1/dashboard/users/" + signedUp.text("user/id"))
                .json(Map.of("emailVerified", false))
                .expect(200);
        asksForThePasskey(byPassword());
        asksForThePasskey(byCode());
        signIn(device).expect(200);
    }

    @Test
    void aWrongPasswordDoesNotRevealThePasskey() {
        registered();
        var refused = project.trySignIn(email, "a wrong password").expect(401);
        assertThat(refused.json().has("reason")).isFalse();
    }

    @Test
    void ifAFactorIsRequiredNobodyGetsATokenToEnrolTheirOwn() {
        registered();
        set(Map.of("requireMfa", "required"));
        asksForThePasskey(byPassword()); // in the grace
        mail.clock().advance(GRACE);
        asksForThePasskey(byPassword());
        asksForThePasskey(byCode());
    }

    @Test
    void aTokenFromBeforeThePasskeyEnrolsNothing() {
        set(Map.of("requireMfa", "required"));
        mail.clock().advance(GRACE);
        var token = byPassword().expect(403).text("mfaToken");
        var app = new Authenticator(
                project.post("/v1/auth/mfa/totp/setup")
                        .json(Map.of("mfaToken", token))
                        .expect(200)
                        .text("secret"),
                mail.clock());
        set(Map.of("requireMfa", "off"));
        var device = register(byPassword().expect(200), PasskeyDevice.PRESENT | PasskeyDevice.VERIFIED);
        project.post("/v1/auth/mfa/totp/setup").json(Map.of("mfaToken", token)).expect(401);
        project.post("/v1/auth/mfa/totp/verify-setup")
                .json(Map.of("mfaToken", token, "code", app.code()))
                .expect(401);
        signIn(device).expect(200);
    }

    @Test
    void aPasskeyThatOnlyTestsPresenceIsNoSecondFactor() {
        register(signedUp, PasskeyDevice.PRESENT);
        byPassword().expect(200);
    }

    @Test
    void theFirstUseThatVerifiesThePersonMakesItASecondFactor() {
        var device = register(signedUp, PasskeyDevice.PRESENT);
        byPassword().expect(200);
        signIn(device.flags(PasskeyDevice.PRESENT | PasskeyDevice.VERIFIED)).expect(200);
        asksForThePasskey(byPassword());
        signIn(device).expect(200);
    }

    @Test
    void withOneTimePasswordsTooTheCodeIsAskedFor() {
        var tokens = signIn(registered()).expect(200);
        var setup = with(tokens, "POST", "/v1/auth/mfa/totp/setup").expect(200);
        var app = new Authenticator(setup.text("secret"), mail.clock());
        with(tokens, "POST", "/v1/auth/mfa/totp/verify-setup")
                .json(Map.of("code", app.code()))
                .expect(200);
        assertThat(byPassword().expect(200).json().path("mfaRequired").asBoolean())
                .isTrue();
    }

    @Test
    void underAnotherDomainOrSwitchedOffItLocksNobodyOut() {
        var device = registered();
        set(Map.of("passkeyRpId", "example.com"));
        byPassword().expect(200);
        set(Map.of("passkeyRpId", "app.example.com"));
        asksForThePasskey(byPassword());
        set(Map.of("factors", Map.of("passkeys", false)));
        byPassword().expect(200);
        set(Map.of("factors", Map.of("passkeys", true)));
        asksForThePasskey(byPassword());
        signIn(device).expect(200);
    }

    @Test
    void withoutItsLastPasskeyTheAccountHasOneFactorAgain() {
        var tokens = signIn(registered()).expect(200);
        with(tokens, "DELETE", PASSKEYS + "/" + idOfPasskey(tokens)).expect(200);
        byPassword().expect(200);
    }

    @Test
    void aResetByManagementOpensTheAccountToItsPassword() {
        registered();
        project.manage("DELETE", "/v1/dashboard/users/" + signedUp.text("user/id") + "/factors")
                .expect(200);
        byPassword().expect(200);
    }

    @Test
    void theLastPasskeyStaysIfAFactorIsRequired() {
        set(Map.of("requireMfa", "required"));
        var tokens = signIn(registered()).expect(200);
        var passkey = PASSKEYS + "/" + idOfPasskey(tokens);
        assertThat(with(tokens, "DELETE", passkey).expect(409).text("message")).contains("second factor");
        signIn(registerAnother(tokens)).expect(200);
        with(tokens, "DELETE", passkey).expect(200);
        with(tokens, "DELETE", PASSKEYS + "/" + idOfPasskey(tokens)).expect(409);
    }

    private PasskeyDevice registerAnother(Response tokens) {
        return register(tokens, PasskeyDevice.PRESENT | PasskeyDevice.VERIFIED);
    }

    @Test
    void whileTheEmailIsUnprovedItIsNoFactorSinceTheFirstProofRemovesIt() {
        server.sql().update("UPDATE users SET email_verified = false WHERE email = ?", email);
        registered();
        byPassword().expect(200);
        server.proveEmail(email);
        asksForThePasskey(byPassword());
    }

    /** The password is checked before the passkey exists, and the session is opened afterwards. */
    @Test
    void aSignInDuringTheRegistrationOpensNoSession() throws SQLException {
        try (var other = server.sql().connect();
                var lock = other.prepareStatement("SELECT id FROM users WHERE email = ? FOR UPDATE");
                var add = other.prepareStatement(
                        "UPDATE users SET second_factors = ARRAY['passkey app.example.com'] WHERE email = ?")) {
            other.setAutoCommit(false);
            lock.setString(1, email);
            lock.executeQuery();
            var signIn = byPassword().sendAsync();
            Eventually.until(
                    "the sign in waits for the row",
                    () -> server.sql()
                                    .count("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                            + " AND datname = current_database()")
                            > 0);
            add.setString(1, email);
            add.executeUpdate();
            other.commit();
            var refused = signIn.join();
            assertThat(refused.status()).as(refused.body()).isEqualTo(403);
            assertThat(refused.text("reason")).isEqualTo("passkey_required");
        }
    }

    @Test
    void noMailedCodeRenewsASession() {
        registered();
        mail.mailbox().await(email, 2);
        project.post("/v1/auth/passwordless/email-otp")
                .json(Map.of("email", email))
                .expect(200);
        asksForThePasskey(with(signedUp, "POST", "/v1/auth/reauthenticate")
                .json(Map.of("code", mail.mailbox().awaitCode(email, 3))));
    }
}
