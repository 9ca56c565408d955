package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The server notifies the owner of an account of what happens to it: at the verified address, and only once an hour for
 * each kind.
 */
@ExtendWith(WithServer.class)
class NoticesIT {
    private static final Map<String, String> BEHIND_PROXY =
            Map.of("VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1/32,::1/128");
    private static final String HOME = "203.0.113.1";
    private static final String FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";
    private static final String EVIL = "Call 0800-EVIL or visit https://evil.example";
    private static final String STRANGE = "198.51.100.7";
    private static final String CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36";
    private static final Duration HOUR = Duration.ofHours(1);

    private final WithMail mail;
    private final TestServer server;
    private final TestProject project;
    private final String email = TestServer.newEmail();
    private String password = TestProject.PASSWORD;
    private int changes;

    NoticesIT(TestDatabase database) {
        mail = WithMail.start(database, BEHIND_PROXY);
        server = mail.server();
        project = server.newProject();
    }

    @AfterEach
    void stop() {
        mail.close();
    }

    private Response signUp() {
        var signedUp = project.post("/v1/auth/signup")
                .header("X-Forwarded-For", HOME)
                .header("User-Agent", FIREFOX)
                .json(Map.of("email", email, "password", password, "displayName", "Ann"))
                .expect(201);
        mail.mailbox().await(email, 1);
        return signedUp;
    }

    private String verifiedUser() {
        signUp();
        return project.post("/v1/auth/verify-email")
                .header("X-Forwarded-For", HOME)
                .header("User-Agent", FIREFOX)
                .json(Map.of("email", email, "code", mail.mailbox().awaitCode(email)))
                .expect(200)
                .text("accessToken");
    }

    private void changePassword(String accessToken, String userAgent) {
        var wanted = "password number " + ++changes;
        project.post("/v1/auth/password/change")
                .bearer(accessToken)
                .header("X-Forwarded-For", HOME)
                .header("User-Agent", userAgent)
                .header("Accept-Language", "en")
                .json(Map.of("currentPassword", password, "newPassword", wanted))
                .expect(200);
        password = wanted;
    }

    private long waiting() {
        return server.sql()
                .count(
                        "SELECT count(*) FROM messages WHERE user_id IS NOT NULL AND project_id = ?::uuid",
                        project.id());
    }

    private List<MimeMessage> arrivedInAll(int count) {
        mail.mailbox().await(email, count);
        Eventually.until("nothing waits", () -> waiting() == 0);
        var arrived = mail.mailbox().to(email);
        assertThat(arrived).hasSize(count);
        return arrived;
    }

    @Test
    void theNoticeOfAChangedPasswordSaysWhenAndFromWhere() throws MessagingException {
        changePassword(verifiedUser(), FIREFOX);

        var notice = mail.mailbox().await(email, 2);

        assertThat(notice.getSubject()).isEqualTo("Your password for A project was changed");
        assertThat(notice.getHeader("Auto-Submitted", null)).isEqualTo("auto-generated");
        assertThat(TestMailbox.text(notice))
                .contains("Hello Ann,", "When: ", " UTC", "Device: Firefox, Linux", "From: " + HOME)
                .contains("If this was not you, reset your password at once");
        assertThat(TestMailbox.html(notice)).contains("Firefox, Linux", HOME).doesNotContain("class=\"code", "<a ");
    }

    @Test
    void aResetPasswordSendsANotice() throws MessagingException {
        verifiedUser();
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        var code = TestMailbox.code(mail.mailbox().await(email, 2));
        project.post("/v1/auth/password/reset")
                .header("Accept-Language", "ko")
                .json(Map.of("email", email, "code", code, "password", "another long password"))
                .expect(200);

        assertThat(mail.mailbox().await(email, 3).getSubject()).isEqualTo("A project 비밀번호가 재설정되었습니다");
    }

