package dev.vestibule.authentication.email;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A person who could read the mails of an account before its email was changed takes the account back. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UndoEmailChangeIT {
    private static final Map<String, String> LIMITS =
            Map.of("VESTIBULE_LIMITS_SIGNIN_PER_MINUTE", "1000", "VESTIBULE_LIMITS_CODES_PER_MINUTE", "1000");
    private static final Pattern TOKEN = Pattern.compile("(?m)^ {4}(undo_[A-Za-z0-9_-]{86})\r?$");

    private static final Pattern RESET_CODE = Pattern.compile("(?m)^ {4}[0-9A-Z]{5}-[0-9A-Z]{4}-[0-9A-Z]{4}\r?$");

    private final WithMail mail;
    private final TestServer server;
    private TestProject project;
    private String email = "";

    UndoEmailChangeIT(TestDatabase database) {
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
        email = TestServer.newEmail();
    }

    /** A user who has verified the email. */
    private Response owner() {
        return WithMail.verify(project, email, mail.signUp(project, email), 200);
    }

    private void change(Response tokens, String newEmail) {
        var before = mail.mailbox().to(newEmail).size();
        server.api()
                .post("/v1/auth/me/email")
                .bearer(tokens.accessToken())
                .json(Map.of("email", newEmail, "currentPassword", TestProject.PASSWORD))
                .expect(200);
        server.api()
                .post("/v1/auth/me/email/verify")
                .bearer(tokens.accessToken())
                .json(Map.of("code", mail.mailbox().awaitCode(newEmail, before + 1)))
                .expect(200);
    }

    /** The token of the newest notice that has one. */
    private String token(String address) {
        var found = new String[1];
        Eventually.until("a token for " + address, () -> {
            mail.mailbox().to(address).forEach(message -> {
                var token = TOKEN.matcher(TestMailbox.text(message));
                if (token.find()) {
                    found[0] = token.group(1);
                }
            });
            return found[0] != null;
        });
        return found[0];
    }

    private Call undo(String token) {
        return project.post("/v1/auth/email/undo").json(Map.of("token", token));
    }

    private String emailOf(Response tokens) {
        return server.sql()
                .texts("SELECT coalesce(email, '') FROM users WHERE id = ?::uuid", tokens.text("user/id"))
                .get(0);
    }

    /** The codes of resets, without those of sign ups, which may arrive in between. */
    private List<String> resetCodes() {
        return mail.mailbox().to(email).stream()
                .map(TestMailbox::text)
                .flatMap(text -> RESET_CODE.matcher(text).results())
                .map(MatchResult::group)
                .toList();
    }

    private Response resetPassword(String wanted) {
        var before = resetCodes().size();
        mail.clock().advance(Duration.ofMinutes(1));
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        Eventually.until("a code that resets the password", () -> resetCodes().size() > before);
        var code = resetCodes().get(before);
        return project.post("/v1/auth/password/reset")
                .json(Map.of("email", email, "code", code, "password", wanted))
                .expect(200);
    }

    @Test
    void theOldAddressIsNotifiedOfTheRequestAndTheChange() {
        var user = owner();
        var newEmail = TestServer.newEmail();
        change(user, newEmail);
        var token = token(email);
        var texts = mail.mailbox().to(email).stream().map(TestMailbox::text).toList();
        assertThat(texts).hasSize(3);
        assertThat(texts.get(1)).contains("Nothing has changed yet", newEmail).doesNotContain("undo_");
        assertThat(texts.get(2)).contains(newEmail, token, "7 days", "Forgot password");
        assertThat(mail.mailbox().to(newEmail)).hasSize(1);
    }

    @Test
    void theThiefLosesTheAccountAndTheOwnerContinuesWithANewPassword() {
        var thief = owner();
        change(thief, TestServer.newEmail());
        server.sql()
                .update(
                        "INSERT INTO identities (project_id, provider, issuer, subject, user_id, created_at)"
                                + " SELECT project_id, 'google', 'https://accounts.google.com', id, id, now() FROM users WHERE id = ?::uuid",
                        thief.text("user/id"));
        server.api()
                .post("/v1/auth/me/email")
                .bearer(thief.accessToken())
                .json(Map.of("email", TestServer.newEmail(), "currentPassword", TestProject.PASSWORD))
                .expect(200);

        assertThat(undo(token(email)).expect(200).json()).hasToString("{\"success\":true}");

        assertThat(emailOf(thief)).isEqualTo(email);
        project.me(thief.accessToken()).expect(401);
        project.refresh(thief.refreshToken()).expect(401);
        project.trySignIn(email, TestProject.PASSWORD).expect(401);
        for (var table : List.of("sessions", "identities", "email_changes")) {
            assertThat(server.sql()
                            .count("SELECT count(*) FROM " + table + " WHERE project_id = ?::uuid", project.id()))
                    .as(table)
                    .isZero();
        }
        resetPassword("a new password 1234");
        var back = project.trySignIn(email, "a new password 1234").expect(200);
        assertThat(back.text("user/id")).isEqualTo(thief.text("user/id"));
        assertThat(back.text("user/emailVerified")).isEqualTo("true");
    }

    private Authenticator setUpTotp(Response tokens) {
        var setup = server.api()
                .post("/v1/auth/mfa/totp/setup")
                .bearer(tokens.accessToken())
                .expect(200);
        var app = new Authenticator(setup.text("secret"), mail.clock());
        server.api()
                .post("/v1/auth/mfa/totp/verify-setup")
                .bearer(tokens.accessToken())
                .json(Map.of("code", app.code()))
                .expect(200);
        return app;
    }

    @Test
    void theThiefsSecondFactorIsRemoved() {
        var thief = owner();
        change(thief, TestServer.newEmail());
        mail.clock().advance(Duration.ofMinutes(1));
        setUpTotp(thief);
        undo(token(email)).expect(200);
        resetPassword("a new password 1234");
        var back = project.trySignIn(email, "a new password 1234").expect(200);
        project.me(back.accessToken()).expect(200);
    }

    @Test
    void theOwnersSecondFactorStaysAndStopsAnyoneWhoOnlyReadsTheMails() {
        var owner = owner();
        var app = setUpTotp(owner);
        mail.mailbox().await(email, 2);
        mail.clock().advance(Duration.ofMinutes(1));
        var renewed = server.api()
                .post("/v1/auth/reauthenticate")
                .bearer(owner.accessToken())
                .json(Map.of("code", app.code()))
                .expect(200);
        change(renewed, TestServer.newEmail());
        mail.mailbox().await(email, 4); // the token of the change is in the last one
        undo(token(email)).expect(200);
        resetPassword("a new password 1234");
        assertThat(project.trySignIn(email, "a new password 1234")
                        .expect(200)
                        .json()
                        .path("mfaRequired")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void webhooksAndTheAuditLogReportIt() {
        var user = owner();
        change(user, TestServer.newEmail());
        var token = token(email);
        project.manage("POST", "/v1/dashboard/webhooks")
                .json(Map.of("url", "https://203.0.113.1/hook", "events", List.of("user.updated", "session.revoked")))
                .expect(201);
        undo(token).expect(200);
        assertThat(server.sql()
                        .texts(
                                "SELECT type || ' ' || coalesce(payload::jsonb #>> '{data,reason}', payload::jsonb #>>"
                                        + " '{data,user,email}') FROM webhook_events WHERE project_id = ?::uuid ORDER BY 1",
                                project.id()))
                .containsExactly("session.revoked email_changed", "user.updated " + email);
        var entry = project.manage("GET", "/v1/backend/audit-logs?event=auth.email.undone")
                .expect(200);
        assertThat(entry.text("total")).isEqualTo("1");
        assertThat(entry.text("data/0/targetId")).isEqualTo(user.text("user/id"));
    }

    @Test
    void aTokenWorksOnce() {
        var user = owner();
        change(user, TestServer.newEmail());
        var token = token(email);
        undo(token).expect(200);
        undo(token).expect(401);
    }

    @Test
    void ofManyConcurrentUsesOneCounts() {
        var user = owner();
        change(user, TestServer.newEmail());
        var token = token(email);
        var answers = Parallel.send(6, number -> undo(token));
        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        assertThat(answers).extracting(Response::status).containsOnly(200, 401);
    }

    @Test
    void afterASecondChangeTheFirstTokenRestoresTheFirstAddressAndInvalidatesTheSecond() {
        var thief = owner();
        var thiefsEmail = TestServer.newEmail();
        change(thief, thiefsEmail);
        change(thief, TestServer.newEmail());
        var ownersToken = token(email);
        var thiefsToken = token(thiefsEmail);

        undo(ownersToken).expect(200);
        assertThat(emailOf(thief)).isEqualTo(email);
        undo(thiefsToken).expect(401);
        assertThat(emailOf(thief)).isEqualTo(email);
    }

    @Test
    void theThiefsOwnTokenDoesNotInvalidateTheOwners() {
        var thief = owner();
        var thiefsEmail = TestServer.newEmail();
        change(thief, thiefsEmail);
        change(thief, TestServer.newEmail());

        undo(token(thiefsEmail)).expect(200);
        assertThat(emailOf(thief)).isEqualTo(thiefsEmail);
        undo(token(email)).expect(200);
        assertThat(emailOf(thief)).isEqualTo(email);
    }

    @Test
    void aConcurrentUndoAndChangeLeaveTheOwnerWithTheAccount() {
        for (int round = 0; round < 3; round++) {
            email = TestServer.newEmail();
            var thief = owner();
            change(thief, TestServer.newEmail());
            var token = token(email);
            var next = TestServer.newEmail();
            server.api()
                    .post("/v1/auth/me/email")
                    .bearer(thief.accessToken())
                    .json(Map.of("email", next, "currentPassword", TestProject.PASSWORD))
                    .expect(200);
            var code = mail.mailbox().awaitCode(next);
            var answers = Parallel.send(
                    2,
                    number -> number == 0
                            ? undo(token)
                            : server.api()
                                    .post("/v1/auth/me/email/verify")
                                    .bearer(thief.accessToken())
                                    .json(Map.of("code", code)));
            assertThat(answers.get(0).status()).isEqualTo(200);
            assertThat(answers.get(1).status()).isIn(200, 401);
            assertThat(emailOf(thief)).isEqualTo(email);
            project.me(thief.accessToken()).expect(401);
        }
    }

    @Test
    void aTokenEndsAfterSevenDays() {
        var user = owner();
        change(user, TestServer.newEmail());
        var token = token(email);
        mail.clock().advance(Duration.ofDays(7));
        undo(token).expect(401);
    }

    @Test
    void anotherProjectsTokenIsUnknown() {
        var user = owner();
        change(user, TestServer.newEmail());
        var token = token(email);
        var elsewhere = server.newProject();
        elsewhere.post("/v1/auth/email/undo").json(Map.of("token", token)).expect(401);
        server.api()
                .post("/v1/dashboard/auth/email/undo")
                .json(Map.of("token", token))
                .expect(401);
        server.api()
                .post("/v1/auth/email/undo")
                .json(Map.of("token", token, "projectId", elsewhere.id()))
                .expect(401);
        server.api()
                .post("/v1/auth/email/undo")
                .json(Map.of("token", token, "projectId", project.id()))
                .expect(200);
    }

    @Test
    void aGetUsesUpNothing() {
        var user = owner();
        change(user, TestServer.newEmail());
        var token = token(email);
        project.get("/v1/auth/email/undo?token=" + token).expect(405);
        undo(token).expect(200);
    }

    @Test
    void anAccountThatVerifiedTheOldEmailKeepsIt() {
        var user = owner();
        var newEmail = TestServer.newEmail();
        change(user, newEmail);
        var token = token(email);
        var before = mail.mailbox().to(email).size();
        mail.clock().advance(Duration.ofMinutes(1));
        project.signUp(email);
        WithMail.verify(project, email, mail.mailbox().awaitCode(email, before + 1), 200);

        assertThat(undo(token).expect(409).text("message")).contains("Another account");
        assertThat(emailOf(user)).isEqualTo(newEmail);

        var taker = project.signIn(email);
        project.manage("DELETE", "/v1/dashboard/users/" + taker.text("user/id")).expect(200);
        undo(token).expect(200);
    }

    @Test
    void aSignUpWithTheOldEmailDoesNotPreventTheUndo() {
        var thief = owner();
        change(thief, TestServer.newEmail());
        var token = token(email);
        var squatter = project.signUp(email);

        undo(token).expect(200);

        assertThat(emailOf(thief)).isEqualTo(email);
        assertThat(emailOf(squatter)).isEmpty();
        assertThat(server.sql()
                        .texts(
                                "SELECT metadata ->> 'reason' FROM audit_log"
                                        + " WHERE event = 'auth.email.changed' AND target_id = ?::uuid",
                                squatter.text("user/id")))
                .as("what the log says of the account that lost its email")
                .containsExactly("email_claimed");
        project.me(squatter.accessToken()).expect(401);
        resetPassword("a new password 1234");
        assertThat(project.trySignIn(email, "a new password 1234").expect(200).text("user/id"))
                .isEqualTo(thief.text("user/id"));
    }

    @Test
    void anAddressThatWasNeverVerifiedGetsNoTokenSinceItMayBeAStrangers() {
        mail.signUp(project, email);
        var user = project.signIn(email);
        change(user, TestServer.newEmail());
        assertThat(server.sql()
                        .count(
                                "SELECT count(*) FROM messages WHERE user_id IS NOT NULL AND project_id = ?::uuid",
                                project.id()))
                .isZero();
        assertThat(mail.mailbox().to(email)).hasSize(1);
    }

    @Test
    void anEmailSetByTheApplicationInvalidatesTheTokens() {
        var user = owner();
        change(user, TestServer.newEmail());
        var token = token(email);
        var theirs = TestServer.newEmail();
        project.manage("PATCH", "/v1/dashboard/users/" + user.text("user/id"))
                .json(Map.of("email", theirs))
                .expect(200);
        undo(token).expect(401);
        assertThat(emailOf(user)).isEqualTo(theirs);
    }

    @Test
    void withAPageTheNoticeHasALinkToIt() {
        project.asOwner("PATCH", "")
                .json(Map.of("emailUndoUrl", "https://app.example.com/undo?a=b#/top"))
                .expect(200);
        var user = owner();
        change(user, TestServer.newEmail());
        var token = token(email);
        var messages = mail.mailbox().to(email);
        assertThat(TestMailbox.text(messages.get(messages.size() - 1)))
                .contains("https://app.example.com/undo?a=b&token=" + token + "#/top");
    }

    @Test
    void noTokenIsReadableInTheDatabase() {
        var user = owner();
        change(user, TestServer.newEmail());
        var token = token(email);
        for (var table : List.of("email_changes", "messages", "audit_log", "webhook_events")) {
            assertThat(server.sql().texts("SELECT t::text FROM " + table + " AS t"))
                    .as(table)
                    .noneMatch(row -> row.contains(token) || row.contains(token.substring(48)));
        }
    }

    @Test
    void aDashboardUserUndoesItToo() {
        var first = TestServer.newEmail();
        var operator = changeAsOperator(first);
        changeAsOperator(TestServer.newEmail());

        server.api()
                .post("/v1/dashboard/auth/email/undo")
                .json(Map.of("token", token(first)))
                .expect(200);

        assertThat(server.sql().texts("SELECT email FROM users WHERE id = ?::uuid", operator.text("id")))
                .containsExactly(first);
        project.asOwner("GET", "").expect(401);
    }

    private Response changeAsOperator(String newEmail) {
        server.api()
                .post("/v1/auth/me/email")
                .bearer(project.owner())
                .json(Map.of("email", newEmail, "currentPassword", "a dashboard password"))
                .expect(200);
        return server.api()
                .post("/v1/auth/me/email/verify")
                .bearer(project.owner())
                .json(Map.of("code", mail.mailbox().awaitCode(newEmail)))
                .expect(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "undo_",
                "nonsense",
                "undo_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "\u0661",
                "undo_' OR 1=1 --"
            })
    void aTextThatIsNotATokenIsRefused(String token) {
        undo(token).expect(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"token\":7}",
                "{\"token\":\"\"}",
                "{\"token\":\"a\\u0000b\"}",
                "{\"token\":\"a\\r\\nb\"}"
            })
    void aValueThatIsNotAStringIsRefused(String body) {
        project.post("/v1/auth/email/undo").text(body).expect(422);
    }

    @Test
    void aTokenWithOneWrongCharacterIsRefused() {
        var user = owner();
        change(user, TestServer.newEmail());
        var token = token(email);
        for (int at : new int[] {5, 30, 50, 70, 90}) {
            var other = token.charAt(at) == 'A' ? 'B' : 'A';
            undo(token.substring(0, at) + other + token.substring(at + 1)).expect(401);
        }
        undo(token + "A").expect(401);
        undo("x".repeat(60_000)).expect(422);
        undo(token).expect(200);
    }
}
