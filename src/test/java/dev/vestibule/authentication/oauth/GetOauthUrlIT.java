package dev.vestibule.authentication.oauth;

import static dev.vestibule.fixture.OauthProject.APP;
import static dev.vestibule.fixture.OauthProject.CALLBACK;
import static dev.vestibule.fixture.OauthProject.OWN_REDIRECT;
import static dev.vestibule.fixture.OauthProject.newSubject;
import static dev.vestibule.fixture.OauthProject.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithProvider.class)
class GetOauthUrlIT {
    private static final String CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    private final OauthWorld world;
    private final OauthProject app;

    GetOauthUrlIT(OauthWorld world) {
        this.world = world;
        this.app = world.newProject();
    }

    private static Map<String, String> sent(Response answer) {
        return OauthProject.parameters(URI.create(answer.text("url")));
    }

    @Test
    void itLeadsToTheProviderWithAStateANonceAndAChallenge() {
        var answer = app.url();

        assertThat(answer.text("url")).startsWith(app.issuer() + "/authorize?");
        assertThat(sent(answer))
                .containsEntry("response_type", "code")
                .containsEntry("client_id", "the-app")
                .containsEntry("redirect_uri", CALLBACK)
                .containsEntry("state", answer.text("state"))
                .containsEntry("code_challenge_method", "S256")
                .hasEntrySatisfying(
                        "code_challenge", challenge -> assertThat(challenge).hasSize(43))
                .hasEntrySatisfying("nonce", nonce -> assertThat(nonce).hasSizeGreaterThan(40));
        assertThat(answer.text("flowMode")).isEqualTo("popup");
    }

    @Test
    void everyStateIsDifferentAndNoneIsInTheDatabase() {
        var first = app.url();
        var second = app.url();

        assertThat(first.text("state")).isNotEqualTo(second.text("state"));
        assertThat(sent(first).get("nonce")).isNotEqualTo(sent(second).get("nonce"));
        assertThat(sent(first).get("code_challenge")).isNotEqualTo(sent(second).get("code_challenge"));
        assertThat(world.server()
                        .sql()
                        .texts(
                                "SELECT oauth_states::text FROM oauth_states WHERE project_id = ?::uuid",
                                app.project().id()))
                .hasSize(2)
                .noneMatch(row -> row.contains(first.text("state")) || row.contains(second.text("state")));
    }

    @Test
    void theChallengeOfTheApplicationIsTheProviders() {
        assertThat(sent(app.url("codeChallenge", CHALLENGE, "codeChallengeMethod", "S256")))
                .containsEntry("code_challenge", CHALLENGE);
        app.url("codeChallenge", CHALLENGE);
    }

    @ParameterizedTest
    @CsvSource({
        "codeChallenge, too-short",
        "codeChallenge, E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c=",
        "codeChallengeMethod, plain",
        "codeChallengeMethod, s256",
        "flow, POPUP",
        "returnTo, nonsense",
        "redirectUri, nonsense"
    })
    void aWrongParameterIsNamed(String name, String value) {
        assertThat(app.askUrl(name, value).expect(422).failingFields()).containsExactly(name);
    }

    @Test
    void allWrongOnesAreNamedAtOnce() {
        assertThat(app.askUrl("flow", "x", "codeChallenge", "x", "returnTo", "x", "redirectUri", "\u0000")
                        .expect(422)
                        .failingFields())
                .containsExactlyInAnyOrder("flow", "codeChallenge", "returnTo", "redirectUri");
    }

    @ParameterizedTest
    @ValueSource(strings = {CALLBACK, "HTTPS://App.Example.com:443/callback", APP, APP + "/any/page?with=query"})
    void itMayComeBackTo(String redirectUri) {
        assertThat(sent(app.url("redirectUri", redirectUri)).get("redirect_uri"))
                .isEqualToIgnoringCase(redirectUri);
    }

