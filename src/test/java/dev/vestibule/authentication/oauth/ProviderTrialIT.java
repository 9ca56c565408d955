package dev.vestibule.authentication.oauth;

import static dev.vestibule.fixture.OauthProject.OWN_REDIRECT;
import static dev.vestibule.fixture.OauthProject.newSubject;
import static dev.vestibule.fixture.OauthProject.parameters;
import static dev.vestibule.fixture.OauthProject.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.FakeProvider;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Owners try a provider before their users do; a trial has no effect except its result. */
@ExtendWith(WithProvider.class)
class ProviderTrialIT {
    private final OauthWorld world;
    private final OauthProject app;
    private final String subject = newSubject();
    private final String email = TestServer.newEmail();

    ProviderTrialIT(OauthWorld world) {
        this.world = world;
        this.app = world.newProject();
    }

    private Call test(String method) {
        return app.project().asOwner(method, "/providers/oidc/test");
    }

    private Response begin() {
        return test("POST").expect(200);
    }

    private Response outcome() {
        return test("GET").expect(200);
    }

    private static String state(Response begun) {
        return parameters(URI.create(begun.text("url"))).getOrDefault("state", "");
    }

    private long count(String table) {
        return world.server()
                .sql()
                .count(
                        "SELECT count(*) FROM " + table + " WHERE project_id = ?::uuid",
                        app.project().id());
    }

    @Test
    void aTestShowsTheUserAndCreatesNoAccountAndNoSession() {
        var begun = begin();
        assertThat(begun.text("status")).isEqualTo("pending");
        assertThat(parameters(URI.create(begun.text("url"))))
                .containsEntry(
                        "redirect_uri", OWN_REDIRECT + "/" + app.project().id())
                .containsKeys("nonce", "code_challenge");
        assertThat(outcome().json().path("status").asText()).isEqualTo("pending");

        var page = app.redirect(app.login(begun, subject, verified(email))).expect(200);

        assertThat(page.body()).contains("The test is over").doesNotContain("<script", email, subject);
        assertThat(page.header("Content-Security-Policy").orElseThrow()).contains("default-src 'none'");
        var outcome = outcome();
        assertThat(outcome.text("status")).isEqualTo("passed");
        assertThat(outcome.text("identity/subject")).isEqualTo(subject);
        assertThat(outcome.text("identity/email")).isEqualTo(email);
        assertThat(outcome.json().at("/identity/emailVerified").booleanValue()).isTrue();
        for (var table : List.of("users", "identities", "sessions", "oauth_states")) {
            assertThat(count(table)).as(table).isZero();
        }
    }

    @Test
    void aTestShowsNoSecretAndNoToken() {
        var begun = begin();
        app.redirect(app.login(begun, subject, verified(email))).expect(200);

        assertThat(begun.body() + outcome().body()).doesNotContain("a secret", "eyJ", "accessToken");
        assertThat(outcome().json().path("url").isNull()).isTrue();
    }

    @Test
    void aProviderIsTestedBeforeItIsEnabled() {
        app.setUp(Map.of("enabled", false));
        app.redirect(app.login(begin(), subject, verified(email))).expect(200);

        assertThat(outcome().text("status")).isEqualTo("passed");
    }

    @Test
    void theStateOfATestWorksOnce() {
        var back = app.login(begin(), subject, verified(email));
        app.redirect(back).expect(200);
        app.redirect(back).expect(404);

        assertThat(outcome().text("status")).isEqualTo("passed");
    }

    @Test
    void theStateOfATestCannotSignIn() {
        var begun = begin();
        var back = app.login(begun, subject, verified(email));
        app.callback(back).expect(401);
        app.poll(state(begun)).expect(404);
        var bare = new HashMap<>(back);
        bare.put("state", state(begun).substring("trial-".length()));
        app.redirect(bare).expect(404);
        app.callback(bare).expect(401);

        assertThat(app.users()).isZero();
        assertThat(outcome().text("status")).isEqualTo("pending");
    }

    @Test
    void theStateOfASignInIsNoTest() {
        begin();
        var url = app.serverUrl("redirect");
        var back = new HashMap<>(app.login(url, subject, verified(email)));
        back.put("state", "trial-" + url.text("state"));
        app.redirect(back).expect(404);

        assertThat(outcome().text("status")).isEqualTo("pending");
    }

