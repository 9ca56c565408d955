package dev.vestibule.oauth.identity;

import static dev.vestibule.fixture.OauthProject.newSubject;
import static dev.vestibule.fixture.OauthProject.unverified;
import static dev.vestibule.fixture.OauthProject.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which account a sign in with a provider leads to. */
@ExtendWith(WithProvider.class)
class AccountLinkingIT {
    private final OauthWorld world;
    private final OauthProject app;
    private final TestProject project;
    private final String subject = newSubject();
    private final String email = TestServer.newEmail();

    AccountLinkingIT(OauthWorld world) {
        this.world = world;
        this.app = world.newProject();
        this.project = app.project();
    }

    private void verifyEmailOf(String userId) {
        project.manage("PATCH", "/v1/dashboard/users/" + userId)
                .json(Map.of("emailVerified", true))
                .expect(200);
    }

    @Test
    void aNewPersonGetsANewUser() {
        app.subscribe();
        var user = app.signIn(subject, verified(email)).expect(200).text("user/id");

        assertThat(app.detail(user).get("providers")).hasToString("[\"oidc\"]");
        assertThat(app.events()).containsExactly("user.created", "provider.linked oidc", "session.created");
    }

    @Test
    void aKnownSubjectSignsInEvenWithAnotherEmail() {
        var first = app.signIn(subject, verified(email)).expect(200);
        app.subscribe();
        var second = app.signIn(subject, verified(TestServer.newEmail())).expect(200);
        var third = app.signIn(subject, Map.of()).expect(200);

        assertThat(second.text("user/id")).isEqualTo(first.text("user/id"));
        assertThat(third.text("user/id")).isEqualTo(first.text("user/id"));
        assertThat(third.text("user/email")).isEqualTo(email);
        assertThat(app.events()).containsExactly("session.created", "session.created");
        assertThat(app.users()).isEqualTo(1);
    }

    @Test
    void aVerifiedEmailLeadsToItsVerifiedAccount() {
        var signedUp = project.signUp(email);
        verifyEmailOf(signedUp.text("user/id"));
        app.subscribe();
        var answer =
                app.signIn(subject, verified(email.toUpperCase(Locale.ROOT))).expect(200);

        assertThat(answer.text("user/id")).isEqualTo(signedUp.text("user/id"));
        assertThat(app.events()).containsExactly("provider.linked oidc", "session.created");
        project.me(signedUp.accessToken()).expect(200);
        project.signIn(email);
    }

    /** Classic account pre-hijacking: the attacker signs up first, with the victim's email, and waits. */
    @Test
    void theVerifiedOwnerOfAnEmailTakesOverAnUnverifiedAccount() {
        var attacker = project.signUp(email);
        app.subscribe();
        var owner = app.signIn(subject, verified(email)).expect(200);

        assertThat(owner.text("user/id")).isEqualTo(attacker.text("user/id"));
        assertThat(owner.json().at("/user/emailVerified").asBoolean()).isTrue();
        project.me(attacker.accessToken()).expect(401);
        project.refresh(attacker.refreshToken()).expect(401);
        project.trySignIn(email, TestProject.PASSWORD).expect(401);
        assertThat(app.events())
                .containsExactly(
                        "session.revoked email_claimed", "user.updated", "provider.linked oidc", "session.created");
    }

    /** Some providers let anybody claim an email. */
    @Test
    void theVerifiedOwnerTakesOverAnAccountOfAProviderThatDidNotVerify() {
        var attackersSubject = newSubject();
        var attacker = app.signIn(attackersSubject, unverified(email)).expect(200);
        app.subscribe();
        var owner = app.signIn(subject, verified(email)).expect(200);

        assertThat(owner.text("user/id")).isEqualTo(attacker.text("user/id"));
        project.me(attacker.accessToken()).expect(401);
        app.signIn(attackersSubject, unverified(email)).expect(409);
        assertThat(app.events())
                .containsExactly(
                        "session.revoked email_claimed",
                        "provider.unlinked oidc",
                        "user.updated",
                        "provider.linked oidc",
                        "session.created");
    }

    /** The owner signs in with a mailed code, which is the first proof that the email is theirs. */
    @Test
    void aPasswordResetByMailRemovesTheProvidersOfAnUnverifiedAccount() {
        var attacker = app.signIn(subject, unverified(email)).expect(200);
        app.subscribe();
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        project.post("/v1/auth/password/reset")
                .json(Map.of(
                        "email", email, "code", world.mailbox().awaitCode(email), "password", TestProject.PASSWORD))
                .expect(200);

        project.me(attacker.accessToken()).expect(401);
        app.signIn(subject, unverified(email)).expect(409);
        assertThat(project.signIn(email).text("user/id")).isEqualTo(attacker.text("user/id"));
        assertThat(app.events()).startsWith("session.revoked password_changed", "provider.unlinked oidc");
    }

    @Test
    void aLaterPasswordResetLeavesTheProvidersLinked() {
        var user = app.signIn(subject, verified(email)).expect(200);
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        project.post("/v1/auth/password/reset")
                .json(Map.of(
                        "email", email, "code", world.mailbox().awaitCode(email), "password", TestProject.PASSWORD))
                .expect(200);
        assertThat(app.signIn(subject, verified(email)).expect(200).text("user/id"))
                .isEqualTo(user.text("user/id"));
    }

    @Test
    void anUnverifiedEmailFindsNoAccount() {
        var signedUp = project.signUp(email);
        for (int i = 0; i < 2; i++) {
            assertThat(app.signIn(subject, unverified(email)).expect(409).text("message"))
                    .contains("link");
            verifyEmailOf(signedUp.text("user/id"));
        }
        assertThat(app.detail(signedUp.text("user/id")).get("providers")).isEmpty();
        assertThat(app.signIn(newSubject(), Map.of("email", email)).expect(409).status())
                .isEqualTo(409);
    }

