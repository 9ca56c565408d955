package dev.vestibule.authentication.passkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.PasskeyDevice;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Mails tell users what happens to their passkeys, and the first proof of an email removes those of strangers. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PasskeyByMailIT {
    private static final String ORIGIN = "https://app.example.com";
    private static final String PASSKEYS = "/v1/auth/passkeys";

    private final WithMail mail;
    private final TestServer server;

    PasskeyByMailIT(TestDatabase database) {
        mail = WithMail.start(database);
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    private TestProject newProject() {
        var project = server.newProject();
        project.asOwner("PATCH", "")
                .json(Map.of("allowedOrigins", List.of(ORIGIN)))
                .expect(200);
        return project;
    }

    private Call with(Response tokens, String method, String path) {
        return server.api().call(method, PASSKEYS + path).bearer(tokens.accessToken());
    }

    private String register(Response tokens, PasskeyDevice device) {
        var options = with(tokens, "POST", "/register/options").expect(200).json();
        return with(tokens, "POST", "/register/verify")
                .json(device.create(options))
                .expect(200)
                .text("id");
    }

    private static Call signIn(TestProject project, PasskeyDevice device) {
        var options =
                project.post(PASSKEYS + "/authenticate/options").expect(200).json();
        return project.post(PASSKEYS + "/authenticate/verify").json(device.get(options));
    }

    @Test
    void theUserIsNotifiedOfEachChange() {
        var project = newProject();
        var email = TestServer.newEmail();
        var tokens = project.signUp(email);
        mail.mailbox().await(email, 1);
        server.sql().update("UPDATE users SET email_verified = true WHERE email = ?", email);
        var device = new PasskeyDevice(ORIGIN);
        var passkey = register(tokens, device);
        assertThat(TestMailbox.text(mail.mailbox().await(email, 2))).contains("A passkey was added");

        var byPasskey = signIn(project, device.count(5)).expect(200);
        signIn(project, device.count(5)).expect(401);
        assertThat(TestMailbox.text(mail.mailbox().await(email, 3))).contains("in use twice");

        with(byPasskey, "DELETE", "/" + passkey).expect(200);
        assertThat(TestMailbox.text(mail.mailbox().await(email, 4))).contains("A passkey was removed");
    }

    @Test
    void theFirstProofOfTheEmailRemovesEarlierPasskeys() {
        var project = newProject();
        var email = TestServer.newEmail();
        var tokens = project.signUp(email);
        var device = new PasskeyDevice(ORIGIN);
        register(tokens, device);
        var waiting = with(tokens, "POST", "/register/options").expect(200).json();
        signIn(project, device).expect(200);

        WithMail.verify(project, email, mail.mailbox().awaitCode(email), 200);

        signIn(project, device).expect(401);
        with(tokens, "POST", "/register/verify")
                .json(new PasskeyDevice(ORIGIN).create(waiting))
                .expect(401);
        assertThat(server.sql().count("SELECT count(*) FROM passkeys WHERE project_id = ?::uuid", project.id()))
                .isZero();
        assertThat(server.sql()
                        .texts(
                                "SELECT metadata ->> 'reason' FROM audit_log"
                                        + " WHERE project_id = ?::uuid AND event = 'auth.passkey.removed'",
                                project.id()))
                .containsExactly("email_claimed");
    }

    @Test
    void aResetOfAVerifiedAccountLeavesItsPasskeys() {
        var project = newProject();
        var email = TestServer.newEmail();
        var tokens = project.signUp(email);
        WithMail.verify(project, email, mail.mailbox().awaitCode(email), 200);
        var device = new PasskeyDevice(ORIGIN);
        register(project.signIn(email), device);
        mail.mailbox().await(email, 2);
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        project.post("/v1/auth/password/reset")
                .json(Map.of(
                        "email",
                        email,
                        "code",
                        mail.mailbox().awaitCode(email, 3),
                        "password",
                        "another horse battery"))
                .expect(200);
        with(tokens, "GET", "").expect(401);
        signIn(project, device).expect(200);
    }
}
