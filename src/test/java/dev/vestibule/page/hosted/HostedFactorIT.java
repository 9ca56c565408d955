package dev.vestibule.page.hosted;

import static dev.vestibule.page.hosted.HostedBrowser.VERIFIER;
import static dev.vestibule.page.hosted.HostedBrowser.allowing;
import static dev.vestibule.page.hosted.HostedBrowser.onward;
import static dev.vestibule.page.hosted.HostedBrowser.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.LoggedLines;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Setting up the second factor that the project requires, on the hosted page. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostedFactorIT {
    private static final Pattern KEY = Pattern.compile("<code class=\"key\">([A-Z2-7 ]+)</code>");
    private static final Pattern BACKUP_CODE = Pattern.compile("<li><code>([0-9A-Z]{10})</code></li>");

    private final WithMail mail;
    private final TestServer server;
    private TestProject project;
    private String email;
    private HostedBrowser browser;

    HostedFactorIT(TestDatabase database) {
        mail = WithMail.start(database, Map.of("VESTIBULE_LOG_REQUESTS", "true"));
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    @BeforeEach
    void newUser() {
        project = requiring(server);
        email = longStandingUser(server, project);
        browser = new HostedBrowser(project);
    }

    /** A project that has required second factors for a long time. */
    static TestProject requiring(TestServer server) {
        var project = server.newProject();
        requireForAMonth(server, project);
        return project;
    }

    /** The owner's change afterwards ensures that both are in effect. */
    static void requireForAMonth(TestServer server, TestProject project) {
        server.change(project, "mfa_required_since = now() - interval '30 days'");
        allowing(project);
    }

    /** A user whose grace period to set one up is over. */
    static String longStandingUser(TestServer server, TestProject project) {
        var email = TestServer.newEmail();
        project.signUp(email);
        server.proveEmail(email);
        server.sql().update("UPDATE users SET created_at = created_at - interval '30 days' WHERE email = ?", email);
        return email;
    }

    private HttpResponse<String> signIn() {
        browser.open(Map.of());
        return enter();
    }

    private HttpResponse<String> enter() {
        return browser.submit("sign-in", Map.of("email", email, "password", TestProject.PASSWORD));
    }

    static String secret(HttpResponse<String> page) {
        var key = KEY.matcher(page.body());
        assertThat(key.find()).as(page.body()).isTrue();
        return key.group(1).replace(" ", "");
    }

    private Authenticator app(HttpResponse<String> page) {
        return new Authenticator(secret(page), mail.clock());
    }

    private HttpResponse<String> confirm(String code) {
        return browser.submit("set-up-factor", Map.of("code", code));
    }

    private static List<String> backupCodes(HttpResponse<String> page) {
        return BACKUP_CODE
                .matcher(page.body())
                .results()
                .map(code -> code.group(1))
                .toList();
    }

    private long sessions() {
        return server.sql()
                .count("SELECT count(*) FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = ?)", email);
    }

    @Test
    void aPersonWhoNeedsASecondFactorSetsItUpAndReturnsToTheApplication() {
        var asked = signIn();
        assertThat(asked.statusCode()).isEqualTo(200);
        assertThat(asked.body())
                .contains("Set up a second step", "src=\"data:image/svg+xml;base64,")
                .doesNotContain("id=\"onward\"", "<script");

        var shown = confirm(app(asked).code());
        assertThat(shown.body()).contains("Your backup codes").doesNotContain("id=\"onward\"", "code=");
        assertThat(backupCodes(shown)).hasSize(10).doesNotHaveDuplicates();
        mail.clock().advance(Duration.ofMinutes(10)); // the person writes them down

        var tokens = browser.redeem(browser.submit("go-on", Map.of()), 200);

        assertThat(tokens.text("user/email")).isEqualTo(email);
        assertThat(Jwt.parse(tokens.accessToken()).claims().path("amr").toString())
                .isEqualTo("[\"pwd\",\"otp\",\"mfa\"]");
        project.me(tokens.accessToken()).expect(200);
    }

    @Test
    void theBackupCodesThatThePageShowsSignInOnceEach() {
        var asked = signIn();
        var code = backupCodes(confirm(app(asked).code())).get(3);

        assertThat(signIn().body()).contains("Second step");
        var other = browser.submit("second-factor", Map.of("to", "backup-code"));
        assertThat(other.body()).contains("Use a backup code", "inputmode=\"text\"");
        assertThat(browser.submit("backup-code", Map.of("to", "second-factor")).body())
                .contains("Second step", "inputmode=\"numeric\"");
        browser.redeem(browser.submit("backup-code", Map.of("code", code.toLowerCase(Locale.ROOT))), 200);
        signIn();
        assertThat(browser.submit("second-factor", Map.of("code", code)).body())
                .contains("The code is wrong or too old.");
    }

    @Test
    void aWrongCodeShowsTheSameKeyAgainAndNoBackupCodes() {
        var asked = signIn();

        var wrong = confirm(app(asked).wrongCode());

        assertThat(wrong.statusCode()).isEqualTo(422);
        assertThat(wrong.body()).contains("The code is wrong or too old.");
        assertThat(secret(wrong)).isEqualTo(secret(asked));
        assertThat(backupCodes(wrong)).isEmpty();
        assertThat(confirm("no code").body())
                .contains("id=\"code-problem\"", secret(asked).substring(0, 4));
        browser.submit("set-up-factor", Map.of("code", app(asked).code()));
        browser.redeem(browser.submit("go-on", Map.of()), 200);
    }

    @Test
    void fiveWrongCodesEndTheSignIn() {
        var app = app(signIn());
        for (int i = 0; i < 5; i++) {
            assertThat(confirm(app.wrongCode()).statusCode()).isEqualTo(422);
        }

        assertThat(confirm(app.code()).statusCode()).isEqualTo(422);
        assertThat(sessions()).isEqualTo(1); // that of the sign up
    }

    @Test
    void aSetUpThatTookTooLongStartsOverWithThePassword() {
        var app = app(signIn());
        mail.clock().advance(Duration.ofMinutes(11));

        var late = confirm(app.code());

        assertThat(late.statusCode()).isEqualTo(409);
        assertThat(late.body()).contains("Sign in again.", "type=\"password\"");
    }

    @Test
    void aSetUpWorksOnce() {
        var asked = signIn();
        var fields = Map.of(
                "formToken", browser.hidden("formToken"),
                "request", browser.hidden("request"),
                "setUp", browser.hidden("setUp"),
                "code", app(asked).code());
        assertThat(browser.post("set-up-factor", fields).body()).contains("Your backup codes");

        var again = browser.post("set-up-factor", fields);

        assertThat(again.statusCode()).isEqualTo(422);
        assertThat(backupCodes(again)).isEmpty();
        assertThat(again.body()).doesNotContain("name=\"ticket\"");
    }

    @Test
    void theButtonAfterTheBackupCodesWorksOnceInThisBrowserAndForThisReturnUrl() {
        confirm(app(signIn()).code());
        var fields = new HashMap<String, String>();
        for (var name : List.of("formToken", "request", "ticket")) {
            fields.put(name, browser.hidden(name));
        }
        var other = new HostedBrowser(project);
        other.open(Map.of());
        var stolen = new HashMap<>(fields);
        stolen.put("formToken", other.hidden("formToken"));
        project.post("/v1/auth/hosted/callback")
                .json(Map.of("code", "x" + fields.get("ticket"), "codeVerifier", VERIFIER))
                .expect(401);

        assertThat(browser.post("go-on", Map.of("request", fields.get("request"), "ticket", fields.get("ticket")))
                        .statusCode())
                .isEqualTo(403);
        var code = parameter(onward(browser.post("go-on", fields)), "code");
        assertThat(browser.post("go-on", fields).statusCode()).isEqualTo(409);
        browser.redeem(Map.of("code", code, "codeVerifier", VERIFIER), 200);

        assertThat(other.post("go-on", stolen).statusCode()).isEqualTo(409);
    }

    @Test
    void aTicketFromAnotherBrowserIsRefusedAndUsedUp() {
        confirm(app(signIn()).code());
        var ticket = browser.hidden("ticket");
        var other = new HostedBrowser(project);
        other.open(Map.of());

        assertThat(other.submit("go-on", Map.of("ticket", ticket)).statusCode()).isEqualTo(409);

        assertThat(browser.submit("go-on", Map.of()).statusCode()).isEqualTo(409);
    }

    @Test
    void anApplicationCannotRedeemATicket() {
        confirm(app(signIn()).code());
        var ticket = browser.hidden("ticket");

        browser.redeem(Map.of("code", ticket, "codeVerifier", VERIFIER), 401);
        project.api()
                .post("/v1/auth/hosted/callback")
                .key(project.secretKey())
                .json(Map.of("code", ticket))
                .expect(401);
    }

    @Test
    void theDataOfAFormIsValidOnlyUnchangedInItsProjectAndBrowser() {
        var asked = signIn();
        var setUp = browser.hidden("setUp");
        var code = app(asked).code();
        var elsewhere = new HostedBrowser(requiring(server));
        elsewhere.open(Map.of());
        var other = new HostedBrowser(project);
        other.open(Map.of());

        for (var attempt : List.of(
                elsewhere.submit("set-up-factor", Map.of("setUp", setUp, "code", code)),
                other.submit("set-up-factor", Map.of("setUp", setUp, "code", code)),
                browser.submit("set-up-factor", Map.of("setUp", "e" + setUp, "code", code)))) {
            assertThat(attempt.statusCode()).isEqualTo(403);
            assertThat(attempt.body()).contains("Sign in again.").doesNotContain("class=\"key\"");
        }
        signIn(); // the page has another form now
        assertThat(sessions()).isEqualTo(1);
    }

    @Test
    void aFormOfAnotherSiteSetsNothingUp() {
        var asked = signIn();
        var setUp = browser.hidden("setUp");
        var request = browser.hidden("request");

        var forged = browser.post(
                "set-up-factor",
                Map.of("setUp", setUp, "request", request, "code", app(asked).code()));

        assertThat(forged.statusCode()).isEqualTo(403);
        assertThat(sessions()).isEqualTo(1);
    }

    @Test
    void theTokenOfASignInWithAFactorCannotSetOneUp() {
        confirm(app(signIn()).code());
        mail.clock().advance(Duration.ofSeconds(30));
        signIn();
        var token = browser.hidden("mfaToken");

        project.post("/v1/auth/mfa/totp/setup").json(Map.of("mfaToken", token)).expect(401);
        assertThat(browser.submit("set-up-factor", Map.of("code", "123456")).statusCode())
                .isEqualTo(403);
    }

    @Test
    void aVisitWithoutARequestSetsTheFactorUpAndOpensNothing() {
        browser.get(browser.path());
        var asked = enter();

        var shown = confirm(app(asked).code());

        assertThat(backupCodes(shown)).hasSize(10);
        assertThat(onward(shown)).hasToString(HostedBrowser.APP);
        assertThat(sessions()).isZero(); // that of the sign up has ended too
        assertThat(browser.submit("go-on", Map.of("ticket", "x")).statusCode()).isEqualTo(403);
    }

    @Test
    void noSecretIsInAUrlACacheOrALog() {
        try (var log = new LoggedLines("ROOT")) {
            var asked = signIn();
            var shown = confirm(app(asked).code());

            for (var page : List.of(asked, shown)) {
                assertThat(page.headers().firstValue("Cache-Control")).contains("no-store");
                assertThat(page.body()).doesNotContain("otpauth:");
                assertThat(addresses(page)).noneMatch(address -> address.contains(secret(asked)));
            }
            log.await(shown.headers().firstValue("X-Request-Id").orElseThrow());
            var texts = log.all().stream()
                    .map(line -> line.getFormattedMessage() + line.getKeyValuePairs() + line.getMDCPropertyMap())
                    .toList();
            assertThat(texts).noneMatch(text -> text.contains(secret(asked)));
            assertThat(texts).noneMatch(text -> backupCodes(shown).stream().anyMatch(text::contains));
        }
    }

    private static List<String> addresses(HttpResponse<String> page) {
        return Pattern.compile("(?:href|action)=\"([^\"]*)\"")
                .matcher(page.body())
                .results()
                .map((MatchResult link) -> link.group(1))
                .toList();
    }
}
