package dev.vestibule.page.hosted;

import static dev.vestibule.page.hosted.HostedBrowser.APP;
import static dev.vestibule.page.hosted.HostedBrowser.CHALLENGE;
import static dev.vestibule.page.hosted.HostedBrowser.VERIFIER;
import static dev.vestibule.page.hosted.HostedBrowser.allowing;
import static dev.vestibule.page.hosted.HostedBrowser.encode;
import static dev.vestibule.page.hosted.HostedBrowser.onward;
import static dev.vestibule.page.hosted.HostedBrowser.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.project.branding.DefaultBranding;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostedPageIT {
    private final WithMail mail;
    private final TestServer server;

    HostedPageIT(TestDatabase database) {
        mail = WithMail.start(database);
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    private TestProject project() {
        return allowing(server.newProject());
    }

    private static Map<String, String> credentials(String email) {
        return Map.of("email", email, "password", TestProject.PASSWORD);
    }

    private static HttpResponse<String> signIn(HostedBrowser browser, String email) {
        browser.open(Map.of());
        return browser.submit("sign-in", credentials(email));
    }

    @Test
    void aSignInBringsTheBrowserBackWithACodeForTokens() {
        var project = project();
        var email = TestServer.newEmail();
        project.signUp(email);
        var browser = new HostedBrowser(project);

        var response = signIn(browser, email);

        assertThat(response.statusCode()).isEqualTo(200);
        var url = onward(response);
        assertThat(url.toString()).startsWith(APP + "?code=");
        assertThat(parameter(url, "state")).isEqualTo("the state & more");
        assertThat(response.body()).doesNotContain("rt_", "eyJhbGciOi").contains("http-equiv=\"refresh\"");
        var tokens = browser.redeem(response, 200);
        assertThat(tokens.json().fieldNames())
                .toIterable()
                .containsExactly("accessToken", "refreshToken", "expiresIn", "user");
        assertThat(tokens.text("user/email")).isEqualTo(email);
        project.me(tokens.accessToken()).expect(200);
        project.refresh(tokens.refreshToken()).expect(200);
    }

    @Test
    void aSignUpReturnsToTheApplicationAfterTheCodeOfTheMail() {
        var project = allowing(mail.strictProject());
        var email = TestServer.newEmail();
        var browser = new HostedBrowser(project);
        browser.open(Map.of("screen", "sign-up"));
        var asked = browser.submit(
                "sign-up", Map.of("email", email, "password", TestProject.PASSWORD, "displayName", "Ann"));
        assertThat(asked.body()).contains("Confirm your email");

        var wrong = browser.submit(
                "verify", Map.of("code", WithMail.anotherThan(mail.mailbox().awaitCode(email)), "email", email));
        assertThat(wrong.statusCode()).isEqualTo(422);
        assertThat(wrong.body()).contains("The code is wrong or too old.");
        var response = browser.submit("verify", Map.of("code", mail.mailbox().awaitCode(email), "email", email));

        var tokens = browser.redeem(response, 200);
        assertThat(tokens.text("user/displayName")).isEqualTo("Ann");
        assertThat(tokens.text("user/emailVerified")).isEqualTo("true");
    }

    @Test
    void aForgottenPasswordIsResetOnThePage() {
        var project = project();
        var email = TestServer.newEmail();
        mail.signUp(project, email);
        var browser = new HostedBrowser(project);
        browser.open(Map.of("screen", "forgot-password"));
        var asked = browser.submit("forgot-password", Map.of("email", email));
        assertThat(asked.body()).contains("Set a new password");

        var code = mail.mailbox().awaitCodeAmongNotices(email, 2);
        var done = browser.submit(
                "reset-password", Map.of("email", email, "code", code, "password", "another good passphrase"));
        assertThat(done.body()).contains("Your password is set.");
        var response = browser.submit("sign-in", Map.of("email", email, "password", "another good passphrase"));
        browser.redeem(response, 200);
    }

    @Test
    void askingForAResetDoesNotTellWhetherTheEmailHasAnAccount() {
        var project = project();
        var email = TestServer.newEmail();
        project.signUp(email);

        assertThat(forgotten(project, email)).isEqualTo(forgotten(project, TestServer.newEmail()));
    }

    private static String forgotten(TestProject project, String email) {
        var browser = new HostedBrowser(project);
        browser.open(Map.of("screen", "forgot-password"));
        return browser.submit("forgot-password", Map.of("email", email))
                .body()
                .replace(email, "EMAIL")
                .replaceAll("value=\"[^\"]{40,}\"", "value")
                .replaceAll("request=[^\"]+", "request");
    }

    @Test
    void aCodeByMailSignsIn() {
        var project = project();
        var email = TestServer.newEmail();
        var browser = new HostedBrowser(project);
        browser.open(Map.of("screen", "email-code"));
        browser.submit("email-code", Map.of("email", email));

        var response = browser.submit(
                "enter-email-code",
                Map.of("email", email, "code", mail.mailbox().awaitCode(email)));

        assertThat(browser.redeem(response, 200).text("user/email")).isEqualTo(email);
    }

    @Test
    void aCodeIsTakenAsPeoplePasteIt() {
        var project = project();
        for (var typed : List.of(" %s %s ", "%s-%s", "%s\u00a0%s")) {
            var email = TestServer.newEmail();
            var browser = new HostedBrowser(project);
            browser.open(Map.of("screen", "email-code"));
            browser.submit("email-code", Map.of("email", email));
            var code = mail.mailbox().awaitCode(email);

            var response = browser.submit(
                    "enter-email-code",
                    Map.of("email", email, "code", typed.formatted(code.substring(0, 3), code.substring(3))));

            assertThat(browser.redeem(response, 200).text("user/email")).isEqualTo(email);
        }
    }

    @Test
    void whatWasTypedComesAlongToTheNextScreenButNoPassword() {
        var browser = new HostedBrowser(project());
        browser.open(Map.of());
        var typed = Map.of("email", "ann+1@example.com", "password", "half a passphrase", "phone", "+491");
        for (var screen : List.of("forgot-password", "sign-up", "email-code", "magic-link", "sign-in")) {
            var fields = new HashMap<>(typed);
            fields.put("to", screen);

            var shown = browser.submit("sign-in", fields);

            assertThat(shown.statusCode()).isEqualTo(200);
            assertThat(shown.body())
                    .contains("action=\"" + screen + "\"", "value=\"ann+1@example.com\"")
                    .doesNotContain("half a passphrase", "class=\"problem\" role");
        }
        var odd = browser.submit("sign-in", Map.of("to", "forgot-password", "email", "\"><b>"));
        assertThat(odd.body()).contains("value=\"&quot;&gt;&lt;b&gt;\"").doesNotContain("<b>");
    }

    @Test
    void aFormOfAnotherSiteBringsNothingAlongToTheNextScreen() {
        var browser = new HostedBrowser(project());
        browser.open(Map.of());

        var shown = browser.post(
                "sign-in", Map.of("to", "forgot-password", "email", "ann@example.com", "mfaToken", "mfa_x"));

        assertThat(shown.statusCode()).isEqualTo(200);
        assertThat(shown.body()).contains("action=\"forgot-password\"").doesNotContain("ann@example.com");
        assertThat(browser.post("sign-in", Map.of("to", "second-factor", "mfaToken", "mfa_x"))
                        .body())
                .doesNotContain("mfa_x");
    }

    @Test
    void noButtonLeadsToAScreenThatNeedsMoreThanWhatWasTyped() {
        var browser = new HostedBrowser(project());
        for (var screen : List.of("backup-codes", "go-on", "done", "unknown", "failed", "reset-password", "nonsense")) {
            browser.open(Map.of());
            assertThat(browser.submit("sign-in", Map.of("to", screen, "email", "ann@example.com"))
                            .statusCode())
                    .as(screen)
                    .isEqualTo(422);
        }
        browser.open(Map.of());
        assertThat(browser.submit("sign-in", Map.of("to", "second-factor")).body())
                .contains("action=\"sign-in\"");
    }

    @Test
    void afterSendingThePageNamesTheAddressAndSendsAgainOrElsewhere() {
        var browser = new HostedBrowser(project());
        for (var form : List.of("email-code", "forgot-password", "magic-link")) {
            var email = TestServer.newEmail();
            browser.open(Map.of("screen", form));
            var sent = browser.submit(form, Map.of("email", email));
            assertThat(sent.body())
                    .contains("<bdi class=\"address\">" + email + "</bdi>")
                    .contains("name=\"again\"", "name=\"to\" value=\"" + form + "\"", "value=\"sign-in\"");

            var again = browser.submit(form, Map.of("email", email, "again", "1"));

            assertThat(again.statusCode()).isEqualTo(200);
            assertThat(again.body()).containsPattern("a new (code|link) is on its way");
        }
    }

    @Test
    void theFirstWayToSignInIsTheOneThatTheProjectHas() {
        var project = project();
        var browser = new HostedBrowser(project);
        assertThat(firstForm(browser)).isEqualTo("sign-in");
        project.asOwner("PATCH", "")
                .json(Map.of("factors", Map.of("password", false)))
                .expect(200);
        assertThat(firstForm(browser)).isEqualTo("email-code");
        assertThat(browser.open(Map.of("screen", "sign-up")).body()).contains("action=\"email-code\"");
        assertThat(browser.open(Map.of("screen", "forgot-password")).body()).contains("action=\"email-code\"");
        project.asOwner("PATCH", "")
                .json(Map.of("factors", Map.of("passwordless", false, "passkeys", false)))
                .expect(200);
        assertThat(browser.open(Map.of()).body())
                .contains("You cannot sign in here yet", "href=\"" + APP + "\"")
                .doesNotContain("<form", "class=\"or\"");
    }

    private static String firstForm(HostedBrowser browser) {
        var page = browser.open(Map.of()).body();
        var form = Pattern.compile("<form method=\"post\" action=\"([^\"]+)\" id=\"main\">")
                .matcher(page);
        assertThat(form.find()).isTrue();
        return form.group(1);
    }

    @Test
    void anExpiredRequestLeadsBackToTheApplication() {
        var browser = new HostedBrowser(project());
        assertThat(browser.get(browser.path() + "?request=nonsense").body())
                .contains("This page is too old", "href=\"" + APP + "\"");
    }

    @Test
    void anAddressThatLeadsNowhereShowsABrowserAPageWithAWayHome() {
        var browser = new HostedBrowser(project());
        var accept = new String[] {"Accept", "text/html,application/xhtml+xml", "Accept-Language", "fr"};
        for (var path :
                List.of("/nothing", "/nothing/at/all?x=1", "/a%00b", "/%3Cscript%3E", "/p", "/v1", "/favicon")) {
            var page = browser.get(path, accept);
            assertThat(page.statusCode()).as(path).isEqualTo(404);
            assertThat(page.body())
                    .contains("<html lang=\"fr\">", "Il n’y a rien ici", "href=\"http", "/\">Vers l’accueil")
                    .doesNotContain("nothing", "script");
            assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'");

            assertThat(browser.get(path, "Accept", "*/*").body()).startsWith("{\"statusCode\":404");
        }
        assertThat(browser.get("/v1/nothing", accept).body()).startsWith("{\"statusCode\":404");
        assertThat(browser.get("/p/no-such-project/", accept).body())
                .contains("Revenez à l’application")
                .doesNotContain("Vers l’accueil");
        var wrongMethod = browser.post("../../console/", Map.of(), accept);
        assertThat(wrongMethod.statusCode()).isEqualTo(405);
        assertThat(wrongMethod.body()).contains("<html lang=\"fr\">");
        assertThat(wrongMethod.headers().firstValue("Allow")).isPresent();
    }

    @Test
    void errorsArePagesForBrowsersAndJsonForPrograms() {
        var browser = new HostedBrowser(project());
        var accept = new String[] {"Accept", "text/html,application/xhtml+xml", "Accept-Language", "de"};

        var unknown = browser.post("no-such-form", Map.of(), accept);
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("<html lang=\"de\">", "Hier gibt es nichts");

        var tooMany = new HashMap<String, String>();
        for (int i = 0; i < 60; i++) {
            tooMany.put("field" + i, "x");
        }
        tooMany.put("email", "%".repeat(70_000));
        var failed = browser.post("sign-in", tooMany, accept);
        assertThat(failed.statusCode()).isEqualTo(413);
        assertThat(failed.body())
                .contains("Das hat nicht geklappt", "Erneut versuchen", "href=\"./")
                .doesNotContain("<form", "field1");
        assertThat(failed.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "frame-ancestors 'none'");

        var json = browser.post("sign-in", tooMany);
        assertThat(json.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(json.body()).contains("\"code\":\"payload_too_large\"");
        var api = browser.get("/v1/no-such-path", accept);
        assertThat(api.headers().firstValue("Content-Type")).contains("application/json");
    }

    @Test
    void aFormThatFailsIsTriedAgainOnItsOwnPage() {
        var project = project();
        var email = TestServer.newEmail();
        project.signUp(email);
        var browser = new HostedBrowser(project);
        signIn(browser, email);
        var asked = browser.get("/v1/projects/" + project.id() + "/oauth/logout");
        var logout = "?"
                + URI.create(asked.headers().firstValue("Location").orElseThrow())
                        .getRawQuery();
        browser.get(browser.path() + "logout" + logout);
        var signOut = browser.hiddenFields();
        browser.get(browser.path() + "device");
        var device = browser.hiddenFields();
        device.put("code", "\"WDJB MJHT&");

        var away = List.of("browser_sessions", "oauth_device_requests", "organization_setup_links");
        away.forEach(table -> server.sql().update("ALTER TABLE " + table + " RENAME TO " + table + "_away"));
        try {
            assertThat(retry(browser, "setup/domain-added", Map.of("token", "sl_a&b", "domain", "example.com")))
                    .isEqualTo("./?token=sl_a%26b");
            assertThat(retry(browser, "device", device)).isEqualTo("?user_code=%22WDJB+MJHT%26");
            assertThat(retry(browser, "logout", signOut)).isEqualTo(logout);
        } finally {
            away.forEach(table -> server.sql().update("ALTER TABLE " + table + "_away RENAME TO " + table));
        }
        assertThat(browser.get(browser.path() + "logout" + logout).body()).contains(email, "name=\"logout\"");
    }

    private static String retry(HostedBrowser browser, String form, Map<String, String> fields) {
        var failed = browser.post(form, fields, "Accept", "text/html");
        assertThat(failed.statusCode()).as(failed.body()).isEqualTo(500);
        var link = Pattern.compile("<a class=\"button\" href=\"([^\"]*)\">").matcher(failed.body());
        assertThat(link.find()).as(failed.body()).isTrue();
        return link.group(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/p/no-such-project/",
                "/p/no-such-project/account/",
                "/nothing",
                "/nothing/below/it/at/all",
                "/v1/projects/none/oauth/authorize"
            })
    void pagesOfNoProjectHaveAStyleSheetToo(String path) {
        var browser = new HostedBrowser(project());
        var page = browser.get(path, "Accept", "text/html").body();
        var link =
                Pattern.compile("<link rel=\"stylesheet\" href=\"([^\"]+)\">").matcher(page);
        assertThat(link.find()).as(page).isTrue();

        var sheet = browser.get(URI.create(path).resolve(link.group(1)).getPath());

        assertThat(sheet.statusCode()).isEqualTo(200);
        // in the colours of a project that has chosen none
        assertThat(sheet.body())
                .contains("(--start, " + DefaultBranding.PRIMARY_START, "(--end, " + DefaultBranding.PRIMARY_END)
                .contains(
                        "--light-bg, " + DefaultBranding.LIGHT_BACKGROUND,
                        "--dark-bg, " + DefaultBranding.DARK_BACKGROUND)
                .contains("--light-text, " + DefaultBranding.LIGHT_TEXT, "--dark-text, " + DefaultBranding.DARK_TEXT)
                .contains("--radius, " + DefaultBranding.BORDER_RADIUS + "px");
    }

    @Test
    void onScreensWithAPasswordOneScriptRunsThatThePolicyNamesByItsContent() {
        var browser = new HostedBrowser(project());
        for (var screen : List.of("sign-in", "sign-up")) {
            var page = browser.open(Map.of("screen", screen));
            var script = Pattern.compile("<script [^>]*show-password.js\" integrity=\"(sha256-[A-Za-z0-9&#;+/=]+)\">")
                    .matcher(page.body());
            assertThat(script.find()).as(page.body()).isTrue();
            assertThat(page.body()).containsOnlyOnce("<script");
            assertThat(policy(page)).endsWith("script-src '" + script.group(1) + "'");
        }
        for (var screen : List.of("forgot-password", "email-code", "magic-link")) {
            var page = browser.open(Map.of("screen", screen));
            assertThat(page.body()).doesNotContain("<script");
            assertThat(policy(page)).doesNotContain("script-src");
        }
    }

    private static String policy(HttpResponse<String> page) {
        return page.headers().firstValue("Content-Security-Policy").orElseThrow();
    }

    @Test
    void thePageSaysWhoSecuresItIfTheBrandingWantsThat() {
        var project = project();
        var browser = new HostedBrowser(project);
        assertThat(browser.open(Map.of()).body()).doesNotContain("Secured by");
        project.asOwner("PATCH", "/branding")
                .json(Map.of("showSecuredBy", true))
                .expect(200);
        assertThat(browser.open(Map.of()).body()).contains("Secured by Vestibule");
    }

    @Test
    void aPersonWithASecondFactorIsAskedForIt() {
        var project = project();
        var email = TestServer.newEmail();
        var token = project.signUp(email).accessToken();
        mail.server().proveEmail(email);
        var setup = project.post("/v1/auth/mfa/totp/setup")
                .bearer(token)
                .json(Map.of())
                .expect(200);
        var app = new Authenticator(setup.text("secret"), mail.clock());
        project.post("/v1/auth/mfa/totp/verify-setup")
                .bearer(token)
                .json(Map.of("code", app.code()))
                .expect(200);
        mail.clock().advance(Duration.ofSeconds(30));
        var browser = new HostedBrowser(project);

        var asked = signIn(browser, email);
        assertThat(asked.body()).contains("Second step").doesNotContain("id=\"onward\"");
        assertThat(browser.submit("second-factor", Map.of("code", app.wrongCode()))
                        .body())
                .contains("The code is wrong or too old.");
        var response = browser.submit("second-factor", Map.of("code", app.code()));

        browser.redeem(response, 200);
    }

    @Test
    void aStepThatTookTooLongStartsOver() {
        var project = project();
        var email = TestServer.newEmail();
        var token = project.signUp(email).accessToken();
        mail.server().proveEmail(email);
        var setup = project.post("/v1/auth/mfa/totp/setup")
                .bearer(token)
                .json(Map.of())
                .expect(200);
        var app = new Authenticator(setup.text("secret"), mail.clock());
        project.post("/v1/auth/mfa/totp/verify-setup")
                .bearer(token)
                .json(Map.of("code", app.code()))
                .expect(200);
        var browser = new HostedBrowser(project);
        signIn(browser, email);
        mail.clock().advance(Duration.ofMinutes(11));

        var late = browser.submit("second-factor", Map.of("code", app.code()));

        assertThat(late.statusCode()).isEqualTo(422);
        assertThat(late.body()).contains("Sign in again.", "action=\"sign-in\"");
    }

    @Test
    void aWrongPasswordAndAnUnknownEmailAreTheSamePage() {
        var project = project();
        project.signUp("ann@example.com");
        var browser = new HostedBrowser(project);

        browser.open(Map.of());
        var wrong = browser.submit("sign-in", Map.of("email", "ann@example.com", "password", "not her password"));
        var unknown = browser.submit("sign-in", Map.of("email", "bob@example.com", "password", "not her password"));

        assertThat(wrong.statusCode()).isEqualTo(422);
        assertThat(wrong.body()).contains("The email or the password is wrong.");
        assertThat(unknown.body().replace("bob@", "ann@")).isEqualTo(wrong.body());
    }

    @Test
    void eachRefusedFieldIsMarkedAndTheEnteredValuesStay() {
        var browser = new HostedBrowser(project());
        browser.open(Map.of("screen", "sign-up"));

        var response = browser.submit(
                "sign-up", Map.of("email", "no email <b>", "password", "short", "displayName", "\"><script>"));

        assertThat(response.statusCode()).isEqualTo(422);
        assertThat(response.body())
                .contains("id=\"email-problem\"", "id=\"password-problem\"", "value=\"no email &lt;b&gt;\"")
                .contains("&quot;&gt;&lt;script&gt;")
                .doesNotContain("<script>", "<b>", "\"short\"");
    }

    @Test
    void aTakenEmailIsReported() {
        var project = project();
        project.signUp("ann@example.com");
        var browser = new HostedBrowser(project);
        browser.open(Map.of("screen", "sign-up"));

        var response = browser.submit("sign-up", credentials("ann@example.com"));

        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.body()).contains("This email already has an account.");
    }

    @Test
    void onlyATakenEmailIsReportedAsOne() {
        var browser = new HostedBrowser(project());
        browser.open(Map.of());

        var response = browser.submit("passkey", Map.of("credential", "any"));

        assertThat(response.statusCode()).isEqualTo(409); // this project has no passkeys yet
        assertThat(response.body())
                .contains("That is not possible this way.")
                .doesNotContain("This email already has an account.");
    }

    @Test
    void aLockedAccountIsLockedOnThePageToo() {
        var project = project();
        project.signUp("ann@example.com");
        var browser = new HostedBrowser(project);
        browser.open(Map.of());
        for (int i = 0; i < 25; i++) {
            browser.submit("sign-in", Map.of("email", "ann@example.com", "password", "not her password"));
        }

        var locked = browser.submit("sign-in", credentials("ann@example.com"));

        assertThat(locked.statusCode()).isEqualTo(429);
        assertThat(locked.headers().firstValue("Retry-After")).isPresent();
        assertThat(locked.body()).contains("Too many attempts. Try again in 15 min.");
        project.trySignIn("ann@example.com", TestProject.PASSWORD).expect(429);
    }

    @Test
    void aCodeWorksOnceAndASecondUseEndsItsSession() {
        var project = project();
        project.signUp("ann@example.com");
        var browser = new HostedBrowser(project);
        var response = signIn(browser, "ann@example.com");
        var tokens = browser.redeem(response, 200);

        browser.redeem(response, 401);

        project.me(tokens.accessToken()).expect(401);
        project.refresh(tokens.refreshToken()).expect(401);
        var entries =
                project.asOwner("GET", "/audit-logs?event=auth.code.misused").expect(200);
        assertThat(entries.body()).containsOnlyOnce("\"auth.code.misused\"").contains(tokens.text("user/id"));
    }

    @Test
    void anApplicationsUrlCannotHaveACodeOrState() {
        var project = project();
        for (var query : List.of("code=1", "a=b&state=x", "%63ode=1", "error", "iss=&x=1")) {
            var refused = project.get("/v1/auth/hosted/url?"
                            + encode(Map.of("codeChallenge", CHALLENGE, "redirectUri", APP + "?" + query)))
                    .expect(422);
            assertThat(refused.text("details/0/field")).isEqualTo("redirectUri");
        }
        project.asOwner("PATCH", "")
                .json(Map.of("callbackUrl", APP + "?code=1"))
                .expect(200);
        project.get("/v1/auth/hosted/url?" + encode(Map.of("codeChallenge", CHALLENGE)))
                .expect(422);
    }

    @Test
    void atMostOneOfConcurrentRedemptionsGetsTokensAndTheSessionEnds() {
        var project = project();
        project.signUp("ann@example.com");
        var browser = new HostedBrowser(project);
        var code = parameter(onward(signIn(browser, "ann@example.com")), "code");

        var answers = Parallel.send(
                8, i -> project.post("/v1/auth/hosted/callback").json(Map.of("code", code, "codeVerifier", VERIFIER)));

        var winners = answers.stream().filter(answer -> answer.status() == 200).toList();
        assertThat(winners).hasSizeLessThanOrEqualTo(1);
        winners.forEach(winner -> project.me(winner.accessToken()).expect(401));
    }

    @Test
    void aWrongOrMissingVerifierGetsNothingAndUsesUpTheCode() {
        var project = project();
        project.signUp("ann@example.com");
        var browser = new HostedBrowser(project);
        for (var fields : List.<Map<String, String>>of(Map.of(), Map.of("codeVerifier", "x".repeat(43)))) {
            var code = parameter(onward(signIn(browser, "ann@example.com")), "code");
            var wrong = new HashMap<>(fields);
            wrong.put("code", code);
            browser.redeem(wrong, 401);
            browser.redeem(Map.of("code", code, "codeVerifier", VERIFIER), 401);
        }
    }

    @Test
    void aCodeIsValidForItsProjectItsRedirectAndAMinute() {
        var project = project();
        project.signUp("ann@example.com");
        var browser = new HostedBrowser(project);
        var code = parameter(onward(signIn(browser, "ann@example.com")), "code");
        project()
                .post("/v1/auth/hosted/callback")
                .json(Map.of("code", code, "codeVerifier", VERIFIER))
                .expect(401);
        browser.redeem(Map.of("code", code, "codeVerifier", VERIFIER, "redirectUri", APP), 200);

        var elsewhere = parameter(onward(signIn(browser, "ann@example.com")), "code");
        browser.redeem(
                Map.of("code", elsewhere, "codeVerifier", VERIFIER, "redirectUri", "https://evil.example.com/"), 401);

        var late = parameter(onward(signIn(browser, "ann@example.com")), "code");
        mail.clock().advance(Duration.ofSeconds(61));
        browser.redeem(Map.of("code", late, "codeVerifier", VERIFIER), 401);
        browser.redeem(Map.of("code", "nonsense", "codeVerifier", VERIFIER), 401);
    }

    @Test
    void onlyAServerCanOmitPkce() {
        var project = project();
        project.signUp("ann@example.com");
        assertThat(project.get("/v1/auth/hosted/url").expect(422).failingFields())
                .containsExactly("codeChallenge");
        var url = project.api()
                .get("/v1/auth/hosted/url")
                .key(project.secretKey())
                .expect(200)
                .text("url");
        var browser = new HostedBrowser(project);
        browser.get(browser.path() + "?" + java.net.URI.create(url).getRawQuery());
        var code = parameter(onward(browser.submit("sign-in", credentials("ann@example.com"))), "code");

        browser.redeem(Map.of("code", code), 401);

        browser.get(browser.path() + "?" + java.net.URI.create(url).getRawQuery());
        var another = parameter(onward(browser.submit("sign-in", credentials("ann@example.com"))), "code");
        project.api()
                .post("/v1/auth/hosted/callback")
                .key(project.secretKey())
                .json(Map.of("code", another))
                .expect(200);
    }

    @Test
    void thePageReturnsOnlyWhereTheProjectAllowsIt() {
        var project = project();
        for (var url : List.of(
                "https://evil.example.com/",
                "https://app.example.com.evil.example/",
                "https://app.example.com/other",
                "https://app.example.com@evil.example/",
                "javascript:alert(1)",
                "//evil.example.com/",
                APP + "#fragment")) {
            assertThat(project.get("/v1/auth/hosted/url?"
                                    + encode(Map.of("codeChallenge", CHALLENGE, "redirectUri", url)))
                            .expect(422)
                            .failingFields())
                    .as(url)
                    .containsExactly("redirectUri");
        }
        assertThat(server.newProject()
                        .get("/v1/auth/hosted/url?codeChallenge=" + CHALLENGE)
                        .expect(422)
                        .failingFields())
                .containsExactly("redirectUri");
    }

    @Test
    void thePageNeverReturnsToARemovedOrigin() {
        var project = project();
        project.signUp("ann@example.com");
        var browser = new HostedBrowser(project);
        browser.open(Map.of());
        project.asOwner("PATCH", "")
                .json(Map.of("callbackUrl", "https://new.example.com/"))
                .expect(200);

        var response = browser.submit("sign-in", credentials("ann@example.com"));

        assertThat(response.statusCode()).isEqualTo(410);
        assertThat(response.body()).doesNotContain(APP);
    }

    @Test
    void aRequestCannotBeChangedOrUsedInAnotherProjectOrLater() {
        var project = project();
        var browser = new HostedBrowser(project);
        var query = java.net.URI.create(browser.requestUrl(Map.of())).getRawQuery();
        assertThat(browser.get(browser.path() + "?" + query).statusCode()).isEqualTo(200);

        assertThat(browser.get(browser.path() + "?" + query.replace("request=ey", "request=eZ"))
                        .statusCode())
                .isEqualTo(410);
        assertThat(browser.get(browser.path() + "?request=nonsense").statusCode())
                .isEqualTo(410);
        var other = new HostedBrowser(project());
        assertThat(other.get(other.path() + "?" + query).statusCode()).isEqualTo(410);
        mail.clock().advance(Duration.ofMinutes(61));
        assertThat(browser.get(browser.path() + "?" + query).statusCode()).isEqualTo(410);
    }

    @Test
    void aFormOfAnotherSiteDoesNothing() {
        var project = project();
        project.signUp("ann@example.com");
        var browser = new HostedBrowser(project);
        browser.open(Map.of());
        var fields = new HashMap<>(credentials("ann@example.com"));
        fields.put("request", browser.hidden("request"));
        assertThat(browser.post("sign-in", fields).statusCode()).isEqualTo(403);

        var attacker = new HostedBrowser(project);
        attacker.open(Map.of());
        fields.put("formToken", attacker.hidden("formToken"));
        assertThat(browser.post("sign-in", fields).statusCode()).isEqualTo(403);

        browser.open(Map.of());
        assertThat(browser.submit("sign-in", credentials("ann@example.com"), "Sec-Fetch-Site", "same-site")
                        .statusCode())
                .isEqualTo(403);
        browser.open(Map.of());
        browser.forgetCookie();
        var stale = browser.submit("sign-in", credentials("ann@example.com"));
        assertThat(stale.statusCode()).isEqualTo(403);
        assertThat(stale.body()).contains("This form was too old");
        assertThat(browser.submit("sign-in", credentials("ann@example.com"), "Sec-Fetch-Site", "same-origin")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aFormOfAnotherSitePutsNothingOnThePage() {
        var browser = new HostedBrowser(project());
        browser.open(Map.of());
        var forged = Map.of(
                "email", "ann@example.com",
                "connection", "org-" + UUID.randomUUID(),
                "connectionName", "the forged name",
                "mfaToken", "the-forged-token",
                "displayName", "the forged name",
                "phone", "a forged phone",
                "token", "the-forged-token");
        for (var form : List.of(
                "sign-in", "sign-up", "second-factor", "backup-code", "enter-sms-code", "forgot-password", "link")) {
            var page = browser.post(form, forged);
            assertThat(page.body()).as(form).doesNotContain("forged", "org-");
            assertThat(page.statusCode()).as(form).isIn(200, 403);
        }
    }

    @Test
    void theCookieIsForThisSiteOnlyAndNoOtherPageReadsThePage() {
        var browser = new HostedBrowser(project());

        var response = browser.get(browser.path(), "Origin", "https://evil.example.com");

        assertThat(response.headers().firstValue("Set-Cookie").orElseThrow())
                .startsWith("__Host-vestibule-page=")
                .contains("HttpOnly", "SameSite=Lax", "Path=/", "Secure");
        assertThat(response.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
        assertThat(response.headers().firstValue("Access-Control-Allow-Credentials"))
                .isEmpty();
        assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(response.headers().firstValue("X-Frame-Options")).contains("DENY");
        assertThat(response.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "frame-ancestors 'none'", "form-action 'self'")
                .doesNotContain("unsafe");
    }

    @Test
    void aVisitWithoutARequestOpensNothingAndLeadsToTheApplication() {
        var project = project();
        var user = project.signUp("ann@example.com").text("user/id");
        var browser = new HostedBrowser(project);
        browser.get(browser.path());
        var before = sessions(user);

        var response = browser.submit("sign-in", credentials("ann@example.com"));

        assertThat(onward(response)).hasToString(APP);
        assertThat(sessions(user)).isEqualTo(before);
    }

    private long sessions(String user) {
        return server.sql().count("SELECT count(*) FROM sessions WHERE user_id = ?::uuid", user);
    }

    @Test
    void anUnknownProjectShowsAPageThatSaysSo() {
        var browser = new HostedBrowser(project());
        for (var slug : List.of("no-such-project", "A", "a%00b", "%27", "system", "dashboard")) {
            var response = browser.get("/p/" + slug + "/");
            assertThat(response.statusCode()).as(slug).isEqualTo(404);
            assertThat(response.body()).contains("There is nothing here").doesNotContain("<form");
        }
        for (var slug : server.sql().texts("SELECT slug FROM projects WHERE id = '" + systemId() + "'")) {
            assertThat(browser.get("/p/" + slug + "/").statusCode()).isEqualTo(404);
        }
    }

    private static String systemId() {
        return dev.vestibule.project.ProjectId.SYSTEM.toString();
    }

    @Test
    void urlsNextToThePageRedirectToIt() {
        var browser = new HostedBrowser(project());
        var bare = browser.path().substring(0, browser.path().length() - 1);
        assertThat(browser.get(bare).headers().firstValue("Location")).contains("./" + bare.substring(3) + "/");
        assertThat(browser.get(browser.path() + "sign-in").headers().firstValue("Location"))
                .contains("./");
        assertThat(browser.get(browser.path() + "sign-in/").headers().firstValue("Location"))
                .contains("../"); // a slash more, and "./" would lead here again, without end
        assertThat(browser.post("no-such-form", Map.of()).statusCode()).isEqualTo(404);
        assertThat(browser.get(browser.path()).statusCode()).isEqualTo(200);
    }

    @Test
    void thePageIsInTheLanguageOfItsReader() {
        var browser = new HostedBrowser(project());
        assertThat(browser.get(browser.path(), "Accept-Language", "ko-KR,ko;q=0.9")
                        .body())
                .contains("<html lang=\"ko\">", "로그인");
        assertThat(browser.open(Map.of("locale", "de")).body()).contains("<html lang=\"de\">", "Anmelden");
        for (var language : List.of("en", "ko", "ja", "zh", "de", "fr", "es", "pt")) {
            for (var screen : List.of("sign-in", "sign-up", "forgot-password", "email-code")) {
                var page = browser.open(Map.of("locale", language, "screen", screen));
                assertThat(page.statusCode()).isEqualTo(200);
                assertThat(page.body()).contains("<html lang=\"" + language + "\">");
            }
        }
    }

    @Test
    void theNameOfABrandIsOnlyText() {
        var project = project();
        server.change(project, "name = '<script>alert(1)</script>{{ 7 * 7 }}\"onload=x'");
        var browser = new HostedBrowser(project);

        var page = browser.open(Map.of());

        assertThat(page.body()).doesNotContain("<script>", "onload=x\"").contains("{{ 7 * 7 }}");
    }

    @Test
    void thePageHasTheColoursOfTheProjectFromItsOwnStyleSheet() {
        var project = project();
        project.asOwner("PATCH", "/branding")
                .json(Map.of("primaryColorStart", "#ffee00", "primaryColorEnd", "#ffcc00", "borderRadius", 3))
                .expect(200);
        var browser = new HostedBrowser(project);

        var sheet = browser.get(browser.path() + "style.css");

        assertThat(sheet.headers().firstValue("Content-Type")).contains("text/css; charset=utf-8");
        assertThat(sheet.body()).contains("--start: #ffee00", "--on-accent: #111827", "--radius: 3px");
        assertThat(browser.get(browser.path()).body()).doesNotContain("style=", "<style");
    }

    @Test
    void waysToSignInThatTheProjectDoesNotOfferAreNotShown() {
        var project = project();
        project.asOwner("PATCH", "")
                .json(Map.of("factors", Map.of("password", false)))
                .expect(200);
        var browser = new HostedBrowser(project);

        assertThat(browser.open(Map.of()).body())
                .doesNotContain("type=\"password\"", "value=\"sign-up\"")
                .contains("action=\"email-code\"");
        assertThat(browser.open(Map.of("screen", "sign-up")).body()).doesNotContain("type=\"password\"");
    }

    /** What hangs on one sign in of a browser begins and ends together. */
    @Test
    void theApplicationsThatShareTheSignInOfABrowserAreOneOfTheSessionsThatAUserMayHave() {
        var project = project();
        project.asOwner("PATCH", "")
                .json(Map.of("sessionConfig", Map.of("maxConcurrentSessions", 2)))
                .expect(200);
        var email = TestServer.newEmail();
        project.signUp(email);
        var browser = new HostedBrowser(project);
        browser.open(Map.of());
        var tokens = new ArrayList<String>();
        tokens.add(browser.redeem(browser.submit("sign-in", credentials(email)), 200)
                .text("accessToken"));
        for (var i = 0; i < 4; i++) {
            var request = URI.create(browser.requestUrl(Map.of())).getRawQuery();
            tokens.add(browser.redeem(browser.get(browser.path() + "?" + request), 200)
                    .text("accessToken"));
        }
        var elsewhere = project.signIn(email).accessToken();
        assertThat(tokens).allSatisfy(token -> project.me(token).expect(200));

        var another = project.signIn(email).accessToken();

        assertThat(tokens).allSatisfy(token -> project.me(token).expect(401));
        project.me(elsewhere).expect(200);
        project.me(another).expect(200);
    }

    @Test
    void anApplicationThatOpensSessionsWithoutEndInABrowserHasOnlyTheLatest() {
        var project = project();
        var email = TestServer.newEmail();
        var user = project.signUp(email).text("user/id");
        var browser = new HostedBrowser(project);
        browser.open(Map.of());
        var first = browser.redeem(browser.submit("sign-in", credentials(email)), 200)
                .text("accessToken");
        server.sql()
                .update(
                        "INSERT INTO sessions SELECT (jsonb_populate_record(sessions, jsonb_build_object('id',"
                                + " gen_random_uuid(), 'browser_id', id))).* FROM sessions, generate_series(1, 80)"
                                + " WHERE user_id = ?::uuid",
                        user);
        var request = URI.create(browser.requestUrl(Map.of())).getRawQuery();
        browser.redeem(browser.get(browser.path() + "?" + request), 200);

        assertThat(server.sql().count("SELECT count(*) FROM sessions WHERE user_id = ?::uuid", user))
                .isLessThanOrEqualTo(2 * 50);
        project.me(first).expect(200);
    }
}
