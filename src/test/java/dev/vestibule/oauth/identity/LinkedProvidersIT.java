package dev.vestibule.oauth.identity;

import static dev.vestibule.fixture.OauthProject.newSubject;
import static dev.vestibule.fixture.OauthProject.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import jakarta.mail.MessagingException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What signed-in users do with their providers. */
@ExtendWith(WithProvider.class)
class LinkedProvidersIT {
    private final OauthWorld world;
    private final OauthProject app;
    private final TestProject project;
    private final String email = TestServer.newEmail();
    private final String subject = newSubject();
    private final Response signedUp;

    LinkedProvidersIT(OauthWorld world) {
        this.world = world;
        this.app = world.newProject();
        this.project = app.project();
        this.signedUp = project.signUp(email);
    }

    private Call call(String method, String path, String accessToken) {
        return world.server().api().call(method, "/v1/auth/me/providers" + path).bearer(accessToken);
    }

    private Response urlFor(String accessToken) {
        return app.askUrl().bearer(accessToken).expect(200);
    }

    private Call link(String accessToken, Map<String, ?> fields) {
        return call("POST", "/oidc", accessToken).json(fields);
    }

    private Call link(Response user, String whom) {
        return link(user.accessToken(), app.login(urlFor(user.accessToken()), whom, verified("other@example.com")));
    }

    private List<String> linked(Response user) {
        return call("GET", "", user.accessToken())
                .expect(200)
                .json()
                .get("providers")
                .findValuesAsText("provider");
    }

    @Test
    void aUserLinksAProviderAndSignsInWithIt() {
        app.subscribe();
        assertThat(linked(signedUp)).isEmpty();
        link(signedUp, subject).expect(200);

        assertThat(linked(signedUp)).containsExactly("oidc");
        assertThat(app.events()).containsExactly("provider.linked oidc");
        var signedIn = app.signIn(subject, Map.of()).expect(200);
        assertThat(signedIn.text("user/id")).isEqualTo(signedUp.text("user/id"));
        assertThat(signedIn.text("user/email")).isEqualTo(email);
        assertThat(Jwt.parse(signedIn.accessToken()).claims().path("amr")).hasToString("[\"fed\"]");
        project.me(signedUp.accessToken()).expect(200);
    }

    /** A thief with a stolen access token has added it. */
    @Test
    void theOwnerUndoesALinkWithTheMailThatReportsIt() {
        world.mailbox().await(email, 1);
        world.server().proveEmail(email);
        link(signedUp, subject).expect(200);
        var token = Pattern.compile("undo_[A-Za-z0-9_-]{86}")
                .matcher(TestMailbox.text(world.mailbox().await(email, 2)));
        assertThat(token.find()).isTrue();

        project.post("/v1/auth/email/undo").json(Map.of("token", token.group())).expect(200);

        assertThat(app.detail(signedUp.text("user/id")).get("providers")).isEmpty();
        project.me(signedUp.accessToken()).expect(401);
    }

    @Test
    void theOwnerOfAVerifiedEmailIsNotifiedOfALinkAndItsRemoval() throws MessagingException {
        world.mailbox().await(email, 1); // of the sign up, which nobody with a verified email gets
        world.server().sql().update("UPDATE users SET email_verified = true WHERE email = ?", email);
        link(signedUp, subject).expect(200);
        assertThat(world.mailbox().await(email, 2).getSubject())
                .isEqualTo("You can now sign in to A project with OpenID Connect");

        call("DELETE", "/oidc", signedUp.accessToken()).expect(200);
        assertThat(world.mailbox().await(email, 3).getSubject())
                .isEqualTo("OpenID Connect was removed from your A project account");
    }

    /** Projects choose it, and could have accounts with anybody's email. */
    @Test
    void theNameOfAProviderBringsNoLinkIntoAMail() throws MessagingException {
        world.mailbox().await(email, 1);
        world.server().proveEmail(email);
        app.setUp(Map.of("name", "Win at evil.com"));
        link(signedUp, subject).expect(200);

        var notice = world.mailbox().await(email, 2);
        assertThat(notice.getSubject()).contains("Win at evil. com");
        assertThat(TestMailbox.text(notice)).contains("Win at evil. com").doesNotContain("evil.com");
        assertThat(TestMailbox.html(notice)).doesNotContain("evil.com");
    }

    /** Anyone who controls the account at the provider can sign in, so the owner must be told. */
    @Test
    void theOwnerIsNotifiedOfALinkByTheSameEmail() throws MessagingException {
        world.mailbox().await(email, 1); // of the sign up, which nobody with a verified email gets
        world.server().sql().update("UPDATE users SET email_verified = true WHERE email = ?", email);
        app.signIn(subject, verified(email)).expect(200);
        assertThat(world.mailbox().await(email, 2).getSubject())
                .isEqualTo("You can now sign in to A project with OpenID Connect");
    }

    @Test
    void linkingTheSameIdentityAgainChangesNothing() {
        link(signedUp, subject).expect(200);
        app.subscribe();
        link(signedUp, subject).expect(200);
        assertThat(app.events()).isEmpty();
    }

    @Test
    void anIdentityOfAnotherUserIsRefused() {
        var other = app.signIn(subject, verified(TestServer.newEmail())).expect(200);
        link(signedUp, subject).expect(409);

        assertThat(linked(signedUp)).isEmpty();
        assertThat(linked(other)).containsExactly("oidc");
    }

    @Test
    void aSecondIdentityAtTheSameProviderIsRefused() {
        link(signedUp, subject).expect(200);
        link(signedUp, newSubject()).expect(409);
        app.signIn(subject, Map.of()).expect(200);
    }

