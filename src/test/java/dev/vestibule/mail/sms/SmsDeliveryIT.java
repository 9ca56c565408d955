package dev.vestibule.mail.sms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.LoggedLines;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver.Received;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithSms;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How an SMS reaches the operator's endpoint, whatever happens to the endpoint and the nodes. */
@ExtendWith(WithServer.class)
class SmsDeliveryIT {
    private WithSms sms;

    SmsDeliveryIT(TestDatabase database) {
        this.sms = WithSms.start(database, Map.of("VESTIBULE_SMS_TIMEOUT_SECONDS", "1"));
    }

    @AfterEach
    void stop() {
        sms.close();
    }

    private TestProject project() {
        return sms.newProject();
    }

    private List<Received> awaitRequests(int count) {
        return sms.carrier().await(WithSms.PATH, count);
    }

    private void awaitEmptyOutbox() {
        Eventually.until("nothing waits", () -> sms.server().sql().count("SELECT count(*) FROM messages") == 0);
    }

    /** Waits until every attempt is recorded. */
    private void awaitPause() {
        Eventually.until(
                "the SMS is due again later",
                () -> sms.server()
                                .sql()
                                .count(
                                        "SELECT count(*) FROM messages WHERE queue = 'sms'"
                                                + " AND next_attempt_at <= ?::timestamptz + interval '3 seconds'",
                                        sms.clock().instant().toString())
                        == 1);
    }

    private double meter(String name) {
        return sms.server().metric(name);
    }

