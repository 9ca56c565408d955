package dev.vestibule.authentication.oauth;

import static dev.vestibule.fixture.OauthProject.APP;
import static dev.vestibule.fixture.OauthProject.newSubject;
import static dev.vestibule.fixture.OauthProject.outcome;
import static dev.vestibule.fixture.OauthProject.question;
import static dev.vestibule.fixture.OauthProject.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The browsers that come back from a provider, with what, and from where. */
@ExtendWith(WithProvider.class)
class AuthorizationCallbackIT {
    private final OauthWorld world;
    private final OauthProject app;
    private final String subject = newSubject();
    private final String email = TestServer.newEmail();

    AuthorizationCallbackIT(OauthWorld world) {
        this.world = world;
        this.app = world.newProject();
    }

    private Response cameBack(Response url) {
        return app.redirect(app.login(url, subject, verified(email))).send();
    }

    @Test
    void aStateIsUsedOnce() {
        var parameters = app.login(app.serverUrl("popup"), subject, verified(email));
        app.redirect(parameters).expect(200);
        var again = app.redirect(parameters).expect(404);

        assertThat(again.body()).contains("already finished").doesNotContain("eyJ");
    }

    @Test
    void ofConcurrentBrowsersOneWins() {
        var parameters = app.login(app.serverUrl("popup"), subject, verified(email));
        assertThat(Parallel.send(8, number -> app.redirect(parameters)))
                .extracting(Response::status)
                .containsOnlyOnce(200)
                .containsOnly(200, 404);
        assertThat(app.users()).isEqualTo(1);
    }

    @Test
    void anUnknownStateShowsAPage() {
        for (var parameters : List.of(
                Map.of("state", "nonsense", "code", "x"),
                Map.of("state", "A".repeat(64), "code", "x"),
                Map.of("state", "\u0000", "code", "\u0000"),
                Map.of("state", "x".repeat(3000), "code", "x"),
                Map.of("code", "x"))) {
            assertThat(app.redirect(parameters).expect(404).body()).contains("nothing to finish here");
        }
        var ofAPage = app.login(app.url(), subject, verified(email));
        app.redirect(ofAPage).expect(404);
        app.callback(ofAPage).expect(200);
        var late = app.login(app.serverUrl("popup"), subject, verified(email));
        expireStates();
        app.redirect(late).expect(404);
    }

    @Test
    void aStateOfADeletedProjectIsUnknown() {
        var url = app.serverUrl("popup");
        var parameters = app.login(url, subject, verified(email));
        app.project().asOwner("DELETE", "").expect(200);
        app.redirect(parameters).expect(404);
    }

    /** The way Apple responds. */
    @Test
    void aFormPostWorksLikeAQuery() {
        var url = app.serverUrl("popup");
        var page = post(app.login(url, subject, verified(email)));
        assertThat(page.status()).isEqualTo(200);
        assertThat(outcome(page).at("/message/tokens/user/email").textValue()).isEqualTo(email);
        assertThat(world.server()
                        .api()
                        .post("/v1/auth/oauth/redirect")
                        .raw("application/x-www-form-urlencoded", "state=%zz")
                        .send()
                        .status())
                .isEqualTo(400);
        world.server().api().post("/v1/auth/oauth/redirect").expect(404);
    }

