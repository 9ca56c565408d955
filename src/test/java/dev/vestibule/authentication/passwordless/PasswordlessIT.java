package dev.vestibule.authentication.passwordless;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Jwt;
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
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sign in and sign up with a mailed code or link. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PasswordlessIT {
    private static final String PAGE = "https://app.example.com/sign-in?from=mail#/door";
    private static final Pattern TOKEN = Pattern.compile("https://\\S*[?&]token=(ml_[A-Za-z0-9_-]{43})");
    private static final Map<String, String> SETTINGS =
            Map.of("VESTIBULE_LIMITS_WRONG_CODES_PER_HOUR", "60", "VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1,::1");

    private final WithMail mail;
    private final TestServer server;

    PasswordlessIT(TestDatabase database) {
        mail = WithMail.start(database, SETTINGS);
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    private static void set(TestProject project, Map<String, ?> settings) {
        project.asOwner("PATCH", "").json(settings).expect(200);
    }

    private TestProject newProject() {
        var project = server.newProject();
        set(project, Map.of("magicLinkUrl", PAGE));
        return project;
    }

    /** A user whose email the application has verified; no mail is sent. */
    private static String newUser(TestProject project, String email) {
        return project.manage("POST", "/v1/backend/users")
                .json(Map.of("email", email, "password", TestProject.PASSWORD, "emailVerified", true))
                .expect(201)
                .text("id");
    }

    private static Call ask(TestProject project, String kind, String email) {
        return project.post("/v1/auth/passwordless/" + kind).json(Map.of("email", email));
    }

    private String code(TestProject project, String email, int number) {
        ask(project, "email-otp", email).expect(200);
        return mail.mailbox().awaitCode(email, number);
    }

    private String code(TestProject project, String email) {
        return code(project, email, 1);
    }

    private String token(TestProject project, String email, int number) {
        ask(project, "magic-link", email).expect(200);
        var text = TestMailbox.text(mail.mailbox().await(email, number));
        var token = TOKEN.matcher(text);
        assertThat(token.find()).as(text).isTrue();
        return token.group(1);
    }

    private String token(TestProject project, String email) {
        return token(project, email, 1);
    }

    private static Call verify(TestProject project, String email, String code) {
        return project.post("/v1/auth/passwordless/verify").json(Map.of("email", email, "code", code));
    }

    private static Call verify(TestProject project, String token) {
        return project.post("/v1/auth/passwordless/verify").json(Map.of("token", token));
    }

    private Authenticator enrol(Response tokens) {
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

    private List<String> events(TestProject project) {
        return server.sql()
                .texts("SELECT event FROM audit_log WHERE project_id = ?::uuid ORDER BY created_at, id", project.id());
    }

    @Test
    void aCodeSignsInAndTheTokenNamesMail() {
        var project = newProject();
        var email = TestServer.newEmail();
        var user = newUser(project, email);

        var tokens = verify(project, email, code(project, email)).expect(200);

        assertThat(tokens.text("user/id")).isEqualTo(user);
        assertThat(Jwt.parse(tokens.accessToken()).claims().path("amr")).hasToString("[\"mail\"]");
        assertThat(tokens.json().has("requestedElsewhere")).isFalse();
        project.me(tokens.accessToken()).expect(200);
        project.refresh(tokens.refreshToken()).expect(200);
    }

    @Test
    void aLinkSignsInAndKeepsThePagesQueryAndFragment() {
        var project = newProject();
        var email = TestServer.newEmail();
        newUser(project, email);
        ask(project, "magic-link", email).expect(200);
        var text = TestMailbox.text(mail.mailbox().await(email, 1));
        assertThat(text).containsPattern("https://app\\.example\\.com/sign-in\\?from=mail&token=ml_[\\w-]{43}#/door");

        var token = TOKEN.matcher(text);
        assertThat(token.find()).isTrue();
        verify(project, token.group(1)).expect(200);
        verify(project, token.group(1)).expect(401);
    }

    @Test
    void aLinkGoesToTheCallbackUrlByDefaultAndIsACodeIfThereIsNone() {
        var project = server.newProject();
        var first = TestServer.newEmail();
        assertThat(ask(project, "magic-link", first).expect(200).text("message"))
                .contains("code");
        verify(project, first, mail.mailbox().awaitCode(first)).expect(200);

        set(project, Map.of("callbackUrl", "https://app.example.com/callback"));
        var second = TestServer.newEmail();
        assertThat(ask(project, "magic-link", second).expect(200).text("message"))
                .contains("link");
        assertThat(TestMailbox.text(mail.mailbox().await(second, 1)))
                .contains("https://app.example.com/callback?token=ml_");
    }

    @Test
    void bothCanBeRequestedAtOnceAndUsingOneInvalidatesTheOther() {
        var project = newProject();
        var email = TestServer.newEmail();
        for (int i = 0; i < 2; i++) {
            assertThat(ask(project, "magic-link", email).expect(200).text("message"))
                    .isNotEmpty();
            assertThat(ask(project, "email-otp", email).expect(200).text("message"))
                    .isNotEmpty();
        }
        mail.mailbox().await(email, 2);
        assertThat(mail.mailbox().to(email)).hasSize(2);
        var texts = mail.mailbox().to(email).stream().map(TestMailbox::text).toList();
        var link = TOKEN.matcher(String.join("\n", texts));
        assertThat(link.find()).isTrue();
        var code = mail.mailbox().awaitCodeAmongNotices(email, 1);

        verify(project, email, code).expect(200);
        verify(project, link.group(1)).expect(401);
        verify(project, email, code).expect(401);
    }

    @Test
    void aNewMailReplacesThePreviousOne() {
        var project = newProject();
        var email = TestServer.newEmail();
        var link = token(project, email);
        var code = code(project, email, 2);
        mail.passAMinute();
        var newCode = code(project, email, 3);
        var newLink = token(project, email, 4);

        verify(project, link).expect(401);
        if (!newCode.equals(code)) {
            verify(project, email, code).expect(401);
        }
        verify(project, newLink).expect(200);
        verify(project, email, newCode).expect(401);
    }

    @Test
    void anUnknownEmailSignsUpWithoutAPasswordAndVerified() {
        var project = newProject();
        server.sql()
                .update(
                        "INSERT INTO webhooks (project_id, id, url, events, status, sealed_secret, created_at, updated_at)"
                                + " VALUES (?::uuid, gen_random_uuid(), 'http://203.0.113.1/', '{*}', 'active', '',"
                                + " now(), now())",
                        project.id());
        var email = TestServer.newEmail();

        var tokens = verify(project, token(project, email)).expect(200);

        assertThat(tokens.text("user/email")).isEqualTo(email);
        assertThat(tokens.text("user/emailVerified")).isEqualTo("true");
        assertThat(server.sql().count("SELECT count(*) FROM users WHERE email = ? AND password_hash IS NULL", email))
                .isEqualTo(1);
        assertThat(server.sql()
                        .texts(
                                "SELECT type FROM webhook_events WHERE project_id = ?::uuid ORDER BY created_at, id",
                                project.id()))
                .containsExactly("user.created", "session.created");
        assertThat(events(project)).containsSubsequence("auth.signup", "auth.signin");
        assertThat(server.sql()
                        .texts(
                                "SELECT metadata ->> 'amr' FROM audit_log"
                                        + " WHERE project_id = ?::uuid AND event = 'auth.signup'",
                                project.id()))
                .containsExactly("[\"mail\"]");
        project.trySignIn(email, TestProject.PASSWORD).expect(401);
    }

    @Test
    void withoutSignUpsAnUnknownEmailGetsTheSameResponseAndNoMail() {
        var project = newProject();
        set(project, Map.of("passwordlessSignUp", false));
        var unknown = TestServer.newEmail();
        var known = TestServer.newEmail();
        newUser(project, known);

        for (var kind : List.of("email-otp", "magic-link")) {
            var asked = ask(project, kind, unknown).expect(200);
            assertThat(ask(project, kind, known).expect(200).body()).isEqualTo(asked.body());
        }
        mail.mailbox().await(known, 2);
        Eventually.until("nothing waits", () -> server.sql().count("SELECT count(*) FROM messages") == 0);
        assertThat(mail.mailbox().to(unknown)).isEmpty();
        verify(project, unknown, "000000").expect(401);
    }

    @Test
    void theFirstProofOfAnEmailRemovesWhatItsCreatorLeftThere() {
        var project = newProject();
        var email = TestServer.newEmail();
        var squatter = project.signUp(email);
        mail.mailbox().awaitCode(email);

        var owner = verify(project, token(project, email, 2)).expect(200);

        assertThat(owner.text("user/id")).isEqualTo(squatter.text("user/id"));
        assertThat(owner.text("user/emailVerified")).isEqualTo("true");
        project.me(squatter.accessToken()).expect(401);
        project.refresh(squatter.refreshToken()).expect(401);
        project.trySignIn(email, TestProject.PASSWORD).expect(401);
        project.me(owner.accessToken()).expect(200);
    }

    @Test
    void aSecondSignInKeepsThePasswordAndTheOtherSessions() {
        var project = newProject();
        var email = TestServer.newEmail();
        newUser(project, email);
        var other = project.signIn(email);

        verify(project, email, code(project, email)).expect(200);

        project.me(other.accessToken()).expect(200);
        project.signIn(email);
    }

    @Test
    void ifAVerifiedEmailIsRequiredTheCodeProvesIt() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        mail.signUp(project, email);
        verify(project, email, code(project, email, 2)).expect(200);
        var newcomer = TestServer.newEmail();
        verify(project, newcomer, code(project, newcomer)).expect(200);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aUserWithASecondFactorMustUsePasswordOrPasskeyAndTheCodeIsUsedUp(boolean byLink) {
        var project = newProject();
        var email = TestServer.newEmail();
        newUser(project, email);
        enrol(project.signIn(email));
        mail.mailbox().await(email, 1); // the notice
        var token = byLink ? token(project, email, 2) : "";
        var code = byLink ? "" : code(project, email, 2);
        if (!byLink) {
            verify(project, email, WithMail.anotherThan(code)).expect(401);
        }

        var call = byLink ? verify(project, token) : verify(project, email, code);
        assertThat(call.expect(403).text("message")).contains("password").contains("passkey");
        (byLink ? verify(project, token) : verify(project, email, code)).expect(401);
        assertThat(server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id()))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void inAProjectWithoutPasswordsTheMailComesBeforeTheOneTimePassword(boolean byLink) {
        var project = newProject();
        var email = TestServer.newEmail();
        newUser(project, email);
        var app = enrol(project.signIn(email));
        mail.mailbox().await(email, 1); // the notice
        set(project, Map.of("factors", Map.of("password", false)));

        var call = byLink ? verify(project, token(project, email, 2)) : verify(project, email, code(project, email, 2));
        var first = call.expect(200);
        assertThat(first.json().has("accessToken")).isFalse();
        call.expect(401);
        var tokens = project.post("/v1/auth/mfa/verify")
                .json(Map.of("mfaToken", first.text("mfaToken"), "code", app.code(Duration.ofSeconds(30))))
                .expect(200);
        assertThat(Jwt.parse(tokens.accessToken()).claims().path("amr")).hasToString("[\"mail\",\"otp\",\"mfa\"]");
    }

    @Test
    void theFirstProofRemovesTheSecondFactorOfAStrangerWhoSignedUpWithTheEmail() {
        var project = newProject();
        var email = TestServer.newEmail();
        var signedUp = project.signUp(email);
        server.withoutProof(email, () -> enrol(signedUp));
        mail.mailbox().awaitCode(email);
        verify(project, email, code(project, email, 2)).expect(200);
    }

    @Test
    void ifASecondFactorIsRequiredTheCodeOnlyAllowsTheSetup() {
        var project = newProject();
        var email = TestServer.newEmail();
        newUser(project, email);
        set(project, Map.of("requireMfa", "required"));
        mail.clock().advance(Duration.ofDays(8));
        var refused = verify(project, email, code(project, email)).expect(403);
        assertThat(refused.text("mfaToken")).startsWith("mfa_");
        assertThat(server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id()))
                .isZero();
    }

    @Test
    void onlyTheRightCodeRevealsABan() {
        var project = newProject();
        var email = TestServer.newEmail();
        var user = newUser(project, email);
        var code = code(project, email);
        server.ban(user);

        verify(project, email, WithMail.anotherThan(code)).expect(401);
        assertThat(verify(project, email, code).expect(403).text("message")).contains("banned");
        verify(project, email, code).expect(401);

        mail.passAMinute();
        ask(project, "magic-link", email).expect(200);
        Eventually.until(
                "the mail is dropped",
                () -> server.sql().count("SELECT count(*) FROM messages WHERE project_id = ?::uuid", project.id())
                        == 0);
        assertThat(mail.mailbox().to(email)).hasSize(1);
    }

    @Test
    void codesAndLinksExpire() {
        var project = newProject();
        var email = TestServer.newEmail();
        var token = token(project, email);
        var code = code(project, email, 2);
        mail.clock().advance(Duration.ofMinutes(10).plusSeconds(1));
        verify(project, email, code).expect(401);
        mail.clock().advance(Duration.ofMinutes(5));
        verify(project, token).expect(401);
    }

    @Test
    void aCodeAllowsFiveTries() {
        var project = newProject();
        var email = TestServer.newEmail();
        var code = code(project, email);
        for (int i = 0; i < 5; i++) {
            verify(project, email, WithMail.anotherThan(code)).expect(401);
        }
        verify(project, email, code).expect(401);
    }

    @Test
    void wrongCodesCountTogetherWithThoseThatVerifyTheEmail() {
        var project = mail.strictProject();
        var email = TestServer.newEmail();
        var verification = mail.signUp(project, email);
        for (int i = 0; i < 5; i++) {
            WithMail.verify(project, email, WithMail.anotherThan(verification), 401);
        }
        var mails = 1;
        for (int round = 0; round < 3; round++) {
            mail.passAMinute();
            var code = code(project, email, ++mails);
            for (int i = 0; i < 5; i++) {
                verify(project, email, WithMail.anotherThan(code)).expect(401);
            }
        }
        mail.passAMinute();
        verify(project, email, code(project, email, ++mails)).expect(429);

        var page = "https://app.example.com/";
        set(project, Map.of("magicLinkUrl", page));
        verify(project, token(project, email, ++mails)).expect(200);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofManyConcurrentUsesOneSignsIn(boolean byLink) {
        var project = newProject();
        var email = TestServer.newEmail();
        var token = byLink ? token(project, email) : "";
        var code = byLink ? "" : code(project, email);

        var answers = Parallel.send(5, i -> byLink ? verify(project, token) : verify(project, email, code));

        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.status() == 401)).hasSize(4);
        assertThat(server.sql().count("SELECT count(*) FROM users WHERE project_id = ?::uuid", project.id()))
                .isEqualTo(1);
        assertThat(server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id()))
                .isEqualTo(1);
    }

    @Test
    void aConcurrentCodeAndLinkGiveOneUserAndOneSession() {
        var project = newProject();
        for (int round = 0; round < 5; round++) {
            var email = TestServer.newEmail();
            var token = token(project, email);
            var code = code(project, email, 2);

            var answers = Parallel.send(2, i -> i == 0 ? verify(project, token) : verify(project, email, code));

            assertThat(answers.stream().map(Response::status)).containsExactlyInAnyOrder(200, 401);
            assertThat(server.sql().count("SELECT count(*) FROM users WHERE email = ?", email))
                    .isEqualTo(1);
        }
    }

    @Test
    void aSignUpByPasswordAtTheSameTimeIsTheSameAccountOrGivesWay() {
        var project = newProject();
        for (int round = 0; round < 5; round++) {
            var email = TestServer.newEmail();
            var token = token(project, email);
            var answers = Parallel.send(
                    2,
                    i -> i == 0
                            ? verify(project, token)
                            : project.post("/v1/auth/signup")
                                    .json(Map.of("email", email, "password", TestProject.PASSWORD)));

            assertThat(answers.get(0).status()).isEqualTo(200);
            assertThat(answers.get(1).status()).isIn(201, 409);
            assertThat(server.sql()
                            .count(
                                    "SELECT count(*) FROM users WHERE email = ? AND email_verified"
                                            + " AND password_hash IS NULL",
                                    email))
                    .isEqualTo(1);
            project.me(answers.get(0).accessToken()).expect(200);
        }
    }

    @Test
    void secretsOfAnotherProjectAreRefused() {
        var project = newProject();
        var other = newProject();
        var email = TestServer.newEmail();
        var token = token(project, email);
        var code = code(project, email, 2);
        ask(other, "email-otp", email).expect(200);
        var others = mail.mailbox().awaitCode(email, 3);

        verify(other, token).expect(401);
        if (!others.equals(code)) {
            verify(other, email, code).expect(401);
        }
        verify(project, token).expect(200);
    }

    @Test
    void aCodeIsOnlyValidForItsOwnPurpose() {
        var project = newProject();
        var email = TestServer.newEmail();
        var tokens = project.signUp(email);
        var verification = mail.mailbox().awaitCode(email);
        var code = code(project, email, 2);
        if (!verification.equals(code)) {
            verify(project, email, verification).expect(401);
            WithMail.verify(project, email, code, 401);
        }
        project.post("/v1/auth/me/email/verify")
                .bearer(tokens.accessToken())
                .json(Map.of("code", code))
                .expect(401);
        project.post("/v1/auth/password/reset")
                .json(Map.of("email", email, "code", code, "password", "another horse battery"))
                .expect(422);
        var token = token(project, email, 3);
        project.post("/v1/auth/email/undo").json(Map.of("token", token)).expect(401);
        project.post("/v1/auth/mfa/verify")
                .json(Map.of("mfaToken", token, "code", "000000"))
                .expect(401);
        verify(project, email, code).expect(200);
    }

    @Test
    void anEmailChangeOrADeletionInvalidatesWhatWasSent() {
        var project = newProject();
        var email = TestServer.newEmail();
        newUser(project, email);
        var tokens = project.signIn(email);
        var token = token(project, email);
        var newEmail = TestServer.newEmail();
        project.post("/v1/auth/me/email")
                .bearer(tokens.accessToken())
                .json(Map.of("email", newEmail, "currentPassword", TestProject.PASSWORD))
                .expect(200);
        project.post("/v1/auth/me/email/verify")
                .bearer(tokens.accessToken())
                .json(Map.of("code", mail.mailbox().awaitCode(newEmail)))
                .expect(200);
        verify(project, token).expect(401);

        var code = code(project, newEmail, 2);
        project.manage("DELETE", "/v1/backend/users/" + tokens.text("user/id")).expect(200);
        verify(project, newEmail, code).expect(401);
        assertThat(server.sql().count("SELECT count(*) FROM users WHERE project_id = ?::uuid", project.id()))
                .isZero();
    }

    @Test
    void aLinkSaysWhetherAnotherBrowserAskedForIt() {
        var project = newProject();
        for (var elsewhere : List.of(true, false)) {
            var email = TestServer.newEmail();
            ask(project, "magic-link", email)
                    .header("User-Agent", "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0")
                    .expect(200);
            var token = TOKEN.matcher(TestMailbox.text(mail.mailbox().await(email, 1)));
            assertThat(token.find()).isTrue();
            var answer = verify(project, token.group(1))
                    .header(
                            "User-Agent",
                            elsewhere
                                    ? "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Safari/604.1"
                                    : "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0")
                    .expect(200);
            assertThat(answer.json().path("requestedElsewhere").asBoolean(!elsewhere))
                    .isEqualTo(elsewhere);
        }
    }

    @Test
    void onlyAPostUsesUpAToken() {
        var project = newProject();
        var email = TestServer.newEmail();
        var token = token(project, email);
        project.get("/v1/auth/passwordless/verify?token=" + token).expect(405);
        verify(project, token).expect(200);
    }

    @Test
    void switchedOffEverythingIsA404() {
        var project = newProject();
        var email = TestServer.newEmail();
        var token = token(project, email);
        set(project, Map.of("factors", Map.of("passwordless", false)));

        ask(project, "magic-link", email).expect(404);
        ask(project, "email-otp", email).expect(404);
        verify(project, token).expect(404);
        verify(project, email, "000000").expect(404);
        send(project, Map.of("email", email)).expect(404);
        check(project, email, "000000").expect(404);
        assertThat(branding(project).path("showPasswordless").asBoolean()).isFalse();

        set(project, Map.of("factors", Map.of("passwordless", true)));
        verify(project, token).expect(200);
    }

    private static JsonNode branding(TestProject project) {
        return project.get("/v1/auth/branding").expect(200).json();
    }

    @Test
    void theBrandingFollowsTheSettings() {
        var project = server.newProject();
        assertThat(branding(project).path("showPasswordless").asBoolean()).isTrue();
        assertThat(branding(project).path("passwordlessMethod").asText()).isEqualTo("email_otp");
        set(project, Map.of("magicLinkUrl", PAGE));
        Eventually.until(
                "links are offered",
                () -> branding(project).path("passwordlessMethod").asText().equals("both"));
    }

    @Test
    void dashboardUsersCannotSignInByMail() {
        var email = TestServer.newEmail();
        for (var path : List.of("magic-link", "email-otp", "verify")) {
            server.api()
                    .post("/v1/auth/passwordless/" + path)
                    .json(Map.of("projectId", "00000000-0000-7000-8000-000000000000", "email", email, "code", "000000"))
                    .expect(404);
        }
    }

    @Test
    void inVariantBTheSessionBelongsToVariantB() {
        var project = newProject();
        var email = TestServer.newEmail();
        server.api()
                .post("/v1/auth/passwordless/email-otp")
                .json(Map.of("projectId", project.id(), "email", email))
                .expect(200);
        var tokens = server.api()
                .post("/v1/auth/passwordless/verify")
                .json(Map.of(
                        "projectId",
                        project.id(),
                        "email",
                        email,
                        "code",
                        mail.mailbox().awaitCode(email)))
                .expect(200);
        assertThat(tokens.json().path("expiresIn").asInt()).isEqualTo(3600);
        project.refreshAccessToken(tokens.refreshToken()).expect(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ml_", "ml_\u0000", "'; DROP TABLE users; --", "ml_YXNk\r\nX-Injected: 1"})
    void aForgedTokenOpensNothing(String token) {
        assertThat(verify(newProject(), token).send().status()).isIn(401, 422);
    }

    @Test
    void aNumberInPlaceOfTheEmailIsForSmsWhichAreOff() {
        verify(newProject(), "+4915112345678", "000000").expect(404);
    }

    @Test
    void aUrlThatIsNotAWebPageIsRefused() {
        var project = server.newProject();
        for (var url :
                List.of("javascript:alert(1)", "//evil.example", "https://a.example/\r\nX: 1", "ftp://a.example")) {
            project.asOwner("PATCH", "").json(Map.of("magicLinkUrl", url)).expect(422);
        }
    }

    @Test
    void aRefusedCodeIsInTheAuditLogAndARequestIsNot() {
        var project = newProject();
        var email = TestServer.newEmail();
        var code = code(project, email);
        verify(project, email, WithMail.anotherThan(code)).expect(401);
        verify(project, "ml_" + "A".repeat(43)).expect(401);
        Eventually.until(
                "both are noted",
                () -> server.sql()
                                .count(
                                        "SELECT count(*) FROM audit_log WHERE project_id = ?::uuid"
                                                + " AND event = 'auth.code.refused'"
                                                + " AND metadata ->> 'purpose' IN ('email_otp', 'magic_link')",
                                        project.id())
                        == 2);
        assertThat(events(project)).containsOnly("auth.code.refused", "project.created", "project.updated");
    }

    @Test
    void theDatabaseHoldsNeitherCodeNorToken() {
        var project = newProject();
        var email = TestServer.newEmail();
        var token = token(project, email);
        var code = code(project, email, 2);
        var rows = String.join(
                "\n",
                server.sql()
                        .texts(
                                "SELECT to_jsonb(codes) #>> '{}' FROM codes" + " WHERE project_id = ?::uuid",
                                project.id()));
        assertThat(rows).contains(email).doesNotContain(token).doesNotContain("\"" + code + "\"");
    }

    private long waiting(TestProject project) {
        return server.sql()
                .count("SELECT count(*) FROM messages WHERE project_id = ?::uuid AND user_id IS NULL", project.id());
    }

    private boolean isKept(TestProject project) {
        return server.sql().count("SELECT count(*) FROM codes WHERE project_id = ?::uuid", project.id()) > 0;
    }

    @Test
    void oldRequestsArePurgedAndWaitingOnesAreNot() {
        var sent = newProject();
        code(sent, TestServer.newEmail());
        Eventually.until("it is sent", () -> waiting(sent) == 0);
        var unsent = newProject();
        server.sql()
                .update(
                        "WITH asked AS (INSERT INTO codes (project_id, subject_hash, purpose, message_id, signs_up, to_hosted_page,"
                                + " requested_at, window_start, requests) VALUES (?::uuid, 'hash', 'email_otp',"
                                + " gen_random_uuid(), true, false, '-infinity', '-infinity', 1) RETURNING *)"
                                + " INSERT INTO messages (project_id, id, queue, kind, recipient, subject_hash, language, created_at,"
                                + " next_attempt_at)"
                                + " SELECT project_id, message_id, 'codes', purpose, 'a@example.com', '', 'en', requested_at, 'infinity'"
                                + " FROM asked",
                        unsent.id());

        mail.clock().advance(Duration.ofHours(1).plusMinutes(11));

        Eventually.until("the row is gone", () -> !isKept(sent));
        assertThat(isKept(unsent)).isTrue();
    }

    @Test
    void aLinkThatWaitsIsNotSentAfterACodeHasSignedIn() {
        var project = newProject();
        var email = TestServer.newEmail();
        var code = code(project, email);
        Eventually.until("it is sent", () -> waiting(project) == 0);
        mail.mailbox().goAway();
        try {
            ask(project, "magic-link", email).expect(200);
            assertThat(waiting(project)).isEqualTo(1);

            verify(project, email, code).expect(200);
        } finally {
            mail.mailbox().comeBack();
        }
        awaitRetries(project);

        assertThat(mail.mailbox().to(email)).hasSize(1);
    }

    /** Slowly: the claim of a mail that is just being sent must not end meanwhile, or it is sent once more. */
    private void awaitRetries(TestProject project) {
        Eventually.until("all were tried again", () -> {
            mail.clock().advance(Duration.ofMillis(500));
            return waiting(project) == 0;
        });
    }

    @Test
    void ofTwoRequestsThatWaitForTheSmtpServerOnlyTheLastIsMailed() {
        var project = newProject();
        var email = TestServer.newEmail();
        mail.mailbox().goAway();
        try {
            ask(project, "email-otp", email).expect(200);
            mail.passAMinute();
            assertThat(waiting(project)).isEqualTo(1);
            ask(project, "email-otp", email).expect(200);
        } finally {
            mail.mailbox().comeBack();
        }
        awaitRetries(project);

        assertThat(mail.mailbox().to(email)).hasSize(1);
    }

    @Test
    void metricsCountWhatWasGiven() {
        var project = newProject();
        var email = TestServer.newEmail();
        verify(project, email, code(project, email)).expect(200);
        verify(project, token(project, TestServer.newEmail())).expect(200);
        verify(project, "ml_" + "B".repeat(43)).expect(401);
        var metrics = server.metrics();
        assertThat(metrics)
                .containsPattern("vestibule_factors_codes_total\\{factor=\"email_otp\",outcome=\"accepted\"} [1-9]")
                .containsPattern("vestibule_factors_codes_total\\{factor=\"magic_link\",outcome=\"accepted\"} [1-9]")
                .containsPattern("vestibule_factors_codes_total\\{factor=\"magic_link\",outcome=\"wrong\"} [1-9]");
    }

    // For back ends

    private static Call send(TestProject project, Map<String, ?> fields) {
        return project.manage("POST", "/v1/backend/passwordless/send").json(fields);
    }

    private static Call check(TestProject project, String email, String code) {
        return project.manage("POST", "/v1/backend/passwordless/verify").json(Map.of("email", email, "code", code));
    }

    @Test
    void aBackEndChecksACodeWithoutASession() {
        var project = newProject();
        var email = TestServer.newEmail();
        var user = newUser(project, email);
        assertThat(send(project, Map.of("email", email)).expect(200).text("message"))
                .isNotEmpty();
        var code = mail.mailbox().awaitCode(email);

        assertThat(check(project, email, WithMail.anotherThan(code)).expect(200).body())
                .isEqualTo("{\"valid\":false}");
        var right = check(project, email, code).expect(200);
        assertThat(right.text("valid")).isEqualTo("true");
        assertThat(right.text("userId")).isEqualTo(user);
        assertThat(check(project, email, code).expect(200).body()).isEqualTo("{\"valid\":false}");
        assertThat(server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id()))
                .isZero();
    }

    /** Refused like a sign in, since the back end would let the user in. */
    @Test
    void aBackEndLearnsOfAnAccountThatMustSetUpItsSecondFactor() {
        var project = newProject();
        var email = TestServer.newEmail();
        newUser(project, email);
        set(project, Map.of("requireMfa", "required"));
        mail.clock().advance(Duration.ofDays(8));
        send(project, Map.of("email", email)).expect(200);
        var refused = check(project, email, mail.mailbox().awaitCode(email)).expect(403);
        assertThat(refused.text("reason")).isEqualTo("mfa_enrollment_required");
        assertThat(refused.text("mfaToken")).startsWith("mfa_");
    }

    @Test
    void aBackEndSaysWhetherTheEmailMaySignUp() {
        var project = newProject();
        set(project, Map.of("passwordlessSignUp", false));
        var stranger = TestServer.newEmail();
        send(project, Map.of("email", stranger)).expect(200);
        send(project, Map.of("email", stranger, "type", "sign-in")).expect(200);
        mail.passAMinute();
        send(project, Map.of("email", stranger, "type", "sign-up")).expect(200);
        var made = check(project, stranger, mail.mailbox().awaitCode(stranger)).expect(200);
        assertThat(mail.mailbox().to(stranger)).hasSize(1);
        assertThat(server.sql().texts("SELECT id::text FROM users WHERE email = ? AND email_verified", stranger))
                .containsExactly(made.text("userId"));

        send(project, Map.of("email", stranger, "type", "login")).expect(422);
        send(project, Map.of("email", stranger, "typ", "sign-in")).expect(422);
        check(project, stranger, "abc").expect(422);
    }

    @Test
    void aRequestOfAStrangerTakesNoSignUpFromTheCodeOfABackEnd() {
        var project = newProject();
        set(project, Map.of("passwordlessSignUp", false));
        var email = TestServer.newEmail();
        send(project, Map.of("email", email, "type", "sign-up")).expect(200);
        var code = mail.mailbox().awaitCode(email);
        mail.passAMinute();
        ask(project, "email-otp", email).expect(200);
        Eventually.until("nothing waits", () -> waiting(project) == 0);

        assertThat(check(project, email, code).expect(200).text("valid")).isEqualTo("true");
        assertThat(mail.mailbox().to(email)).hasSize(1);
    }

    @Test
    void aBackEndLearnsOfABanAndOfASecondFactorAsAVisitorDoes() {
        var project = newProject();
        var banned = TestServer.newEmail();
        var user = newUser(project, banned);
        send(project, Map.of("email", banned)).expect(200);
        var code = mail.mailbox().awaitCode(banned);
        server.ban(user);
        check(project, banned, code).expect(403);

        var careful = TestServer.newEmail();
        newUser(project, careful);
        enrol(project.signIn(careful));
        mail.mailbox().await(careful, 1);
        send(project, Map.of("email", careful)).expect(200);
        check(project, careful, mail.mailbox().awaitCode(careful, 2)).expect(403);
    }
}
