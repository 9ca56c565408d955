package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.OauthBrowser;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Six digits are few: what bounds the guessing over many codes and over many accounts. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WrongCodeBudgetIT {
    private static final int PER_HOUR = 30;
    private static final Map<String, String> SETTINGS = Map.of(
            "VESTIBULE_LIMITS_WRONG_CODES_PER_HOUR",
            String.valueOf(PER_HOUR),
            "VESTIBULE_HTTP_TRUSTED_PROXIES",
            "127.0.0.1,::1");

    private static final String TRIES =
            "SELECT used FROM budgets WHERE project_id = ?::uuid AND kind = 'wrong_codes' AND scope = 'account'";

    private final WithMail mail;
    private final TestServer server;
    private final TestServer otherNode;

    WrongCodeBudgetIT(TestDatabase database) {
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

    private static Call verify(TestProject project, String email, String code, String network) {
        return project.post("/v1/auth/verify-email")
                .header("X-Forwarded-For", network)
                .json(Map.of("email", email, "code", code));
    }

    /** Each mail brings a code with five tries of its own. Returns the last, unused one. */
    private String useUpTheDay(TestProject project, String email) {
        var code = mail.signUp(project, email);
        for (int mails = 2; mails <= 5; mails++) {
            for (int i = 0; i < 5; i++) {
                verify(project, email, WithMail.anotherThan(code), "192.0.2." + i)
                        .expect(401);
            }
            mail.passAMinute();
            project.post("/v1/auth/resend-code").json(Map.of("email", email)).expect(200);
            code = mail.mailbox().awaitCode(email, mails);
        }
        return code;
    }

    @Test
    void twentyWrongCodesADayAreAllThatAnAccountTakesWhateverCodesItHad() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var code = useUpTheDay(project, email);

        var refused = verify(project, email, code, "192.0.2.99").expect(429);
        assertThat(Integer.parseInt(refused.header("Retry-After").orElseThrow()))
                .isBetween(86_000, 86_400);
        assertThat(refused.header("RateLimit-Policy").orElseThrow()).contains("wrong-codes");

        mail.clock().advance(Duration.ofDays(1));
        project.post("/v1/auth/resend-code").json(Map.of("email", email)).expect(200);
        verify(project, email, mail.mailbox().awaitCode(email, 6), "192.0.2.99").expect(200);
    }

    /** Anybody can sign up with the address again, and again. */
    @Test
    void deletingAnUnprovenAccountGivesNoNewTries() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        useUpTheDay(project, email);
        var user = server.sql()
                .texts("SELECT id::text FROM users WHERE email = ?", email)
                .get(0);
        project.manage("DELETE", "/v1/dashboard/users/" + user).expect(200);
        mail.passAMinute();
        project.post("/v1/auth/signup")
                .json(Map.of("email", email, "password", TestProject.PASSWORD))
                .expect(201);

        verify(project, email, mail.mailbox().awaitCode(email, 6), "192.0.2.99").expect(429);
    }

    @Test
    void supportRenewsTheDayOfAnAccountByAnUnlock() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var code = useUpTheDay(project, email);
        verify(project, email, code, "192.0.2.99").expect(429);
        var user = server.sql()
                .texts("SELECT id::text FROM users WHERE email = ?", email)
                .get(0);

        project.manage("POST", "/v1/dashboard/users/" + user + "/unlock").expect(200);

        verify(project, email, code, "192.0.2.99").expect(200);
    }

    @Test
    void guessingOverManyAccountsAndNodesStopsWhenTheProjectsBudgetIsSpent() {
        var project = mail.strictProject();
        var attacker = "198.51.100.7";
        for (int i = 0; i < PER_HOUR; i++) {
            var node = project.at(i % 2 == 0 ? server : otherNode);
            verify(node, TestServer.newEmail(), "000000", attacker).expect(401);
        }

        for (var node : new TestServer[] {server, otherNode}) {
            var refused = verify(project.at(node), TestServer.newEmail(), "000000", attacker)
                    .expect(429);
            assertThat(Integer.parseInt(refused.header("Retry-After").orElseThrow()))
                    .isBetween(1, 3600);
        }
        var email = TestServer.newEmail();
        verify(project, email, mail.signUp(project, email), attacker).expect(429);
        mail.clock().advance(Duration.ofHours(1));
        verify(project, TestServer.newEmail(), "000000", attacker).expect(401);
    }

    /** Otherwise an attacker could keep every user of a project from verifying. */
    @Test
    void aSpentBudgetKeepsNobodyOutWhoseNetworkTriedNoWrongCode() {
        var project = mail.strictProject();
        for (int i = 0; i < PER_HOUR; i++) {
            verify(project, TestServer.newEmail(), "000000", "198.51.100.8").expect(401);
        }
        var email = TestServer.newEmail();
        var code = mail.signUp(project, email);

        var honest = "203.0.113.5";
        var another = mail.strictProject();
        verify(another, TestServer.newEmail(), "000000", "198.51.100.8").expect(401);
        verify(project, email, WithMail.anotherThan(code), "203.0.113.6").expect(401);
        verify(project, email, code, "203.0.113.6").expect(429);
        verify(project, email, code, honest).expect(200);
    }

    /** Nobody needs an account, or has to have anything sent, to type them. */
    @Test
    void wrongCodesOfDevicesKeepNobodyFromVerifyingAnEmail() {
        var project = mail.strictProject();
        var page = "/p/" + project.asOwner("GET", "").expect(200).text("slug") + "/device";
        for (int i = 0; i < PER_HOUR; i += 5) {
            var browser = new OauthBrowser(project);
            browser.get(page);
            for (int tries = 0; tries < 5; tries++) {
                assertThat(browser.submit("device", Map.of("code", "BBBB-BBBB")).statusCode())
                        .isEqualTo(400);
            }
        }
        var email = TestServer.newEmail();
        var code = mail.signUp(project, email);

        verify(project, email, WithMail.anotherThan(code), "203.0.113.6").expect(401);
        verify(project, email, code, "203.0.113.6").expect(200);
    }

    /** Otherwise each of the 65,536 networks in a /48 would have a guess of its own. */
    @Test
    void networksOfOneIpv6SiteHaveOneTryTogetherWhenTheBudgetIsSpent() {
        var project = mail.strictProject();
        for (int i = 0; i < PER_HOUR; i++) {
            verify(project, TestServer.newEmail(), "000000", "198.51.100.9").expect(401);
        }

        verify(project, TestServer.newEmail(), "000000", "2001:db8:7:1::1").expect(401);
        verify(project, TestServer.newEmail(), "000000", "2001:db8:7:ffff::1").expect(429);
        verify(project, TestServer.newEmail(), "000000", "2001:db8:8:1::1").expect(401);
    }

    /** Otherwise anyone could keep an owner from verifying with 20 requests a day, and no mail would tell of it. */
    @Test
    void wrongCodesOfStrangersDoNotUseUpTheDayOfAnAccountThatAskedForNoCode() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        mail.signUp(project, email);
        mail.clock().advance(Duration.ofMinutes(11));
        for (int i = 0; i < 25; i++) {
            verify(project, email, "000000", "192.0.2." + i).expect(401);
        }

        project.post("/v1/auth/resend-code").json(Map.of("email", email)).expect(200);
        verify(project, email, mail.mailbox().awaitCode(email, 2), "192.0.2.99").expect(200);
    }

    @Test
    void ofAHundredGuessesAtOnceNoMoreThanTheTriesOfTheCodeCount() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        mail.signUp(project, email);

        var answers = Parallel.send(100, number -> {
            var node = project.at(number % 2 == 0 ? server : otherNode);
            return verify(node, email, "%06d".formatted(number), "192.0.2." + number);
        });

        assertThat(answers).extracting(Response::status).doesNotContain(500);
        assertThat(server.sql().count(TRIES, project.id())).isEqualTo(5);
    }

    @Test
    void anUnknownEmailIsCountedAndAnsweredLikeAKnownOne() {
        var project = mail.strictProject();
        var known = TestServer.newEmail();
        var code = mail.signUp(project, known);
        var unknown = TestServer.newEmail();
        project.post("/v1/auth/resend-code").json(Map.of("email", unknown)).expect(200);

        for (int mails = 2; mails <= 6; mails++) {
            for (int i = 0; i < 6; i++) {
                var host = 10 * mails + i;
                var one = verify(project, known, WithMail.anotherThan(code), "192.0.2." + host)
                        .send();
                var other =
                        verify(project, unknown, "000000", "198.51.100." + host).send();
                var isDayOver = mails == 6 || (mails == 5 && i == 5); // the sixth of each mail does not count
                assertThat(one.status()).isEqualTo(other.status()).isEqualTo(isDayOver ? 429 : 401);
                assertThat(one.body()).isEqualTo(other.body());
            }
            mail.passAMinute();
            for (var email : List.of(known, unknown)) {
                project.post("/v1/auth/resend-code")
                        .json(Map.of("email", email))
                        .expect(200);
            }
            code = mail.mailbox().awaitCode(known, mails);
        }
    }

    /**
     * Otherwise an address without an account would have fewer tries, and the budget would reveal which addresses have
     * one.
     */
    @Test
    void triesBeforeAMailArrivesAreTriesOfItsCode() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        mail.signUp(project, email);
        mail.passAMinute();
        Eventually.until("the SMTP server has said so", () -> server.sql().count("SELECT count(*) FROM messages") == 0);
        mail.mailbox().goAway();
        project.post("/v1/auth/resend-code").json(Map.of("email", email)).expect(200);
        for (int i = 0; i < 5; i++) {
            verify(project, email, "000000", "192.0.2." + i).expect(401);
        }
        mail.mailbox().comeBack();
        mail.clock().advance(Duration.ofMinutes(2));

        verify(project, email, mail.mailbox().awaitCode(email, 2), "192.0.2.9").expect(401);
        assertThat(server.sql().count(TRIES, project.id())).isEqualTo(5);
    }

    @Test
    void rightCodesWriteNoCountAndADeletedUserLeavesNone() {
        var rows = "SELECT count(*) FROM budgets"
                + " WHERE project_id = ?::uuid AND kind = 'wrong_codes' AND scope IN ('account', 'known')";
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var user =
                verify(project, email, mail.signUp(project, email), "192.0.2.1").expect(200);
        assertThat(server.sql().count(rows, project.id())).isZero();

        verify(project, email, "000000", "192.0.2.1").expect(401);
        assertThat(server.sql().count(rows, project.id())).isEqualTo(2);
        project.manage("DELETE", "/v1/dashboard/users/" + user.text("user/id")).expect(200);
        assertThat(server.sql().count(rows, project.id())).isZero();
    }
}
