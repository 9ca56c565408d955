package dev.vestibule.mail.sms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithSms;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What SMS can cost at most, on all nodes together. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SmsBudgetIT {
    private static final Map<String, String> SETTINGS = Map.of(
            "VESTIBULE_SMS_PER_NUMBER_PER_DAY", "3",
            "VESTIBULE_SMS_PER_NETWORK_PER_DAY", "5",
            "VESTIBULE_SMS_PER_PROJECT_PER_DAY", "8",
            "VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1,::1");

    private final WithSms sms;
    private final TestServer otherNode;

    SmsBudgetIT(TestDatabase database) {
        sms = WithSms.start(database, SETTINGS);
        otherNode =
                TestServer.startOn(sms.server().databaseUrl(), WithSms.settings(sms.carrier(), SETTINGS), sms.clock());
    }

    @AfterAll
    void stop() {
        otherNode.close();
        sms.close();
    }

    private static Call ask(TestProject project, String phone, String network) {
        return WithSms.ask(project, phone).header("X-Forwarded-For", network);
    }

    private double meter(TestServer node, String name) {
        return node.metric(name);
    }

    @Test
    void aNumberGetsSoManyADayFromWhateverNetworkAndForWhateverPurpose() {
        var project = sms.newProject();
        var phone = WithSms.newNumber();
        ask(project, phone, "192.0.2.1").expect(200);
        sms.passAMinute();
        ask(project.at(otherNode), phone, "192.0.2.2").expect(200);
        sms.passAMinute();
        WithSms.askForOwn(project, project.signUp().accessToken(), phone).expect(200);

        var refused = ask(project, phone, "192.0.2.4").expect(429);

        assertThat(Integer.parseInt(refused.header("Retry-After").orElseThrow()))
                .isBetween(86_000, 86_400);
        assertThat(refused.header("RateLimit-Policy").orElseThrow()).contains("sms");
        ask(project, WithSms.newNumber(), "192.0.2.4").expect(200);
        sms.clock().advance(Duration.ofDays(1));
        ask(project, phone, "192.0.2.4").expect(200);
    }

    @Test
    void aSecondRequestWithinAMinuteSendsAndCountsNothing() {
        var project = sms.newProject();
        var phone = WithSms.newNumber();
        var first = ask(project, phone, "192.0.2.1").expect(200).body();
        sms.awaitCode(phone, 1);
        for (int i = 0; i < 10; i++) {
            assertThat(ask(project, phone, "192.0.2.1").expect(200).body()).isEqualTo(first);
        }
        sms.passAMinute();
        ask(project, phone, "192.0.2.1").expect(200);
        sms.awaitCode(phone, 2);

        assertThat(sms.to(phone)).hasSize(2);
    }

    @Test
    void aNetworkAsksForSoManyADayWhateverTheNumbers() {
        var project = sms.newProject();
        for (int i = 0; i < 5; i++) {
            ask(project, WithSms.newNumber(), "2001:db8:1:" + i + "::1").expect(200); // one /48
        }

        ask(project, WithSms.newNumber(), "2001:db8:1:ffff::1").expect(429);
        ask(project, WithSms.newNumber(), "2001:db8:2::1").expect(200);
    }

    @Test
    void aProjectSendsSoManyADayAndSaysThatItHasSpentThem() {
        var project = sms.newProject();
        var spent = "vestibule_sms_project_budgets_spent_total";
        var before = meter(sms.server(), spent) + meter(otherNode, spent);

        var answers = Parallel.send(
                40,
                number -> ask(
                        number % 2 == 0 ? project : project.at(otherNode), WithSms.newNumber(), "192.0.2." + number));

        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(8);
        assertThat(answers).filteredOn(answer -> answer.status() == 429).hasSize(32);
        assertThat(meter(sms.server(), spent) + meter(otherNode, spent)).isEqualTo(before + 1);
        ask(sms.newProject(), WithSms.newNumber(), "192.0.2.1").expect(200);
        sms.clock().advance(Duration.ofDays(1));
        ask(project, WithSms.newNumber(), "192.0.2.1").expect(200);
    }

    @Test
    void aRefusedRequestUsesUpNothing() {
        var project = sms.newProject();
        for (int i = 0; i < 5; i++) {
            ask(project, WithSms.newNumber(), "198.51.100.1").expect(200);
        }
        var phone = WithSms.newNumber();
        for (int i = 0; i < 5; i++) {
            ask(project, phone, "198.51.100.1").expect(429);
        }

        for (int i = 0; i < 3; i++) {
            ask(project, phone, "198.51.100.2").expect(200);
            sms.passAMinute();
        }
        assertThat(sms.server()
                        .sql()
                        .count(
                                "SELECT used FROM budgets WHERE project_id = ?::uuid AND kind = 'sms' AND scope = 'project'",
                                project.id()))
                .isEqualTo(8);
    }

    @Test
    void aNumberWithoutAnAccountCountsLikeOneWithAnAccount() {
        var project = sms.newProject();
        project.asOwner("PATCH", "").json(Map.of("passwordlessSignUp", false)).expect(200);
        var phone = WithSms.newNumber();
        for (int i = 0; i < 3; i++) {
            ask(project, phone, "192.0.2.1").expect(200);
            sms.passAMinute();
        }

        ask(project, phone, "192.0.2.1").expect(429);
    }
}
