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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a page learns about a sign in that the server handles. */
@ExtendWith(WithProvider.class)
class PollOauthIT {
    private final OauthWorld world;
    private final OauthProject app;
    private final String subject = newSubject();
    private final String email = TestServer.newEmail();

    PollOauthIT(OauthWorld world) {
        this.world = world;
        this.app = world.newProject();
    }

    private Response cameBack(Response url) {
        return app.redirect(app.login(url, subject, verified(email))).send();
    }

    @Test
    void ofConcurrentPollsOneGetsTheTokens() {
        var url = app.serverUrl("redirect");
        cameBack(url);
        assertThat(Parallel.send(8, number -> app.poll(url.text("state"))))
                .extracting(Response::status)
                .containsOnlyOnce(200)
                .containsOnly(200, 404);
    }

    @Test
    void onlyTheProjectCanPollTheOutcome() {
        var url = app.serverUrl("redirect");
        cameBack(url);
        var state = url.text("state");

        world.newProject().poll(state).expect(404);
        world.server().api().get("/v1/auth/oauth/poll?state=" + state).expect(401);
        world.server()
                .api()
                .get("/v1/auth/oauth/poll?state=" + state)
                .bearer(app.project().signUp().accessToken())
                .expect(401);
        app.project().get("/v1/auth/oauth/poll").expect(422);
        app.poll("nonsense").expect(404);
        app.poll("\u0000").expect(422);
        app.poll(state).expect(200);
    }

    @Test
    void aHeadRequestUsesUpNothing() {
        var url = app.serverUrl("redirect", "returnTo", APP);
        var parameters = app.login(url, subject, verified(email));
        var api = world.server().api();
        api.call("HEAD", app.returnPath() + "?state=" + parameters.get("state") + "&code=" + parameters.get("code"))
                .expect(404);
        app.redirect(parameters).expect(302);
        api.call("HEAD", "/v1/auth/oauth/poll?state=" + url.text("state"))
                .key(app.project().publishableKey())
                .expect(200);
        assertThat(app.poll(url.text("state")).expect(200).text("status")).isEqualTo("completed");
    }

    @Test
    void aSessionThatEndedBeforeThePollGivesNoTokens() {
        var url = app.serverUrl("popup");
        var page = cameBack(url);
        app.decide(question(page), "allow").expect(200);
        app.project()
                .signOut(outcome(page).at("/message/tokens/accessToken").textValue())
                .expect(200);
        app.poll(url.text("state")).expect(404);
    }

    @Test
    void anOutcomeIsAvailableForTwoMinutes() {
        var url = app.serverUrl("popup");
        cameBack(url);
        var left = world.server()
                .sql()
                .count(
                        "SELECT extract(epoch FROM max(expires_at) - now())::int FROM oauth_states"
                                + " WHERE project_id = ?::uuid",
                        app.project().id());
        assertThat(left).isBetween(60L, 120L);
        expireStates();
        app.poll(url.text("state")).expect(404);
    }

    private void expireStates() {
        world.server()
                .sql()
                .update(
                        "UPDATE oauth_states SET expires_at = now() - interval '1 s' WHERE project_id = ?::uuid",
                        app.project().id());
    }
}
