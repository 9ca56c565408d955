package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** How many mails anybody can have sent at most, on all nodes together. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MailBudgetIT {
    private static final Map<String, String> SETTINGS = Map.of(
            "VESTIBULE_MAIL_PER_ADDRESS_PER_DAY", "3",
            "VESTIBULE_MAIL_PER_NETWORK_PER_DAY", "5",
            "VESTIBULE_MAIL_PER_PROJECT_PER_DAY", "8",
            "VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1,::1");
    private static final String HOME = "203.0.113.1";
    private static final String REFUSED_BY_NETWORK = "vestibule_mail_refused_total{budget=\"network\"";

    private final TestDatabase database;
    private final WithMail mail;
    private final TestServer server;
    private final TestServer otherNode;
    private TestProject project;

    MailBudgetIT(TestDatabase database) {
        this.database = database;
        mail = WithMail.start(database, SETTINGS);
        server = mail.server();
        var settings = new HashMap<>(mail.mailbox().settings());
        settings.putAll(SETTINGS);
        otherNode = TestServer.startOn(server.databaseUrl(), settings, mail.clock());
    }

    @AfterAll
    void stop() {
        otherNode.close();
        mail.close();
    }

    @BeforeEach
    void newProject() {
        project = server.newProject();
    }

    private static Call ask(TestProject project, String path, String email, String network) {
        return project.post("/v1/auth/" + path)
                .header("X-Forwarded-For", network)
                .json(Map.of("email", email));
    }

    private static Call ask(TestProject project, String email, String network) {
        return ask(project, "passwordless/email-otp", email, network);
    }

    private static Call forgot(TestProject project, String email, String network) {
        return ask(project, "password/forgot", email, network);
    }

    /** The application's own server asks, and may know. */
    private Call askOnServer() {
        return project.manage("POST", "/v1/backend/passwordless/send").json(Map.of("email", TestServer.newEmail()));
    }

    /** The requests that no budget held back, each for another address. */
    private long queued() {
        return server.sql().count("SELECT count(*) FROM codes WHERE project_id = ?::uuid", project.id());
    }

    private static Call signUp(TestProject project, String email, String network) {
        return project.post("/v1/auth/signup")
                .header("X-Forwarded-For", network)
                .json(Map.of("email", email, "password", TestProject.PASSWORD));
    }

    private void spendTheProject() {
        for (int i = 0; i < 8; i++) {
            ask(project, TestServer.newEmail(), "192.0.2." + i).expect(200);
        }
    }

    /** A user whose email the application has proved, so that no mail is sent. */
    private String newUser() {
        var email = TestServer.newEmail();
        project.manage("POST", "/v1/backend/users")
                .json(Map.of("email", email, "password", TestProject.PASSWORD, "emailVerified", true))
                .expect(201);
        return email;
    }

    private String newUserAtHome() {
        var email = newUser();
        project.post("/v1/auth/signin")
                .header("X-Forwarded-For", HOME)
                .json(Map.of("email", email, "password", TestProject.PASSWORD))
                .expect(200);
        return email;
    }

    private void awaitSent() {
        Eventually.until("all mails are sent", () -> server.sql().count("SELECT count(*) FROM messages") == 0);
    }

    private double meter(String name) {
        var sum = 0.0;
        for (var node : new TestServer[] {server, otherNode}) {
            sum += node.metric(name);
        }
        return sum;
    }

    @Test
    void aNetworkAsksForSoManyADayWhateverTheAddressesAndPurposes() {
        for (int i = 0; i < 3; i++) {
            ask(project, TestServer.newEmail(), "2001:db8:1:" + i + "::1").expect(200); // one /48
        }
        signUp(project, TestServer.newEmail(), "2001:db8:1:9::1").expect(201);
        forgot(project.at(otherNode), TestServer.newEmail(), "2001:db8:1:8::1").expect(200);

        var before = meter(REFUSED_BY_NETWORK);
        ask(project, TestServer.newEmail(), "2001:db8:1:ffff::1").expect(200);
        forgot(project, TestServer.newEmail(), "2001:db8:1::1").expect(200);
        assertThat(queued()).isEqualTo(5);
        assertThat(meter(REFUSED_BY_NETWORK)).isEqualTo(before + 2);
        ask(project, TestServer.newEmail(), "2001:db8:2::1").expect(200);
        assertThat(queued()).isEqualTo(6);
        mail.clock().advance(Duration.ofDays(1));
        ask(project, TestServer.newEmail(), "2001:db8:1::1").expect(200);
        assertThat(meter(REFUSED_BY_NETWORK)).isEqualTo(before + 2);
    }

    @Test
    void aProjectSendsSoManyADayAndSaysThatItHasSpentThem() {
        var spent = "vestibule_mail_project_budgets_spent_total";
        var before = meter(spent);
        var answers = Parallel.send(
                40,
                number -> ask(
                        number % 2 == 0 ? project : project.at(otherNode), TestServer.newEmail(), "192.0.2." + number));

        assertThat(answers).extracting(Response::status).containsOnly(200);
        assertThat(queued()).isEqualTo(8);
        assertThat(meter(spent)).isEqualTo(before + 1);
        var refused = askOnServer().expect(429);
        assertThat(Integer.parseInt(refused.header("Retry-After").orElseThrow()))
                .isBetween(86_000, 86_400);
        assertThat(refused.header("RateLimit-Policy").orElseThrow()).contains("mails");
        mail.clock().advance(Duration.ofDays(1));
        askOnServer().expect(200);
    }

    /** Or one network alone could spend what all people of a project have. */
    @Test
    void whatIsRefusedUsesUpNothingOfTheProject() {
        for (int i = 0; i < 50; i++) {
            ask(project, TestServer.newEmail(), "198.51.100.1").expect(200);
        }
        assertThat(queued()).isEqualTo(5);
        for (int i = 0; i < 4; i++) {
            ask(project, TestServer.newEmail(), "198.51.100.2").expect(200);
        }
        assertThat(queued()).isEqualTo(8);
    }

    @Test
    void anAddressWithoutAnAccountGetsSoManyADayAndNobodyIsToldThatItGetsNoMore() {
        var email = TestServer.newEmail();
        for (int i = 0; i < 5; i++) {
            var known = ask(project, email, "192.0.2." + i).expect(200);
            assertThat(known.body()).contains("is on its way");
            awaitSent();
            mail.passAMinute();
        }
        assertThat(mail.mailbox().to(email)).hasSize(3);
        mail.clock().advance(Duration.ofDays(1));
        ask(project, email, "192.0.2.1").expect(200);
        mail.mailbox().await(email, 4);
    }

    /** Someone signs up with it, and asks for one code after the other. */
    @Test
    void anAddressThatNobodyHasProvedGetsSoManyADay() {
        var email = TestServer.newEmail();
        signUp(project, email, "192.0.2.1").expect(201);
        mail.mailbox().await(email, 1);
        for (int i = 0; i < 4; i++) {
            mail.passAMinute();
            project.post("/v1/auth/resend-code")
                    .header("X-Forwarded-For", "192.0.2." + i)
                    .json(Map.of("email", email))
                    .expect(200);
            awaitSent();
        }
        assertThat(mail.mailbox().to(email)).hasSize(3);
    }

    /** They would have no budget left after three requests of strangers. */
    @Test
    void anOwnerHasNoSuchBudget() {
        var email = newUser();
        for (int i = 0; i < 5; i++) {
            ask(project, email, "192.0.2." + i).expect(200);
            awaitSent();
            mail.passAMinute();
        }
        assertThat(mail.mailbox().to(email)).hasSize(5);
    }

    @Test
    void aFloodOfStrangersKeepsNoCodeAndNoResetFromAnOwnerAtHome() {
        var email = newUserAtHome();
        spendTheProject();
        var before = mail.mailbox().to(email).size();
        ask(project, email, "192.0.2.99").expect(200);

        ask(project, email, HOME).expect(200);
        mail.mailbox().await(email, before + 1);
        forgot(project, email, HOME).expect(200);
        mail.mailbox().await(email, before + 2);
        awaitSent();
        assertThat(mail.mailbox().to(email)).hasSize(before + 2);
    }

    /** The own budgets of a network that an account knows would otherwise tell who signed in from there. */
    @Test
    void aSpentBudgetTellsNoNeighbourWhoseAccountKnowsTheNetwork() {
        var known = newUserAtHome();
        var unknown = TestServer.newEmail();
        for (int i = 0; i < 5; i++) {
            ask(project, TestServer.newEmail(), HOME).expect(200);
        }
        for (var path :
                List.of("passwordless/email-otp", "passwordless/magic-link", "password/forgot", "resend-code")) {
            var answer = ask(project, path, known, HOME).expect(200);
            assertThat(ask(project, path, unknown, HOME).expect(200).body()).isEqualTo(answer.body());
        }
        awaitSent();
        assertThat(mail.mailbox().to(unknown)).isEmpty();
    }

    @Test
    void aFloodOfStrangersKeepsNoNoticeFromAnOwner() {
        var email = newUser();
        var owner = project.post("/v1/auth/signin")
                .header("X-Forwarded-For", HOME)
                .json(Map.of("email", email, "password", TestProject.PASSWORD))
                .expect(200);
        spendTheProject();
        var before = mail.mailbox().to(email).size();
        project.api()
                .post("/v1/auth/password/change")
                .bearer(owner.accessToken())
                .json(Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "another horse battery"))
                .expect(200);
        mail.mailbox().await(email, before + 1);
    }

    @Test
    void networksThatAccountsKnowHaveABudgetTooAndNoneWithout() {
        var emails = new String[] {newUserAtHome(), newUserAtHome(), newUserAtHome()};
        for (int i = 0; i < 5; i++) {
            ask(project, emails[i % 3], HOME).expect(200);
            mail.passAMinute();
        }
        var before = meter(REFUSED_BY_NETWORK);
        ask(project, emails[0], HOME).expect(200);
        assertThat(meter(REFUSED_BY_NETWORK)).isEqualTo(before + 1);
        ask(project, emails[0], "192.0.2.1").expect(200);
        assertThat(meter(REFUSED_BY_NETWORK)).isEqualTo(before + 1);
    }

    @Test
    void aSignUpThatNeedsNoMailGoesOnWithoutOneAndOneThatDoesIsRefused() {
        spendTheProject();
        signUp(project, TestServer.newEmail(), "192.0.2.50").expect(201);

        project = mail.strictProject();
        spendTheProject();
        signUp(project, TestServer.newEmail(), "192.0.2.50").expect(429);
    }

    @Test
    void aRightPasswordIsAnsweredAsUsualThoughNoCodeIsMailed() {
        var strict = mail.strictProject();
        var email = TestServer.newEmail();
        signUp(strict, email, "192.0.2.1").expect(201);
        for (int i = 0; i < 7; i++) {
            ask(strict, TestServer.newEmail(), "198.51.100." + i).expect(200);
        }
        assertThat(strict.trySignIn(email, TestProject.PASSWORD).expect(200).text("needsVerification"))
                .isEqualTo("true");
    }

    @Test
    void withoutLimitsThereAreNoBudgets() {
        var settings = new HashMap<>(mail.mailbox().settings());
        settings.putAll(SETTINGS);
        settings.put("VESTIBULE_LIMITS_ENABLED", "false");
        try (var unlimited = TestServer.start(database, settings, mail.clock())) {
            var free = unlimited.newProject();
            for (int i = 0; i < 20; i++) {
                ask(free, TestServer.newEmail(), "192.0.2.1").expect(200);
            }
        }
    }
}
