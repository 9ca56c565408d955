package dev.vestibule.authentication.reauthentication;

import static dev.vestibule.fixture.PasskeyDevice.PRESENT;
import static dev.vestibule.fixture.PasskeyDevice.VERIFIED;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users who have no password, or do not use it, reauthenticate with something else. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReauthenticateWithoutPasswordIT {
    private static final String ORIGIN = "https://app.example.com";
    private static final String PASSKEYS = "/v1/auth/passkeys";

    private final WithMail mail;
    private final TestServer server;
    private TestProject project;
    private String email;

    ReauthenticateWithoutPasswordIT(TestDatabase database) {
        mail = WithMail.start(database);
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    @BeforeEach
    void newProject() {
        mail.passAMinute();
        project = server.newProject();
        set(Map.of("allowedOrigins", List.of(ORIGIN), "requireRecentSignIn", 300));
        email = TestServer.newEmail();
    }

    private void set(Map<String, ?> settings) {
        project.asOwner("PATCH", "").json(settings).expect(200);
    }

    /** A session that is no longer recent, of a user without a password. */
    private Response passwordless(String who) {
        var tokens = project.post("/v1/auth/passwordless/verify")
                .json(Map.of("email", who, "code", mailedCode(who, 1)))
                .expect(200);
        return aged(tokens);
    }

    private Response aged(Response tokens) {
        for (int minute = 0; minute < 6; minute++) {
            mail.passAMinute();
        }
        return project.refresh(tokens.refreshToken()).expect(200);
    }

    private String mailedCode(String who, int number) {
        project.post("/v1/auth/passwordless/email-otp")
                .json(Map.of("email", who))
                .expect(200);
        return mail.mailbox().awaitCode(who, number);
    }

    private Call reauthenticate(Response tokens, Map<String, ?> body) {
        return server.api()
                .post("/v1/auth/reauthenticate")
                .bearer(tokens.accessToken())
                .json(body);
    }

    private Call begin(Response tokens) {
        return server.api().post(PASSKEYS + "/register/options").bearer(tokens.accessToken());
    }

    private PasskeyDevice register(Response tokens) {
        return register(tokens, PRESENT | VERIFIED);
    }

    private PasskeyDevice register(Response tokens, int flags) {
        var device = new PasskeyDevice(ORIGIN).flags(flags);
        server.api()
                .post(PASSKEYS + "/register/verify")
                .bearer(tokens.accessToken())
                .json(device.create(begin(tokens).expect(200).json()))
                .expect(200);
        return device;
    }

    private JsonNode challenge() {
        return project.post(PASSKEYS + "/authenticate/options").expect(200).json();
    }

    private Authenticator setUpTotp(Response tokens) {
        server.proveEmail(tokens.text("user/email"));
        var setup = server.api()
                .post("/v1/auth/mfa/totp/setup")
                .bearer(tokens.accessToken())
                .expect(200);
        var app = new Authenticator(setup.text("secret"), mail.clock());
        server.api()
                .post("/v1/auth/mfa/totp/verify-setup")
                .bearer(tokens.accessToken())
                .json(Map.of("code", app.code()))
                .expect(200);
        return app;
    }

    private static String amr(Response tokens) {
        return Jwt.parse(tokens.accessToken()).claims().path("amr").toString();
    }

    private static String session(Response tokens) {
        return Jwt.parse(tokens.accessToken()).claims().path("sid").asText();
    }

    @Test
    void aMailedCodeRenewsTheSessionOnce() {
        var tokens = passwordless(email);
        assertThat(begin(tokens).expect(403).text("reason")).isEqualTo("reauthentication_required");
        var code = mailedCode(email, 2);
        reauthenticate(tokens, Map.of("code", WithMail.anotherThan(code))).expect(401);

        var renewed = reauthenticate(tokens, Map.of("code", code)).expect(200);
        assertThat(session(renewed)).isEqualTo(session(tokens));
        assertThat(renewed.refreshToken()).isEqualTo(tokens.refreshToken());
        assertThat(amr(renewed)).isEqualTo("[\"mail\"]");
        begin(renewed).expect(200);
        begin(project.refresh(tokens.refreshToken()).expect(200)).expect(403);
        reauthenticate(tokens, Map.of("code", code)).expect(401);
        project.post("/v1/auth/passwordless/verify")
                .json(Map.of("email", email, "code", code))
                .expect(401);
    }

    @Test
    void ofTwentyConcurrentUsesOfOneMailedCodeOneRenewsTheSession() {
        var tokens = passwordless(email);
        var code = mailedCode(email, 2);
        var answers = Parallel.send(20, number -> reauthenticate(tokens, Map.of("code", code)));
        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(answers).allMatch(answer -> List.of(200, 401, 429).contains(answer.status()));
    }

    @Test
    void aCodeThatWasMailedToAnotherUserOrInAnotherProjectIsWrong() {
        var tokens = passwordless(email);
        var other = TestServer.newEmail();
        passwordless(other);
        reauthenticate(tokens, Map.of("code", mailedCode(other, 2))).expect(401);
        var elsewhere = server.newProject();
        elsewhere
                .post("/v1/auth/passwordless/email-otp")
                .json(Map.of("email", email))
                .expect(200);
        reauthenticate(tokens, Map.of("code", mail.mailbox().awaitCode(email, 2)))
                .expect(401);
    }

    @Test
    void fiveWrongCodesInvalidateTheMailedOne() {
        var tokens = passwordless(email);
        var code = mailedCode(email, 2);
        for (int i = 0; i < 5; i++) {
            reauthenticate(tokens, Map.of("code", WithMail.anotherThan(code))).expect(401);
        }
        reauthenticate(tokens, Map.of("code", code)).expect(401);
    }

    @Test
    void noCodeIsMailedWhereTheProjectHasNoneAndAnEmailIsProvedByVerifyEmailFirst() {
        var tokens = passwordless(email);
        set(Map.of("factors", Map.of("passwordless", false)));
        assertThat(reauthenticate(tokens, Map.of("code", "123456")).expect(409).text("message"))
                .contains("sign in again");
        set(Map.of("factors", Map.of("passwordless", true)));
        var unverified = project.signUp();
        reauthenticate(unverified, Map.of("code", "123456")).expect(409);
    }

    @Test
    void aPasskeyRenewsTheSessionAndSaysHowMuchItProves() {
        var first = passwordless(email);
        var tokens = reauthenticate(first, Map.of("code", mailedCode(email, 2))).expect(200);
        var device = register(tokens);
        var old = aged(tokens);
        begin(old).expect(403);
        reauthenticate(old, Map.of("passkey", device.flags(PRESENT).get(challenge())))
                .expect(403);
        var body = device.flags(PRESENT | VERIFIED).get(challenge());
        var renewed = reauthenticate(old, Map.of("passkey", body)).expect(200);
        assertThat(session(renewed)).isEqualTo(session(tokens));
        assertThat(amr(renewed)).isEqualTo("[\"hwk\",\"user\",\"mfa\"]");
        begin(renewed).expect(200);
        reauthenticate(old, Map.of("passkey", body)).expect(401);
    }

    @Test
    void anotherUsersPasskeyAndOneOfAnotherProjectRenewNothing() {
        var tokens = project.signUp(email);
        var others = register(project.signUp());
        reauthenticate(tokens, Map.of("passkey", others.get(challenge()))).expect(401);
        var own = register(tokens);
        var elsewhere = server.newProject();
        elsewhere
                .asOwner("PATCH", "")
                .json(Map.of("allowedOrigins", List.of(ORIGIN)))
                .expect(200);
        var foreign =
                elsewhere.post(PASSKEYS + "/authenticate/options").expect(200).json();
        reauthenticate(tokens, Map.of("passkey", own.get(foreign))).expect(401);
        reauthenticate(
                        tokens,
                        Map.of("passkey", own.get(begin(tokens).expect(200).json())))
                .expect(401);
        set(Map.of("factors", Map.of("passkeys", false)));
        reauthenticate(tokens, Map.of("passkey", own.get(foreign))).expect(404);
    }

    @Test
    void aUserWithOneTimePasswordsMustEnterOneAndNotAMailedCode() {
        var tokens = passwordless(email);
        tokens = reauthenticate(tokens, Map.of("code", mailedCode(email, 2))).expect(200);
        var device = register(tokens, PRESENT); // one that verifies would be a second factor itself
        mail.mailbox().await(email, 3); // the notice of the passkey, which otherwise might come after the code
        mail.passAMinute();
        var mailed = mailedCode(email, 4);
        var app = setUpTotp(tokens);
        reauthenticate(tokens, Map.of("code", mailed)).expect(401);
        var old = aged(tokens);

        assertThat(reauthenticate(old, Map.of("passkey", device.flags(PRESENT).get(challenge())))
                        .expect(403)
                        .text("message"))
                .contains("second factor");
        var code = app.code();
        var renewed = reauthenticate(old, Map.of("code", code)).expect(200);
        assertThat(amr(renewed)).isEqualTo("[\"mail\",\"otp\",\"mfa\"]");
        begin(renewed).expect(200);
        reauthenticate(old, Map.of("code", code)).expect(401);
        var backup = server.api()
                .post("/v1/auth/mfa/backup-codes/regenerate")
                .bearer(renewed.accessToken())
                .json(Map.of("code", app.code(Duration.ofSeconds(30))))
                .expect(200)
                .json()
                .at("/backupCodes/0")
                .asText();
        reauthenticate(old, Map.of("code", backup)).expect(200);
        reauthenticate(old, Map.of("code", backup)).expect(401);
    }

    @Test
    void aSessionThatHasEndedIsNotRevived() {
        var tokens = passwordless(email);
        var code = mailedCode(email, 2);
        project.signOut(tokens.accessToken()).expect(200);
        reauthenticate(tokens, Map.of("code", code)).expect(401);
        project.refresh(tokens.refreshToken()).expect(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"code\":\"\"}",
                "{\"code\":123456}",
                "{\"code\":\"12345\\u0000\"}",
                "{\"passkey\":true}",
                "{\"passkey\":{}}",
                "{\"passkey\":{\"id\":\"AA\",\"rawId\":\"AQ\",\"type\":\"public-key\",\"response\":7}}",
                "{\"password\":[]}"
            })
    void anythingElseIsRefused(String body) {
        var tokens = project.signUp(email);
        server.api()
                .post("/v1/auth/reauthenticate")
                .bearer(tokens.accessToken())
                .raw("application/json", body)
                .expect(422);
    }
}
