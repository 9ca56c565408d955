package dev.vestibule.authentication.factor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One-time passwords as a second factor, from their setup to their reset, and every way around them. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MfaIT {
    private static final Duration STEP = Duration.ofSeconds(30);
    private static final String OTHER_PASSWORD = "another horse battery";

    private final TestClock clock = new TestClock();
    private final TestDatabase database;
    private final TestServer server;
    private TestProject project;
    private String email;
    private Response signedUp;

    MfaIT(TestDatabase database) {
        this.database = database;
        server = TestServer.start(database, Map.of("VESTIBULE_SESSIONS_SWEEP_SECONDS", "1"), clock);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void newUser() {
        clock.advance(STEP.multipliedBy(4));
        project = server.newProject();
        email = TestServer.newEmail();
        signedUp = project.signUp(email);
        server.proveEmail(email);
    }

    /** A user's app and backup codes, once both are set up. */
    private record Enrolled(Authenticator app, List<String> backupCodes) {}

    private Call setup(Response tokens) {
        return server.api().post("/v1/auth/mfa/totp/setup").bearer(tokens.accessToken());
    }

    private Call confirm(Response tokens, String code) {
        return coded(tokens, "/v1/auth/mfa/totp/verify-setup", code);
    }

    private Call coded(Response tokens, String path, String code) {
        return server.api().post(path).bearer(tokens.accessToken()).json(Map.of("code", code));
    }

    private Call status(Response tokens) {
        return server.api().get("/v1/auth/mfa/status").bearer(tokens.accessToken());
    }

    private Call disable(Response tokens, String code) {
        return coded(tokens, "/v1/auth/mfa/disable", code);
    }

    private Call regenerate(Response tokens, String code) {
        return coded(tokens, "/v1/auth/mfa/backup-codes/regenerate", code);
    }

    private Call verify(String mfaToken, String code) {
        return verify(project, mfaToken, code);
    }

    private static Call verify(TestProject where, String mfaToken, String code) {
        return where.post("/v1/auth/mfa/verify").json(Map.of("mfaToken", mfaToken, "code", code));
    }

    /** The code that confirms the setup is used up, so the next one is that of the next step. */
    private Enrolled enrol(Response tokens) {
        server.proveEmail(tokens.text("user/email"));
        var setup = setup(tokens).expect(200);
        var app = new Authenticator(setup.text("secret"), clock);
        confirm(tokens, app.code()).expect(200);
        clock.advance(STEP);
        return new Enrolled(app, texts(setup, "backupCodes"));
    }

    private Enrolled enrol() {
        return enrol(signedUp);
    }

    private static List<String> texts(Response response, String field) {
        var texts = new ArrayList<String>();
        response.json().path(field).forEach(node -> texts.add(node.textValue()));
        return texts;
    }

    /** What sign in by password returns to a user with a second factor. */
    private String mfaToken() {
        return mfaToken(TestProject.PASSWORD);
    }

    private String mfaToken(String password) {
        var answer = project.trySignIn(email, password).expect(200);
        assertThat(answer.json().path("mfaRequired").asBoolean()).isTrue();
        assertThat(answer.json().has("accessToken")).isFalse();
        return answer.text("mfaToken");
    }

    private String user() {
        return signedUp.text("user/id");
    }

    private String managed() {
        return "/v1/dashboard/users/" + user();
    }

    private static long authTime(Response tokens) {
        return Jwt.parse(tokens.accessToken()).claims().path("auth_time").asLong();
    }

    private static String amr(Response tokens) {
        return Jwt.parse(tokens.accessToken()).claims().path("amr").toString();
    }

    private static String acr(Response tokens) {
        return Jwt.parse(tokens.accessToken()).claims().path("acr").asText();
    }

    private List<String> audited() {
        return server.sql()
                .texts(
                        "SELECT concat_ws(' ', event, actor_type, actor_id, metadata) FROM audit_log"
                                + " WHERE project_id = ?::uuid AND (event LIKE 'auth.mfa.%' OR event LIKE '%factors%')"
                                + " ORDER BY created_at, id",
                        project.id());
    }

    @Test
    void aUserSetsUpAnAppAndSignsInByPasswordAndCode() {
        var setup = setup(signedUp).expect(200);
        assertThat(setup.text("qrCodeUri"))
                .startsWith("otpauth://totp/A%20project:" + email.replace("@", "%40"))
                .contains("secret=" + setup.text("secret"));
        assertThat(setup.text("qrCode")).isEqualTo(QrCodeImage.dataUrl(setup.text("qrCodeUri")));
        assertThat(texts(setup, "backupCodes")).hasSize(10).doesNotHaveDuplicates();
        assertThat(status(signedUp).expect(200).json()).hasToString("{\"enabled\":false,\"backupCodesRemaining\":0}");
        var app = new Authenticator(setup.text("secret"), clock);

        assertThat(confirm(signedUp, app.code()).expect(200).json()).hasToString("{\"success\":true}");

        assertThat(status(signedUp).expect(200).json()).hasToString("{\"enabled\":true,\"backupCodesRemaining\":10}");
        clock.advance(STEP);
        var tokens = verify(mfaToken(), app.code()).expect(200);
        assertThat(tokens.text("user/id")).isEqualTo(user());
        assertThat(tokens.json().path("expiresIn").asInt()).isEqualTo(900);
        assertThat(amr(tokens)).isEqualTo("[\"pwd\",\"otp\",\"mfa\"]");
        project.me(tokens.accessToken()).expect(200);
        var refreshed = project.refresh(tokens.refreshToken()).expect(200);
        assertThat(amr(refreshed)).isEqualTo("[\"pwd\",\"otp\",\"mfa\"]");
        for (var token : List.of(tokens, refreshed)) {
            assertThat(acr(token)).isEqualTo("aal2");
        }
        assertThat(acr(signedUp)).isEqualTo("aal1");
        assertThat(acr(project.refresh(signedUp.refreshToken()).expect(200))).isEqualTo("aal1");
        assertThat(project.manage("GET", managed())
                        .expect(200)
                        .json()
                        .path("mfaEnabled")
                        .asBoolean())
                .isTrue();
        assertThat(project.me(tokens.accessToken()).expect(200).json().has("mfaEnabled"))
                .isFalse();
    }

    @Test
    void anUnconfirmedSetupIsNotAskedFor() {
        setup(signedUp).expect(200);
        project.signIn(email).accessToken();
        assertThat(project.manage("GET", managed())
                        .expect(200)
                        .json()
                        .path("mfaEnabled")
                        .asBoolean())
                .isFalse();
        disable(signedUp, "123456").expect(409);
        regenerate(signedUp, "123456").expect(409);
    }

    @Test
    void aSetupExpiresAndIsRemoved() {
        var app = new Authenticator(setup(signedUp).expect(200).text("secret"), clock);
        clock.advance(Duration.ofMinutes(10));
        confirm(signedUp, app.code()).expect(409);
        Eventually.until(
                "it is removed",
                () -> server.sql().count("SELECT count(*) FROM totp_factors WHERE project_id = ?::uuid", project.id())
                        == 0);
        confirm(signedUp, app.code()).expect(409);
    }

    @Test
    void aWrongCodeConfirmsNothing() {
        confirm(signedUp, "123456").expect(409);
        var app = new Authenticator(setup(signedUp).expect(200).text("secret"), clock);
        confirm(signedUp, app.wrongCode()).expect(401);
        confirm(signedUp, app.code(Duration.ofSeconds(-90))).expect(401);
        project.signIn(email);
        confirm(signedUp, app.code()).expect(200);
        confirm(renewed(signedUp, app.code(STEP)), app.code(STEP)).expect(409);
    }

    /** The session's new tokens after a code. */
    private Response renewed(Response tokens, String code) {
        return reauthenticate(tokens, Map.of("code", code)).expect(200);
    }

    private Call reauthenticate(Response tokens, Map<String, ?> proof) {
        return server.api()
                .post("/v1/auth/reauthenticate")
                .bearer(tokens.accessToken())
                .json(proof);
    }

    @Test
    void aNewSetupReplacesThePreviousOne() {
        var first = new Authenticator(setup(signedUp).expect(200).text("secret"), clock);
        var second = new Authenticator(setup(signedUp).expect(200).text("secret"), clock);
        confirm(signedUp, first.code()).expect(401);
        confirm(signedUp, second.code()).expect(200);
        setup(renewed(signedUp, second.code(STEP))).expect(409);
    }

    @Test
    void theSetupEndsOtherSessionsAndKeepsItsOwn() {
        var other = project.signIn(email);
        enrol();
        project.me(other.accessToken()).expect(401);
        project.refresh(other.refreshToken()).expect(401);
        project.me(signedUp.accessToken()).expect(200);
    }

    @Test
    void noCodeIsAcceptedTwice() {
        var setup = setup(signedUp).expect(200);
        var app = new Authenticator(setup.text("secret"), clock);
        var used = app.code();
        confirm(signedUp, used).expect(200);
        verify(mfaToken(), used).expect(401);

        clock.advance(STEP);
        var code = app.code();
        verify(mfaToken(), code).expect(200);
        verify(mfaToken(), code).expect(401);
        verify(mfaToken(), used).expect(401);
        disable(signedUp, code).expect(401);
        regenerate(signedUp, code).expect(401);
        verify(mfaToken(), app.code(STEP)).expect(200);
        verify(mfaToken(), app.code(STEP)).expect(401);
    }

    @Test
    void ofFiftyConcurrentRightCodesOneOpensASession() {
        var app = enrol().app();
        var code = app.code();
        var token = mfaToken();
        var sessions = sessions();
        var answers = Parallel.send(50, number -> verify(token, code));
        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(answers).extracting(Response::status).containsOnly(200, 401);
        assertThat(sessions()).isEqualTo(sessions + 1);
    }

    @Test
    void ofFiftyConcurrentTokensWithOneRightCodeOneOpensASession() {
        var code = enrol().app().code();
        var tokens = Parallel.send(50, number -> project.trySignIn(email, TestProject.PASSWORD));
        var answers = Parallel.send(50, number -> verify(tokens.get(number).text("mfaToken"), code));
        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(answers).extracting(Response::status).containsOnly(200, 401, 429);
    }

    @Test
    void ofManyConcurrentUsesOfOneBackupCodeOneCounts() {
        var codes = enrol().backupCodes();
        var answers = Parallel.send(10, number -> verify(mfaToken(), codes.get(0)));
        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(status(signedUp)
                        .expect(200)
                        .json()
                        .path("backupCodesRemaining")
                        .asInt())
                .isEqualTo(9);
    }

    private long sessions() {
        return server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id());
    }

    @Test
    void aBackupCodeWorksOnceEverywhereACodeDoes() {
        var enrolled = enrol();
        var codes = enrolled.backupCodes();
        var typed = " " + codes.get(0).toLowerCase(Locale.ROOT).substring(0, 5) + " - "
                + codes.get(0).substring(5);
        var tokens = verify(mfaToken(), typed).expect(200);
        assertThat(amr(tokens)).isEqualTo("[\"pwd\",\"otp\",\"mfa\"]");
        verify(mfaToken(), codes.get(0)).expect(401);
        assertThat(status(tokens)
                        .expect(200)
                        .json()
                        .path("backupCodesRemaining")
                        .asInt())
                .isEqualTo(9);

        var renewed = texts(regenerate(tokens, codes.get(1)).expect(200), "backupCodes");
        assertThat(renewed).hasSize(10).doesNotContainAnyElementsOf(codes);
        assertThat(status(tokens)
                        .expect(200)
                        .json()
                        .path("backupCodesRemaining")
                        .asInt())
                .isEqualTo(10);
        verify(mfaToken(), codes.get(2)).expect(401);
        verify(mfaToken(), renewed.get(0)).expect(200);
        disable(tokens, renewed.get(0)).expect(401);
        disable(tokens, renewed.get(1)).expect(200);
    }

    @Test
    void backupCodesOfAnotherUserAreWrong() {
        var others = enrol(project.signUp()).backupCodes();
        enrol();
        verify(mfaToken(), others.get(0)).expect(401);
    }

    @Test
    void secretsAndCodesAreNotReadableInTheDatabase() {
        var setup = setup(signedUp).expect(200);
        var stored = String.join(
                "",
                server.sql()
                        .texts("SELECT totp_factors::text FROM totp_factors WHERE project_id = ?::uuid", project.id()));
        assertThat(stored).isNotEmpty();
        for (var secret :
                List.of(setup.text("secret"), texts(setup, "backupCodes").get(0))) {
            assertThat(stored).doesNotContain(secret);
            assertThat(stored).doesNotContain(HexFormat.of().formatHex(secret.getBytes(StandardCharsets.UTF_8)));
        }
        enrol();
        var token = mfaToken();
        assertThat(String.join("", server.sql().texts("SELECT mfa_challenges::text FROM mfa_challenges")))
                .isNotEmpty()
                .doesNotContain(token);
    }

    @Test
    void aTokenIsValidForOneSession() {
        var app = enrol().app();
        var token = mfaToken();
        verify(token, app.code()).expect(200);
        verify(token, app.code(STEP)).expect(401);
    }

    @Test
    void aTokenExpires() {
        var app = enrol().app();
        var token = mfaToken();
        clock.advance(Duration.ofMinutes(5));
        verify(token, app.code()).expect(401);
        Eventually.until(
                "it is removed",
                () -> server.sql().count("SELECT count(*) FROM mfa_challenges WHERE project_id = ?::uuid", project.id())
                        == 0);
        var next = mfaToken();
        clock.advance(Duration.ofMinutes(5).minusMillis(1));
        verify(next, app.code()).expect(200);
    }

    @Test
    void afterFiveWrongCodesTheTokenIsInvalid() {
        var app = enrol().app();
        var token = mfaToken();
        for (int i = 0; i < 5; i++) {
            verify(token, app.wrongCode()).expect(401);
        }
        verify(token, app.code()).expect(401);
        verify(mfaToken(), app.code()).expect(200);
    }

    @Test
    void manyTokensGiveNoMoreGuessesThanTheDayHas() {
        var app = enrol().app();
        for (int i = 0; i < 20; i++) {
            verify(mfaToken(), app.wrongCode()).expect(401);
        }
        var refused = verify(mfaToken(), app.code()).expect(429);
        assertThat(refused.header("Retry-After")).isPresent();
        disable(signedUp, app.code()).expect(429);
        regenerate(signedUp, app.code()).expect(429);

        project.manage("POST", managed() + "/unlock").expect(200);
        verify(mfaToken(), app.code()).expect(200);
    }

    @Test
    void guessesInASessionCountForTheDayTooAndADayLaterTheyDoNot() {
        var app = enrol().app();
        for (int i = 0; i < 20; i++) {
            (i % 2 == 0 ? disable(signedUp, app.wrongCode()) : regenerate(signedUp, app.wrongCode())).expect(401);
        }
        verify(mfaToken(), app.code()).expect(429);
        clock.advance(Duration.ofDays(1));
        verify(mfaToken(), app.code()).expect(200);
    }

    @Test
    void aTokenOfAnotherProjectIsUnknown() {
        var app = enrol().app();
        var token = mfaToken();
        verify(server.newProject(), token, app.code()).expect(401);
        server.api()
                .post("/v1/dashboard/auth/mfa/verify")
                .json(Map.of("mfaToken", token, "code", app.code()))
                .expect(401);
        verify(token, app.code()).expect(200);
    }

    @Test
    void aTokenTakesNoCodeOfAnotherUser() {
        var app = enrol().app();
        var other = enrol(project.signUp()).app();
        var token = mfaToken();
        verify(token, other.code()).expect(401);
        verify(token, app.code()).expect(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "mfa_", "mfa_\u0000", "' OR 1=1 --", "rt_x", "\ud800"})
    void aTextThatIsNotATokenIsUnknown(String token) {
        verify(token, "123456").expect(401);
    }

    @Test
    void aTextTooLongForATokenIsRefusedUnchecked() {
        verify("x".repeat(60_000), "123456").expect(401);
        verify("mfa_" + "\u0000".repeat(43), "123456").expect(401);
        verify(mfaTokenOfAnEnrolledUser() + "A", "123456").expect(401);
        verify("x".repeat(1_000_000), "123456").expect(413);
        assertThat(verify("mfa_x", "1".repeat(60_000)).expect(422).failingFields())
                .containsExactly("code");
    }

    private String mfaTokenOfAnEnrolledUser() {
        enrol();
        return mfaToken();
    }

    @Test
    void eachFieldIsNeededAndChecked() {
        var path = "/v1/auth/mfa/verify";
        assertThat(project.post(path).json(Map.of()).expect(422).failingFields())
                .containsExactly("mfaToken", "code");
        assertThat(project.post(path)
                        .json(Map.of("mfaToken", 7, "code", 123456))
                        .expect(422)
                        .failingFields())
                .containsExactly("mfaToken", "code");
        assertThat(verify("mfa_x", "12345").expect(422).failingFields()).containsExactly("code");
        project.post(path).text("[]").expect(400);
        server.api().post(path).json(Map.of("mfaToken", "x", "code", "123456")).expect(401);
        for (var call :
                List.of(confirm(signedUp, "7K2MQ0XR4P"), disable(signedUp, "x"), regenerate(signedUp, "12 34 5"))) {
            assertThat(call.expect(422).failingFields()).containsExactly("code");
        }
    }

    @Test
    void aChangedPasswordInvalidatesTheToken() {
        var app = enrol().app();
        var both = verify(mfaToken(), app.code()).expect(200);
        var token = mfaToken();
        server.api()
                .post("/v1/auth/password/change")
                .bearer(both.accessToken())
                .json(Map.of("currentPassword", TestProject.PASSWORD, "newPassword", OTHER_PASSWORD))
                .expect(200);
        verify(token, app.code(STEP)).expect(401);
        verify(mfaToken(OTHER_PASSWORD), app.code(STEP)).expect(200);
    }

    @Test
    void aPasswordSetByManagementLeavesTheFactor() {
        var app = enrol().app();
        var token = mfaToken();
        project.manage("PATCH", managed())
                .json(Map.of("password", OTHER_PASSWORD))
                .expect(200);
        verify(token, app.code()).expect(401);
        verify(mfaToken(OTHER_PASSWORD), app.code()).expect(200);
    }

    @Test
    void aBanAppliesBetweenPasswordAndCode() {
        var app = enrol().app();
        var token = mfaToken();
        project.manage("PATCH", managed() + "/ban").expect(200);
        verify(token, app.code()).expect(401);
        project.manage("PATCH", managed() + "/unban").expect(200);
        verify(token, app.code()).expect(401);
        verify(mfaToken(), app.code()).expect(200);
    }

    @Test
    void aLockByGuessedPasswordsAppliesBetweenPasswordAndCode() {
        var app = enrol().app();
        server.sql().update("DELETE FROM sign_in_networks WHERE user_id = ?::uuid", user());
        var token = mfaToken();
        for (int i = 0; i < 10; i++) {
            project.trySignIn(email, "not the password").expect(401);
        }
        verify(token, app.code()).expect(429);
        project.manage("POST", managed() + "/unlock").expect(200);
        verify(token, app.code()).expect(200);
    }

    @Test
    void aDeletedUserHasNoTokenLeft() {
        var app = enrol().app();
        var token = mfaToken();
        project.manage("DELETE", managed()).expect(200);
        verify(token, app.code()).expect(401);
        for (var table : List.of("totp_factors", "mfa_challenges")) {
            assertThat(server.sql().count("SELECT count(*) FROM " + table + " WHERE user_id = ?::uuid", user()))
                    .isZero();
        }
    }

    @Test
    void aWrongPasswordDoesNotRevealTheFactor() {
        enrol();
        var answer = project.trySignIn(email, "not the password").expect(401);
        var unknown =
                project.trySignIn(TestServer.newEmail(), "not the password").expect(401);
        assertThat(answer.body()).isEqualTo(unknown.body());
    }

    @Test
    void theSessionBelongsToTheVariantThatSignedIn() {
        var app = enrol().app();
        var token = server.api()
                .post("/v1/auth/signin")
                .json(Map.of("projectId", project.id(), "email", email, "password", TestProject.PASSWORD))
                .expect(200)
                .text("mfaToken");
        var tokens = server.api()
                .post("/v1/auth/mfa/verify")
                .json(Map.of("projectId", project.id(), "mfaToken", token, "code", app.code()))
                .expect(200);
        assertThat(tokens.json().path("expiresIn").asInt()).isEqualTo(3600);
        project.refreshAccessToken(tokens.refreshToken()).expect(200);
        project.refresh(tokens.refreshToken()).expect(401);
    }

    @Test
    void aDisabledFactorIsNoLongerAskedFor() {
        var app = enrol().app();
        var pending = mfaToken();
        disable(signedUp, app.wrongCode()).expect(401);
        assertThat(disable(signedUp, app.code()).expect(200).json()).hasToString("{\"success\":true}");
        project.me(project.signIn(email).accessToken()).expect(200);
        verify(pending, app.code(STEP)).expect(401);
        disable(signedUp, app.code(STEP)).expect(409);
        assertThat(status(signedUp).expect(200).json().path("enabled").asBoolean())
                .isFalse();
        enrol();
        mfaToken();
    }

    @Test
    void managementResetsTheFactorsOfAUserWhoHasLostThem() {
        for (var path : List.of(managed(), "/v1/backend/users/" + user())) {
            var app = enrol().app();
            var pending = mfaToken();
            assertThat(project.manage("DELETE", path + "/factors").expect(200).json())
                    .hasToString("{\"success\":true}");
            verify(pending, app.code()).expect(401);
            project.me(project.signIn(email).accessToken()).expect(200);
            project.manage("DELETE", path + "/factors").expect(200);
        }
        assertThat(audited())
                .filteredOn(entry -> entry.startsWith("admin.user.factors.reset api_key"))
                .hasSize(4);
    }

    @Test
    void onlyManagementOfTheProjectResetsFactors() {
        enrol();
        var stranger = server.newProject();
        stranger.manage("DELETE", managed() + "/factors").expect(404);
        stranger.manage("DELETE", "/v1/backend/users/" + user() + "/factors").expect(404);
        project.manage("DELETE", "/v1/dashboard/users/no-id/factors").expect(404);
        server.api()
                .call("DELETE", managed() + "/factors")
                .key(project.publishableKey())
                .expect(403);
        server.api()
                .call("DELETE", managed() + "/factors")
                .bearer(signedUp.accessToken())
                .expect(403);
        var inProject = managed() + "/factors?projectId=" + project.id();
        server.api()
                .call("DELETE", inProject)
                .bearer(server.newMember(project, "viewer"))
                .expect(403);
        mfaToken();
        server.api().call("DELETE", inProject).bearer(project.owner()).expect(200);
        project.signIn(email).accessToken();
    }

    @Test
    void ifTheProjectSwitchesThemOffNoNewOnesCanBeAddedAndOldOnesCount() {
        var app = enrol().app();
        var other = project.signUp();
        server.proveEmail(other.text("user/email"));
        setup(other).expect(200);
        var changed = project.asOwner("PATCH", "")
                .json(Map.of("factors", Map.of("totp", false)))
                .expect(200);
        assertThat(changed.json().at("/project/factors/totp")).hasToString("false");

        setup(other).expect(404);
        confirm(other, "123456").expect(404);
        assertThat(status(other).expect(200).json().path("enabled").asBoolean()).isFalse();
        verify(mfaToken(), app.code()).expect(200);
        disable(signedUp, app.code(STEP)).expect(200);
        setup(signedUp).expect(404);
    }

    @Test
    void invalidSettingsAreRefused() {
        var before = project.asOwner("GET", "").expect(200).json().path("factors");
        for (var odd : new Object[] {1, "true", List.of("totp"), Map.of("totp", "yes"), Map.of("topt", true)}) {
            project.asOwner("PATCH", "").json(Map.of("factors", odd)).expect(422);
        }
        assertThat(project.asOwner("GET", "").expect(200).json().path("factors"))
                .isEqualTo(before);
    }

    @Test
    void changingFactorsNeedsARecentSignInIfTheProjectRequiresOne() {
        var app = enrol().app();
        project.asOwner("PATCH", "").json(Map.of("requireRecentSignIn", 300)).expect(200);
        clock.advance(Duration.ofMinutes(6));
        for (var call : List.of(
                setup(signedUp),
                confirm(signedUp, app.code()),
                disable(signedUp, app.code()),
                regenerate(signedUp, app.code()))) {
            assertThat(call.expect(403).text("reason")).isEqualTo("reauthentication_required");
        }
        disable(verify(mfaToken(), app.code()).expect(200), app.code(STEP)).expect(200);
    }

    @Test
    void thePasswordAloneRenewsNoSessionOfAnAccountWithASecondFactor() {
        var app = enrol().app();
        var both = verify(mfaToken(), app.code()).expect(200);
        var signedInAt = authTime(both);
        clock.advance(Duration.ofMinutes(1));
        for (var session : List.of(both, signedUp)) {
            assertThat(reauthenticate(session, Map.of("password", TestProject.PASSWORD))
                            .expect(403)
                            .text("reason"))
                    .isEqualTo("second_factor_required");
            reauthenticate(session, Map.of("password", TestProject.PASSWORD, "code", app.wrongCode()))
                    .expect(401);
            reauthenticate(session, Map.of("password", OTHER_PASSWORD, "code", app.code()))
                    .expect(401);
        }
        assertThat(authTime(project.refresh(both.refreshToken()).expect(200))).isEqualTo(signedInAt);

        var renewed = reauthenticate(signedUp, Map.of("password", TestProject.PASSWORD, "code", app.code()))
                .expect(200);
        assertThat(amr(renewed)).isEqualTo("[\"pwd\",\"otp\",\"mfa\"]");
        assertThat(authTime(renewed)).isEqualTo(clock.instant().getEpochSecond());
        reauthenticate(signedUp, Map.of("password", TestProject.PASSWORD, "code", app.code()))
                .expect(401);
    }

    @Test
    void aCodeCompletesTheFactorThatOpenedTheSession() {
        var app = enrol().app();
        assertThat(amr(renewed(signedUp, app.code()))).isEqualTo("[\"pwd\",\"otp\",\"mfa\"]");
    }

    @Test
    void aCodeAloneIsOneFactorIfNoneOpenedTheSession() {
        var app = enrol().app();
        server.sql().update("UPDATE sessions SET amr = '{}' WHERE user_id = ?::uuid", signedUp.text("user/id"));
        var once = renewed(signedUp, app.code());
        assertThat(amr(once)).isEqualTo("[\"otp\"]");
        assertThat(amr(renewed(once, app.code(STEP)))).isEqualTo("[\"otp\"]");
        setup(once).expect(403);
        clock.advance(STEP);
        assertThat(amr(reauthenticate(once, Map.of("password", TestProject.PASSWORD, "code", app.code(STEP)))
                        .expect(200)))
                .isEqualTo("[\"pwd\",\"otp\",\"mfa\"]");
    }

    @Test
    void dashboardUsersHaveThemToo() {
        var operator = TestServer.newEmail();
        var password = "a dashboard password";
        var registered = server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", operator, "password", password))
                .expect(201);
        var app = enrol(registered).app();
        var token = server.api()
                .post("/v1/dashboard/auth/login")
                .json(Map.of("email", operator, "password", password))
                .expect(200)
                .text("mfaToken");
        verify(token, app.code()).expect(401);
        var tokens = server.api()
                .post("/v1/dashboard/auth/mfa/verify")
                .json(Map.of("mfaToken", token, "code", app.code()))
                .expect(200);
        server.api().get("/v1/dashboard/projects").bearer(tokens.accessToken()).expect(200);
    }

    @Test
    void theAuditLogRecordsEachStep() {
        var enrolled = enrol();
        verify(mfaToken(), enrolled.app().wrongCode()).expect(401);
        verify(mfaToken(), enrolled.backupCodes().get(0)).expect(200);
        regenerate(signedUp, enrolled.app().code()).expect(200);
        clock.advance(STEP);
        disable(signedUp, enrolled.app().wrongCode()).expect(401);
        disable(signedUp, enrolled.app().code()).expect(200);

        var user = "user " + user();
        Eventually.until("refused codes are written", () -> audited().size() == 6);
        assertThat(audited())
                .containsExactlyInAnyOrder(
                        "auth.mfa.setup " + user + " {\"factor\": \"totp\"}",
                        "auth.mfa.failed user {\"reason\": \"wrong_code\"}",
                        "auth.mfa.verify " + user + " {\"factor\": \"backup_code\"}",
                        "auth.mfa.backup_codes.regenerated " + user,
                        "auth.mfa.failed " + user + " {\"reason\": \"wrong_code\"}",
                        "auth.mfa.disabled " + user + " {\"factor\": \"totp\"}");
    }

    /** Whichever comes first: after the setup, nobody who knows only the password is signed in. */
    @Test
    void aSignInDuringTheSetupLeavesNoSessionOpenedWithThePasswordAlone() {
        for (int round = 0; round < 6; round++) {
            var app = new Authenticator(setup(signedUp).expect(200).text("secret"), clock);
            var answers = Parallel.send(
                    5,
                    number -> number == 2
                            ? confirm(signedUp, app.code())
                            : project.trySignIn(email, TestProject.PASSWORD));
            assertThat(answers.get(2).status()).isEqualTo(200);
            for (var answer : answers) {
                assertThat(answer.status()).isEqualTo(200);
                if (answer.json().has("accessToken")) {
                    project.me(answer.accessToken()).expect(401);
                }
            }
            clock.advance(STEP);
            disable(signedUp, app.code()).expect(200);
        }
    }

    @Test
    void anImpersonatorCannotChangeFactors() {
        var app = enrol().app();
        var acting = project.asOwner("POST", "/users/" + user() + "/impersonate")
                .json(Map.of("reason", "a ticket"))
                .send();
        assertThat(acting.status()).as(acting.body()).isEqualTo(200);
        for (var call : List.of(
                setup(acting),
                confirm(acting, app.code()),
                disable(acting, app.code()),
                regenerate(acting, app.code()))) {
            assertThat(call.expect(403).text("reason")).isEqualTo("impersonated_session");
        }
        verify(mfaToken(), app.code()).expect(200);
    }

    @Test
    void eachCodeIsCountedByFactorAndOutcome() {
        var enrolled = enrol();
        var counted = List.of(
                "vestibule_factors_codes_total{factor=\"totp\",outcome=\"wrong\"}",
                "vestibule_factors_codes_total{factor=\"totp\",outcome=\"accepted\"}",
                "vestibule_factors_codes_total{factor=\"backup_code\",outcome=\"accepted\"}");
        var before = counted.stream().map(server::metric).toList();
        verify(mfaToken(), enrolled.app().wrongCode()).expect(401);
        verify(mfaToken(), enrolled.app().code()).expect(200);
        verify(mfaToken(), enrolled.backupCodes().get(0)).expect(200);
        assertThat(counted.stream().map(server::metric))
                .containsExactlyElementsOf(
                        before.stream().map(count -> count + 1).toList());
    }

    @Test
    void aNewMasterSecretSealsTheSecretsAgain() {
        var current = "a master secret for this test that has no comma in it";
        var next = "another master secret for tests which is as well known as the first";
        var url = database.createDatabase();
        Authenticator app;
        List<String> backupCodes;
        TestProject there;
        var sealed = "SELECT encode(sealed_secret, 'hex') FROM totp_factors";
        String before;
        try (var first = TestServer.startOn(url, Map.of("VESTIBULE_SECRET", current), clock)) {
            there = first.newProject();
            var tokens = there.signUp(email);
            first.proveEmail(email);
            var setup = first.api()
                    .post("/v1/auth/mfa/totp/setup")
                    .bearer(tokens.accessToken())
                    .expect(200);
            app = new Authenticator(setup.text("secret"), clock);
            backupCodes = texts(setup, "backupCodes");
            first.api()
                    .post("/v1/auth/mfa/totp/verify-setup")
                    .bearer(tokens.accessToken())
                    .json(Map.of("code", app.code()))
                    .expect(200);
            before = first.sql().texts(sealed).get(0);
        }
        clock.advance(STEP);
        try (var second = TestServer.startOn(
                url, Map.of("VESTIBULE_SECRET", next, "VESTIBULE_PREVIOUS_SECRETS", current), clock)) {
            Eventually.until(
                    "it is sealed again",
                    () -> !second.sql().texts(sealed).get(0).equals(before));
            var moved = there.at(second);
            for (var code : List.of(app.code(), backupCodes.get(0))) {
                var token =
                        moved.trySignIn(email, TestProject.PASSWORD).expect(200).text("mfaToken");
                verify(moved, token, code).expect(200);
            }
        }
    }

    /** A hash of the same password from another system, which a sign in replaces. */
    @Test
    void aPasswordWithAnImportedHashIsStillRehashed() {
        var app = enrol().app();
        var imported = OpenBSDBCrypt.generate("2b", TestProject.PASSWORD.toCharArray(), new byte[16], 4);
        server.sql().update("UPDATE users SET password_hash = ? WHERE id = ?::uuid", imported, user());
        var token = mfaToken();
        assertThat(server.sql()
                        .texts("SELECT password_hash FROM users WHERE id = ?::uuid", user())
                        .get(0))
                .startsWith("$argon2id$");
        verify(token, app.code()).expect(200);
        verify(mfaToken(), app.code(STEP)).expect(200);
    }
}