    private Response post(Map<String, String> parameters) {
        var form = new StringBuilder();
        parameters.forEach((name, value) -> form.append(name)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8))
                .append('&'));
        return world.server()
                .api()
                .post(app.returnPath())
                .raw("application/x-www-form-urlencoded", form.toString())
                .send();
    }

    /**
     * The issuer that another project has chosen sends the browser on to this project's provider, with the challenge
     * and the nonce of a sign in that somebody has begun there, and would get its code if we took it for one of the
     * issuer's.
     */
    @Test
    void aCodeForOneProjectNeverReachesTheIssuerOfAnother() {
        var evil = world.newProject();
        var tried = evil.project().asOwner("POST", "/providers/oidc/test").expect(200);
        for (var state : List.of(
                evil.serverUrl("popup").text("state"),
                OauthProject.parameters(URI.create(tried.text("url"))).get("state"))) {
            var own = app.serverUrl("popup");
            var victim = OauthProject.parameters(world.provider()
                    .login(
                            own.text("url").replace(own.text("state"), state),
                            OauthProject.newSubject(),
                            verified(TestServer.newEmail())));
            assertThat(app.redirect(victim).send().body()).doesNotContain("accessToken");
            victim.put("state", own.text("state"));
            assertThat(outcome(app.redirect(victim).expect(200))
                            .at("/message/tokens/user/id")
                            .asText())
                    .as("nobody has used the code")
                    .isNotEmpty();
        }
    }

    /** This also holds between two issuers of one project, one of which may be a customer's. */
    @Test
    void aCodeForOneProviderOfAProjectNeverReachesAnother() {
        var acme = app.andProvider("oidc-acme");
        for (var pair : List.of(List.of(app, acme), List.of(acme, app))) {
            var honest = pair.get(0);
            var evil = pair.get(1);
            var begun = evil.serverUrl("popup");
            var own = honest.serverUrl("popup");
            var victim = OauthProject.parameters(world.provider()
                    .login(
                            own.text("url").replace(own.text("state"), begun.text("state")),
                            OauthProject.newSubject(),
                            verified(TestServer.newEmail())));

            assertThat(honest.redirect(victim).send().body()).doesNotContain("accessToken");
            victim.put("state", own.text("state"));
            assertThat(evil.redirect(victim).send().body()).doesNotContain("accessToken");
            assertThat(outcome(honest.redirect(victim).expect(200))
                            .at("/message/tokens/user/id")
                            .asText())
                    .as("nobody has used the code")
                    .isNotEmpty();
        }
        for (var odd : List.of(
                "oidc-acme", "x", "%00", app.project().id() + ".", app.project().id() + ".%00")) {
            assertThat(world.server()
                            .api()
                            .get("/v1/auth/oauth/redirect/" + odd + "?code=a&state="
                                    + app.serverUrl("popup").text("state"))
                            .expect(404)
                            .body())
                    .contains("nothing to finish here");
        }
    }

    /** Somebody begins a sign in, sends its address to a victim, and waits at the poll for the victim's tokens. */
    @Test
    void aSignInThatEndsInAnotherNetworkNeedsConfirmation() {
        var url = app.askUrl("redirectUri", OauthProject.OWN_REDIRECT, "flow", "redirect", "returnTo", APP + "/x")
                .header("X-Forwarded-For", "198.51.100.66")
                .expect(200);
        var parameters = app.login(url, subject, verified(email));
        var page = app.redirect(parameters).expect(200);

        assertThat(page.body()).contains("<form method=\"post\" action=\"../consent\">", "A project");
        assertThat(page.header("Content-Security-Policy").orElseThrow()).contains("form-action 'self' " + APP + ";");
        assertThat(app.poll(url.text("state")).expect(200).text("status")).isEqualTo("pending");
        assertThat(app.users()).isZero();
        var confirmed = app.decide(question(page), "allow")
                .header("X-Forwarded-For", "203.0.113.9")
                .expect(302);
        assertThat(URI.create(confirmed.header("Location").orElseThrow())).hasPath("/x");
        assertThat(app.poll(url.text("state")).expect(200).text("status")).isEqualTo("completed");
    }

    /** The application's server can tell the browsers of its users apart itself. */
    @Test
    void aServerCanStartASignInForABrowserInAnotherNetwork() {
        var url = app.project()
                .manage(
                        "GET",
                        "/v1/auth/oauth/oidc/url?flow=popup&redirectUri="
                                + URLEncoder.encode(OauthProject.OWN_REDIRECT, StandardCharsets.UTF_8))
                .header("X-Forwarded-For", "198.51.100.66")
                .expect(200);
        assertThat(cameBack(url).body()).contains("You are signed in");
    }

    private void expireStates() {
        world.server()
                .sql()
                .update(
                        "UPDATE oauth_states SET expires_at = now() - interval '1 s' WHERE project_id = ?::uuid",
                        app.project().id());
    }
}
