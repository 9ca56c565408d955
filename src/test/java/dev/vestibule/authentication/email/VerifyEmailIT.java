package dev.vestibule.authentication.email;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VerifyEmailIT {
    private final WithMail mail;
    private final TestServer server;

    VerifyEmailIT(TestDatabase database) {
        mail = WithMail.start(database);
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    @Test
    void signUpWaitsForTheCodeWhichOpensASession() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();

        var waiting = project.signUp(email);
        assertThat(waiting.json().toString())
                .isEqualTo("{\"status\":\"verification_required\","
                        + "\"message\":\"Confirm your email with the code that was sent to it.\","
                        + "\"needsVerification\":true,\"email\":\"" + email + "\"}");

        var verified = WithMail.verify(project, email, mail.mailbox().awaitCode(email), 200);
        assertThat(Jwt.parse(verified.accessToken()).claims().path("amr")).hasToString("[\"mail\"]");
        assertThat(verified.text("user/emailVerified")).isEqualTo("true");
        assertThat(verified.text("user/signInCount")).isEqualTo("1");
        assertThat(verified.text("expiresIn")).isEqualTo("900");
        project.me(verified.accessToken()).expect(200);
        project.refresh(verified.refreshToken()).expect(200);
        assertThat(project.signIn(email).text("user/emailVerified")).isEqualTo("true");
    }

    @Test
    void variantBWorksTheSameWay() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var body = Map.of("projectId", project.id(), "email", email, "password", TestProject.PASSWORD);

        assertThat(server.api().post("/v1/auth/signup").json(body).expect(201).text("status"))
                .isEqualTo("verification_required");
        var verified = server.api()
                .post("/v1/auth/verify-email")
                .json(Map.of(
                        "projectId",
                        project.id(),
                        "email",
                        " " + email.toUpperCase(Locale.ROOT) + " ",
                        "code",
                        " " + mail.mailbox().awaitCode(email) + "\n"))
                .expect(200);

        assertThat(verified.text("expiresIn")).isEqualTo("3600");
        assertThat(server.api().post("/v1/auth/signin").json(body).expect(200).accessToken())
                .isNotEmpty();
    }

    @Test
    void noSessionIsOpenBeforeTheEmailIsVerified() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        mail.signUp(project, email);
        project.signIn(email);

        assertThat(server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id()))
                .isZero();
        assertThat(server.sql().count("SELECT sum(sign_in_count) FROM users WHERE email = ?", email))
                .isZero();
    }

    @Test
    void signInSendsANewCodeAndInvalidatesTheOldOne() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var first = mail.signUp(project, email);
        mail.passAMinute();

        assertThat(project.signIn(email).text("status")).isEqualTo("verification_required");
        var second = mail.mailbox().awaitCode(email, 2);

        if (!first.equals(second)) {
            WithMail.verify(project, email, first, 401);
        }
        WithMail.verify(project, email, second, 200);
    }

    /** The network of the sign up is known, so its codes are counted separately from those of strangers. */
    @Test
    void aNewlyRequestedCodeInvalidatesThatOfTheSignUp() {
        var project = mail.server().newProject();
        var email = TestServer.newEmail();
        var first = mail.signUp(project, email);
        mail.passAMinute();
        project.post("/v1/auth/resend-code").json(Map.of("email", email)).expect(200);
        var second = mail.mailbox().awaitCode(email, 2);
        if (!first.equals(second)) {
            WithMail.verify(project, email, first, 401);
        }
        WithMail.verify(project, email, second, 200);
    }

    @Test
    void aWrongPasswordIsNotAskedToVerify() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        mail.signUp(project, email);

        project.trySignIn(email, "not the password").expect(401);
    }

    @Test
    void aCodeIsSentEvenIfVerificationIsNotRequired() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var signedUp = project.signUp(email);
        assertThat(signedUp.text("user/emailVerified")).isEqualTo("false");

        var verified = WithMail.verify(project, email, mail.mailbox().awaitCode(email), 200);

        assertThat(project.me(verified.accessToken()).expect(200).text("emailVerified"))
                .isEqualTo("true");
    }

    @Test
    void aChangedRequirementAppliesAtOnce() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        project.signUp(email);
        project.asOwner("PATCH", "")
                .json(Map.of("requireEmailVerification", true, "confirm", true))
                .expect(200);
        assertThat(project.signIn(email).text("status")).isEqualTo("verification_required");

        project.asOwner("PATCH", "")
                .json(Map.of("requireEmailVerification", false))
                .expect(200);
        project.me(project.signIn(email).accessToken()).expect(200);
    }

    @Test
    void onlyTheRightCodeReportsABan() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var code = mail.signUp(project, email);
        server.sql().update("UPDATE users SET is_banned = true WHERE email = ?", email);

        WithMail.verify(project, email, WithMail.anotherThan(code), 401);
        WithMail.verify(project, email, code, 403);
        assertThat(server.sql().texts("SELECT email_verified FROM users WHERE email = ?", email))
                .containsExactly("f");
    }

    @Test
    void anEmailThatManagementChangedHasToBeVerifiedAgain() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var verified = WithMail.verify(project, email, mail.signUp(project, email), 200);
        var another = TestServer.newEmail();
        project.manage("PATCH", "/v1/dashboard/users/" + verified.text("user/id"))
                .json(Map.of("email", another))
                .expect(200);

        assertThat(project.signIn(another).text("status")).isEqualTo("verification_required");
        WithMail.verify(project, another, mail.mailbox().awaitCode(another), 200);
    }

    @Test
    void theSessionThatACodeOpensCountsAgainstTheLimit() {
        var project = server.newProject();
        project.asOwner("PATCH", "")
                .json(Map.of("sessionConfig", Map.of("maxConcurrentSessions", 1)))
                .expect(200);
        var email = TestServer.newEmail();
        var signedUp = project.signUp(email);

        var verified = WithMail.verify(project, email, mail.mailbox().awaitCode(email), 200);

        project.me(signedUp.accessToken()).expect(401);
        project.me(verified.accessToken()).expect(200);
    }

    @Test
    void aTakenEmailIsAConflictVerifiedOrNot() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        project.signUp(email);

        project.post("/v1/auth/signup")
                .json(Map.of("email", email, "password", "another password"))
                .expect(409);
    }

    @Test
    void aDashboardUserIsMailedACodeAtRegistrationAndVerifiesTheSameWay() {
        var system = "00000000-0000-7000-8000-000000000000";
        var email = TestServer.newEmail();
        var registered = server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", email, "password", "a dashboard password"))
                .expect(201);
        assertThat(registered.text("user/emailVerified")).isEqualTo("false");
        var first = mail.mailbox().awaitCode(email);

        mail.passAMinute();
        server.api()
                .post("/v1/auth/resend-code")
                .json(Map.of("projectId", system, "email", email))
                .expect(200);
        var second = mail.mailbox().awaitCode(email, 2);

        assertThat(first).isNotEmpty();
        var verified = server.api()
                .post("/v1/auth/verify-email")
                .json(Map.of("projectId", system, "email", email, "code", second))
                .expect(200);
        assertThat(verified.text("user/emailVerified")).isEqualTo("true");
        server.api()
                .get("/v1/dashboard/projects")
                .bearer(verified.accessToken())
                .expect(200);
    }
}