    @Test
    void aPasswordThatManagementSetsSendsANoticeThatDoesNotSayFromWhere() throws MessagingException {
        var accessToken = verifiedUser();
        var user = project.me(accessToken).expect(200).text("id");
        project.manage("PATCH", "/v1/dashboard/users/" + user)
                .header("X-Forwarded-For", HOME)
                .header("User-Agent", FIREFOX)
                .json(Map.of("displayName", "Anna", "password", "a password of management"))
                .expect(200);

        var notice = mail.mailbox().await(email, 2);

        assertThat(notice.getSubject()).isEqualTo("Your password for A project was changed");
        assertThat(TestMailbox.text(notice)).doesNotContain("Firefox", HOME);
    }

    @Test
    void anAccountGetsOneNoticeOfAKindAnHour() {
        var token = verifiedUser();
        for (var change = 0; change < 5; change++) {
            changePassword(token, FIREFOX);
        }
        arrivedInAll(2);

        mail.clock().advance(HOUR.minusSeconds(1));
        changePassword(signedInAgain(), FIREFOX);
        arrivedInAll(2);
        mail.clock().advance(Duration.ofSeconds(1));
        changePassword(signedInAgain(), FIREFOX);
        arrivedInAll(3);
    }

    private String signedInAgain() {
        return signIn(HOME, FIREFOX).text("accessToken");
    }

    @Test
    void anUnverifiedAddressGetsNoNotice() {
        changePassword(signUp().text("accessToken"), FIREFOX);

        assertThat(waiting()).isZero();
        arrivedInAll(1);
    }

    @Test
    void aProjectThatWantsNoNoticesSendsNone() {
        var token = verifiedUser();
        project.asOwner("PATCH", "").json(Map.of("securityNotices", false)).expect(200);
        changePassword(token, FIREFOX);
        assertThat(waiting()).isZero();

        project.asOwner("PATCH", "").json(Map.of("securityNotices", true)).expect(200);
        changePassword(token, FIREFOX);
        arrivedInAll(2);
    }

    @Test
    void aFailedChangeSendsNoNotice() {
        var token = verifiedUser();
        project.post("/v1/auth/password/change")
                .bearer(token)
                .json(Map.of("currentPassword", "not the password", "newPassword", "another long password"))
                .expect(401);

        assertThat(server.sql().count("SELECT count(*) FROM notice_quotas")).isZero();
        arrivedInAll(1);
    }

    @Test
    void aNoticeWaitsForTheSmtpServerAndIsUnreadableMeanwhile() {
        var token = verifiedUser();
        mail.mailbox().goAway();
        changePassword(token, FIREFOX);
        Eventually.until(
                "it was tried in vain, and its next attempt is no lease of this one any more",
                () -> server.sql()
                                .count("SELECT count(*) FROM messages WHERE attempts > 0"
                                        + " AND next_attempt_at < created_at + interval '30 seconds'")
                        == 1);

        assertThat(server.sql().texts("SELECT messages::text || encode(sealed_details, 'escape') FROM messages"))
                .singleElement()
                .asString()
                .doesNotContain(HOME, "Firefox", "ipAddress");

        mail.mailbox().comeBack();
        mail.clock().advance(Duration.ofMinutes(10));
        assertThat(TestMailbox.text(mail.mailbox().await(email, 2))).contains("From: " + HOME);
    }

    @Test
    void aNoticeOfAnUnknownKindIsLeftToNewerReleasesAndBlocksNothing() {
        var token = verifiedUser();
        server.sql()
                .update(
                        "INSERT INTO messages (project_id, id, user_id, queue, kind, recipient, language, sealed_details, created_at,"
                                + " next_attempt_at) SELECT project_id, id, id, 'notices', 'of_the_future', email, 'en', '', now(),"
                                + " '-infinity' FROM users WHERE project_id = ?::uuid",
                        project.id());

        changePassword(token, FIREFOX);

        mail.mailbox().await(email, 2);
        Eventually.until(
                "the other waits untouched",
                () -> server.sql()
                        .texts("SELECT kind || ' ' || attempts FROM messages")
                        .equals(List.of("of_the_future 0")));
    }

    @Test
    void aDeletedUserGetsNoMoreNotices() {
        var token = verifiedUser();
        mail.mailbox().goAway();
        changePassword(token, FIREFOX);
        var user = project.me(token).expect(200).text("id");
        project.manage("DELETE", "/v1/dashboard/users/" + user).expect(200);

        assertThat(waiting()).isZero();
        assertThat(server.sql().count("SELECT count(*) FROM notice_quotas")).isZero();
    }

