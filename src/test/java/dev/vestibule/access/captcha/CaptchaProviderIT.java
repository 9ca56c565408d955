package dev.vestibule.access.captcha;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Captchas of Turnstile and hCaptcha, against a fake of both. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CaptchaProviderIT {
    private static final String TURNSTILE = "/turnstile";
    private static final String HCAPTCHA = "/hcaptcha";
    private static final String YES = "{\"success\":true}";

    private final TestReceiver sites = TestReceiver.start();
    private final TestServer server;
    private TestProject project;

    CaptchaProviderIT(TestDatabase database) {
        server = TestServer.start(
                database,
                Map.of(
                        "VESTIBULE_CAPTCHA_TURNSTILE_URL", sites.url(TURNSTILE),
                        "VESTIBULE_CAPTCHA_HCAPTCHA_URL", sites.url(HCAPTCHA),
                        "VESTIBULE_CAPTCHA_PROVIDER_TIMEOUT_MILLIS", "300"));
    }

    @AfterAll
    void stop() {
        server.close();
        sites.close();
    }

    @BeforeEach
    void newProject() {
        project = server.newProject();
        sites.answer(TURNSTILE, 200, YES);
        sites.answer(HCAPTCHA, 200, YES);
    }

    private void choose(String provider) {
        project.asOwner("PUT", "/captcha-secret")
                .json(Map.of("secretKey", "the secret & of " + provider))
                .expect(200);
        project.asOwner("PATCH", "")
                .json(Map.of("captcha", Map.of("when", "always", "provider", provider, "siteKey", "site-key")))
                .expect(200);
    }

    private Call signUp(Map<String, String> more) {
        var fields = new HashMap<>(Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD));
        fields.putAll(more);
        return project.post("/v1/auth/signup").json(fields);
    }

    @Test
    void turnstileVerifiesASolutionAndLearnsNothingElse() {
        choose("turnstile");

        var asked = signUp(Map.of()).expect(403);
        assertThat(asked.json().path("captcha"))
                .hasToString("{\"provider\":\"turnstile\",\"purpose\":\"sign_up\",\"siteKey\":\"site-key\"}");
        signUp(Map.of("turnstileToken", "a solution")).expect(201);

        var requests = sites.to(TURNSTILE);
        var request = requests.get(requests.size() - 1);
        assertThat(request.body()).isEqualTo("secret=the%20secret%20%26%20of%20turnstile&response=a%20solution");
        assertThat(request.header("content-type")).isEqualTo("application/x-www-form-urlencoded");
    }

    @Test
    void hcaptchaVerifiesASolutionOfTheProjectsSite() {
        choose("hcaptcha");
        signUp(Map.of("captchaToken", "a solution")).expect(201);
        var requests = sites.to(HCAPTCHA);
        assertThat(requests.get(requests.size() - 1).body())
                .isEqualTo("secret=the%20secret%20%26%20of%20hcaptcha&response=a%20solution&sitekey=site-key");
    }

    @Test
    void aSolutionThatTheProviderRefusesIsRefused() {
        choose("turnstile");
        sites.answer(TURNSTILE, 200, "{\"success\":false,\"error-codes\":[\"timeout-or-duplicate\"]}");
        assertThat(signUp(Map.of("turnstileToken", "used")).expect(403).text("code"))
                .isEqualTo("captcha_failed");
    }

    /** Nobody can sign up while the server cannot find out whether they are bots. */
    @Test
    void aProviderThatIsSilentSlowOrBrokenLetsNobodyIn() {
        choose("turnstile");
        sites.hang(TURNSTILE);
        assertUnverified();
        sites.drip(TURNSTILE);
        assertUnverified();
        sites.flood(TURNSTILE);
        assertUnverified();
        sites.answer(TURNSTILE, 500, YES);
        assertUnverified();
        sites.answer(TURNSTILE, request -> request.connection().close());
        assertUnverified();
        for (var answer : new String[] {
            "",
            "<html>",
            "[]",
            "{}",
            "{\"success\":\"no\"}",
            "{\"success\":false,\"error-codes\":[\"invalid-input-secret\"]}"
        }) {
            sites.answer(TURNSTILE, 200, answer);
            assertUnverified();
        }
    }

    private void assertUnverified() {
        var answer = signUp(Map.of("turnstileToken", "a solution")).expect(502);
        assertThat(answer.text("code")).isEqualTo("provider_failed");
        assertThat(answer.body()).doesNotContain("secret");
    }

    @Test
    void aProviderNeedsASiteKeyAndASecretBeforeAnyoneIsAsked() {
        assertThat(project.asOwner("PATCH", "")
                        .json(Map.of("captcha", Map.of("provider", "turnstile")))
                        .expect(422)
                        .failingFields())
                .containsExactly("captcha.siteKey");
        assertThat(project.asOwner("PATCH", "")
                        .json(Map.of("captcha", Map.of("provider", "turnstile", "siteKey", "site-key")))
                        .expect(422)
                        .failingFields())
                .containsExactly("captcha.provider");
        project.asOwner("PATCH", "")
                .json(Map.of("captcha", Map.of("siteKey", "no\"key")))
                .expect(422);
        project.signUp();
    }

    @Test
    void theSecretIsSealedAndNeverReturned() {
        choose("hcaptcha");
        var all = project.asOwner("GET", "").expect(200).body()
                + project.get("/v1/auth/branding").expect(200).body();
        assertThat(all).doesNotContain("the secret");
        assertThat(server.sql()
                        .count(
                                "SELECT count(*) FROM captcha_secrets WHERE project_id = ?::uuid"
                                        + " AND position('the secret'::bytea IN sealed_secret) > 0",
                                project.id()))
                .isZero();
        project.as(server.newMember(project, "viewer"), "PUT", "/captcha-secret")
                .json(Map.of("secretKey", "x"))
                .expect(403);
        server.newProject()
                .as(server.newDashboardUser(), "PUT", "/captcha-secret")
                .json(Map.of("secretKey", "x"))
                .expect(404);
    }

    @Test
    void clientsThatKnowOnlyTurnstileAreToldToShowIt() {
        var before = project.get("/v1/auth/branding").expect(200).json();
        assertThat(before.path("captchaEnabled").asBoolean()).isFalse();
        assertThat(before.path("turnstileSiteKey").asText()).isEmpty();
        choose("hcaptcha");
        assertThat(project.get("/v1/auth/branding").expect(200).text("captchaEnabled"))
                .isEqualTo("false");
        choose("turnstile");
        var branding = project.get("/v1/auth/branding").expect(200);
        assertThat(branding.text("captchaEnabled")).isEqualTo("true");
        assertThat(branding.text("turnstileSiteKey")).isEqualTo("site-key");
    }
}
