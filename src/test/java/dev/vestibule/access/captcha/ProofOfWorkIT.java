package dev.vestibule.access.captcha;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.ProofOfWork;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Proofs of work, which are easy here, and who has to send one. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProofOfWorkIT {
    private static final Map<String, String> EASY =
            Map.of("VESTIBULE_CAPTCHA_COST", "2", "VESTIBULE_CAPTCHA_DIGITS", "2");

    private final TestClock clock = new TestClock();
    private final TestDatabase database;
    private final TestServer server;
    private final TestProject project;

    ProofOfWorkIT(TestDatabase database) {
        this.database = database;
        server = TestServer.start(database, EASY, clock);
        project = asking(server, "always");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private static TestProject asking(TestServer where, String when) {
        var made = where.newProject();
        made.asOwner("PATCH", "").json(Map.of("captcha", Map.of("when", when))).expect(200);
        return made;
    }

    private static Call signUp(TestProject where, String token) {
        return where.post("/v1/auth/signup")
                .json(Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD, "captchaToken", token));
    }

    private static void assertFailed(Call call) {
        assertThat(call.expect(403).text("code")).isEqualTo("captcha_failed");
    }

    private JsonNode challenge() {
        return ProofOfWork.challenge(project, "sign_up");
    }

    @Test
    void aRequestWithoutASolutionIsToldWhatToSolve() {
        var answer = project.post("/v1/auth/signup")
                .json(Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD))
                .expect(403);

        assertThat(answer.text("code")).isEqualTo("captcha_required");
        assertThat(answer.json().path("captcha"))
                .hasToString("{\"provider\":\"proof_of_work\",\"purpose\":\"sign_up\"}");
        signUp(project, ProofOfWork.solved(project, "sign_up")).expect(201);
    }

    @Test
    void everyRequestThatSendsSomethingNeedsASolutionForItself() {
        for (var way : Map.of(
                        "/v1/auth/passwordless/magic-link", "magic_link",
                        "/v1/auth/passwordless/email-otp", "email_code",
                        "/v1/auth/password/forgot", "forgot_password")
                .entrySet()) {
            var email = Map.of("email", TestServer.newEmail());
            project.post(way.getKey()).json(email).expect(403);
            var other = way.getValue().equals("magic_link") ? "email_code" : "magic_link";
            assertFailed(project.post(way.getKey()).json(with(email, ProofOfWork.solved(project, other))));
            project.post(way.getKey())
                    .json(with(email, ProofOfWork.solved(project, way.getValue())))
                    .expect(200);
        }
        project.post("/v1/auth/passwordless/sms-otp")
                .json(Map.of("phone", "+4915123456789"))
                .expect(403);
    }

    private static Map<String, String> with(Map<String, String> fields, String token) {
        var all = new HashMap<>(fields);
        all.put("captchaToken", token);
        return all;
    }

    @Test
    void variantBIsAskedToo() {
        server.api()
                .post("/v1/auth/signup")
                .json(Map.of(
                        "projectId", project.id(), "email", TestServer.newEmail(), "password", TestProject.PASSWORD))
                .expect(403);
    }

    @Test
    void anApplicationsServerIsNotAsked() {
        server.api()
                .post("/v1/auth/signup")
                .key(project.secretKey())
                .json(Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD))
                .expect(201);
    }

    @Test
    void aSolutionWorksOnce() {
        var token = ProofOfWork.solved(project, "sign_up");
        signUp(project, token).expect(201);
        assertFailed(signUp(project, token));
    }

    @Test
    void ofFiftyUsesAtOnceOneSucceeds() {
        var token = ProofOfWork.solved(project, "sign_up");

        var answers = Parallel.send(50, i -> signUp(project, token));

        assertThat(answers.stream().map(Response::status)).containsOnlyOnce(201).containsOnly(201, 403);
    }

    @Test
    void aSolutionThatOneNodeAcceptedIsUsedOnAllNodes() {
        try (var other = TestServer.startOn(server.databaseUrl(), EASY, clock)) {
            var token = ProofOfWork.solved(project, "sign_up");
            signUp(project.at(other), token).expect(201);
            assertFailed(signUp(project, token));
        }
    }

    @Test
    void theSolutionOfAnotherProjectIsRefused() {
        assertFailed(signUp(project, ProofOfWork.solved(asking(server, "always"), "sign_up")));
    }

    @Test
    void anExpiredSolutionIsRefused() {
        var token = ProofOfWork.solved(project, "sign_up");
        clock.advance(Duration.ofMinutes(10));
        assertFailed(signUp(project, token));
    }

    @Test
    void aWrongSolutionIsRefused() {
        var challenge = challenge();
        var parameters = challenge.path("parameters");
        var wrong = 0;
        while (ProofOfWork.key(parameters, wrong).startsWith("00")) {
            wrong++;
        }
        assertFailed(signUp(project, ProofOfWork.token(challenge, wrong, ProofOfWork.key(parameters, wrong))));
        assertFailed(signUp(project, ProofOfWork.token(challenge, wrong, "0".repeat(64))));
        assertFailed(signUp(project, ProofOfWork.token(challenge, -1, "0".repeat(64))));
        assertFailed(signUp(project, ProofOfWork.token(challenge, 1L << 40, "0".repeat(64))));
    }

    @Test
    void aChallengeThatTheClientMadeEasierIsRefused() {
        for (var easier : List.of("cost", "keyPrefix", "expiresAt")) {
            var challenge = (ObjectNode) challenge();
            var parameters = (ObjectNode) challenge.path("parameters");
            if (easier.equals("keyPrefix")) {
                parameters.put(easier, "0");
            } else {
                parameters.put(easier, easier.equals("cost") ? 1 : Integer.MAX_VALUE);
            }
            assertFailed(signUp(project, ProofOfWork.solve(challenge)));
        }
    }

    @Test
    void aChallengeFromBeforeTheOperatorRaisedTheDifficultyIsTooEasy() {
        try (var harder = TestServer.startOn(
                server.databaseUrl(), Map.of("VESTIBULE_CAPTCHA_COST", "3", "VESTIBULE_CAPTCHA_DIGITS", "2"), clock)) {
            assertFailed(signUp(project.at(harder), ProofOfWork.solved(project, "sign_up")));
            signUp(project.at(harder), ProofOfWork.solved(project.at(harder), "sign_up"))
                    .expect(201);
        }
    }

    @Test
    void anInvalidSolutionIsRefusedAndHarmsNothing() {
        for (var text : List.of(
                "no base64!",
                "\u0000",
                "🙂",
                base64("null"),
                base64("[]"),
                base64("{\"challenge\":1,\"solution\":\"x\"}"),
                base64("{\"challenge\":{},\"challenge\":{}}"),
                base64("{\"challenge\":{\"parameters\":{},\"signature\":\"" + "0".repeat(64) + "\"},"
                        + "\"solution\":{\"counter\":1e999,\"derivedKey\":\"" + "0".repeat(64) + "\"}}"))) {
            assertFailed(signUp(project, text));
        }
        assertThat(signUp(project, "x".repeat(8193)).expect(422).failingFields())
                .containsExactly("captchaToken");
        signUp(project, "").expect(403);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    void aChallengeNamesAPurposeAndAProjectThatAsksForIt() {
        var path = "/v1/projects/" + project.id() + "/captcha";
        assertThat(server.api().get(path).expect(422).failingFields()).containsExactly("purpose");
        server.api().get(path + "?purpose=sign_in").expect(422);
        server.api().get("/v1/projects/x/captcha?purpose=sign_up").expect(404);
        var never = asking(server, "never");
        assertThat(server.api()
                        .get("/v1/projects/" + never.id() + "/captcha?purpose=sign_up")
                        .expect(404)
                        .text("code"))
                .isEqualTo("feature_disabled");
        signUp(never, "").expect(201);
    }

    @Test
    void underPressureOfAllNetworksTogetherEachRequestNeedsASolution() {
        try (var pressed = TestServer.start(
                database, with(EASY, "VESTIBULE_LIMITS_SIGNUP_PER_MINUTE", "20", "PROJECT_PERCENT", "15"), clock)) {
            var quiet = pressed.newProject();
            for (int i = 0; i < 3; i++) {
                quiet.signUp();
            }
            assertThat(signUp(quiet, "").expect(403).text("code")).isEqualTo("captcha_required");
            signUp(quiet, ProofOfWork.solved(quiet, "sign_up")).expect(201);
            pressed.newProject().signUp(); // another project has a count of its own
            quiet.post("/v1/auth/password/forgot")
                    .json(Map.of("email", TestServer.newEmail()))
                    .expect(200); // and so do codes
        }
    }

    @Test
    void underPressureOfOneNetworkOnlyThatNetworkNeedsASolution() {
        var settings = new HashMap<>(with(EASY, "VESTIBULE_LIMITS_SIGNUP_PER_MINUTE", "20", "NETWORK_PERCENT", "10"));
        settings.put("VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1/32,::1/128");
        try (var pressed = TestServer.start(database, settings, clock)) {
            var quiet = pressed.newProject();
            for (int i = 0; i < 2; i++) {
                signUp(quiet, "").header("X-Forwarded-For", "192.0.2.1").expect(201);
            }
            signUp(quiet, "").header("X-Forwarded-For", "192.0.2.1").expect(403);
            signUp(quiet, "").header("X-Forwarded-For", "192.0.2.2").expect(201);
        }
    }

    private static Map<String, String> with(
            Map<String, String> settings, String name, String value, String percent, String value2) {
        var all = new HashMap<>(settings);
        all.put(name, value);
        all.put("VESTIBULE_CAPTCHA_" + percent, value2);
        return all;
    }

    @Test
    void theDefaultsAskNoSingleNetworkForAnything() {
        try (var usual = TestServer.start(database, Map.of("VESTIBULE_LIMITS_SIGNUP_PER_MINUTE", "3"), clock)) {
            var made = usual.newProject();
            for (int i = 0; i < 3; i++) {
                made.signUp();
            }
            signUp(made, "").expect(429);
        }
    }

    @Test
    void metricsSayWhatBecameOfRequestsThatNeededASolution() {
        signUp(project, "").expect(403);
        signUp(project, "x").expect(403);
        signUp(project, ProofOfWork.solved(project, "sign_up")).expect(201);

        var metrics = server.metrics();
        for (var outcome : List.of("solved", "missing", "refused")) {
            assertThat(metrics)
                    .containsPattern("vestibule_captcha_requests_total\\{[^}]*outcome=\"" + outcome + "\"[^}]*} [1-9]");
        }
        assertThat(metrics).containsPattern("vestibule_captcha_challenges_total(?:\\{[^}]*})? [1-9]");
    }
}