    @Test
    void aFreeUnverifiedEmailIsStoredAsUnverified() {
        var answer = app.signIn(subject, unverified(email)).expect(200);

        assertThat(answer.text("user/email")).isEqualTo(email);
        assertThat(answer.json().at("/user/emailVerified").asBoolean()).isFalse();
    }

    @Test
    void aUserWithoutAnEmailCanSignIn() {
        var one = app.signIn(subject, Map.of("email_verified", true)).expect(200);
        var other = app.signIn(newSubject(), Map.of()).expect(200);

        assertThat(one.json().at("/user/email").isNull()).isTrue();
        assertThat(one.json().at("/user/emailVerified").asBoolean()).isFalse();
        assertThat(other.text("user/id")).isNotEqualTo(one.text("user/id"));
    }

    @Test
    void aSecondAccountAtTheSameProviderDoesNotReplaceTheFirst() {
        app.signIn(subject, verified(email)).expect(200);
        app.signIn(newSubject(), verified(email)).expect(409);
    }

    @Test
    void bannedUsersCannotSignIn() {
        var known = app.signIn(subject, verified(email)).expect(200).text("user/id");
        project.manage("PATCH", "/v1/dashboard/users/" + known + "/ban").expect(200);
        app.signIn(subject, verified(email)).expect(403);
        app.signIn(newSubject(), verified(email)).expect(403);

        var unverifiedEmail = TestServer.newEmail();
        var signedUp = project.signUp(unverifiedEmail).text("user/id");
        project.manage("PATCH", "/v1/dashboard/users/" + signedUp + "/ban").expect(200);
        app.signIn(newSubject(), verified(unverifiedEmail)).expect(403);
        assertThat(app.detail(signedUp).get("providers")).isEmpty();
    }

    @Test
    void aDeletedUserSignsInAsANewUser() {
        var first = app.signIn(subject, verified(email)).expect(200).text("user/id");
        project.manage("DELETE", "/v1/dashboard/users/" + first).expect(200);

        assertThat(app.signIn(subject, verified(email)).expect(200).text("user/id"))
                .isNotEqualTo(first);
    }

    @Test
    void theSamePersonIsAnotherUserInAnotherProject() {
        var there = world.newProject();
        there.setUp(Map.of("issuer", app.issuer()));
        var answer = app.signIn(subject, verified(email)).expect(200);
        var url = there.url();

        assertThat(there.callback(there.login(url, subject, verified(email)))
                        .expect(200)
                        .text("user/id"))
                .isNotEqualTo(answer.text("user/id"));
    }

    @Test
    void twoFirstSignInsOfOnePersonMakeOneUser() {
        for (var claims : List.of(verified(email), Map.<String, Object>of(), unverified("x" + email))) {
            var person = newSubject();
            var before = app.users();
            var codes = IntStream.range(0, 4)
                    .mapToObj(number -> app.login(app.url(), person, claims))
                    .toList();
            var answers = Parallel.send(4, number -> app.callback(codes.get(number)));

            assertThat(answers).extracting(Response::status).containsOnly(200);
            assertThat(answers)
                    .extracting(answer -> answer.text("user/id"))
                    .containsOnly(answers.get(0).text("user/id"));
            assertThat(app.users()).isEqualTo(before + 1);
        }
    }

    @Test
    void aSignUpAndAFirstSignInAtOnceMakeOneUser() {
        for (int round = 0; round < 5; round++) {
            var contested = TestServer.newEmail();
            var code = app.login(app.url(), newSubject(), verified(contested));
            var answers = Parallel.send(
                    2,
                    number -> number == 0
                            ? app.callback(code)
                            : project.post("/v1/auth/signup")
                                    .json(Map.of("email", contested, "password", TestProject.PASSWORD)));

            assertThat(answers.get(0).status()).isEqualTo(200);
            assertThat(answers.get(1).status()).isIn(201, 409);
            project.trySignIn(contested, TestProject.PASSWORD).expect(401);
        }
    }

    @Test
    void requiredVerificationAcceptsAnEmailVerifiedByTheProvider() {
        app.change(Map.of("requireEmailVerification", true));
        app.signIn(subject, verified(email)).expect(200).accessToken();
    }

    @Test
    void requiredVerificationMailsACodeForAnUnverifiedEmail() {
        app.change(Map.of("requireEmailVerification", true));
        var refused = app.signIn(subject, unverified(email)).expect(403);

        assertThat(refused.text("reason")).isEqualTo("verification_required");
        assertThat(refused.text("message")).contains("code");
        var code = world.mailbox().awaitCode(email);
        var verified = project.post("/v1/auth/verify-email")
                .json(Map.of("email", email, "code", code))
                .expect(200);
        // The person who claimed the email at the provider may not be the one who read the mail.
        app.signIn(subject, unverified(email)).expect(409);
        var url = app.askUrl().bearer(verified.accessToken()).expect(200);
        world.server()
                .api()
                .post("/v1/auth/me/providers/oidc")
                .bearer(verified.accessToken())
                .json(app.login(url, subject, unverified(email)))
                .expect(200);
        assertThat(app.signIn(subject, unverified(email)).expect(200).text("user/id"))
                .isEqualTo(verified.text("user/id"));
    }

    @Test
    void requiredVerificationRefusesUsersWithoutAnEmail() {
        app.change(Map.of("requireEmailVerification", true));
        app.signIn(subject, Map.of()).expect(403);
        assertThat(app.users()).isZero();
    }
}
