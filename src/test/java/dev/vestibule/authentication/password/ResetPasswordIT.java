package dev.vestibule.authentication.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResetPasswordIT {
    private static final String NEW_PASSWORD = "a new password";

    private final WithMail mail;
    private final TestServer server;

    ResetPasswordIT(TestDatabase database) {
        mail = WithMail.start(database);
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    /** Signs up, asks for a reset, and returns its code. */
    private String forget(TestProject project, String email) {
        project.signUp(email);
        mail.mailbox().await(email, 1);
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        return mail.mailbox().awaitCode(email, 2);
    }

    private static Response reset(TestProject project, String email, String code, int status) {
        return project.post("/v1/auth/password/reset")
                .json(Map.of("email", email, "code", code, "password", NEW_PASSWORD))
                .expect(status);
    }

    /**
     * The first proof of an email ends sessions too, so only a reset with a proved email shows what the reset itself
     * does.
     */
    @Test
    void theSessionsOfAnEmailThatWasAlreadyProvedEndToo() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var code = forget(project, email);
        server.proveEmail(email);
        var session = project.signIn(email);

        reset(project, email, code, 200);

        project.me(session.accessToken()).expect(401);
        project.refresh(session.refreshToken()).expect(401);
    }

    @Test
    void theNewPasswordWorksAndEverySessionHasEnded() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var code = forget(project, email);
        var session = project.signIn(email);
        var bystander = project.signUp();

        assertThat(reset(project, email, code, 200).body()).isEqualTo("{\"success\":true}");

        project.me(session.accessToken()).expect(401);
        project.refresh(session.refreshToken()).expect(401);
        project.me(bystander.accessToken()).expect(200);
        project.trySignIn(email, TestProject.PASSWORD).expect(401);
        var signedIn = project.trySignIn(email, NEW_PASSWORD).expect(200);
        assertThat(signedIn.text("user/emailVerified"))
                .as("the mail was received")
                .isEqualTo("true");
    }

    @Test
    void aWrongAnOldAndAnExpiredCodeChangeNothing() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var code = forget(project, email);
        reset(project, email, code.startsWith("0") ? "1" + code.substring(1) : "0" + code.substring(1), 401);
        mail.clock().advance(Duration.ofMinutes(30));
        reset(project, email, code, 401);
        project.signIn(email);
    }

    /** Otherwise anybody could prevent a user from ever resetting the password. */
    @Test
    void wrongCodesDoNotInvalidateTheRightOne() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var code = forget(project, email);
        for (int i = 0; i < 10; i++) {
            reset(project, email, "00000-0000-0000", 401);
        }
        reset(project, email, code, 200);
    }

    /** 13 characters of 5 bits, none of which can be mistaken for another. */
    @Test
    void aCodeHas65BitsAndPeopleCanTypeItFreely() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var code = forget(project, email);
        assertThat(code.replace("-", "")).matches("[0-9A-HJKMNP-TV-Z]{13}");
        mail.clock().advance(Duration.ofMinutes(29));

        var typed = " "
                + code.toLowerCase(Locale.ROOT)
                        .replace("-", " \u2013 ")
                        .replace('0', 'o')
                        .replace('1', 'l') + "\n";
        reset(project, email, typed, 200);
    }

    @Test
    void theDatabaseHoldsNoCode() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var code = forget(project, email);
        assertThat(server.sql().texts("SELECT codes::text FROM codes"))
                .noneMatch(row -> row.contains(code) || row.contains(code.replace("-", "")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "123456",
                "0123456789AB",
                "0123456789ABCD",
                "0123456789AB!",
                "0123456789ABU",
                "----------",
                "01234\u000056789ABC"
            })
    void aTextThatIsNotACodeDoesNotCountAsATry(String code) {
        assertThat(reset(server.newProject(), TestServer.newEmail(), code, 422).failingFields())
                .containsExactly("code");
    }

    @Test
    void aCodeIsValidOnce() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var code = forget(project, email);
        reset(project, email, code, 200);
        reset(project, email, code, 401);
    }

    @Test
    void aLockOfFailedSignInsIsLifted() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var code = forget(project, email);
        for (int i = 0; i < 10; i++) {
            project.trySignIn(email, "not the password").send();
        }
        project.trySignIn(email, TestProject.PASSWORD).expect(429);

        reset(project, email, code, 200);

        project.trySignIn(email, NEW_PASSWORD).expect(200);
    }

    @Test
    void aUserWithoutAPasswordGetsOne() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var code = forget(project, email);
        server.sql().update("UPDATE users SET password_hash = NULL WHERE email = ?", email);

        reset(project, email, code, 200);

        project.trySignIn(email, NEW_PASSWORD).expect(200);
    }

    @Test
    void aUserBannedBeforeTheResetGetsAnErrorAndKeepsTheOldPassword() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var code = forget(project, email);
        server.sql().update("UPDATE users SET is_banned = true WHERE email = ?", email);

        reset(project, email, code, 403);

        server.sql().update("UPDATE users SET is_banned = false WHERE email = ?", email);
        project.signIn(email);
    }

    @Test
    void anUnknownEmailGetsTheResponseOfAWrongCode() {
        var project = server.newProject();
        var unknown = TestServer.newEmail();
        project.post("/v1/auth/password/forgot").json(Map.of("email", unknown)).expect(200);

        assertThat(reset(project, unknown, "0123456789ABC", 401).text("message"))
                .isEqualTo("The code is wrong or has expired.");
    }

    /** A proved email counts if a project requires one. */
    @Test
    void aResetVerifiesTheEmail() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var code = forget(project, email);

        reset(project, email, code, 200);

        project.me(project.trySignIn(email, NEW_PASSWORD).expect(200).accessToken())
                .expect(200);
    }
}