    @Test
    void itMayComeBackToTheServerAtTheAddressOfTheProject() {
        assertThat(sent(app.url("redirectUri", OWN_REDIRECT)).get("redirect_uri"))
                .isEqualTo(OWN_REDIRECT + "/" + app.project().id());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example/callback",
                "http://app.example.com/callback",
                "https://app.example.com:8443/callback",
                "https://app.example.com.evil.example/callback",
                "https://evil-app.example.com/callback",
                "https://sub.app.example.com/callback",
                "https://example.com/callback",
                "https://app.example.com@evil.example/callback",
                "https://user:pass@app.example.com/callback",
                "https://app.example.com\\@evil.example",
                "https://app.example.com\\.evil.example",
                "https://app.example.com/callback#fragment",
                "https://app.example.com/callback#",
                "https://app.example.com//evil.example",
                "https://app.example.com/../callback",
                "https://app.example.com/%2e%2e/callback",
                "https://app.example.com/a\r\nb",
                "https://app.example.com/|",
                "https://app.example.com/?q=|",
                "https://xn--pp-8ka.example.com/callback",
                "https://\u0430pp.example.com/callback",
                "https://app\uff0eexample.com/callback",
                "https://app.example.com./callback",
                "//app.example.com/callback",
                "/callback",
                "javascript:alert(1)//app.example.com",
                "data:text/html,https://app.example.com",
                "https://auth.example.com/v1/auth/oauth/redirect?x=1",
                "https://auth.example.com/v1/auth/oauth/redirect/",
                "https://auth.example.com/v1/auth/signin",
                "https://auth.example.com:8443/v1/auth/oauth/redirect",
                "http://auth.example.com/v1/auth/oauth/redirect"
            })
    void itMayNotComeBackTo(String elsewhere) {
        assertThat(app.askUrl("redirectUri", elsewhere).expect(422).failingFields())
                .containsExactly("redirectUri");
        assertThat(app.askUrl("returnTo", elsewhere, "redirectUri", OWN_REDIRECT, "flow", "redirect")
                        .send()
                        .status())
                .isEqualTo(elsewhere.contains("callback#") || elsewhere.endsWith("?q=|") ? 200 : 422);
    }

    @Test
    void withoutOriginsOnlyTheCallbackUrlIsAllowed() {
        app.change(Map.of("allowedOrigins", List.of()));

        app.url();
        app.url("redirectUri", CALLBACK);
        app.askUrl("redirectUri", APP + "/another").expect(422);
        app.askUrl("redirectUri", CALLBACK + "?x=1").expect(422);
        app.askUrl("redirectUri", CALLBACK + "/").expect(422);
        app.askUrl("redirectUri", "https://app.example.com:8443/callback").expect(422);
    }

    @Test
    void withoutCallbackUrlThereIsNoDefault() {
        var nothing = new HashMap<String, Object>();
        nothing.put("callbackUrl", null);
        app.change(nothing);

        assertThat(app.askUrl().expect(422).failingFields()).containsExactly("redirectUri");
        app.url("redirectUri", OWN_REDIRECT, "flow", "redirect");
        app.url("redirectUri", APP + "/x");
        app.url("redirectUri", OWN_REDIRECT, "flow", "popup");
    }

    /** A project may have stored a URL that browsers and providers read differently; nobody is sent there. */
    @ParameterizedTest
    @ValueSource(
            strings = {"https://user@app.example.com/", "https://app.example.com/a/../b", "https://app.example.com/#x"})
    void anUnusableCallbackUrlIsNotADefault(String odd) {
        app.change(Map.of("callbackUrl", odd, "allowedOrigins", List.of()));

        app.askUrl().expect(422);
        app.askUrl("redirectUri", odd).expect(422);
    }

    @Test
    void theFlowComesFromTheRequestThenTheProjectThenTheReturnPage() {
        assertThat(app.url().text("flowMode")).isEqualTo("popup");
        assertThat(app.url("returnTo", APP).text("flowMode")).isEqualTo("redirect");
        assertThat(app.url("returnTo", APP, "flow", "popup").text("flowMode")).isEqualTo("popup");
        app.setUp(Map.of("oauthFlow", "redirect"));
        assertThat(app.url().text("flowMode")).isEqualTo("redirect");
        assertThat(app.url("flow", "popup").text("flowMode")).isEqualTo("popup");
        assertThat(app.url("flow", "auto").text("flowMode")).isEqualTo("redirect");
    }

    @Test
    void autoLetsTheServerChooseTheFlow() {
        assertThat(app.url("flow", "auto").text("flowMode")).isEqualTo("popup");
        assertThat(app.url("flow", "auto", "returnTo", APP).text("flowMode")).isEqualTo("redirect");
        assertThat(app.serverUrl("auto", "returnTo", APP).text("flowMode")).isEqualTo("redirect");
    }

    @Test
    void theServerCreatesItsOwnPkcePairIfItReceivesTheCode() {
        assertThat(app.askUrl("redirectUri", OWN_REDIRECT, "codeChallenge", CHALLENGE)
                        .expect(422)
                        .failingFields())
                .containsExactly("codeChallenge");
    }

    @Test
    void aReturnCannotBringTheOutcomeOfAnotherSignIn() {
        app.askUrl("redirectUri", OWN_REDIRECT, "flow", "redirect", "returnTo", APP + "/?authon_oauth_state=x")
                .expect(422);
    }

    @Test
    void aProviderThatIsNotEnabledIsNotFound() {
        var project = app.project();
        for (var name : Arrays.asList("google", "nobody", "OIDC", "%00", "a%2Fb", "x".repeat(200))) {
            project.get("/v1/auth/oauth/" + name + "/url").expect(404);
        }
        app.setUp(Map.of("enabled", false));
        app.askUrl().expect(404);
        world.newProject(); // of others it does not matter
        app.askUrl().expect(404);
    }

    @Test
    void aUserCanAskWithATokenAloneButNotWithAnotherProjectsKey() {
        var user = app.project().signUp().accessToken();
        var other = world.newProject();

        world.server().api().get("/v1/auth/oauth/oidc/url").bearer(user).expect(200);
        app.askUrl().bearer(user).expect(200);
        other.askUrl().bearer(user).expect(403);
        world.server().api().get("/v1/auth/oauth/oidc/url").expect(401);
        app.askUrl().bearer(user + "x").expect(401);
        world.server()
                .api()
                .get("/v1/auth/oauth/oidc/url?redirectUri=" + OWN_REDIRECT)
                .bearer(user + "x")
                .expect(401);
    }

    /** An app sends the token that it holds with every request, however stale. */
    @Test
    void aTokenSentWithTheKeyDoesNoHarmIfTheServerReceivesTheCode() {
        var user = app.project().signUp().accessToken();
        var signedOut = app.project().signUp().accessToken();
        app.project().signOut(signedOut).expect(200);

        for (var token : List.of(user, signedOut, user + "x", "undefined", "a.b.c")) {
            var url = app.askUrl("redirectUri", OWN_REDIRECT, "flow", "redirect")
                    .bearer(token)
                    .expect(200);
            var email = TestServer.newEmail();
            app.redirect(app.login(url, newSubject(), verified(email))).expect(200);
            assertThat(app.poll(url.text("state")).expect(200).text("user/email"))
                    .isEqualTo(email);
        }
        world.newProject().askUrl("redirectUri", OWN_REDIRECT).bearer(user).expect(403);
    }

    @Test
    void aProjectHasALimitOfUnfinishedSignIns() {
        for (int i = 0; i < 20; i++) {
            app.url();
        }

        assertThat(app.askUrl().expect(503).header("Retry-After")).isPresent();
        world.newProject().url();
    }
}
