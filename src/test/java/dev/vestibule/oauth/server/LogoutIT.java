package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.onward;
import static dev.vestibule.fixture.OauthBrowser.parameter;
import static dev.vestibule.fixture.OauthBrowser.redeem;
import static dev.vestibule.fixture.OauthBrowser.register;
import static dev.vestibule.fixture.OauthBrowser.userinfo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that ask to sign a person out: the modules of the certification plan RP-Initiated Logout, and attacks. */
@ExtendWith(WithServer.class)
class LogoutIT {
    private static final String AFTER = "https://app.example.com/signed-out";

    private final TestServer server;
    private final TestProject project;
    private final OauthBrowser browser;
    private final String email = TestServer.newEmail();
    private final String client;
    private final Response tokens;

    LogoutIT(TestServer server) {
        this.server = server;
        project = server.newProject();
        browser = new OauthBrowser(project);
        project.signUp(email);
        client = register(project, "spa", Map.of("postLogoutRedirectUris", List.of(AFTER)))
                .text("clientId");
        tokens = redeem(project, client, browser.code(client, email, Map.of()), 200);
    }

    private HttpResponse<String> logout(Map<String, String> parameters) {
        return logout(browser, parameters);
    }

    private HttpResponse<String> logout(OauthBrowser in, Map<String, String> parameters) {
        return in.follow(in.get(OauthBrowser.issuerPath(project) + "/oauth/logout?" + OauthBrowser.encode(parameters)));
    }

    private Map<String, String> usual(Map<String, String> more) {
        var all = new LinkedHashMap<>(
                Map.of("id_token_hint", tokens.text("id_token"), "post_logout_redirect_uri", AFTER, "state", "a & b"));
        all.putAll(more);
        all.values().removeIf(String::isEmpty);
        return all;
    }

    private boolean isSignedIn() {
        return parameter(onward(browser.authorize(client, Map.of("prompt", "none"))), "error")
                .isEmpty();
    }

    private void isWrong(Map<String, String> parameters, String named) {
        var page = logout(parameters);
        assertThat(page.statusCode()).isEqualTo(400);
        assertThat(page.body()).contains(named).doesNotContain("app.example.com/signed-out");
        assertThat(isSignedIn()).isTrue();
    }

    private void asks(HttpResponse<String> page) {
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("name=\"logout\"", email);
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("frame-ancestors 'none'")
                .doesNotContain("script-src");
    }

    @Test // oidcc-rp-initiated-logout
    void theSessionOfTheIdTokenEndsAndTheBrowserGoesBackWithTheState() {
        var back = onward(logout(usual(Map.of())));
        assertThat(back.toString()).startsWith(AFTER + "?");
        assertThat(parameter(back, "state")).isEqualTo("a & b");
        assertThat(isSignedIn()).isFalse();
        userinfo(project, tokens.text("access_token"), 401);
    }

    @Test // oidcc-rp-initiated-logout-no-state
    void withoutStateNothingIsAdded() {
        assertThat(onward(logout(usual(Map.of("state", "")))).toString()).isEqualTo(AFTER);
    }

    @Test // oidcc-rp-initiated-logout-no-post-logout-redirect-uri
    void withoutARedirectThePersonStaysOnAPage() {
        var page = logout(Map.of("id_token_hint", tokens.text("id_token")));
        assertThat(page.body()).contains("You are signed out");
        assertThat(isSignedIn()).isFalse();
    }

    @Test // oidcc-rp-initiated-logout-bad-post-logout-redirect-uri, …-query-added-to-post-logout-redirect-uri
    void anUnregisteredRedirectIsNeverFollowed() {
        for (var uri : List.of(
                "https://evil.example.com/",
                AFTER + "?added=query",
                AFTER + "/",
                AFTER + "#x",
                AFTER.toUpperCase(java.util.Locale.ROOT),
                "https://app.example.com:443/signed-out",
                "https://app.example.com@evil.example.com/signed-out",
                "//app.example.com/signed-out",
                "javascript:alert(1)",
                OauthBrowser.APP)) {
            isWrong(usual(Map.of("post_logout_redirect_uri", uri)), "post_logout_redirect_uri");
        }
    }

    @Test // oidcc-rp-initiated-logout-modified-id-token-hint, …-bad-id-token-hint
    void aModifiedOrForeignIdTokenIsNoHint() {
        var idToken = tokens.text("id_token");
        isWrong(
                usual(Map.of("id_token_hint", idToken.substring(0, idToken.length() - 8) + "AAAAAAAA")),
                "id_token_hint");
        isWrong(usual(Map.of("id_token_hint", "x.y.z")), "id_token_hint");
        isWrong(usual(Map.of("id_token_hint", tokens.text("access_token"))), "id_token_hint");
        var other = server.newProject();
        var there = new OauthBrowser(other);
        other.signUp(email);
        var its = register(other, "spa", Map.of()).text("clientId");
        var foreign = redeem(other, its, there.code(its, email, Map.of()), 200);
        isWrong(usual(Map.of("id_token_hint", foreign.text("id_token"))), "id_token_hint");
    }

    /** Any site can send the browser here. */
    @Test // oidcc-rp-initiated-logout-no-id-token-hint, …-no-params, …-only-state
    void withoutAnIdTokenThePersonIsAsked() {
        for (var parameters : List.of(
                Map.<String, String>of(),
                Map.of("state", "x"),
                Map.of("client_id", client),
                Map.of("client_id", client, "post_logout_redirect_uri", AFTER))) {
            asks(logout(parameters));
            assertThat(isSignedIn()).isTrue();
        }
        isWrong(Map.of("post_logout_redirect_uri", AFTER), "post_logout_redirect_uri");
        isWrong(Map.of("client_id", "nobody"), "client_id");
    }

