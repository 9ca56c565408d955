package dev.vestibule.authentication.email;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.PasskeyDevice;
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

/** The owner of an account undoes a factor with which a thief would keep access to it, or lock the owner out. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UndoFactorIT {
    private static final String ORIGIN = "https://app.example.com";
    private static final String NEW_PASSWORD = "a new password 1234";
    private static final Pattern TOKEN = Pattern.compile("(?m)^ {4}(undo_[A-Za-z0-9_-]{86})\r?$");

    private static final Pattern RESET_CODE = Pattern.compile("(?m)^ {4}[0-9A-Z]{5}-[0-9A-Z]{4}-[0-9A-Z]{4}\r?$");

    private final WithMail mail;
    private final TestServer server;
    private TestProject project;
    private String email = "";

    UndoFactorIT(TestDatabase database) {
        mail = WithMail.start(
                database,
                Map.of("VESTIBULE_LIMITS_SIGNIN_PER_MINUTE", "1000", "VESTIBULE_LIMITS_CODES_PER_MINUTE", "1000"));
        server = mail.server();
        project = server.newProject();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    @BeforeEach
    void newProject() {
        mail.passAMinute();
        project = server.newProject();
        set(Map.of("allowedOrigins", List.of(ORIGIN)));
        email = TestServer.newEmail();
    }

    private void set(Map<String, ?> settings) {
        project.asOwner("PATCH", "").json(settings).expect(200);
    }

    /** A user into whose session a thief has got. */
    private Response owner() {
        return WithMail.verify(project, email, mail.signUp(project, email), 200);
    }

    private Call post(Response tokens, String path, Map<String, ?> body) {
        return server.api()
                .post("/v1/auth/" + path)
                .bearer(tokens.accessToken())
                .json(body);
    }

    private Authenticator setUpTotp(Response tokens) {
        var setup = post(tokens, "mfa/totp/setup", Map.of()).expect(200);
        var app = new Authenticator(setup.text("secret"), mail.clock());
        post(tokens, "mfa/totp/verify-setup", Map.of("code", app.code())).expect(200);
        return app;
    }

    private String register(Response tokens) {
        return register(tokens, new PasskeyDevice(ORIGIN));
    }

    private String register(Response tokens, PasskeyDevice device) {
        var options = post(tokens, "passkeys/register/options", Map.of()).expect(200);
        return post(tokens, "passkeys/register/verify", device.create(options.json()))
                .expect(200)
                .text("id");
    }

    /** The tokens of a session once its holder has proved the passkey, without which it adds no further factor. */
    private Response renewed(Response tokens, PasskeyDevice device) {
        var challenge = project.post("/v1/auth/passkeys/authenticate/options")
                .expect(200)
                .json();
        return post(tokens, "reauthenticate", Map.of("passkey", device.get(challenge)))
                .expect(200);
    }

    /** Undoes the registration of a first passkey. */
    private Response withPasskey(Response tokens) {
        var device = new PasskeyDevice(ORIGIN);
        register(tokens, device);
        return renewed(tokens, device);
    }

    private void changeEmail(Response tokens, String newEmail) {
        post(tokens, "me/email", Map.of("email", newEmail, "currentPassword", TestProject.PASSWORD))
                .expect(200);
        post(tokens, "me/email/verify", Map.of("code", mail.mailbox().awaitCode(newEmail)))
                .expect(200);
    }

    /** The tokens of all notices to an address; the order of concurrent ones is not defined. */
    private List<String> tokens(String address, int count) {
        Eventually.until(count + " tokens for " + address, () -> tokens(address).size() == count);
        return tokens(address);
    }

    private List<String> tokens(String address) {
        return found(TOKEN, address);
    }

    private List<String> found(Pattern what, String address) {
        return mail.mailbox().to(address).stream()
                .map(TestMailbox::text)
                .flatMap(text -> what.matcher(text).results())
                .map(MatchResult::group)
                .map(String::strip)
                .toList();
    }

    private String token() {
        return tokens(email, 1).get(0);
    }

    private Call undo(String token) {
        return project.post("/v1/auth/email/undo").json(Map.of("token", token));
    }

    private Response resetAndSignIn() {
        mail.passAMinute();
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        Eventually.until(
                "a code that resets the password",
                () -> !found(RESET_CODE, email).isEmpty());
        project.post("/v1/auth/password/reset")
                .json(Map.of("email", email, "code", found(RESET_CODE, email).get(0), "password", NEW_PASSWORD))
                .expect(200);
        return project.trySignIn(email, NEW_PASSWORD).expect(200);
    }

    private long count(String table) {
        return server.sql().count("SELECT count(*) FROM " + table + " WHERE project_id = ?::uuid", project.id());
    }

    @Test
    void theOwnerUndoesANewFactorForSevenDays() {
        var thief = owner();
        setUpTotp(thief);
        var token = token();
        var notice = TestMailbox.text(mail.mailbox().to(email).get(1));
        assertThat(notice).contains("authenticator app", token, "7 days", "Forgot password");
        mail.clock().advance(Duration.ofDays(7).minusSeconds(1));

        assertThat(undo(token).expect(200).json()).hasToString("{\"success\":true}");

        project.me(thief.accessToken()).expect(401);
        project.refresh(thief.refreshToken()).expect(401);
        project.trySignIn(email, TestProject.PASSWORD).expect(401);
        for (var table : List.of("sessions", "totp_factors", "email_changes")) {
            assertThat(count(table)).as(table).isZero();
        }
        mail.mailbox().await(email, 3); // that the factor is gone
        var back = resetAndSignIn();
        assertThat(back.text("user/id")).isEqualTo(thief.text("user/id"));
        assertThat(back.text("user/emailVerified")).isEqualTo("true");
    }

    @Test
    void theOwnerUndoesANewPasskeyAndEverythingAfterIt() {
        var thief = withPasskey(owner());
        var token = token();
        mail.clock().advance(Duration.ofSeconds(1));
        register(thief);
        setUpTotp(thief);
        tokens(email, 3);

        undo(token).expect(200);

        assertThat(count("passkeys")).isZero();
        assertThat(count("totp_factors")).isZero();
        mail.mailbox().await(email, 5); // that the passkey is gone
        project.me(resetAndSignIn().accessToken()).expect(200);
    }

    /** It would survive a new password, and a sign out everywhere. */
    @Test
    void theOwnerUndoesAnApiKeyOfTheAccount() {
        var thief = owner();
        var user = thief.text("user/id");
        project.manage("POST", "/v1/backend/users/" + user + "/api-keys")
                .json(Map.of("name", "Made by the application"))
                .expect(201);
        var key =
                post(thief, "me/api-keys", Map.of("name", "Backup")).expect(201).text("key");
        var token = token();
        assertThat(TestMailbox.text(mail.mailbox().to(email).get(1))).contains("API key was created", token, "7 days");
        assertThat(isValid(key)).isTrue();

        undo(token).expect(200);

        assertThat(isValid(key)).isFalse();
        project.me(thief.accessToken()).expect(401);
        project.me(resetAndSignIn().accessToken()).expect(200);
    }

    private boolean isValid(String key) {
        return project.manage("POST", "/v1/backend/keys/verify")
                .json(Map.of("key", key))
                .expect(200)
                .json()
                .path("valid")
                .asBoolean();
    }

    /** The mail about its registration is valid for a week, and a thief can wait for that long. */
    @Test
    void aPasskeyThatBecomesAFactorLaterCanBeUndoneFromThenOn() {
        var device = new PasskeyDevice(ORIGIN).flags(PasskeyDevice.PRESENT);
        register(owner(), device);
        tokens(email, 1);
        mail.clock().advance(Duration.ofDays(8));
        undo(tokens(email).get(0)).expect(401);
        device.flags(PasskeyDevice.PRESENT | PasskeyDevice.VERIFIED);
        signIn(device).expect(200);
        assertThat(project.trySignIn(email, TestProject.PASSWORD).expect(403).text("reason"))
                .isEqualTo("passkey_required");

        undo(tokens(email, 2).get(1)).expect(200);

        assertThat(count("passkeys")).isZero();
        project.me(resetAndSignIn().accessToken()).expect(200);
    }

    private Call signIn(PasskeyDevice device) {
        var options = project.post("/v1/auth/passkeys/authenticate/options")
                .expect(200)
                .json();
        return project.post("/v1/auth/passkeys/authenticate/verify").json(device.get(options));
    }

    @Test
    void afterSevenDaysANewFactorStays() {
        setUpTotp(owner());
        var token = token();
        mail.clock().advance(Duration.ofDays(7));
        undo(token).expect(401);
        assertThat(count("totp_factors")).isOne();
    }

    @Test
    void aTokenOfANewFactorWorksOnceEvenConcurrently() {
        register(owner());
        var token = token();
        var answers = Parallel.send(6, number -> undo(token));
        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        assertThat(answers).extracting(Response::status).containsOnly(200, 401);
        undo(token).expect(401);
    }

    @Test
    void aTokenOfANewFactorIsUnknownInOtherProjects() {
        register(owner());
        var token = token();
        var elsewhere = server.newProject();
        elsewhere.post("/v1/auth/email/undo").json(Map.of("token", token)).expect(401);
        server.api()
                .post("/v1/dashboard/auth/email/undo")
                .json(Map.of("token", token))
                .expect(401);
        project.get("/v1/auth/email/undo?token=" + token).expect(405);
        assertThat(count("passkeys")).isOne();
        undo(token).expect(200);
    }

    @Test
    void whatTheThiefDoesNextDoesNotInvalidateTheToken() {
        var device = new PasskeyDevice(ORIGIN);
        var owner = owner();
        var passkey = register(owner, device);
        var token = token();
        var thief = renewed(owner, device);
        server.api()
                .call("DELETE", "/v1/auth/passkeys/" + passkey)
                .bearer(thief.accessToken())
                .expect(200);
        register(thief);
        var newEmail = TestServer.newEmail();
        changeEmail(thief, newEmail);
        post(
                        thief,
                        "password/change",
                        Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "the thief's own password"))
                .expect(200);
        var later = tokens(email, 3).stream().filter(other -> !other.equals(token));

        undo(token).expect(200);

        assertThat(server.sql().texts("SELECT email FROM users WHERE id = ?::uuid", thief.text("user/id")))
                .containsExactly(email);
        assertThat(count("passkeys")).isZero();
        project.trySignIn(newEmail, "the thief's own password").expect(401);
        later.forEach(other -> undo(other).expect(401));
        resetAndSignIn();
    }

    @Test
    void theThiefsOwnTokenDoesNotInvalidateTheOwners() {
        var thief = owner();
        var newEmail = TestServer.newEmail();
        changeEmail(thief, newEmail);
        var token = token();
        register(thief);

        undo(tokens(newEmail, 1).get(0)).expect(200);
        undo(token).expect(200);
        assertThat(server.sql().texts("SELECT email FROM users WHERE id = ?::uuid", thief.text("user/id")))
                .containsExactly(email);
    }

    @Test
    void earlierFactorsStayAndStopAnyoneWhoOnlyReadsTheMails() {
        var owner = withPasskey(owner());
        var app = setUpTotp(owner);
        var before = tokens(email, 2);
        mail.clock().advance(Duration.ofSeconds(30));
        var renewed = post(owner, "reauthenticate", Map.of("code", app.code())).expect(200);
        register(renewed);
        var token = tokens(email, 3).stream()
                .filter(other -> !before.contains(other))
                .findFirst()
                .orElseThrow();

        undo(token).expect(200);

        assertThat(count("passkeys")).isOne();
        assertThat(resetAndSignIn().json().path("mfaRequired").asBoolean()).isTrue();
    }

    /** A thief who had the app for a moment could come back with them. */
    @Test
    void newerBackupCodesAreInvalidToo() {
        var owner = withPasskey(owner());
        var app = setUpTotp(owner);
        var before = tokens(email, 2);
        mail.clock().advance(Duration.ofSeconds(30));
        var thief = post(owner, "reauthenticate", Map.of("code", app.code())).expect(200);
        register(thief);
        var token = tokens(email, 3).stream()
                .filter(other -> !before.contains(other))
                .findFirst()
                .orElseThrow();
        mail.clock().advance(Duration.ofSeconds(30));
        var code = post(thief, "mfa/backup-codes/regenerate", Map.of("code", app.code()))
                .expect(200)
                .json()
                .at("/backupCodes/0")
                .asText();

        undo(token).expect(200);

        var waiting = resetAndSignIn().text("mfaToken");
        project.post("/v1/auth/mfa/verify")
                .json(Map.of("mfaToken", waiting, "code", code))
                .expect(401);
        mail.clock().advance(Duration.ofSeconds(30));
        project.post("/v1/auth/mfa/verify")
                .json(Map.of("mfaToken", waiting, "code", app.code()))
                .expect(200);
    }

    @Test
    void ifASecondFactorIsRequiredTheUndoneOneIsRemovedAndAnotherIsSetUp() {
        set(Map.of("requireMfa", "required"));
        var thief = owner();
        mail.clock().advance(Duration.ofDays(8));
        var refused = project.trySignIn(email, TestProject.PASSWORD).expect(403);
        var setup = project.post("/v1/auth/mfa/totp/setup")
                .json(Map.of("mfaToken", refused.text("mfaToken")))
                .expect(200);
        var app = new Authenticator(setup.text("secret"), mail.clock());
        var enrolled = project.post("/v1/auth/mfa/totp/verify-setup")
                .json(Map.of("mfaToken", refused.text("mfaToken"), "code", app.code()))
                .expect(200);
        assertThat(enrolled.text("user/id")).isEqualTo(thief.text("user/id"));

        undo(token()).expect(200);

        project.me(enrolled.accessToken()).expect(401);
        assertThat(count("totp_factors")).isZero();
        var before = mail.mailbox().to(email).size();
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        Eventually.until("a code", () -> mail.mailbox().to(email).size() > before);
    }

    @Test
    void anAddressThatWasNeverVerifiedGetsNoTokenOfAFactor() {
        mail.signUp(project, email);
        register(project.signIn(email));
        assertThat(count("email_changes")).isZero();
        assertThat(server.sql()
                        .count(
                                "SELECT count(*) FROM messages WHERE user_id IS NOT NULL AND project_id = ?::uuid",
                                project.id()))
                .isZero();
    }

    @Test
    void tenTokensAnHourAreSentAndTheFirstUndoesTheEleventhPasskeyToo() {
        var thief = withPasskey(owner());
        var token = token();
        for (int i = 0; i < 10; i++) {
            register(thief);
        }
        assertThat(count("email_changes")).isEqualTo(10);
        tokens(email, 10);
        undo(token).expect(200);
        assertThat(count("passkeys")).isZero();
    }

    @Test
    void newPasskeysDoNotUseUpTheQuotaOfEmailChanges() {
        var owner = withPasskey(owner());
        for (int i = 0; i < 9; i++) {
            register(owner);
        }
        changeEmail(owner, TestServer.newEmail());
    }

    @Test
    void webhooksAndTheAuditLogReportTheUndo() {
        var user = owner();
        register(user);
        var token = token();
        project.manage("POST", "/v1/dashboard/webhooks")
                .json(Map.of("url", "https://203.0.113.1/hook", "events", List.of("factor.removed", "session.revoked")))
                .expect(201);
        undo(token).expect(200);
        assertThat(server.sql()
                        .texts(
                                "SELECT type || ' ' || coalesce(payload::jsonb #>> '{data,reason}', payload::jsonb #>>"
                                        + " '{data,factor}') FROM webhook_events WHERE project_id = ?::uuid ORDER BY 1",
                                project.id()))
                .containsExactly("factor.removed passkey", "session.revoked email_claimed");
        var entry = project.manage("GET", "/v1/backend/audit-logs?event=auth.factor.undone")
                .expect(200);
        assertThat(entry.text("total")).isEqualTo("1");
        assertThat(entry.text("data/0/targetId")).isEqualTo(user.text("user/id"));
    }

    @Test
    void withAPageTheNoticeOfAFactorHasALinkToItAndNoTokenIsReadableInTheDatabase() {
        set(Map.of("emailUndoUrl", "https://app.example.com/undo?a=b#/top"));
        register(owner());
        var token = token();
        var messages = mail.mailbox().to(email);
        assertThat(TestMailbox.text(messages.get(messages.size() - 1)))
                .contains("https://app.example.com/undo?a=b&token=" + token + "#/top");
        for (var table : List.of("email_changes", "messages", "audit_log")) {
            assertThat(server.sql().texts("SELECT t::text FROM " + table + " AS t"))
                    .as(table)
                    .noneMatch(row -> row.contains(token) || row.contains(token.substring(48)));
        }
    }
}