    private Call signIn(String from, String userAgent, String given) {
        return project.trySignIn(email, given)
                .header("X-Forwarded-For", from)
                .header("User-Agent", userAgent)
                .header("Accept-Language", "en");
    }

    private Response signIn(String from, String userAgent) {
        return signIn(from, userAgent, password).expect(200);
    }

    @Test
    void aSignInFromANewNetworkWithANewDeviceSendsANotice() throws MessagingException {
        verifiedUser();
        signIn(STRANGE, CHROME);

        var notice = mail.mailbox().await(email, 2);

        assertThat(notice.getSubject()).isEqualTo("New sign in to A project");
        assertThat(TestMailbox.text(notice)).contains("Device: Chrome, Windows", "From: " + STRANGE);
    }

    @Test
    void aSignInFromAKnownNetworkOrDeviceSendsNoNotice() {
        verifiedUser();
        signIn(HOME, CHROME);
        signIn(STRANGE, FIREFOX.replace("143.0", "144.0"));
        signIn(STRANGE, "another program");

        assertThat(server.sql().count("SELECT count(*) FROM notice_quotas")).isZero();
        arrivedInAll(1);
    }

    @Test
    void theFirstSignInOfAnAccountSendsNoNotice() {
        project.manage("POST", "/v1/dashboard/users")
                .json(Map.of("email", email, "password", password, "emailVerified", true))
                .expect(201);
        signIn(STRANGE, CHROME);
        assertThat(server.sql().count("SELECT count(*) FROM notice_quotas")).isZero();

        signIn(HOME, FIREFOX);
        arrivedInAll(1);
    }

    @Test
    void manySimultaneousSignInsFromNewPlacesOnTwoNodesSendOneNotice() {
        verifiedUser();
        try (var second = TestServer.startOn(server.databaseUrl(), settings(), mail.clock())) {
            var elsewhere = project.at(second);
            var answers = Parallel.send(
                    20,
                    number -> (number % 2 == 0 ? project : elsewhere)
                            .trySignIn(email, password)
                            .header("X-Forwarded-For", "198.51.100." + number)
                            .header("User-Agent", "program " + number));
            assertThat(answers).extracting(Response::status).contains(200);
            arrivedInAll(2);
        }
    }

    private Map<String, String> settings() {
        var all = new HashMap<>(mail.mailbox().settings());
        all.putAll(BEHIND_PROXY);
        return all;
    }

    @Test
    void aLockSendsOneNoticeAnHourHoweverOftenStrangersLockTheAccount() throws MessagingException {
        verifiedUser();
        for (var lock = 0; lock < 3; lock++) {
            for (var guess = 0; guess < 10; guess++) {
                signIn(STRANGE, EVIL, "not the password").expect(401);
            }
            signIn(STRANGE, EVIL, password).expect(429);
            mail.clock().advance(Duration.ofMinutes(16));
        }

        var notice = arrivedInAll(2).get(1);
        assertThat(notice.getSubject()).isEqualTo("Too many wrong passwords for A project");
        assertThat(TestMailbox.text(notice)).contains("From: " + STRANGE, "Unknown device or program");
        assertThat(TestMailbox.raw(notice)).doesNotContainIgnoringCase("evil");
    }

    @Test
    void guessesForAnEmailWithoutAnAccountSendNoNotice() {
        for (var guess = 0; guess < 10; guess++) {
            signIn(STRANGE, CHROME, "not the password").expect(401);
        }
        signIn(STRANGE, CHROME, "not the password").expect(429);
        assertThat(mail.mailbox().to(email)).isEmpty();
    }

    /** Text of a person who took over the account must not lead its owner anywhere. */
    @Test
    void aNoticeQuotesNothingOfAStrangersUserAgent() throws MessagingException {
        changePassword(verifiedUser(), EVIL);

        var notice = mail.mailbox().await(email, 2);

        assertThat(TestMailbox.text(notice)).contains("Device: Unknown device or program");
        assertThat(TestMailbox.raw(notice)).doesNotContainIgnoringCase("evil");
        assertThat(notice.getAllRecipients()).hasSize(1);
    }
}
