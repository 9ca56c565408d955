package dev.vestibule.oauth.identity;

import static dev.vestibule.fixture.OauthProject.newSubject;
import static dev.vestibule.fixture.OauthProject.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.HeldAccount;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An attacker creates an account with the victim's email and waits in it, and loses access as soon as the email is
 * proved.
 */
@ExtendWith(WithProvider.class)
class PreHijackingIT {
    private final OauthWorld world;
    private final OauthProject app;
    private final TestProject project;
    private final String email = TestServer.newEmail();
    private final String attackersSubject = newSubject();
    private final Response attacker;

    PreHijackingIT(OauthWorld world) {
        this.world = world;
        this.app = world.newProject();
        this.project = app.project();
        this.attacker = project.signUp(email);
        link(attacker).expect(200);
    }

    private Call link(Response user) {
        var url = app.askUrl().bearer(user.accessToken()).expect(200);
        return world.server()
                .api()
                .post("/v1/auth/me/providers/oidc")
                .bearer(user.accessToken())
                .json(app.login(url, attackersSubject, verified("attacker@example.com")));
    }

    private Call verify() {
        return project.post("/v1/auth/verify-email")
                .json(Map.of("email", email, "code", world.mailbox().awaitCode(email, 1)));
    }

    private Call reset() {
        world.mailbox().await(email, 1);
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        return project.post("/v1/auth/password/reset")
                .json(Map.of(
                        "email",
                        email,
                        "code",
                        world.mailbox().awaitCodeAmongNotices(email, 2),
                        "password",
                        "the victim's own password"));
    }

    private void assertTheAttackerIsOut() {
        project.me(attacker.accessToken()).expect(401);
        project.verify(attacker.accessToken()).expect(401);
        project.refresh(attacker.refreshToken()).expect(401);
        linkIsRefused(attacker.accessToken());
        assertThat(app.signIn(attackersSubject, verified("attacker-" + email))
                        .expect(200)
                        .text("user/id"))
                .isNotEqualTo(attacker.text("user/id"));
    }

    private void linkIsRefused(String accessToken) {
        world.server()
                .api()
                .post("/v1/auth/me/providers/oidc")
                .bearer(accessToken)
                .json(Map.of("code", "c", "state", "s"))
                .expect(401);
    }

    @Test
    void aVerificationCodeLeavesOnlyTheSessionThatEnteredIt() {
        app.subscribe();
        var victim = verify().expect(200);

        assertTheAttackerIsOut();
        project.me(victim.accessToken()).expect(200);
        project.refresh(victim.refreshToken()).expect(200);
        assertThat(app.events())
                .startsWith(
                        "session.revoked email_claimed", "provider.unlinked oidc", "user.updated", "session.created");
    }

    /** The token may be the attacker's, who signed the victim in to this account. */
    @Test
    void theSessionOfTheRequestEndsToo() {
        var code = world.mailbox().awaitCode(email, 1);
        world.server()
                .api()
                .post("/v1/auth/verify-email")
                .key(project.publishableKey())
                .bearer(attacker.accessToken())
                .json(Map.of("email", email, "code", code))
                .expect(200);
        assertTheAttackerIsOut();
    }

    @Test
    void aPasswordResetRemovesAllEarlierSessionsAndProviders() {
        app.subscribe();
        reset().expect(200);

        assertTheAttackerIsOut();
        project.trySignIn(email, TestProject.PASSWORD).expect(401);
        assertThat(app.events())
                .startsWith("session.revoked password_changed", "provider.unlinked oidc", "user.updated");
    }

    @Test
    void aSignInWithAVerifiedEmailRemovesThemAndThePassword() {
        app.signIn(newSubject(), verified(email)).expect(200);

        assertTheAttackerIsOut();
        project.trySignIn(email, TestProject.PASSWORD).expect(401);
    }

    @Test
    void onlyOneOfTwoConcurrentProofsIsTheFirst() {
        var code = world.mailbox().awaitCode(email, 1);
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        var resetCode = world.mailbox().awaitCodeAmongNotices(email, 2);
        app.subscribe();

        var answers = Parallel.send(
                2,
                number -> number == 0
                        ? project.post("/v1/auth/verify-email").json(Map.of("email", email, "code", code))
                        : project.post("/v1/auth/password/reset")
                                .json(Map.of("email", email, "code", resetCode, "password", "the victim's password")));

        assertThat(answers.get(0).status()).isIn(200, 401); // 401 after the reset: there is nothing left to verify
        assertThat(answers.get(1).status()).isEqualTo(200);
        assertTheAttackerIsOut();
        assertThat(app.events()).filteredOn("provider.unlinked oidc"::equals).hasSize(1);
    }

    @Test
    void aLaterProofEndsNoSessionAndRemovesNoProvider() {
        var victim = verify().expect(200);
        app.signIn(newSubject(), verified(email)).expect(200);
        project.me(victim.accessToken()).expect(200);

        reset().expect(200);

        assertThat(app.detail(victim.text("user/id")).get("providers").toString())
                .isEqualTo("[\"oidc\"]");
    }

    /** The request passed the guard, and waits for the provider or the row while the victim proves the email. */
    @Test
    void aLinkInProgressDuringTheProofIsRefused() {
        verify().expect(200);
        var late = project.signIn(email);
        var answer = HeldAccount.endSessionsDuring(world.server().sql(), late.text("user/id"), link(late));
        assertThat(answer.status()).isEqualTo(401);
        assertThat(app.detail(late.text("user/id")).get("providers")).isEmpty();
    }
}
