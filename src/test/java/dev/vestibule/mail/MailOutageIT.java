package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** While the SMTP server or the node is down, no mail is lost and none is sent twice. */
@ExtendWith(WithServer.class)
class MailOutageIT {
    private static final int MANY = 20;

    private final TestMailbox mailbox = TestMailbox.stopped();
    private final TestClock clock = new TestClock();
    private TestServer server;

    MailOutageIT(TestDatabase database) {
        this.server = TestServer.start(database, mailbox.settings(), clock);
    }

    @AfterEach
    void stop() {
        server.close();
        mailbox.close();
    }

    private List<String> signUpMany(TestProject project) {
        return IntStream.range(0, MANY)
                .mapToObj(number -> project.signUp().text("user/email"))
                .toList();
    }

    /** A project whose owner has no waiting mails. */
    private TestProject newProject(TestServer of) {
        var project = of.newProject();
        awaitAttempts(1);
        clock.advance(Duration.ofMinutes(1));
        Eventually.until("the mail to the verified owner is dropped", () -> waiting() == 0);
        return project;
    }

    private long waiting() {
        return server.sql().count("SELECT count(*) FROM messages");
    }

    /** Also waits until no attempt is in progress: its lease would be longer than a pause. */
    private void awaitAttempts(int count) {
        Eventually.until(
                "each was tried " + count + " times",
                () -> server.sql()
                                .count(
                                        "SELECT count(*) FROM messages WHERE attempts < ?"
                                                + " OR next_attempt_at > ?::timestamptz + interval '30 seconds'",
                                        count,
                                        clock.instant().toString())
                        == 0);
    }

    private void verify(TestProject project, String email) {
        project.post("/v1/auth/verify-email")
                .json(Map.of("email", email, "code", mailbox.awaitCode(email)))
                .expect(200);
    }

    @Test
    void aMailThatWaitedForTheSmtpServerArrivesOnceWithAValidCode() {
        var project = newProject(server);
        var failed = meter("vestibule_mail_failed_total");
        var emails = signUpMany(project);
        awaitAttempts(1);
        clock.advance(Duration.ofSeconds(10));
        awaitAttempts(2);
        assertThat(waiting()).isEqualTo(MANY);

        mailbox.comeBack();
        clock.advance(Duration.ofHours(2));
        Eventually.until("the outbox is empty", () -> waiting() == 0);

        assertThat(emails).allSatisfy(email -> assertThat(mailbox.to(email)).hasSize(1));
        verify(project, emails.get(0));
        verify(project, emails.get(MANY - 1));
        Eventually.until("all are counted as sent", () -> meter("vestibule_mail_sent_total") == MANY);
        assertThat(meter("vestibule_mail_failed_total") - failed).isEqualTo(2 * MANY);
        assertThat(meter("vestibule_mail_given_up_total")).isZero();
        Eventually.until("the metric shows no waiting mail", () -> meter("vestibule_mail_waiting") == 0);
    }

    @Test
    void waitingMailsSurviveARestart() {
        var project = newProject(server);
        var emails = signUpMany(project);
        awaitAttempts(1);
        var databaseUrl = server.databaseUrl();
        server.close();
        mailbox.comeBack();
        clock.advance(Duration.ofMinutes(1));

        server = TestServer.startOn(databaseUrl, mailbox.settings(), clock);

        Eventually.until("the outbox is empty", () -> waiting() == 0);
        assertThat(emails).allSatisfy(email -> assertThat(mailbox.to(email)).hasSize(1));
        verify(project.at(server), emails.get(0));
    }

    @Test
    void twoNodesShareTheMails() {
        try (var second = TestServer.startOn(server.databaseUrl(), mailbox.settings(), clock)) {
            var project = newProject(second);
            var emails = signUpMany(project);
            awaitAttempts(1);
            mailbox.comeBack();
            clock.advance(Duration.ofMinutes(1));

            Eventually.until("the outbox is empty", () -> waiting() == 0);
            assertThat(emails).allSatisfy(email -> assertThat(mailbox.to(email)).hasSize(1));
        }
    }

    /** The claim of a node that died while it was sending a mail expires. */
    @Test
    void aMailClaimedByADeadNodeIsSentByAnother() {
        mailbox.comeBack();
        var project = newProject(server);
        var email = project.signUp().text("user/email");
        mailbox.await(email, 1);
        server.sql()
                .update(
                        "INSERT INTO messages (project_id, id, queue, kind, recipient, subject_hash, language, created_at,"
                                + " attempts, next_attempt_at) SELECT project_id, gen_random_uuid(), 'codes', purpose, ?,"
                                + " subject_hash, 'en', ?::timestamptz, 1, ?::timestamptz + interval '90 seconds'"
                                + " FROM codes WHERE project_id = ?::uuid",
                        email,
                        clock.instant().toString(),
                        clock.instant().toString(),
                        project.id());

        clock.advance(Duration.ofSeconds(90));

        mailbox.await(email, 2);
    }

    @Test
    void aMailIsDroppedAfterADay() {
        var email = newProject(server).signUp().text("user/email");
        awaitAttempts(1);
        clock.advance(Duration.ofHours(24).minusSeconds(1));
        awaitAttempts(2);
        assertThat(waiting()).isEqualTo(1);

        clock.advance(Duration.ofHours(1));

        Eventually.until("the outbox is empty", () -> waiting() == 0);
        Eventually.until("it is counted as given up", () -> meter("vestibule_mail_given_up_total") == 1);
        mailbox.comeBack();
        assertThat(mailbox.to(email)).isEmpty();
    }

    @Test
    void aMailToAnUnusableAddressIsDroppedAtOnce() {
        mailbox.comeBack();

        newProject(server).signUp("\"two words\"@example.com");

        Eventually.until("it is given up", () -> meter("vestibule_mail_given_up_total") == 1);
        Eventually.until("the outbox is empty", () -> waiting() == 0);
    }

    private double meter(String name) {
        return server.metric(name);
    }
}
