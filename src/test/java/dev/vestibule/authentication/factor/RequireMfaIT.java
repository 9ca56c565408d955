package dev.vestibule.authentication.factor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.PasskeyDevice;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A project that requires second factors: users have a week, and then no session before they have set one up. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequireMfaIT {
    private static final Duration STEP = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofDays(7);
    private static final String OTHER_PASSWORD = "another horse battery";

    private final WithMail mail;
    private final TestServer server;
    private TestProject project;
    private String email;
    private Response signedUp;

    RequireMfaIT(TestDatabase database) {
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
        email = TestServer.newEmail();
        signedUp = signUp();
    }

    private Response signUp() {
        var tokens = project.signUp(email);
        server.proveEmail(email);
        return tokens;
    }

    private void pass(Duration time) {
        mail.clock().advance(time);
    }

    private void require(String requirement) {
        assertThat(set(Map.of("requireMfa", requirement)).text("project/requireMfa"))
                .isEqualTo(requirement);
    }

    private Response set(Map<String, ?> fields) {
        // The earlier token would have expired.
        server.sql().update("UPDATE sessions SET expires_at = expires_at + interval '1 year'");
        return project.as(owner(), "PATCH", "").json(fields).expect(200);
    }

    private String owner() {
        return server.newMember(project, "owner");
    }

    /** After the week is over. */
    private void requireSinceLong() {
        require("required");
        pass(GRACE);
    }

    private Response refused(Call call) {
        var answer = call.expect(403);
        assertThat(answer.text("reason")).isEqualTo("mfa_enrollment_required");
        assertThat(answer.json().path("mfaEnrollmentRequired").asBoolean()).isTrue();
        assertThat(answer.json().has("accessToken")).isFalse();
        return answer;
    }

    private Call signIn() {
        return project.trySignIn(email, TestProject.PASSWORD);
    }

    private String mfaToken() {
        return refused(signIn()).text("mfaToken");
    }

    private Call setup(String mfaToken) {
        return project.post("/v1/auth/mfa/totp/setup").json(Map.of("mfaToken", mfaToken));
    }

    private Call confirm(String mfaToken, String code) {
        return confirm(project, mfaToken, code);
    }

    private static Call confirm(TestProject where, String mfaToken, String code) {
        return where.post("/v1/auth/mfa/totp/verify-setup").json(Map.of("mfaToken", mfaToken, "code", code));
    }

    private Authenticator app(Response setup) {
        return new Authenticator(setup.text("secret"), mail.clock());
    }

    private static void assertFlagged(Response tokens, Instant deadline) {
        assertThat(tokens.json().path("mfaEnrollmentRequired").asBoolean()).isTrue();
        assertThat(Instant.parse(tokens.text("mfaEnrollmentDeadline"))).isEqualTo(deadline);
    }

    private static void assertNotFlagged(Response tokens) {
        assertThat(tokens.json().fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("accessToken", "refreshToken", "expiresIn", "user");
    }

    private static String claim(Response tokens, String name) {
        return Jwt.parse(tokens.accessToken()).claims().path(name).toString();
    }

    @Test
    void ifNoneIsRequiredTheResponseMentionsNone() {
        assertNotFlagged(signedUp);
        assertNotFlagged(signIn().expect(200));
        require("required");
        require("off");
        pass(GRACE);
        assertNotFlagged(signIn().expect(200));
    }

    @Test
    void inTheFirstWeekUsersSignInAndAreTold() {
        pass(Duration.ofDays(30));
        require("required");
        var deadline = mail.clock().instant().plus(GRACE);
        pass(GRACE.minusMillis(1));
        var tokens = signIn().expect(200);
        assertFlagged(tokens, deadline);
        project.me(tokens.accessToken()).expect(200);
        assertFlagged(project.signInInVariantB(email), deadline);
        pass(Duration.ofMillis(1));
        mfaToken();
    }

    @Test
    void aNewUserHasAWeekOfTheirOwn() {
        requireSinceLong();
        email = TestServer.newEmail();
        var created = signUp();
        assertFlagged(created, mail.clock().instant().plus(GRACE));
        pass(GRACE.minusMillis(1));
        signIn().expect(200);
        pass(Duration.ofMillis(1));
        mfaToken();
    }

    /** Deletes the account, as the user or as somebody in the project. */
    private void delete(Response tokens) {
        project.manage("DELETE", "/v1/dashboard/users/" + tokens.text("user/id"))
                .expect(200);
    }

    private long remembered() {
        return server.sql().count("SELECT count(*) FROM enrolment_starts WHERE project_id = ?::uuid", project.id());
    }

    @Test
    void deletingTheAccountAndSigningUpStartsNoNewWeek() {
        requireSinceLong();
        email = TestServer.newEmail();
        var created = signUp();
        var deadline = mail.clock().instant().plus(GRACE);
        for (var day = 0; day < 3; day++) {
            pass(Duration.ofDays(1));
            delete(created);
            created = signUp();
            assertFlagged(created, deadline);
        }
        pass(GRACE.minusDays(3));
        mfaToken();
        assertThat(server.sql()
                        .texts(
                                "SELECT encode(key_hash, 'escape') FROM enrolment_starts WHERE project_id = ?::uuid",
                                project.id()))
                .hasSize(1)
                .allSatisfy(key -> assertThat(key).doesNotContain(email));
    }

    @Test
    void usersWhoDeleteTheirOwnAccountGetNoNewWeekEither() {
        requireSinceLong();
        email = TestServer.newEmail();
        var created = signUp();
        var deadline = mail.clock().instant().plus(GRACE);
        pass(Duration.ofMinutes(5));
        set(Map.of("allowSelfDeletion", true));
        server.api()
                .call("DELETE", "/v1/auth/me")
                .bearer(created.accessToken())
                .json(Map.of("currentPassword", TestProject.PASSWORD))
                .expect(200);
        assertFlagged(signUp(), deadline);
    }

    @Test
    void anEmailChangeBeforeThatStartsNoNewWeekForEitherEmail() {
        requireSinceLong();
        var first = TestServer.newEmail();
        var second = TestServer.newEmail();
        email = first;
        var created = signUp();
        var deadline = mail.clock().instant().plus(GRACE);
        pass(Duration.ofMinutes(5));
        server.api()
                .post("/v1/auth/me/email")
                .bearer(created.accessToken())
                .json(Map.of("email", second, "currentPassword", TestProject.PASSWORD))
                .expect(200);
        server.api()
                .post("/v1/auth/me/email/verify")
                .bearer(created.accessToken())
                .json(Map.of("code", mail.mailbox().awaitCode(second)))
                .expect(200);
        delete(created);
        assertFlagged(signUp(), deadline);
        email = second;
        assertFlagged(signUp(), deadline);
    }

    @Test
    void afterTheWeekOfADeletedAccountASignUpOpensNoSessionWithoutAFactor() {
        requireSinceLong();
        email = TestServer.newEmail();
        var created = project.signUp(email);
        mail.mailbox().await(email, 1);
        pass(GRACE);
        delete(created);

        var again = project.signUp(email);

        assertThat(again.text("status")).isEqualTo("verification_required");
        assertThat(again.json().has("accessToken")).isFalse();
        var code = mail.mailbox().awaitCode(email, 2);
        var asked = WithMail.verify(project, email, code, 403);
        assertThat(asked.text("reason")).isEqualTo("mfa_enrollment_required");
        var token = asked.text("mfaToken");
        confirm(token, app(setup(token).expect(200)).code()).expect(200);
    }

    @Test
    void aMailedCodeCreatesNoAccountWithANewWeekEither() {
        requireSinceLong();
        email = TestServer.newEmail();
        var created = project.signUp(email);
        mail.mailbox().await(email, 1); // which it would not get once it is proved
        server.proveEmail(email);
        pass(GRACE);
        delete(created);
        project.post("/v1/auth/passwordless/email-otp")
                .json(Map.of("email", email))
                .expect(200);
        refused(project.post("/v1/auth/passwordless/verify")
                .json(Map.of("email", email, "code", mail.mailbox().awaitCode(email, 2))));
    }

    @Test
    void anAccountWithAnotherEmailOrProjectHasItsOwnWeek() {
        requireSinceLong();
        pass(GRACE);
        delete(signedUp);
        assertThat(remembered()).isEqualTo(1);
        var week = mail.clock().instant().plus(GRACE);
        assertFlagged(project.signUp(), week);
        project = server.newProject();
        requireSinceLong();
        assertFlagged(project.signUp(email), mail.clock().instant().plus(GRACE));
    }

    @Test
    void ifNoFactorIsRequiredNothingIsKeptAboutADeletedAccount() {
        delete(signedUp);
        assertThat(remembered()).isZero();
    }

    @Test
    void dataAboutADeletedAccountIsRemovedAfterNinetyDays() {
        require("required");
        delete(signedUp);
        pass(Duration.ofDays(90));
        var week = mail.clock().instant().plus(GRACE);
        assertFlagged(project.signUp(email), week);
    }

    @Test
    void requiringItAgainStartsNoNewWeek() {
        requireSinceLong();
        require("required");
        mfaToken();
        require("off");
        signIn().expect(200);
        require("required");
        assertFlagged(signIn().expect(200), mail.clock().instant().plus(GRACE));
    }

    @Test
    void afterTheWeekTheSetupOpensTheSession() {
        requireSinceLong();
        var token = mfaToken();
        var setup = setup(token).expect(200);
        var app = app(setup);
        assertThat(setup.json().path("backupCodes")).hasSize(10);

        var tokens = confirm(token, app.code()).expect(200);

        assertNotFlagged(tokens);
        assertThat(claim(tokens, "amr")).isEqualTo("[\"pwd\",\"otp\",\"mfa\"]");
        assertThat(claim(tokens, "acr")).isEqualTo("\"aal2\"");
        project.me(tokens.accessToken()).expect(200);
        assertThat(claim(project.refresh(tokens.refreshToken()).expect(200), "acr"))
                .isEqualTo("\"aal2\"");
        confirm(token, app.code(STEP)).expect(401);
        setup(token).expect(401);

        var pending = signIn().expect(200).text("mfaToken");
        verify(pending, app.code()).expect(401);
        assertNotFlagged(verify(pending, app.code(STEP)).expect(200));
    }

    private Call verify(String mfaToken, String code) {
        return project.post("/v1/auth/mfa/verify").json(Map.of("mfaToken", mfaToken, "code", code));
    }

    @Test
    void theSetupEndsTheSessionsOpenedWithOneFactor() {
        var before = signIn().expect(200);
        set(Map.of("sessionConfig", Map.of("accessTokenTtl", 86_400, "refreshTokenTtl", 31_536_000)));
        requireSinceLong();
        before = project.refresh(before.refreshToken()).expect(200);
        project.me(before.accessToken()).expect(200);
        var token = mfaToken();
        var tokens = confirm(token, app(setup(token).expect(200)).code()).expect(200);
        project.me(before.accessToken()).expect(401);
        project.me(tokens.accessToken()).expect(200);
    }

    @Test
    void anOpenSessionContinues() {
        requireSinceLong();
        server.sql().update("UPDATE sessions SET expires_at = expires_at + interval '1 year'");
        var refreshed = project.refresh(signedUp.refreshToken()).expect(200);
        project.me(refreshed.accessToken()).expect(200);
    }

    @Test
    void theSessionBelongsToTheVariantThatSignedIn() {
        requireSinceLong();
        var credentials = Map.of("projectId", project.id(), "email", email, "password", TestProject.PASSWORD);
        var token =
                refused(server.api().post("/v1/auth/signin").json(credentials)).text("mfaToken");
        var setup = server.api()
                .post("/v1/auth/mfa/totp/setup")
                .json(Map.of("projectId", project.id(), "mfaToken", token))
                .expect(200);
        var tokens = confirm(token, app(setup).code()).expect(200);
        project.refreshAccessToken(tokens.refreshToken()).expect(200);
        project.refresh(tokens.refreshToken()).expect(401);
    }

    @Test
    void aWrongPasswordRevealsNothing() {
        requireSinceLong();
        var known = project.trySignIn(email, OTHER_PASSWORD).expect(401);
        var unknown = project.trySignIn(TestServer.newEmail(), OTHER_PASSWORD).expect(401);
        assertThat(known.body()).isEqualTo(unknown.body());
    }

    @Test
    void theTokenIsOnlyForTheSetup() {
        requireSinceLong();
        var token = mfaToken();
        var app = app(setup(token).expect(200));
        verify(token, app.code()).expect(401);
        server.api().get("/v1/auth/me").bearer(token).expect(401);
        server.api().get("/v1/auth/mfa/status").bearer(token).expect(401);
        confirm(server.newProject(), token, app.code()).expect(401);
        server.newProject()
                .post("/v1/auth/mfa/totp/setup")
                .json(Map.of("mfaToken", token))
                .expect(401);
        confirm(token, app.code()).expect(200);
    }

    @Test
    void aTokenForEnteringACodeSetsUpNothing() {
        requireSinceLong();
        var token = mfaToken();
        confirm(token, app(setup(token).expect(200)).code()).expect(200);
        var toVerify = signIn().expect(200).text("mfaToken");
        setup(toVerify).expect(401);
        confirm(toVerify, "123456").expect(401);
    }

    @Test
    void aNewPasswordABanTimeAndAFactorInvalidateTheToken() {
        requireSinceLong();
        var user = "/v1/dashboard/users/" + signedUp.text("user/id");
        var token = mfaToken();
        project.manage("PATCH", user + "/ban").expect(200);
        setup(token).expect(401);
        confirm(token, "123456").expect(401);
        project.manage("PATCH", user + "/unban").expect(200);

        setup(token).expect(401);
        var late = mfaToken();
        pass(Duration.ofMinutes(15));
        setup(late).expect(401);
        var next = mfaToken();
        project.manage("PATCH", user).json(Map.of("password", OTHER_PASSWORD)).expect(200);
        setup(next).expect(401);

        var one = refused(project.trySignIn(email, OTHER_PASSWORD)).text("mfaToken");
        var other = refused(project.trySignIn(email, OTHER_PASSWORD)).text("mfaToken");
        var app = app(setup(one).expect(200));
        confirm(one, app.code()).expect(200);
        setup(other).expect(401);
        confirm(other, app.code(STEP)).expect(401);
    }

    /** The token may be a stranger's, who proved what has been taken from them since. */
    @Test
    void theEndOfAllSessionsAndAnotherEmailInvalidateTheToken() {
        requireSinceLong();
        var user = "/v1/dashboard/users/" + signedUp.text("user/id");
        var token = mfaToken();
        project.manage("DELETE", user + "/sessions").expect(200);
        setup(token).expect(401);

        var next = mfaToken();
        project.manage("PATCH", user)
                .json(Map.of("email", TestServer.newEmail(), "emailVerified", true))
                .expect(200);
        setup(next).expect(401);
        confirm(next, "123456").expect(401);
    }

    @Test
    void afterFiveWrongCodesTheTokenIsInvalid() {
        requireSinceLong();
        var token = mfaToken();
        var app = app(setup(token).expect(200));
        for (int i = 0; i < 5; i++) {
            confirm(token, app.wrongCode()).expect(401);
        }
        confirm(token, app.code()).expect(401);
        setup(token).expect(401);
    }

    @Test
    void ofManyConcurrentConfirmationsOneOpensASession() {
        requireSinceLong();
        var token = mfaToken();
        var code = app(setup(token).expect(200)).code();
        var answers = Parallel.send(10, number -> confirm(token, code));
        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(answers).extracting(Response::status).containsOnly(200, 401);
    }

    @Test
    void withoutTokenOrSessionNothingIsSetUp() {
        for (var path : List.of("/v1/auth/mfa/totp/setup", "/v1/auth/mfa/totp/verify-setup")) {
            project.post(path).json(Map.of("code", "123456")).expect(401);
            server.api()
                    .post(path)
                    .json(Map.of("mfaToken", "mfa_x", "code", "123456"))
                    .expect(401);
            for (var odd : List.of("", "mfa_", "mfa_\u0000", "\ud800", "x".repeat(60_000))) {
                project.post(path)
                        .json(Map.of("mfaToken", odd, "code", "123456"))
                        .expect(401);
            }
            project.post(path).json(Map.of("mfaToken", 7, "code", "123456")).expect(422);
        }
        requireSinceLong();
        assertThat(project.post("/v1/auth/mfa/totp/verify-setup")
                        .json(Map.of("mfaToken", mfaToken()))
                        .expect(422)
                        .failingFields())
                .containsExactly("code");
    }

    /** Apps send the token that they hold with every call. */
    @Test
    void aStaleAccessTokenSentWithTheKeyDoesNoHarm() {
        requireSinceLong();
        var token = mfaToken();
        setup(token).bearer(signedUp.accessToken()).expect(200);
        server.api()
                .post("/v1/auth/mfa/totp/setup")
                .bearer(signedUp.accessToken())
                .json(Map.of("mfaToken", token))
                .expect(401);
    }

    @Test
    void aMailedCodeVerifiesTheEmailAndAsksForTheSetup() {
        email = TestServer.newEmail();
        project.signUp(email);
        mail.mailbox().awaitCode(email, 1); // or the next request would void it before it is sent
        requireSinceLong();
        project.post("/v1/auth/resend-code").json(Map.of("email", email)).expect(200);
        var code = mail.mailbox().awaitCode(email, 2);
        var answer = WithMail.verify(project, email, code, 403);
        assertThat(answer.text("reason")).isEqualTo("mfa_enrollment_required");
        var token = answer.text("mfaToken");
        var tokens = confirm(token, app(setup(token).expect(200)).code()).expect(200);
        assertThat(tokens.text("user/emailVerified")).isEqualTo("true");
        assertThat(claim(tokens, "amr")).isEqualTo("[\"mail\",\"otp\",\"mfa\"]");
    }

    @Test
    void theLastFactorStaysIfOneIsRequired() {
        requireSinceLong();
        var token = mfaToken();
        var app = app(setup(token).expect(200));
        var tokens = confirm(token, app.code()).expect(200);
        pass(STEP);
        var disable = Map.of("code", app.code());
        server.api()
                .post("/v1/auth/mfa/disable")
                .bearer(tokens.accessToken())
                .json(disable)
                .expect(409);
        require("off");
        server.api()
                .post("/v1/auth/mfa/disable")
                .bearer(tokens.accessToken())
                .json(disable)
                .expect(200);
    }

    private static final String PASSKEYS = "/v1/auth/passkeys";
    private static final String ORIGIN = "https://app.example.com";

    private PasskeyDevice passkey(Response tokens, int flags) {
        set(Map.of("allowedOrigins", List.of(ORIGIN)));
        var options = server.api()
                .post(PASSKEYS + "/register/options")
                .bearer(tokens.accessToken())
                .expect(200)
                .json();
        var device = new PasskeyDevice(ORIGIN).flags(flags);
        server.api()
                .post(PASSKEYS + "/register/verify")
                .bearer(tokens.accessToken())
                .json(device.create(options))
                .expect(200);
        return device;
    }

    private Call signIn(PasskeyDevice device) {
        var options =
                project.post(PASSKEYS + "/authenticate/options").expect(200).json();
        return project.post(PASSKEYS + "/authenticate/verify").json(device.get(options));
    }

    @Test
    void aPasskeyThatOnlyTestsPresenceIsNotEnoughFromTheFirstDayOn() {
        var device = passkey(signedUp, PasskeyDevice.PRESENT);
        signIn(device).expect(200);
        require("required");
        assertThat(signIn(device).expect(403).text("message")).contains("second factor");
        pass(GRACE);
        signIn(device).expect(403);
        assertNotFlagged(signIn(device.flags(PasskeyDevice.PRESENT | PasskeyDevice.VERIFIED))
                .expect(200));
    }

    @Test
    void aPasskeyThatHasVerifiedThePersonCanReplaceTheApp() {
        requireSinceLong();
        var token = mfaToken();
        var app = app(setup(token).expect(200));
        var tokens = confirm(token, app.code()).expect(200);
        pass(STEP);
        Supplier<Call> disable = () -> server.api()
                .post("/v1/auth/mfa/disable")
                .bearer(tokens.accessToken())
                .json(Map.of("code", app.code()));
        var device = passkey(tokens, PasskeyDevice.PRESENT);
        disable.get().expect(409);
        signIn(device.flags(PasskeyDevice.PRESENT | PasskeyDevice.VERIFIED)).expect(200);
        set(Map.of("passkeyRpId", "example.com"));
        disable.get().expect(409); // it cannot sign in under another domain
        set(Map.of("passkeyRpId", "app.example.com"));
        disable.get().expect(200);
        signIn(device).expect(200);
        assertThat(signIn().expect(403).text("reason")).isEqualTo("passkey_required"); // by the password alone
    }

    @Test
    void aResetByManagementLeadsToANewSetup() {
        requireSinceLong();
        var token = mfaToken();
        confirm(token, app(setup(token).expect(200)).code()).expect(200);
        project.manage("DELETE", "/v1/dashboard/users/" + signedUp.text("user/id") + "/factors")
                .expect(200);
        var next = mfaToken();
        confirm(next, app(setup(next).expect(200)).code()).expect(200);
    }

    @Test
    void itIsNotRequiredIfNobodyCanSetItUp() {
        var without = new HashMap<String, Object>(Map.of("requireMfa", "required"));
        without.put("factors", Map.of("totp", false));
        assertThat(project.asOwner("PATCH", "").json(without).expect(422).failingFields())
                .containsExactly("requireMfa");
        require("required");
        project.as(owner(), "PATCH", "")
                .json(Map.of("factors", Map.of("totp", false)))
                .expect(422);
        for (var odd : new Object[] {true, "on", "REQUIRED", List.of(), 1}) {
            project.as(owner(), "PATCH", "").json(Map.of("requireMfa", odd)).expect(422);
        }
        assertThat(project.as(owner(), "GET", "").expect(200).text("requireMfa"))
                .isEqualTo("required");
    }

    @Test
    void impersonatorsAndAutomaticTestsAreExempt() {
        requireSinceLong();
        var acting = project.as(owner(), "POST", "/users/" + signedUp.text("user/id") + "/impersonate")
                .json(Map.of("reason", "a ticket"))
                .expect(200);
        assertThat(acting.json().has("mfaEnrollmentRequired")).isFalse();
        assertThat(claim(acting, "acr")).isEmpty();

        project = TestProject.create(
                server.api(), server.newDashboardUser(), Map.of("name", "Tests", "environment", "test"));
        project.signUp(email);
        requireSinceLong();
        assertNotFlagged(project.post("/v1/auth/testing/token")
                .json(Map.of("email", email))
                .expect(200));
    }
}