    @Test
    void theAnswerYesSignsOutAndGoesBack() {
        logout(Map.of("client_id", client, "post_logout_redirect_uri", AFTER, "state", "s"));
        assertThat(onward(browser.submit("logout", Map.of())).toString()).isEqualTo(AFTER + "?state=s");
        assertThat(isSignedIn()).isFalse();

        browser.signIn(email);
        browser.code(client, email, Map.of("prompt", "login"));
        logout(Map.of());
        assertThat(browser.submit("logout", Map.of()).body()).contains("You are signed out");
        assertThat(isSignedIn()).isFalse();
    }

    @Test
    void aFormOfAnotherSiteSignsNobodyOut() {
        logout(Map.of());
        var refused = browser.submit("logout", Map.of("formToken", "x".repeat(43)));
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(isSignedIn()).isTrue();
        logout(Map.of());
        assertThat(browser.submit("logout", Map.of("logout", "forged")).statusCode())
                .isEqualTo(410);
        assertThat(isSignedIn()).isTrue();
    }

    /** Everybody who has ever signed in here has an ID token too. */
    @Test
    void theIdTokenOfAnotherSessionDoesNotEndThisOneWithoutAQuestion() {
        var old = tokens.text("id_token");
        browser.code(client, email, Map.of("prompt", "login"));
        asks(logout(usual(Map.of("id_token_hint", old))));
        assertThat(isSignedIn()).isTrue();

        var stranger = new OauthBrowser(project);
        var other = TestServer.newEmail();
        project.signUp(other);
        var theirs = redeem(project, client, stranger.code(client, other, Map.of()), 200);
        asks(logout(usual(Map.of("id_token_hint", theirs.text("id_token")))));
        assertThat(isSignedIn()).isTrue();
    }

    @Test
    void aQuestionAboutAnAccountThatIsNoLongerSignedInIsAskedAgain() {
        logout(Map.of());
        var form = browser.hiddenFields();
        browser.code(client, email, Map.of("prompt", "login"));
        logout(Map.of());
        asks(browser.submit("logout", Map.of("account", form.getOrDefault("account", ""))));
        assertThat(isSignedIn()).isTrue();
    }

    @Test
    void anExpiredIdTokenOfASignedOutBrowserGoesBackToo() {
        var elsewhere = new OauthBrowser(project);
        assertThat(onward(logout(elsewhere, usual(Map.of()))).toString()).startsWith(AFTER);
        assertThat(isSignedIn()).as("the other browser").isTrue();
    }

    /** Anybody can make such a client, and would have this server send people to their page. */
    @Test
    void onlyTheEndOfItsOwnSessionLeadsToAClientThatRegisteredItself() {
        server.sql().update("UPDATE oauth_clients SET registration_token_hash = '' WHERE id = ?", client);
        Eventually.until(
                "the client is known as a stranger",
                () -> !logout(new OauthBrowser(project), Map.of("client_id", client, "post_logout_redirect_uri", AFTER))
                        .headers()
                        .firstValue("Location")
                        .isPresent());
        assertThat(logout(new OauthBrowser(project), usual(Map.of())).body()).contains("You are signed out");
        assertThat(onward(logout(usual(Map.of()))).toString()).startsWith(AFTER);
    }

    @Test
    void anIdTokenOfAnotherClientDoesNotOpenItsRedirect() {
        var second = register(project, "spa", Map.of("postLogoutRedirectUris", List.of("https://b.example.com/")))
                .text("clientId");
        isWrong(usual(Map.of("client_id", second)), "client_id");
        isWrong(usual(Map.of("post_logout_redirect_uri", "https://b.example.com/")), "post_logout_redirect_uri");
    }

    @Test
    void oddRequestsAreAnsweredWithAPage() {
        var path = OauthBrowser.issuerPath(project) + "/oauth/logout?";
        for (var query : List.of("state=a&state=b", "state=%00", "ui_locales=xx", "state=" + "x".repeat(4000))) {
            assertThat(browser.follow(browser.get(path + query)).statusCode())
                    .as(query)
                    .isIn(200, 400, 414);
        }
        assertThat(isSignedIn()).isTrue();
        var page = onward(browser.get(path)).getRawPath();
        assertThat(browser.get(page).statusCode()).isEqualTo(410);
        assertThat(browser.get(page + "?problem=%3Cscript%3E").body()).doesNotContain("<script>");
    }

    @Test
    void aPostedRequestIsTheSame() {
        var posted = browser.post(OauthBrowser.issuerPath(project) + "/oauth/logout", usual(Map.of()));
        assertThat(onward(browser.follow(posted)).toString()).startsWith(AFTER);
        assertThat(isSignedIn()).isFalse();
    }

    @Test
    void thePageSpeaksTheLanguageOfTheClient() {
        assertThat(logout(Map.of("ui_locales", "de")).body()).contains("Abmelden");
    }

    @Test
    void theSidIsThatOfTheSession() {
        assertThat(Jwt.parse(tokens.text("id_token")).claims().path("sid").asText())
                .isEqualTo(Jwt.parse(tokens.text("access_token"))
                        .claims()
                        .path("sid")
                        .asText());
    }
}
