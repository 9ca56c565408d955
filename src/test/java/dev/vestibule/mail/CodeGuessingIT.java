package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many at once get no more than one after the other would. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CodeGuessingIT {
    private static final String TRIES = "SELECT tries FROM codes WHERE project_id = ?::uuid AND purpose = ?";

    private final WithMail mail;

    CodeGuessingIT(TestDatabase database) {
        mail = WithMail.start(database);
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    @Test
    void onlyFiveOfAHundredSimultaneousGuessesCount() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var code = Integer.parseInt(mail.signUp(project, email));

        var wrong = Parallel.send(
                100,
                number -> project.post("/v1/auth/verify-email")
                        .json(Map.of("email", email, "code", "%06d".formatted((code + 1 + number) % 1_000_000))));

        assertThat(wrong).extracting(Response::status).containsOnly(401);
        assertThat(mail.server().sql().count(TRIES, project.id(), "verification"))
                .isEqualTo(100);
        project.post("/v1/auth/verify-email")
                .json(Map.of("email", email, "code", "%06d".formatted(code)))
                .expect(401);
    }

    /** The right code is accepted only if it is among the first five to lock the row. */
    @Test
    void aHundredSimultaneousGuessesDoNotFindTheCode() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var code = Integer.parseInt(mail.signUp(project, email));
        for (int i = 1; i <= 5; i++) {
            project.post("/v1/auth/verify-email")
                    .json(Map.of("email", email, "code", "%06d".formatted((code + i) % 1_000_000)))
                    .expect(401);
        }

        var all = Parallel.send(
                100,
                number -> project.post("/v1/auth/verify-email")
                        .json(Map.of("email", email, "code", "%06d".formatted((code + number) % 1_000_000))));

        assertThat(all).extracting(Response::status).containsOnly(401);
    }

    @Test
    void onlyOneOfFiftySimultaneousVerificationsSucceeds() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var code = mail.signUp(project, email);

        var answers = Parallel.send(
                50, number -> project.post("/v1/auth/verify-email").json(Map.of("email", email, "code", code)));

        assertThat(answers).extracting(Response::status).containsOnly(200, 401);
        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        assertThat(mail.server().sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id()))
                .isEqualTo(1);
    }

    @Test
    void onlyOneOfFiftySimultaneousResetsSucceeds() {
        var project = mail.server().newProject();
        var email = TestServer.newEmail();
        project.signUp(email);
        mail.mailbox().await(email, 1);
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        var code = mail.mailbox().awaitCode(email, 2);

        var answers = Parallel.send(
                50,
                number -> project.post("/v1/auth/password/reset")
                        .json(Map.of("email", email, "code", code, "password", "new password " + number)));

        assertThat(answers).extracting(Response::status).containsOnly(200, 401);
        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        var winner = answers.stream().map(Response::status).toList().indexOf(200);
        project.trySignIn(email, "new password " + winner).expect(200);
    }
}
