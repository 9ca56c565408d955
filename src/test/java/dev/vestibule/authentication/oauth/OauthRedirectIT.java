package dev.vestibule.authentication.oauth;

import static dev.vestibule.fixture.OauthProject.APP;
import static dev.vestibule.fixture.OauthProject.newSubject;
import static dev.vestibule.fixture.OauthProject.outcome;
import static dev.vestibule.fixture.OauthProject.unverified;
import static dev.vestibule.fixture.OauthProject.verified;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import dev.vestibule.json.Json;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sign ins in which the server receives the code itself: what it reports through a popup and a redirect. */
@ExtendWith(WithProvider.class)
class OauthRedirectIT {
    private static final String SERVER = "https://auth.example.com";

    private final OauthWorld world;
    private final OauthProject app;
    private final String subject = newSubject();
    private final String email = TestServer.newEmail();

    OauthRedirectIT(OauthWorld world) {
        this.world = world;
        this.app = world.newProject();
    }

    private Response cameBack(Response url) {
        return app.redirect(app.login(url, subject, verified(email))).send();
    }

    @Test
    void aPopupPostsOnlyToTheProjectsOrigins() {
        var page = cameBack(app.serverUrl("popup"));

        assertThat(page.status()).isEqualTo(200);
        var outcome = outcome(page);
        assertThat(outcome.get("origins")).hasToString("[\"" + APP + "\"]");
        assertThat(outcome.at("/message/type").textValue()).isEqualTo("authon-oauth-callback");
        var accessToken = outcome.at("/message/tokens/accessToken").textValue();
        assertThat(app.project().me(accessToken).expect(200).text("email")).isEqualTo(email);
        app.project()
                .refresh(outcome.at("/message/tokens/refreshToken").textValue())
                .expect(200);
        assertThat(page.body()).contains("You are signed in").doesNotContain("\"*\"");
    }

    @Test
    void thePopupLoadsNothingAndRunsOnlyItsOwnScript() {
        var first = cameBack(app.serverUrl("popup"));
        var second = cameBack(app.serverUrl("popup"));

        var nonce = Pattern.compile("<script nonce=\"([^\"]+)\"")
                .matcher(first.body())
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        assertThat(first.header("Content-Security-Policy"))
                .contains("default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'nonce-" + nonce
                        + "'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
        assertThat(second.body()).doesNotContain(nonce);
        assertThat(first.header("Cache-Control")).contains("no-store");
        assertThat(first.header("Referrer-Policy")).contains("same-origin");
        assertThat(first.header("X-Frame-Options")).contains("DENY");
        assertThat(first.header("Set-Cookie")).isEmpty();
        assertThat(first.body()).doesNotContain("src=", "href=", "http:");
    }

    @Test
    void aDisplayNameCannotInjectMarkup() {
        var evil = "</script><script>alert(1)</script><!--&\u2028\u2029";
        var claims = new HashMap<>(verified(email));
        claims.put("picture", "https://cdn.example.com/?</script><script>");
        claims.put("name", evil.replaceAll("[\u2028\u2029]", ""));
        var page =
                app.redirect(app.login(app.serverUrl("popup"), subject, claims)).expect(200);

        assertThat(page.body()).doesNotContain("<script>", "alert(1)</", "<!--");
        assertThat(outcome(page).at("/message/tokens/user/displayName").textValue())
                .isEqualTo("</script><script>alert(1)</script><!--&");
    }

    @Test
    void aRedirectReturnsTheStateWhoseTokensAreFetchedOnce() {
        var url = app.serverUrl("redirect", "returnTo", APP + "/home?tab=1#/route");
        assertThat(app.poll(url.text("state")).expect(200).json()).hasToString("{\"status\":\"pending\"}");
        var back = cameBack(url);

        assertThat(back.status()).isEqualTo(302);
        assertThat(back.body()).isEmpty();
        assertThat(back.header("Location"))
                .contains(APP + "/home?tab=1&authon_oauth_state=" + url.text("state") + "#/route");
        var completed = app.poll(url.text("state")).expect(200);
        assertThat(completed.text("status")).isEqualTo("completed");
        assertThat(completed.text("user/email")).isEqualTo(email);
        app.project().me(completed.accessToken()).expect(200);
        assertThat(Jwt.parse(completed.accessToken()).claims().path("amr")).hasToString("[\"fed\"]");
        app.poll(url.text("state")).expect(404);
    }

    @Test
    void withoutReturnToAPageEndsTheSignInAndAPollGetsTheTokens() {
        var url = app.serverUrl("redirect");
        var page = cameBack(url);

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body())
                .contains("You are signed in", "You can close this window")
                .doesNotContain("<script", "accessToken");
        assertThat(page.header("Content-Security-Policy").orElseThrow()).contains("default-src 'none'");
        var completed = app.poll(url.text("state")).expect(200);
        assertThat(completed.text("user/email")).isEqualTo(email);
        app.poll(url.text("state")).expect(404);
    }

    @Test
    void withoutReturnToAPageSaysThatTheSignInWasCancelled() {
        var url = app.serverUrl("redirect");
        var page = app.redirect(Map.of("state", url.text("state"), "error", "access_denied"))
                .expect(200);

        assertThat(page.body()).contains("The sign in was cancelled.", "You can close this window");
        assertThat(app.poll(url.text("state")).expect(200).text("message")).isEqualTo("The sign in was cancelled.");
    }

