package dev.vestibule.authentication.reauthentication;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.PasskeyDevice;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * With a project's default settings, a stolen access token can neither add nor remove a sign-in method of the account.
 */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecentSignInIT {
    private static final String ORIGIN = "https://app.example.com";
    private static final Duration STEP = Duration.ofSeconds(30);
    private static final Map<String, String> PASSWORD = Map.of("password", TestProject.PASSWORD);

    private final TestClock clock = new TestClock();
    private final TestServer server;
    private TestProject project;
    private String email;
    private Response signedUp;

    RecentSignInIT(TestDatabase database) {
        server = TestServer.start(database, Map.of(), clock);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void newUser() {
        clock.advance(STEP.multipliedBy(4));
        project = server.newProject();
        set(Map.of("allowedOrigins", List.of(ORIGIN), "allowSelfDeletion", true));
        email = TestServer.newEmail();
        signedUp = project.signUp(email);
    }

    private void set(Map<String, ?> settings) {
        project.asOwner("PATCH", "").json(settings).expect(200);
    }

    private Call post(Response tokens, String path, Map<String, ?> body) {
        return server.api()
                .post("/v1/auth/" + path)
                .bearer(tokens.accessToken())
                .json(body);
    }

    private Call delete(Response tokens, String path) {
        return server.api().call("DELETE", "/v1/auth/" + path).bearer(tokens.accessToken());
    }

    /** Without the OAuth code, which is checked later. */
    private List<Call> changes(Response tokens) {
        var passkey = new PasskeyDevice(ORIGIN);
        return List.of(
                post(tokens, "passkeys/register/options", Map.of()),
                post(tokens, "passkeys/register/verify", passkey.create(challenge())),
                delete(tokens, "passkeys/" + UUID.randomUUID()),
                post(tokens, "mfa/totp/setup", Map.of()),
                post(tokens, "mfa/totp/verify-setup", Map.of("code", "123456")),
                post(tokens, "me/providers/google", Map.of("code", "a code", "state", "a state")),
                delete(tokens, "me/providers/google"),
                post(
                        tokens,
                        "me/email",
                        Map.of("email", TestServer.newEmail(), "currentPassword", TestProject.PASSWORD)),
                delete(tokens, "me").json(Map.of("currentPassword", TestProject.PASSWORD)));
    }

    /** Another user's, which does not matter since nothing checks it. */
    private JsonNode challenge() {
        return post(project.signUp(), "passkeys/register/options", Map.of())
                .expect(200)
                .json();
    }

    private void requireRefused(List<Call> calls) {
        for (var call : calls) {
            assertThat(call.expect(403).text("reason")).isEqualTo("reauthentication_required");
        }
    }

    private PasskeyDevice register(Response tokens) {
        var device = new PasskeyDevice(ORIGIN);
        var options = post(tokens, "passkeys/register/options", Map.of()).expect(200);
        post(tokens, "passkeys/register/verify", device.create(options.json())).expect(200);
        return device;
    }

    private Authenticator setUpTotp(Response tokens) {
        server.proveEmail(tokens.text("user/email"));
        var setup = post(tokens, "mfa/totp/setup", Map.of()).expect(200);
        var app = new Authenticator(setup.text("secret"), clock);
        post(tokens, "mfa/totp/verify-setup", Map.of("code", app.code())).expect(200);
        clock.advance(STEP);
        return app;
    }

    private Response signInWith(String code) {
        var token = project.trySignIn(email, TestProject.PASSWORD).expect(200).text("mfaToken");
        return project.post("/v1/auth/mfa/verify")
                .json(Map.of("mfaToken", token, "code", code))
                .expect(200);
    }

    private static String amr(Response tokens) {
        return Jwt.parse(tokens.accessToken()).claims().path("amr").toString();
    }

    @Test
    void aStolenAccessTokenOlderThanTenMinutesRegistersNoPasskey() {
        clock.advance(Duration.ofSeconds(601));
        post(signedUp, "passkeys/register/options", Map.of()).expect(403);
        assertThat(server.sql().count("SELECT count(*) FROM passkeys WHERE project_id = ?::uuid", project.id()))
                .isZero();
    }

    @Test
    void aStolenAccessTokenOlderThanTenMinutesSetsUpNoTotp() {
        server.proveEmail(email);
        var setup = post(signedUp, "mfa/totp/setup", Map.of()).expect(200);
        clock.advance(Duration.ofSeconds(601));
        post(signedUp, "mfa/totp/setup", Map.of()).expect(403);
        var app = new Authenticator(setup.text("secret"), clock);
        post(signedUp, "mfa/totp/verify-setup", Map.of("code", app.code())).expect(403);
        assertThat(project.trySignIn(email, TestProject.PASSWORD).expect(200).accessToken())
                .isNotEmpty();
    }

    @Test
    void aStolenAccessTokenOlderThanTenMinutesChangesNoSignInMethodAtAll() {
        clock.advance(Duration.ofSeconds(601));
        requireRefused(changes(signedUp));
        requireRefused(changes(project.refresh(signedUp.refreshToken()).expect(200)));
    }

    @Test
    void aLaterProofByTheOwnerDoesNotHelpTheHolderOfAnOlderToken() {
        clock.advance(Duration.ofSeconds(601));
        var stolen = project.refresh(signedUp.refreshToken()).expect(200);
        var owners = post(stolen, "reauthenticate", PASSWORD).expect(200);
        requireRefused(changes(stolen));
        register(owners);
    }

    /** It was copied earlier, and waits until the owner proves both factors in the session. */
    @Test
    void aCopiedRefreshTokenInheritsNoProofOfTheOwner() {
        var copy = signedUp.refreshToken();
        var app = setUpTotp(signedUp);
        clock.advance(Duration.ofSeconds(30));
        var owners = post(signedUp, "reauthenticate", Map.of("password", TestProject.PASSWORD, "code", app.code()))
                .expect(200);
        assertThat(amr(owners)).contains("mfa");

        var thiefs = project.refresh(copy).expect(200);
        assertThat(amr(thiefs)).isEqualTo("[\"pwd\"]");
        requireRefused(changes(thiefs));
        register(owners);
    }

    @Test
    void rightAfterTheSignInEverythingIsPossible() {
        register(signedUp);
        setUpTotp(project.signUp());
    }

    @Test
    void anAccountWithASecondFactorNeedsASignInWithMfa() {
        var app = setUpTotp(signedUp);
        assertThat(amr(signedUp)).isEqualTo("[\"pwd\"]");
        requireRefused(changes(signedUp));
        post(
                        signedUp,
                        "password/change",
                        Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "quite another passphrase"))
                .expect(403);

        var both = signInWith(app.code());
        register(both);
        clock.advance(Duration.ofSeconds(601));
        requireRefused(changes(both));
        post(
                        both,
                        "password/change",
                        Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "quite another passphrase"))
                .expect(403);
        var renewed = post(both, "reauthenticate", Map.of("code", app.code())).expect(200);
        delete(renewed, "me/providers/google").expect(404);
    }

    @Test
    void aCodeInTheRequestIsTheSecondFactor() {
        var app = setUpTotp(signedUp);
        post(signedUp, "mfa/backup-codes/regenerate", Map.of("code", app.code()))
                .expect(200);
        clock.advance(Duration.ofSeconds(601));
        post(signedUp, "mfa/disable", Map.of("code", app.code())).expect(403);
        post(signedUp, "mfa/backup-codes/regenerate", Map.of("code", app.code()))
                .expect(403);
    }

    @Test
    void thePasswordIsARecentProofOfAnAccountWithoutASecondFactor() {
        clock.advance(Duration.ofSeconds(601));
        post(
                        signedUp,
                        "password/change",
                        Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "quite another passphrase"))
                .expect(200);
    }

    @Test
    void anOldTokenChangesTheProfileButNotAVerifiedNumber() {
        var phone = "+14155550123";
        server.sql()
                .update(
                        "UPDATE users SET phone = ?, phone_verified = true WHERE id = ?::uuid",
                        phone,
                        signedUp.text("user/id"));
        clock.advance(Duration.ofSeconds(601));
        patch(Map.of("displayName", "Ada", "phone", phone)).expect(200);
        assertThat(patch(Map.of("phone", "+14155550124")).expect(403).text("reason"))
                .isEqualTo("reauthentication_required");
        server.sql().update("UPDATE users SET phone_verified = false WHERE id = ?::uuid", signedUp.text("user/id"));
        patch(Map.of("phone", "+14155550124")).expect(200);
    }

    private Call patch(Map<String, ?> body) {
        return server.api().patch("/v1/auth/me").bearer(signedUp.accessToken()).json(body);
    }

    @Test
    void theProjectChoosesTheTimeAndCanSwitchItOff() {
        assertThat(project.asOwner("GET", "")
                        .expect(200)
                        .json()
                        .path("requireRecentSignIn")
                        .asInt())
                .isEqualTo(600);
        set(Map.of("requireRecentSignIn", 0));
        clock.advance(Duration.ofHours(1));
        var old = project.refresh(signedUp.refreshToken()).expect(200);
        setUpTotp(old);
        register(old);
        delete(old, "me/providers/google").expect(404);
    }

    @Test
    void aDashboardUserNeedsARecentSignInToo() {
        var operator = project.owner();
        clock.advance(Duration.ofSeconds(601));
        assertThat(server.api()
                        .post("/v1/auth/mfa/totp/setup")
                        .bearer(operator)
                        .expect(403)
                        .text("reason"))
                .isEqualTo("reauthentication_required");
    }
}