    private static HttpHeaders headers(Received request) {
        return HttpHeaders.of(
                request.headers().entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, header -> List.of(header.getValue()))),
                (name, value) -> true);
    }

    @Test
    void theEndpointGetsASignedRequestThatSaysWhatToSendToWhom() throws Exception {
        var project = project();
        var phone = WithSms.newNumber();
        project.post("/v1/auth/passwordless/sms-otp")
                .header("Accept-Language", "de")
                .json(Map.of("phone", phone))
                .expect(200);

        var request = awaitRequests(1).get(0);

        assertThat(request.header("content-type")).isEqualTo("application/json");
        var data = WithSms.data(request);
        var code = data.path("code").asText();
        assertThat(code).matches("[0-9]{6}");
        assertThat(data.path("to").asText()).isEqualTo(phone);
        assertThat(data.path("text").asText()).startsWith(code + " ist Ihr Code für A project.");
        assertThat(data.path("kind").asText()).isEqualTo("sign_in");
        assertThat(data.path("language").asText()).isEqualTo("de");
        assertThat(data.path("projectId").asText()).isEqualTo(project.id());
        assertThat(data.path("projectName").asText()).isEqualTo("A project");
        var library = new Webhook(WithSms.SECRET);
        var now = sms.clock().instant().getEpochSecond();
        assertThat(request.header("webhook-timestamp")).isEqualTo(Long.toString(now));
        library.verify(request.body(), headers(request));
        assertThatThrownBy(() -> library.verify(request.body() + " ", headers(request)))
                .isNotNull();
    }

    @Test
    void anSmsIsInTheNameOfTheBrandAndInTheProjectsLanguage() {
        var project = project();
        project.asOwner("PATCH", "").json(Map.of("locale", "ko")).expect(200);
        project.asOwner("PATCH", "/branding").json(Map.of("brandName", "Acme")).expect(200);

        var phone = WithSms.newNumber();
        sms.code(project, phone);

        assertThat(sms.to(phone).get(0).path("text").asText()).startsWith("Acme 코드");
    }

    @Test
    void anSmsHasTheTextThatItsProjectHasWritten() {
        var project = project();
        project.asOwner("PUT", "/message-texts/sms/en")
                .json(Map.of("text", "{{ brand }}: {{code}} 🚀"))
                .expect(200);

        var phone = WithSms.newNumber();
        var code = sms.code(project, phone);

        assertThat(sms.to(phone).get(0).path("text").asText()).isEqualTo("A project: " + code + " 🚀");
    }

    @Test
    void aFailedAttemptIsRetriedWithTheSameIdAndTheSameCode() {
        sms.carrier().answer(WithSms.PATH, 503, "later");
        var phone = WithSms.newNumber();
        var project = project();
        WithSms.ask(project, phone).expect(200);
        awaitRequests(1);
        awaitPause();
        sms.carrier().answer(WithSms.PATH, 200, "ok");
        sms.clock().advance(Duration.ofSeconds(3));

        var requests = awaitRequests(2);

        assertThat(requests)
                .extracting(request -> request.header("webhook-id"))
                .hasSize(2)
                .containsOnly(requests.get(0).header("webhook-id"));
        assertThat(sms.to(phone)).extracting(data -> data.path("code").asText()).containsOnly(sms.awaitCode(phone, 1));
        awaitEmptyOutbox();
        assertThat(meter("vestibule_sms_sent_total")).isEqualTo(1);
        assertThat(meter("vestibule_sms_failed_total")).isEqualTo(1);
        assertThat(meter("vestibule_sms_given_up_total")).isZero();
    }

    @Test
    void aRedirectIsNotFollowed() {
        sms.carrier()
                .answer(
                        WithSms.PATH,
                        request -> request.response()
                                .setStatusCode(307)
                                .putHeader("Location", sms.carrier().url("/elsewhere"))
                                .end());
        WithSms.ask(project(), WithSms.newNumber()).expect(200);
        awaitRequests(1);
        awaitPause();

        assertThat(sms.carrier().to("/elsewhere")).isEmpty();
    }

    @Test
    void anSmsThatTheEndpointRejectsIsNotRetried() {
        sms.carrier().answer(WithSms.PATH, 422, "no such number");
        WithSms.ask(project(), WithSms.newNumber()).expect(200);
        awaitRequests(1);
        awaitEmptyOutbox();

        sms.clock().advance(Duration.ofMinutes(2));
        assertThat(sms.carrier().to(WithSms.PATH)).hasSize(1);
        assertThat(meter("vestibule_sms_given_up_total")).isEqualTo(1);
    }

    @Test
    void anEndpointThatHangsDripsOrFloodsCostsOneAttemptsTimeAndNothingElse() {
        var project = project();
        sms.carrier().hang(WithSms.PATH);
        WithSms.ask(project, WithSms.newNumber()).expect(200);
        awaitRequests(1);
        awaitPause();
        assertThat(meter("vestibule_sms_failed_total")).isEqualTo(1);

        sms.carrier().flood(WithSms.PATH);
        sms.clock().advance(Duration.ofSeconds(3));
        awaitRequests(2);
        awaitEmptyOutbox(); // the status was a success, and nobody reads the body
        sms.carrier().drip(WithSms.PATH);
        WithSms.ask(project, WithSms.newNumber()).expect(200);
        awaitEmptyOutbox();
        project.signUp();
    }

    @Test
    void afterTenMinutesAnSmsIsDroppedAndItsNumberForgotten() {
        sms.carrier().answer(WithSms.PATH, 500, "");
        WithSms.ask(project(), WithSms.newNumber()).expect(200);
        awaitRequests(1);
        awaitPause();

        sms.clock().advance(Duration.ofMinutes(10));

        awaitEmptyOutbox();
        assertThat(sms.carrier().to(WithSms.PATH)).hasSize(1);
        assertThat(meter("vestibule_sms_given_up_total")).isEqualTo(1);
    }

    @Test
    void waitingSmsSurviveARestart() {
        sms.carrier().answer(WithSms.PATH, 500, "");
        var project = project();
        var phones =
                IntStream.range(0, 5).mapToObj(number -> WithSms.newNumber()).toList();
        phones.forEach(phone -> WithSms.ask(project, phone).expect(200));
        awaitRequests(5);
        sms.server().close();
        sms.carrier().answer(WithSms.PATH, 200, "");
        sms.clock().advance(Duration.ofMinutes(1));

        var restarted =
                TestServer.startOn(sms.server().databaseUrl(), WithSms.settings(sms.carrier(), Map.of()), sms.clock());
        sms = new WithSms(sms.carrier(), restarted, sms.clock());

        awaitEmptyOutbox();
        assertThat(phones).allSatisfy(phone -> assertThat(sms.to(phone)).hasSizeGreaterThanOrEqualTo(2));
    }

    /** The claim of a node that died while it was sending expires. */
    @Test
    void anSmsClaimedByADeadNodeIsSentByAnother() {
        var phone = WithSms.newNumber();
        var now = sms.clock().instant().toString();
        var project = project();
        sms.server()
                .sql()
                .update(
                        "WITH asked AS (INSERT INTO codes (project_id, subject_hash, purpose, message_id, signs_up,"
                                + " to_hosted_page, requested_at, window_start, requests) VALUES (?::uuid, 'hash',"
                                + " 'sms_sign_in', gen_random_uuid(), false, false, ?::timestamptz, '-infinity', 1)"
                                + " RETURNING *) INSERT INTO messages (project_id, id, queue, kind, recipient,"
                                + " subject_hash, language, created_at, attempts, next_attempt_at) SELECT project_id,"
                                + " message_id, 'sms', purpose, ?, subject_hash, 'en', requested_at, 1, requested_at"
                                + " + interval '40 seconds' FROM asked",
                        project.id(),
                        now,
                        phone);

        sms.clock().advance(Duration.ofSeconds(40));

        sms.awaitCode(phone, 1);
        awaitEmptyOutbox();
    }

    @Test
    void twoNodesSendEachSmsOnce() {
        try (var second = TestServer.startOn(
                sms.server().databaseUrl(), WithSms.settings(sms.carrier(), Map.of()), sms.clock())) {
            var project = project();
            var there = project.at(second);
            var phones = IntStream.range(0, 20)
                    .mapToObj(number -> WithSms.newNumber())
                    .toList();
            for (int i = 0; i < phones.size(); i++) {
                WithSms.ask(i % 2 == 0 ? project : there, phones.get(i)).expect(200);
            }
            awaitRequests(20);
            awaitEmptyOutbox();

            assertThat(phones).allSatisfy(phone -> assertThat(sms.to(phone)).hasSize(1));
        }
    }

    @Test
    void aNewRequestReplacesTheLastOne() {
        sms.carrier().answer(WithSms.PATH, 500, "");
        var project = project();
        var phone = WithSms.newNumber();
        WithSms.ask(project, phone).expect(200);
        awaitRequests(1);
        awaitPause();
        sms.carrier().answer(WithSms.PATH, 200, "");
        sms.passAMinute();
        WithSms.ask(project, phone).expect(200);
        Eventually.until(
                "the second message is sent",
                () -> sms.carrier().to(WithSms.PATH).stream()
                                .map(request -> request.header("webhook-id"))
                                .distinct()
                                .count()
                        == 2);
        awaitEmptyOutbox();
    }

    @Test
    void neitherANumberNorACodeReachesALog() {
        try (var log = new LoggedLines("dev.vestibule")) {
            sms.carrier().answer(WithSms.PATH, 500, "echo");
            var project = project();
            var phone = WithSms.newNumber();
            WithSms.ask(project, phone).expect(200);
            awaitRequests(1);
            awaitPause();
            sms.clock().advance(Duration.ofMinutes(10));
            awaitEmptyOutbox();

            Eventually.until("it is logged", () -> log.text().contains("Dropped SMS"));
            assertThat(log.text()).doesNotContain(phone.substring(3), " " + sms.awaitCode(phone, 1));
        }
    }

    @Test
    void theDatabaseHoldsNoCodeAndTheNumberNoLongerThanTheSmsWaits() {
        var project = project();
        var phone = WithSms.newNumber();
        var code = sms.code(project, phone);
        awaitEmptyOutbox();

        assertThat(sms.server().sql().texts("SELECT codes::text FROM codes"))
                .noneSatisfy(row -> assertThat(row).contains(phone.substring(1)))
                .noneSatisfy(row -> assertThat(row).contains("," + code));
    }
}
