package dev.vestibule.authentication.phone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithSms;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A signed-in user proves that a number is theirs. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PhoneVerificationIT {
    private final TestMailbox mailbox = TestMailbox.start();
    private final WithSms sms;
    private TestProject project;
    private String phone = "";

    PhoneVerificationIT(TestDatabase database) {
        this.sms = WithSms.start(database, mailbox.settings());
        this.project = sms.newProject();
    }

    @BeforeEach
    void fresh() {
        project = sms.newProject();
        phone = WithSms.newNumber();
    }

    @AfterAll
    void stop() {
        sms.close();
        mailbox.close();
    }

    private boolean isVerified(String accessToken) {
        var me = project.me(accessToken).expect(200);
        return me.json().path("phoneVerified").asBoolean() && phone.equals(me.text("phone"));
    }

    @Test
    void aRightCodeVerifiesTheNumberAndIsReported() {
        var user = project.signUp();
        assertThat(WithSms.askForOwn(project, user.accessToken(), phone)
                        .expect(200)
                        .json()
                        .path("sent")
                        .asBoolean())
                .isTrue();
        var code = sms.awaitCode(phone, 1);
        assertThat(sms.to(phone).get(0).path("kind").asText()).isEqualTo("phone");
        assertThat(isVerified(user.accessToken())).isFalse();

        var changed =
                WithSms.verifyOwn(project, user.accessToken(), phone, code).expect(200);

        assertThat(changed.text("phone")).isEqualTo(phone);
        assertThat(changed.json().path("phoneVerified").asBoolean()).isTrue();
        assertThat(isVerified(user.accessToken())).isTrue();
        assertThat(sms.server()
                        .sql()
                        .count(
                                "SELECT count(*) FROM audit_log WHERE event = 'auth.phone.verified'"
                                        + " AND project_id = ?::uuid",
                                project.id()))
                .isEqualTo(1);
        WithSms.askForOwn(project, user.accessToken(), phone).expect(422);
        WithSms.verifyOwn(project, user.accessToken(), phone, code).expect(401);
    }

    @Test
    void theUserReadsInAMailThatANumberWasVerifiedAndUndoesItByThat() {
        var email = TestServer.newEmail();
        var user = project.signUp(email);
        mailbox.await(email, 1);
        sms.server().sql().update("UPDATE users SET email_verified = true WHERE email = ?", email);
        sms.own(project, user.accessToken(), phone);
        var notice = TestMailbox.text(mailbox.await(email, 2));
        assertThat(notice).contains("A phone number was verified");
        var token = Pattern.compile("undo_[A-Za-z0-9_-]{86}").matcher(notice);
        assertThat(token.find()).isTrue();
        project.post("/v1/auth/email/undo").json(Map.of("token", token.group())).expect(200);
        assertThat(sms.server()
                        .sql()
                        .count(
                                "SELECT count(*) FROM users WHERE project_id = ?::uuid AND phone_verified",
                                project.id()))
                .isZero();
    }

    @Test
    void anotherNumberInTheProfileIsNotVerified() {
        var user = project.signUp();
        sms.own(project, user.accessToken(), phone);

        project.api()
                .patch("/v1/auth/me")
                .bearer(user.accessToken())
                .json(Map.of("phone", WithSms.newNumber()))
                .expect(200);
        project.api()
                .patch("/v1/auth/me")
                .bearer(user.accessToken())
                .json(Map.of("phone", phone))
                .expect(200);

        assertThat(isVerified(user.accessToken())).isFalse();
    }

    @Test
    void aNumberThatAnotherUserHasVerifiedStaysTheirs() {
        var owner = project.signUp();
        sms.own(project, owner.accessToken(), phone);
        var other = project.signUp();
        sms.passAMinute();
        var code = sms.ownCode(project, other.accessToken(), phone);

        WithSms.verifyOwn(project, other.accessToken(), phone, code).expect(409);

        assertThat(isVerified(owner.accessToken())).isTrue();
        assertThat(isVerified(other.accessToken())).isFalse();
        WithSms.verifyOwn(project, other.accessToken(), phone, code).expect(401);
    }

    @Test
    void ofEightUsersWhoConcurrentlyProveOneNumberOneGetsIt() {
        var tokens = IntStream.range(0, 8)
                .mapToObj(number -> project.signUp().accessToken())
                .toList();
        var codes =
                tokens.stream().map(token -> sms.ownCode(project, token, phone)).toList();

        var answers =
                Parallel.send(8, number -> WithSms.verifyOwn(project, tokens.get(number), phone, codes.get(number)));

        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        assertThat(answers).filteredOn(answer -> answer.status() == 409).hasSize(7);
    }

    @Test
    void ofFiftyConcurrentRightCodesOneIsAccepted() {
        var user = project.signUp();
        var code = sms.ownCode(project, user.accessToken(), phone);

        var answers = Parallel.send(50, number -> WithSms.verifyOwn(project, user.accessToken(), phone, code));

        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        assertThat(answers).filteredOn(answer -> answer.status() == 401).hasSize(49);
    }

    @Test
    void aCodeIsValidOnlyForItsUserNumberAndProject() {
        var user = project.signUp();
        var code = sms.ownCode(project, user.accessToken(), phone);

        WithSms.verifyOwn(project, project.signUp().accessToken(), phone, code).expect(401);
        WithSms.verifyOwn(project, user.accessToken(), WithSms.newNumber(), code)
                .expect(401);
        var elsewhere = sms.newProject();
        WithSms.verifyOwn(elsewhere, elsewhere.signUp().accessToken(), phone, code)
                .expect(401);
        WithSms.verifyOwn(project, user.accessToken(), phone, code).expect(200);
    }

    @Test
    void afterFiveWrongTriesOrTenMinutesACodeIsInvalid() {
        var user = project.signUp();
        var code = sms.ownCode(project, user.accessToken(), phone);
        for (int i = 0; i < 5; i++) {
            WithSms.verifyOwn(project, user.accessToken(), phone, WithMail.anotherThan(code))
                    .expect(401);
        }
        WithSms.verifyOwn(project, user.accessToken(), phone, code).expect(401);

        sms.passAMinute();
        var late = sms.ownCode(project, user.accessToken(), phone);
        sms.clock().advance(Duration.ofMinutes(10));
        var again = project.signIn(user.text("user/email"));
        WithSms.verifyOwn(project, again.accessToken(), phone, late).expect(401);
    }

    @Test
    void anOldSignInIsNotEnoughIfTheProjectRequiresARecentOne() {
        project.asOwner("PATCH", "").json(Map.of("requireRecentSignIn", 300)).expect(200);
        var user = project.signUp();
        sms.clock().advance(Duration.ofSeconds(301));

        WithSms.askForOwn(project, user.accessToken(), phone).expect(403);
        WithSms.verifyOwn(project, user.accessToken(), phone, "123456").expect(403);
    }

    @Test
    void aStrangersNumberCannotSignInOnceTheEmailIsProved() {
        var email = TestServer.newEmail();
        var squatter = project.signUp(email);
        sms.own(project, squatter.accessToken(), phone);

        WithMail.verify(project, email, mailbox.awaitCode(email), 200);

        assertThat(sms.server()
                        .sql()
                        .count(
                                "SELECT count(*) FROM users WHERE project_id = ?::uuid AND phone_verified",
                                project.id()))
                .isZero();
    }

    @Test
    void aDeletedUserLeavesNoPendingCodes() {
        sms.carrier().answer(WithSms.PATH, 500, "");
        try {
            var user = project.signUp();
            WithSms.askForOwn(project, user.accessToken(), phone).expect(200);
            project.manage("DELETE", "/v1/dashboard/users/" + user.text("user/id"))
                    .expect(200);

            Eventually.until(
                    "its request is gone",
                    () -> sms.server()
                                    .sql()
                                    .count("SELECT count(*) FROM codes WHERE project_id = ?::uuid", project.id())
                            == 0);
        } finally {
            sms.carrier().answer(WithSms.PATH, 200, "");
        }
    }

    @Test
    void aCodeNeedsASession() {
        for (var path : List.of("/v1/auth/me/phone", "/v1/auth/me/phone/verify")) {
            project.post(path).json(Map.of("phone", phone, "code", "123456")).expect(401);
        }
    }
}