    /** Only there can the application find what a page of the server has left in its origin's storage. */
    @Test
    void ifTheApplicationHasTheServersOriginItsStorageGetsTheTokens() {
        app.change(Map.of("allowedOrigins", List.of(APP, SERVER)));
        var url = app.serverUrl("redirect", "returnTo", SERVER + "/home?tab=1#/route");
        var page = cameBack(url);

        assertThat(page.status()).isEqualTo(200);
        var onward = onward(page);
        assertThat(onward.path("key").asText()).isEqualTo("authon-oauth-" + url.text("state"));
        assertThat(onward.path("url").asText())
                .isEqualTo(SERVER + "/home?tab=1&authon_oauth_state=" + url.text("state") + "#/route");
        assertThat(onward.path("value").fieldNames()).toIterable().containsExactly("tokens");
        var tokens = onward.at("/value/tokens");
        assertThat(tokens.at("/user/email").asText()).isEqualTo(email);
        app.project().me(tokens.path("accessToken").asText()).expect(200);
        app.project().refresh(tokens.path("refreshToken").asText()).expect(200);
        assertThat(page.header("Content-Security-Policy").orElseThrow())
                .containsPattern("default-src 'none'; script-src 'nonce-[^']+';")
                .doesNotContain("unsafe");
        assertThat(page.header("Cache-Control")).contains("no-store");
    }

    @Test
    void itsStorageGetsTheErrorToo() {
        app.change(Map.of("allowedOrigins", List.of(APP, SERVER)));
        var url = app.serverUrl("redirect", "returnTo", SERVER + "/home");
        var page = app.redirect(Map.of("state", url.text("state"), "error", "access_denied"))
                .expect(200);

        assertThat(onward(page).path("value")).hasToString("{\"error\":\"The sign in was cancelled.\"}");
        assertThat(onward(page).path("url").asText())
                .isEqualTo(SERVER + "/home?authon_oauth_state=" + url.text("state"));
    }

    @Test
    void noOtherOriginGetsAPageWithTokens() {
        for (var elsewhere : List.of("http://auth.example.com", "https://auth.example.com:8443", APP)) {
            app.change(Map.of("allowedOrigins", List.of(elsewhere)));
            var back = cameBack(app.serverUrl("redirect", "returnTo", elsewhere + "/home"));

            assertThat(back.status()).as(elsewhere).isEqualTo(302);
            assertThat(back.body()).isEmpty();
        }
    }

    private static JsonNode onward(Response page) {
        var found = Pattern.compile("<script type=\"application/json\" id=\"onward\">(.*?)</script>")
                .matcher(page.body());
        assertThat(found.find()).as(page.body()).isTrue();
        return Json.parse(Buffer.buffer(found.group(1)));
    }

    @Test
    void aCancelledSignInIsReportedToPopupRedirectAndPoll() {
        var popup = app.serverUrl("popup");
        var page = app.redirect(Map.of("state", popup.text("state"), "error", "access_denied"))
                .expect(200);
        assertThat(outcome(page).get("message"))
                .hasToString("{\"type\":\"authon-oauth-callback\",\"error\":\"The sign in was cancelled.\"}");
        assertThat(app.poll(popup.text("state")).expect(200).json())
                .hasToString("{\"status\":\"error\",\"message\":\"The sign in was cancelled.\"}");

        var redirect = app.serverUrl("redirect", "returnTo", OauthProject.CALLBACK);
        var back = app.redirect(Map.of(
                        "state", redirect.text("state"), "error", "<evil>", "error_description", "<script>alert(1)"))
                .expect(302);
        assertThat(back.header("Location"))
                .contains(OauthProject.CALLBACK + "?authon_oauth_error=The%20provider%20refused%20the%20sign%20in.");
    }

    @Test
    void aStateWithoutACodeFails() {
        assertThat(outcome(app.redirect(Map.of("state", app.serverUrl("popup").text("state")))
                                .expect(200))
                        .at("/message/error")
                        .textValue())
                .isNotEmpty();
    }

    @Test
    void aRefusedSignInIsReportedLikeACancelledOne() {
        app.project().signUp(email);
        var url = app.serverUrl("popup");
        var page = app.redirect(app.login(url, subject, unverified(email))).expect(200);

        assertThat(outcome(page).at("/message/error").textValue()).contains("link the provider");
        assertThat(app.poll(url.text("state")).expect(200).text("status")).isEqualTo("error");
        assertThat(outcome(app.redirect(Map.of("state", app.serverUrl("popup").text("state"), "code", "made up"))
                                .expect(200))
                        .at("/message/error")
                        .textValue())
                .isNotEmpty();
    }

    @Test
    void aUserWhoMustVerifyTheEmailIsToldSo() {
        app.change(Map.of("requireEmailVerification", true));
        var page = app.redirect(app.login(app.serverUrl("popup"), subject, unverified(email)))
                .expect(200);
        assertThat(outcome(page).at("/message/error").textValue()).contains("Confirm your email");
        world.mailbox().awaitCode(email);
    }
}