    @Test
    void anotherTestReplacesThePreviousOne() {
        var first = app.login(begin(), subject, verified(email));
        begin();
        app.redirect(first).expect(404);

        assertThat(outcome().text("status")).isEqualTo("pending");
    }

    @Test
    void aRefusalByTheProviderIsReportedInOurOwnWords() {
        for (var refused : Map.of(
                        "access_denied", "cancelled",
                        "invalid_scope", "refused",
                        "<script>alert(1)</script>", "refused")
                .entrySet()) {
            app.redirect(Map.of("state", state(begin()), "error", refused.getKey(), "error_description", "<b>evil</b>"))
                    .expect(200);

            var outcome = outcome();
            assertThat(outcome.text("status")).isEqualTo("failed");
            assertThat(outcome.text("problem/kind")).isEqualTo(refused.getValue());
            assertThat(outcome.body()).doesNotContain("<script", "evil");
        }
        assertThat(outcome().body()).isNotEmpty();
    }

    @Test
    void aWrongClientSecretIsReported() {
        try (var provider = new FakeProvider()) {
            var issuer = provider.url().toString();
            provider.answers(
                            "/.well-known/openid-configuration",
                            new JsonObject()
                                    .put("issuer", issuer)
                                    .put("authorization_endpoint", issuer + "/authorize")
                                    .put("token_endpoint", issuer + "/token")
                                    .put("jwks_uri", issuer + "/keys"))
                    .answers("/token", 401, "{\"error\":\"invalid_client\",\"error_description\":\"<b>evil</b>\"}");
            app.setUp(Map.of("issuer", issuer));
            app.redirect(Map.of("state", state(begin()), "code", "a-code")).expect(200);

            assertThat(outcome().text("problem/kind")).isEqualTo("misconfigured");
            assertThat(outcome().text("problem/message"))
                    .contains("invalid_client")
                    .doesNotContain("evil");
        }
    }

    @Test
    void aTestThatCannotBeginSaysWhy() {
        app.setUp(Map.of("issuer", "http://localhost:" + FreePort.find()));
        var begun = begin();

        assertThat(begun.text("status")).isEqualTo("failed");
        assertThat(begun.text("problem/kind")).isEqualTo("unreachable");
        assertThat(begun.json().path("url").isNull()).isTrue();
        test("GET").expect(404);
    }

    @Test
    void aTestExpiresAndIsDeletedWithTheSettings() {
        var back = app.login(begin(), subject, verified(email));
        world.server()
                .sql()
                .update(
                        "UPDATE provider_trials SET expires_at = now() - interval '1 minute' WHERE project_id = ?::uuid",
                        app.project().id());
        app.redirect(back).expect(404);
        test("GET").expect(404);

        begin();
        app.project().asOwner("DELETE", "/providers/oidc").expect(200);
        test("GET").expect(404);
        test("POST").expect(404);
        assertThat(count("provider_trials")).isZero();
    }

    @Test
    void onlyOwnersOfTheProjectCanTestItsProviders() {
        begin();
        var stranger = world.newProject().project().owner();
        for (var method : List.of("POST", "GET")) {
            app.project().as(stranger, method, "/providers/oidc/test").expect(404);
        }
        world.server()
                .sql()
                .update(
                        "UPDATE memberships SET role = 'viewer' WHERE project_id = ?::uuid",
                        app.project().id());
        for (var method : List.of("POST", "GET")) {
            test(method).expect(403);
        }
    }

    @Test
    void everyMemberSeesWhichProvidersThereAreAndWhatTheyNeed() {
        var list = app.project().asOwner("GET", "/providers").expect(200).json();

        assertThat(list.path("redirectUri").asText()).isEqualTo(OWN_REDIRECT);
        assertThat(list.path("available")).hasSizeGreaterThan(10);
        assertThat(list.at("/available/3"))
                .hasToString("{\"provider\":\"apple\",\"name\":\"Apple\",\"scopes\":[\"name\",\"email\"],"
                        + "\"settings\":[{\"name\":\"teamId\",\"defaultValue\":null},"
                        + "{\"name\":\"keyId\",\"defaultValue\":null}],\"hasNativeSignIn\":true,\"hasPrivateKey\":true,"
                        + "\"redirectUri\":\"" + OWN_REDIRECT + "\","
                        + "\"registrationUrl\":\"https://developer.apple.com/account/resources/identifiers/list\"}");
        assertThat(list.at("/available/4/settings")).hasToString("[{\"name\":\"tenant\",\"defaultValue\":\"common\"}]");
    }
}
