package dev.vestibule.authentication.email;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.DatabaseProxy;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users who change their account's email. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChangeEmailIT {
    private static final Map<String, String> LIMITS =
            Map.of("VESTIBULE_LIMITS_SIGNIN_PER_MINUTE", "1000", "VESTIBULE_LIMITS_CODES_PER_MINUTE", "1000");

    private final TestDatabase database;
    private final WithMail mail;
    private final TestServer server;
    private TestProject project;

    ChangeEmailIT(TestDatabase database) {
        this.database = database;
        mail = WithMail.start(database, LIMITS);
        server = mail.server();
        project = server.newProject();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    @BeforeEach
    void newProject() {
        project = server.newProject();
    }

    private Call request(Response tokens, String newEmail) {
        return request(tokens).json(Map.of("email", newEmail, "currentPassword", TestProject.PASSWORD));
    }

    private Call request(Response tokens) {
        return server.api().post("/v1/auth/me/email").bearer(tokens.accessToken());
    }

    private Call verify(Response tokens, String code) {
        return server.api()
                .post("/v1/auth/me/email/verify")
                .bearer(tokens.accessToken())
                .json(Map.of("code", code));
    }

    /** Asks for the change, and returns the code that came. */
    private String codeFor(Response tokens, String newEmail) {
        var before = mail.mailbox().to(newEmail).size();
        request(tokens, newEmail).expect(200);
        return mail.mailbox().awaitCode(newEmail, before + 1);
    }

    private String emailOf(Response tokens) {
        return project.me(tokens.accessToken()).expect(200).text("email");
    }

    private void set(Map<String, ?> settings) {
        project.asOwner("PATCH", "").json(settings).expect(200);
    }

    private void removePassword(Response user) {
        server.sql().update("UPDATE users SET password_hash = NULL WHERE id = ?::uuid", user.text("user/id"));
    }

    /** Waits until the outbox has nothing more to send to the address. */
    private void awaitSent(String email) {
        Eventually.until(
                "the mail to " + email + " is sent or dropped",
                () -> server.sql().count("SELECT count(*) FROM messages WHERE recipient = ?", email) == 0);
    }

    @Test
    void theCodeOfTheNewAddressChangesTheEmailAndKeepsTheSession() {
        var email = TestServer.newEmail();
        var newEmail = TestServer.newEmail();
        var user = project.signUp(email);

        assertThat(request(user, "  " + newEmail.toUpperCase(Locale.ROOT) + " ")
                        .expect(200)
                        .json())
                .hasToString("{\"sent\":true}");
        assertThat(emailOf(user)).isEqualTo(email);
        var changed =
                verify(user, " " + mail.mailbox().awaitCode(newEmail) + "\n").expect(200);

        assertThat(changed.text("id")).isEqualTo(user.text("user/id"));
        assertThat(changed.text("email")).isEqualTo(newEmail);
        assertThat(changed.text("emailVerified")).isEqualTo("true");
        assertThat(emailOf(user)).isEqualTo(newEmail);
        project.refresh(user.refreshToken()).expect(200);
        project.trySignIn(email, TestProject.PASSWORD).expect(401);
        project.signIn(newEmail);
        project.signUp(email);
    }

    @Test
    void theOtherSessionsEndAndWebhooksAndTheAuditLogReportIt() {
        var receiver = project.manage("POST", "/v1/dashboard/webhooks")
                .json(Map.of("url", "https://203.0.113.1/hook", "events", List.of("user.updated", "session.revoked")))
                .expect(201);
        var email = TestServer.newEmail();
        var newEmail = TestServer.newEmail();
        var user = project.signUp(email);
        var other = project.signInInVariantB(email);

        verify(user, codeFor(user, newEmail)).expect(200);

        project.refreshAccessToken(other.refreshToken()).expect(401);
        project.me(other.accessToken()).expect(401);
        project.me(user.accessToken()).expect(200);
        assertThat(server.sql()
                        .texts(
                                "SELECT type || ' ' || coalesce(payload::jsonb #>> '{data,reason}', payload::jsonb #>>"
                                        + " '{data,user,email}') FROM webhook_events WHERE project_id = ?::uuid ORDER BY 1",
                                project.id()))
                .containsExactly("session.revoked email_changed", "user.updated " + newEmail);
        assertThat(receiver.text("id")).isNotEmpty();
        for (var event : List.of("auth.email.change_requested", "auth.email.changed")) {
            var found = project.manage("GET", "/v1/backend/audit-logs?event=" + event)
                    .expect(200);
            assertThat(found.text("total")).isEqualTo("1");
            assertThat(found.text("data/0/actorId")).isEqualTo(user.text("user/id"));
            assertThat(found.text("data/0/targetId")).isEqualTo(user.text("user/id"));
        }
    }

    @Test
    void aCodeWorksOnce() {
        var user = project.signUp();
        var code = codeFor(user, TestServer.newEmail());
        verify(user, code).expect(200);
        verify(user, code).expect(401);
        verify(project.signUp(), code).expect(401);
    }

    @Test
    void ofManyConcurrentRightCodesOneCounts() {
        var user = project.signUp();
        var code = codeFor(user, TestServer.newEmail());
        var answers = Parallel.send(8, number -> verify(user, code));
        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        assertThat(answers).extracting(Response::status).containsOnly(200, 401);
    }

    @Test
    void aCodeIsForTheUserWhoAskedForIt() {
        var newEmail = TestServer.newEmail();
        var thief = project.signUp();
        var user = project.signUp();
        request(thief, TestServer.newEmail()).expect(200);
        var code = codeFor(user, newEmail);

        verify(thief, code).expect(401);
        var elsewhere = server.newProject();
        verify(elsewhere.signUp(), code).expect(401);
        verify(user, code).key(elsewhere.publishableKey()).expect(403);
        verify(user, code).expect(200);
    }

    @Test
    void aCodeOfAnotherPurposeChangesNoEmail() {
        var email = TestServer.newEmail();
        var user = project.signUp(email);
        var verification = mail.mailbox().awaitCode(email);
        var newEmail = TestServer.newEmail();
        var code = codeFor(user, newEmail);
        if (!code.equals(verification)) {
            verify(user, verification).expect(401);
        }
        project.post("/v1/auth/verify-email")
                .json(Map.of("email", newEmail, "code", code))
                .expect(401);
        verify(user, code).expect(200);
    }

    @Test
    void aCodeEndsAfterTenMinutes() {
        var user = project.signUp();
        var code = codeFor(user, TestServer.newEmail());
        mail.clock().advance(Duration.ofMinutes(10));
        var refreshed = project.refresh(user.refreshToken()).expect(200);
        verify(refreshed, code).expect(401);
    }

    @Test
    void afterFiveWrongCodesTheRightOneIsRefused() {
        var user = project.signUp();
        var code = codeFor(user, TestServer.newEmail());
        for (int i = 0; i < 5; i++) {
            verify(user, WithMail.anotherThan(code)).expect(401);
        }
        verify(user, code).expect(401);
    }

    @Test
    void ofManyConcurrentGuessesOnlyFiveCount() {
        var user = project.signUp();
        var code = codeFor(user, TestServer.newEmail());
        var guesses = IntStream.range(0, 20)
                .mapToObj(
                        number -> String.format(Locale.ROOT, "%06d", (Integer.parseInt(code) + 1 + number) % 1_000_000))
                .toList();
        Parallel.send(guesses.size(), number -> verify(user, guesses.get(number)))
                .forEach(answer -> assertThat(answer.status()).isIn(401, 503));
        verify(user, code).expect(401);
    }

    @Test
    void anAddressHasTwentyWrongCodesADayFromAllPeopleTogetherAndThenOneFromEachOther() {
        var newEmail = TestServer.newEmail();
        for (int round = 0; round < 4; round++) {
            var user = project.signUp();
            var code = codeFor(user, newEmail);
            for (int i = 0; i < 5; i++) {
                verify(user, WithMail.anotherThan(code)).expect(401);
            }
            mail.passAMinute();
        }
        var user = project.signUp();
        var code = codeFor(user, newEmail);
        verify(user, WithMail.anotherThan(code)).expect(401);
        var refused = verify(user, code).expect(429);
        assertThat(refused.header("Retry-After")).isPresent();
        verify(project.signUp(), code).expect(401);
        mail.passAMinute();
        var owner = project.signUp();
        verify(owner, codeFor(owner, newEmail)).expect(200);
    }

    @Test
    void theLaterRequestReplacesTheEarlier() {
        var user = project.signUp();
        var first = codeFor(user, TestServer.newEmail());
        var newEmail = TestServer.newEmail();
        var second = codeFor(user, newEmail);
        if (!first.equals(second)) {
            verify(user, first).expect(401);
        }
        assertThat(verify(user, second).expect(200).text("email")).isEqualTo(newEmail);
    }

    @Test
    void twoRequestsAtOnceLeaveOnePendingChange() {
        for (int round = 0; round < 3; round++) {
            var user = project.signUp();
            var emails = List.of(TestServer.newEmail(), TestServer.newEmail());
            Parallel.send(2, number -> request(user, emails.get(number)))
                    .forEach(answer -> assertThat(answer.status()).isEqualTo(200));
            assertThat(server.sql()
                            .count(
                                    "SELECT count(*) FROM email_changes WHERE user_id = ?::uuid AND state = 'pending'",
                                    user.text("user/id")))
                    .isEqualTo(1);
            awaitSent(emails.get(0));
            awaitSent(emails.get(1));
        }
    }

    @Test
    void askingTwiceInAMinuteLeavesTheFirstCodeValid() {
        var user = project.signUp();
        var newEmail = TestServer.newEmail();
        var code = codeFor(user, newEmail);
        request(user, newEmail).expect(200);
        awaitSent(newEmail);
        assertThat(mail.mailbox().to(newEmail)).hasSize(1);
        verify(user, code).expect(200);
    }

    @Test
    void ofTwoUsersWhoRaceForOneAddressExactlyOneGetsIt() {
        for (int round = 0; round < 4; round++) {
            var newEmail = TestServer.newEmail();
            var one = project.signUp();
            var two = project.signUp();
            var codeOfOne = codeFor(one, newEmail);
            mail.passAMinute();
            var codeOfTwo = codeFor(two, newEmail);

            var answers = Parallel.send(2, number -> number == 0 ? verify(one, codeOfOne) : verify(two, codeOfTwo));

            assertThat(answers).extracting(Response::status).containsExactlyInAnyOrder(200, 409);
            assertThat(server.sql().count("SELECT count(*) FROM users WHERE email = ?", newEmail))
                    .isEqualTo(1);
        }
    }

    @Test
    void anAddressThatWasTakenMeanwhileIsAConflict() {
        var email = TestServer.newEmail();
        var newEmail = TestServer.newEmail();
        var user = project.signUp(email);
        var code = codeFor(user, newEmail);
        var taker = project.signUp(newEmail);

        assertThat(verify(user, code).expect(409).text("message")).contains("already registered");

        assertThat(emailOf(user)).isEqualTo(email);
        assertThat(emailOf(taker)).isEqualTo(newEmail);
    }

    @Test
    void theResponseDoesNotRevealWhetherAnAccountHasTheAddress() {
        var taken = TestServer.newEmail();
        project.signUp(taken);
        mail.mailbox().awaitCode(taken);
        var user = project.signUp();

        var ofTaken = request(user, taken).expect(200);
        var ofFree = request(project.signUp(), TestServer.newEmail()).expect(200);

        assertThat(ofTaken.body()).isEqualTo(ofFree.body());
        awaitSent(taken);
        assertThat(mail.mailbox().to(taken)).as("mails to a taken address").hasSize(1);
        verify(user, "000000").expect(401);
        verify(project.signUp(), "000000").expect(401);
    }

    /** So the timing reveals nothing either: none of the database queries depends on it. */
    @Test
    void aTakenAddressCostsTheSameStatementsAsAFreeOne() {
        var url = database.createDatabase();
        try (var proxy = DatabaseProxy.before(url);
                var quiet = TestServer.startOn(
                        proxy.url(),
                        Map.of(
                                "VESTIBULE_HTTP_EVENT_LOOPS", "1",
                                "VESTIBULE_MAIL_POLL_SECONDS", "3600",
                                "VESTIBULE_WEBHOOKS_POLL_SECONDS", "3600"),
                        new TestClock())) {
            var there = quiet.newProject();
            var taken = TestServer.newEmail();
            there.signUp(taken);
            var users = List.of(there.signUp(), there.signUp(), there.signUp());
            var emails = List.of(TestServer.newEmail(), TestServer.newEmail(), taken);
            var costs = IntStream.range(0, 3)
                    .mapToObj(number -> proxy
                            .during(() -> quiet.api()
                                    .post("/v1/auth/me/email")
                                    .bearer(users.get(number).accessToken())
                                    .json(Map.of("email", emails.get(number), "currentPassword", TestProject.PASSWORD))
                                    .expect(200))
                            .stream()
                            .filter(statement -> statement.contains("email_c") || statement.contains("users"))
                            .filter(statement -> !statement.contains("SET code_hash")) // when the mail is sent
                            .toList())
                    .toList();
            assertThat(costs.get(2)).isNotEmpty().isEqualTo(costs.get(1));
        }
    }

    @Test
    void theOwnAddressIsRefused() {
        var email = TestServer.newEmail();
        var user = project.signUp(email);
        assertThat(request(user, " " + email.toUpperCase(Locale.ROOT))
                        .expect(422)
                        .failingFields())
                .containsExactly("email");
    }

    @Test
    void anOpenSessionIsNotEnough() {
        var user = project.signUp();
        var newEmail = TestServer.newEmail();
        assertThat(request(user).json(Map.of("email", newEmail)).expect(422).failingFields())
                .containsExactly("currentPassword");
        request(user)
                .json(Map.of("email", newEmail, "currentPassword", "not the password"))
                .expect(401);
        request(user).expect(400);
        server.api()
                .post("/v1/auth/me/email")
                .key(project.secretKey())
                .json(Map.of("email", newEmail))
                .expect(401);
        assertThat(server.sql().count("SELECT count(*) FROM messages WHERE recipient = ?", newEmail))
                .isZero();
        assertThat(mail.mailbox().to(newEmail)).isEmpty();
    }

    @Test
    void guessesOfThePasswordLockTheAccountLikeFailedSignIns() {
        var email = TestServer.newEmail();
        var user = project.signUp(email);
        for (int i = 0; i < 10; i++) {
            request(user)
                    .json(Map.of("email", TestServer.newEmail(), "currentPassword", "not the password"))
                    .expect(401);
        }
        request(user, TestServer.newEmail()).expect(429);
        project.trySignIn(email, TestProject.PASSWORD).expect(429);
    }

    @Test
    void withoutAPasswordTheSignInMustBeRecent() {
        var user = project.signUp();
        removePassword(user);
        var newEmail = TestServer.newEmail();
        request(user).json(Map.of("email", newEmail)).expect(200);
        mail.clock().advance(Duration.ofMinutes(10).plusSeconds(1));
        assertThat(request(user).json(Map.of("email", newEmail)).expect(403).text("reason"))
                .isEqualTo("reauthentication_required");
    }

    @Test
    void theProjectsTimeAppliesToAPasswordToo() {
        set(Map.of("requireRecentSignIn", 60));
        var email = TestServer.newEmail();
        var user = project.signUp(email);
        mail.clock().advance(Duration.ofSeconds(61));
        assertThat(request(user, TestServer.newEmail()).expect(403).text("reason"))
                .isEqualTo("reauthentication_required");
        request(project.signIn(email), TestServer.newEmail()).expect(200);
    }

    @Test
    void aUserWithoutEmailGetsOneAndKeepsTheProvider() {
        var user = project.signUp();
        server.sql()
                .update("UPDATE users SET email = NULL, password_hash = NULL WHERE id = ?::uuid", user.text("user/id"));
        server.sql()
                .update(
                        "INSERT INTO identities (project_id, provider, issuer, subject, user_id, created_at)"
                                + " SELECT project_id, 'google', 'https://accounts.google.com', id, id, now() FROM users WHERE id = ?::uuid",
                        user.text("user/id"));
        var newEmail = TestServer.newEmail();
        request(user).json(Map.of("email", newEmail)).expect(200);
        verify(user, mail.mailbox().awaitCode(newEmail)).expect(200);
        assertThat(server.sql().count("SELECT count(*) FROM identities WHERE project_id = ?::uuid", project.id()))
                .isEqualTo(1);
    }

    @Test
    void theFirstProofOfAnEmailRemovesProvidersThatWereLinkedBefore() {
        var user = project.signUp();
        server.sql()
                .update(
                        "INSERT INTO identities (project_id, provider, issuer, subject, user_id, created_at)"
                                + " SELECT project_id, 'google', 'https://accounts.google.com', id, id, now() FROM users WHERE id = ?::uuid",
                        user.text("user/id"));
        verify(user, codeFor(user, TestServer.newEmail())).expect(200);
        assertThat(server.sql().count("SELECT count(*) FROM identities WHERE project_id = ?::uuid", project.id()))
                .isZero();
    }

    @Test
    void aResetCodeOfTheOldAddressIsInvalid() {
        var email = TestServer.newEmail();
        var user = project.signUp(email);
        mail.mailbox().awaitCode(email);
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        var reset = mail.mailbox().awaitCode(email, 2);
        verify(user, codeFor(user, TestServer.newEmail())).expect(200);
        project.post("/v1/auth/password/reset")
                .json(Map.of("email", email, "code", reset, "password", "another one 1234"))
                .expect(401);
        assertThat(server.sql()
                        .count(
                                "SELECT count(*) FROM codes WHERE project_id = ?::uuid AND code_hash IS NOT NULL",
                                project.id()))
                .isZero();
    }

    @Test
    void aSessionEndedMeanwhileByANewPasswordChangesNothing() {
        for (int round = 0; round < 4; round++) {
            var email = TestServer.newEmail();
            var thief = project.signUp(email);
            var owner = project.signIn(email);
            var code = codeFor(thief, TestServer.newEmail());
            var answers = Parallel.send(
                    2,
                    number -> number == 0
                            ? verify(thief, code)
                            : server.api()
                                    .post("/v1/auth/password/change")
                                    .bearer(owner.accessToken())
                                    .json(Map.of(
                                            "currentPassword",
                                            TestProject.PASSWORD,
                                            "newPassword",
                                            "another one 1234")));
            assertThat(answers.get(0).status()).isIn(200, 401);
            if (answers.get(0).status() == 200) {
                // It came first: it ended the other session, and the password change may have been checked before.
                assertThat(answers.get(1).status()).isIn(200, 401, 409, 503); // 409: its proof has removed the password
            } else {
                assertThat(answers.get(1).status()).isEqualTo(200);
                assertThat(emailOf(project.trySignIn(email, "another one 1234").expect(200)))
                        .isEqualTo(email);
            }
        }
    }

    @Test
    void aBannedUserChangesNothing() {
        var user = project.signUp();
        var code = codeFor(user, TestServer.newEmail());
        server.ban(user.text("user/id"));
        verify(user, code).expect(401);
        request(user, TestServer.newEmail()).expect(401);
    }

    @Test
    void aDeletedUsersPendingChangeIsGone() {
        var user = project.signUp();
        var newEmail = TestServer.newEmail();
        var code = codeFor(user, newEmail);
        project.manage("DELETE", "/v1/dashboard/users/" + user.text("user/id")).expect(200);
        verify(user, code).expect(401);
        assertThat(server.sql().count("SELECT count(*) FROM email_changes WHERE project_id = ?::uuid", project.id()))
                .isZero();
        project.signUp(newEmail);
    }

    /** Anyone who asked for it had proved the previous password, and may sign in with a provider of their own. */
    @Test
    void aNewPasswordCancelsThePendingChange() {
        var email = TestServer.newEmail();
        var user = project.signUp(email);
        var code = codeFor(user, TestServer.newEmail());
        server.api()
                .post("/v1/auth/password/change")
                .bearer(user.accessToken())
                .json(Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "another one 1234"))
                .expect(200);
        verify(user, code).expect(401);
        assertThat(emailOf(user)).isEqualTo(email);
    }

    @Test
    void aResetCancelsThePendingChange() {
        var email = TestServer.newEmail();
        var user = project.signUp(email);
        var code = codeFor(user, TestServer.newEmail());
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        var reset = mail.mailbox().awaitCodeAmongNotices(email, 2);
        project.post("/v1/auth/password/reset")
                .json(Map.of("email", email, "code", reset, "password", "another one 1234"))
                .expect(200);
        var after = project.trySignIn(email, "another one 1234").expect(200);
        verify(after, code).expect(401);
        assertThat(emailOf(after)).isEqualTo(email);
    }

    @Test
    void anEmailSetByTheApplicationCancelsThePendingChange() {
        var user = project.signUp();
        var code = codeFor(user, TestServer.newEmail());
        var theirs = TestServer.newEmail();
        project.manage("PATCH", "/v1/dashboard/users/" + user.text("user/id"))
                .json(Map.of("email", theirs))
                .expect(200);
        verify(user, code).expect(401);
        assertThat(emailOf(user)).isEqualTo(theirs);
    }

    @Test
    void anAccountCanAskForTenChangesAnHour() {
        var user = project.signUp();
        for (int i = 0; i < 10; i++) {
            request(user, TestServer.newEmail()).expect(200);
        }
        var newEmail = TestServer.newEmail();
        assertThat(request(user, newEmail).expect(429).header("Retry-After")).isPresent();
        assertThat(mail.mailbox().to(newEmail)).isEmpty();
        mail.clock().advance(Duration.ofHours(1));
        request(project.signIn(user.text("user/email")), newEmail).expect(200);
    }

    @Test
    void theMailContainsNothingThatTheRequesterWrote() {
        var user = project.signUp();
        server.api()
                .patch("/v1/auth/me")
                .bearer(user.accessToken())
                .json(Map.of("displayName", "Visit http://evil.example now"))
                .expect(200);
        var newEmail = TestServer.newEmail();
        codeFor(user, newEmail);
        var message = mail.mailbox().await(newEmail, 1);
        assertThat(TestMailbox.text(message)).doesNotContain("evil.example").contains("new email address");
        assertThat(TestMailbox.raw(message)).doesNotContain("evil.example");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nobody",
                "a@example.com\r\nBcc: victim@example.com",
                "a\r\nRCPT TO:<victim@example.com>@example.com",
                "a\u0000@example.com",
                "a\u200b@example.com",
                "a\u2028@example.com",
                "a@example.com, b@example.com",
                "a@exa\ud800mple.com"
            })
    void aTextThatIsNotAnAddressIsRefused(String email) {
        assertThat(request(project.signUp(), email).expect(422).failingFields()).containsExactly("email");
    }

    @Test
    void aHugeOrMistypedBodyIsRefused() {
        var user = project.signUp();
        assertThat(request(user, "a".repeat(60_000) + "@example.com")
                        .expect(422)
                        .failingFields())
                .containsExactly("email");
        request(user, "a".repeat(70_000) + "@example.com").expect(413);
        for (var body : List.of("{\"email\":7}", "{\"email\":null}", "{}", "{\"email\":[\"a@example.com\"]}")) {
            request(user).text(body).expect(422);
        }
        for (var body : List.of("{\"code\":123456}", "{\"code\":\"12345\"}", "{\"code\":\"12345\\u0000\"}", "{}")) {
            server.api()
                    .post("/v1/auth/me/email/verify")
                    .bearer(user.accessToken())
                    .text(body)
                    .expect(422);
        }
        verify(user, "\u0661\u0662\u0663\u0664\u0665\u0666").expect(422);
    }

    @Test
    void anInternationalAddressIsMailedAndVerified() {
        var user = project.signUp();
        var newEmail = "jos\u00e9." + TestServer.newEmail();
        request(user, newEmail).expect(200);
        awaitSent(newEmail);
    }

    @Test
    void oldRequestsArePurged() {
        var user = project.signUp();
        codeFor(user, TestServer.newEmail());
        server.sql()
                .update("UPDATE email_changes SET expires_at = '2000-01-01' WHERE project_id = ?::uuid", project.id());
        try (var sweeping = TestServer.startOn(
                server.databaseUrl(), Map.of("VESTIBULE_SESSIONS_SWEEP_SECONDS", "1"), new TestClock())) {
            Eventually.until(
                    "the request is gone",
                    () -> sweeping.sql()
                                    .count(
                                            "SELECT count(*) FROM email_changes WHERE project_id = ?::uuid",
                                            project.id())
                            == 0);
        }
    }
}