    /**
     * Otherwise an attacker's page could make a victim link the attacker's identity, and the attacker could sign in as
     * the victim.
     */
    @Test
    void onlyTheUserWhoStartedLinkingCanFinishIt() {
        var attacker = project.signUp();
        var attackersCode = app.login(urlFor(attacker.accessToken()), subject, Map.of());
        link(signedUp.accessToken(), attackersCode).expect(401);
        link(attacker.accessToken(), attackersCode).expect(401);

        var ofASignIn = app.login(app.url(), subject, Map.of());
        link(signedUp.accessToken(), ofASignIn).expect(401);
        var toLink = app.login(urlFor(signedUp.accessToken()), subject, Map.of());
        app.callback(toLink).expect(401);
        assertThat(linked(signedUp)).isEmpty();
    }

    @Test
    void aStateLinksOnce() {
        var code = app.login(urlFor(signedUp.accessToken()), subject, Map.of());
        assertThat(Parallel.send(6, number -> link(signedUp.accessToken(), code)))
                .extracting(Response::status)
                .containsOnlyOnce(200)
                .containsOnly(200, 401);
    }

    @Test
    void concurrentLinksOfOneIdentityGiveItToOneUser() {
        var others = List.of(project.signUp(), project.signUp(), project.signUp(), project.signUp());
        var codes = others.stream()
                .map(other -> app.login(urlFor(other.accessToken()), subject, Map.of()))
                .toList();
        assertThat(Parallel.send(4, number -> link(others.get(number).accessToken(), codes.get(number))))
                .extracting(Response::status)
                .containsOnlyOnce(200)
                .containsOnly(200, 409);
    }

    @Test
    void aUserUnlinksAProvider() {
        link(signedUp, subject).expect(200);
        app.subscribe();
        call("DELETE", "/oidc", signedUp.accessToken()).expect(200);

        assertThat(linked(signedUp)).isEmpty();
        assertThat(app.events()).containsExactly("provider.unlinked oidc");
        assertThat(app.signIn(subject, Map.of()).expect(200).text("user/id")).isNotEqualTo(signedUp.text("user/id"));
        call("DELETE", "/oidc", signedUp.accessToken()).expect(404);
        call("DELETE", "/nobody", signedUp.accessToken()).expect(404);
        call("DELETE", "/%00", signedUp.accessToken()).expect(404);
    }

    @Test
    void theLastWayToSignInCannotBeUnlinked() {
        var user = app.signIn(subject, verified(TestServer.newEmail())).expect(200);
        app.subscribe();
        call("DELETE", "/oidc", user.accessToken()).expect(409);
        assertThat(linked(user)).containsExactly("oidc");

        linkBehindTheScenes(user, "github");
        call("DELETE", "/oidc", user.accessToken()).expect(409); // which the project has not set up
        setUpGithub(false);
        call("DELETE", "/oidc", user.accessToken()).expect(409);
        setUpGithub(true);
        call("DELETE", "/oidc", user.accessToken()).expect(200);
        call("DELETE", "/github", user.accessToken()).expect(409);
        assertThat(app.events()).containsExactly("provider.unlinked oidc");
    }

    @Test
    void concurrentUnlinksLeaveOneProvider() {
        var user = app.signIn(subject, verified(TestServer.newEmail())).expect(200);
        linkBehindTheScenes(user, "github");
        setUpGithub(true);
        assertThat(Parallel.send(2, number -> call("DELETE", number == 0 ? "/oidc" : "/github", user.accessToken())))
                .extracting(Response::status)
                .containsExactlyInAnyOrder(200, 409);
    }

    private void linkBehindTheScenes(Response user, String provider) {
        world.server()
                .sql()
                .update(
                        "INSERT INTO identities (project_id, provider, issuer, subject, user_id, created_at)"
                                + " VALUES (?::uuid, ?, 'https://idp.example', gen_random_uuid(), ?::uuid, now())",
                        project.id(),
                        provider,
                        user.text("user/id"));
    }

    private void setUpGithub(boolean enabled) {
        project.asOwner("PUT", "/providers/github")
                .json(Map.of("clientId", "id", "clientSecret", "secret", "enabled", enabled))
                .expect(200);
    }

    @Test
    void usersSeeOnlyTheirOwnProviders() {
        link(signedUp, subject).expect(200);
        assertThat(linked(project.signUp())).isEmpty();
        var elsewhere = world.newProject().project().signUp();
        call("DELETE", "/oidc", elsewhere.accessToken()).expect(404);
        assertThat(linked(signedUp)).containsExactly("oidc");
    }

    @Test
    void aKeyWithoutAUserIsRefused() {
        for (var method : List.of("GET", "POST", "DELETE")) {
            var call =
                    world.server().api().call(method, "/v1/auth/me/providers" + (method.equals("GET") ? "" : "/oidc"));
            (method.equals("POST") ? call.json(Map.of()) : call)
                    .key(project.publishableKey())
                    .expect(401);
        }
        link(signedUp.accessToken(), Map.of()).expect(422);
        call("POST", "/nobody", signedUp.accessToken())
                .json(Map.of("code", "x", "state", app.url().text("state")))
                .expect(401);
    }

    @Test
    void deletingAUserDeletesStatesAndIdentities() {
        link(signedUp, subject).expect(200);
        urlFor(signedUp.accessToken());
        project.manage("DELETE", "/v1/dashboard/users/" + signedUp.text("user/id"))
                .expect(200);
        for (var table : List.of("identities", "oauth_states")) {
            assertThat(world.server()
                            .sql()
                            .count("SELECT count(*) FROM " + table + " WHERE project_id = ?::uuid", project.id()))
                    .isZero();
        }
    }
}
