package dev.vestibule.page.hosted;

import static dev.vestibule.page.hosted.HostedBrowser.allowing;
import static dev.vestibule.page.hosted.HostedBrowser.onward;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What people do with their account on its page. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccountPageIT {
    private static final Pattern KEY = Pattern.compile("<code class=\"key\">([A-Z2-7 ]+)</code>");
    private static final String NEW_PASSWORD = "a quite different passphrase";

    private final WithMail mail;
    private final TestServer server;
    private TestProject project;
    private String email;
    private String userId;
    private HostedBrowser browser;

    AccountPageIT(TestDatabase database) {
        mail = WithMail.start(database);
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    @BeforeEach
    void signedIn() {
        project = allowing(server.newProject());
        email = TestServer.newEmail();
        userId = project.signUp(email).text("user/id");
        server.proveEmail(email);
        browser = new HostedBrowser(project);
        signIn(browser, email);
    }

    private void signIn(HostedBrowser visitor, String as) {
        var sent = visitor.get(visitor.path() + "account/");
        assertThat(sent.statusCode()).isEqualTo(302);
        var there = sent.headers().firstValue("location").orElseThrow();
        assertThat(there).startsWith("../?request=");
        visitor.get(visitor.path() + there.substring("../".length()));
        var signedIn = visitor.submit("sign-in", Map.of("email", as, "password", TestProject.PASSWORD));
        assertThat(onward(signedIn).getPath()).isEqualTo(visitor.path() + "account/");
        assertThat(onward(signedIn).getQuery()).isNull();
    }

    private HttpResponse<String> account() {
        return browser.get(browser.path() + "account/");
    }

    private HttpResponse<String> change(String form, Map<String, String> fields) {
        account();
        return browser.submit("account/" + form, fields);
    }

    private static void isDone(HttpResponse<String> response, String form) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(302);
        assertThat(response.headers().firstValue("location")).hasValue("./?done=" + form);
    }

    @Test
    void aPersonWhoIsSignedInSeesTheAccount() {
        var page = account();
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains(email, "Where you are signed in");
        assertThat(page.headers().firstValue("cache-control")).hasValue("no-store");
        assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
                .contains("frame-ancestors 'none'")
                .doesNotContain("script-src");
    }

    @Test
    void aBrowserThatNobodySignedInInSeesNothing() {
        var stranger = new HostedBrowser(project);
        for (var path : new String[] {"account/", "account/export"}) {
            var answer = stranger.get(stranger.path() + path);
            assertThat(answer.statusCode()).isEqualTo(302);
            assertThat(answer.body()).isEmpty();
        }
        assertThat(stranger.get("/p/no-such-project/account/").statusCode()).isEqualTo(404);
    }

    @Test
    void theNameIsChangedAndCleared() {
        isDone(change("profile", Map.of("displayName", "Ann <b> & co")), "profile");
        assertThat(account().body()).contains("Ann &lt;b&gt; &amp; co");
        isDone(change("profile", Map.of("displayName", "")), "profile");
        assertThat(account().body()).doesNotContain("Ann");
    }

    @Test
    void aFormOfAnotherSiteChangesNothing() {
        account();
        var forged = browser.post("account/profile", Map.of("displayName", "Mallory"));
        assertThat(forged.statusCode()).isEqualTo(403);
        account();
        var foreign =
                browser.submit("account/profile", Map.of("displayName", "Mallory"), "Sec-Fetch-Site", "cross-site");
        assertThat(foreign.statusCode()).isEqualTo(403);
        assertThat(account().body()).doesNotContain("Mallory");
    }

    @Test
    void theCookieOfOneProjectOpensNoAccountOfAnother() {
        var other = new HostedBrowser(allowing(server.newProject()));
        assertThat(browser.get(other.path() + "account/").statusCode()).isEqualTo(302);
    }

    @Test
    void aNewPasswordNeedsTheOldOneAndEndsOtherSessions() {
        var elsewhere = project.signIn(email);
        var refused = change("password", Map.of("currentPassword", "wrong password", "newPassword", NEW_PASSWORD));
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).contains("The current password is wrong.").doesNotContain(NEW_PASSWORD);
        var weak = change("password", Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "short"));
        assertThat(weak.statusCode()).isEqualTo(422);
        isDone(
                change("password", Map.of("currentPassword", TestProject.PASSWORD, "newPassword", NEW_PASSWORD)),
                "password");
        project.me(elsewhere.accessToken()).expect(401);
        assertThat(account().statusCode()).isEqualTo(200);
    }

    @Test
    void aSessionElsewhereIsEndedAndOneOfSomebodyElseIsNot() {
        var elsewhere = project.signIn(email);
        var stranger = project.signUp(TestServer.newEmail());
        var own = Jwt.parse(elsewhere.accessToken()).claims().path("sid").asText();
        var foreign = Jwt.parse(stranger.accessToken()).claims().path("sid").asText();
        assertThat(change("session-ended", Map.of("item", foreign)).statusCode())
                .isEqualTo(404);
        project.me(stranger.accessToken()).expect(200);
        assertThat(change("session-ended", Map.of("item", "%00'--")).statusCode())
                .isEqualTo(404);
        isDone(change("session-ended", Map.of("item", own)), "session-ended");
        project.me(elsewhere.accessToken()).expect(401);
    }

    @Test
    void allOtherSessionsAreEnded() {
        var elsewhere = project.signIn(email);
        isDone(change("sessions-ended?keepCurrent=true", Map.of()), "sessions-ended");
        project.me(elsewhere.accessToken()).expect(401);
        assertThat(account().statusCode()).isEqualTo(200);
    }

    @Test
    void anAppIsSetUpAndTurnedOff() {
        var asked = change("factor", Map.of());
        var key = KEY.matcher(asked.body());
        assertThat(key.find()).as(asked.body()).isTrue();
        var app = new Authenticator(key.group(1).replace(" ", ""), mail.clock());
        var wrong = browser.submit("account/factor-code", Map.of("code", "000000"));
        assertThat(wrong.statusCode()).as(wrong.body()).isBetween(403, 422);
        assertThat(wrong.body()).contains("name=\"setUp\"", "The code is wrong");
        var codes = browser.submit("account/factor-code", Map.of("code", app.code()));
        assertThat(codes.statusCode()).as(codes.body()).isEqualTo(200);
        assertThat(codes.body()).contains("<ul class=\"codes\">");
        assertThat(account().body()).contains("factor-off");
        mail.clock().advance(Duration.ofSeconds(30));
        var renewed = change("backup-codes", Map.of("code", app.code()));
        assertThat(renewed.body()).contains("<ul class=\"codes\">");
        mail.clock().advance(Duration.ofSeconds(30));
        isDone(change("factor-off", Map.of("code", app.code())), "factor-off");
    }

    @Test
    void theEmailIsChangedWithACodeToTheNewAddress() {
        var wanted = TestServer.newEmail();
        var asked = change("email", Map.of("email", wanted, "currentPassword", TestProject.PASSWORD));
        assertThat(asked.statusCode()).as(asked.body()).isEqualTo(200);
        assertThat(asked.body()).contains(wanted);
        var code = mail.mailbox().awaitCode(wanted);
        isDone(browser.submit("account/email-code", Map.of("code", code)), "email-code");
        assertThat(account().body()).contains(wanted);
    }

    @Test
    void whatNeedsARecentSignInAsksForOneAndThenGoesOn() {
        project.asOwner("PATCH", "").json(Map.of("requireRecentSignIn", 300)).expect(200);
        mail.clock().advance(Duration.ofMinutes(6));
        var refused = change("factor", Map.of());
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("This needs a recent sign in.", "action=\"sign-in\"");
        var sent = browser.submit("account/sign-in", Map.of());
        var there = sent.headers().firstValue("location").orElseThrow();
        browser.get(browser.path() + there.substring("../".length()));
        browser.submit("sign-in", Map.of("email", email, "password", TestProject.PASSWORD));
        assertThat(change("factor", Map.of()).statusCode()).isEqualTo(200);
    }

    @Test
    void theDataOfTheAccountCanBeDownloaded() throws Exception {
        var file = browser.get(browser.path() + "account/export");
        assertThat(file.headers().firstValue("content-disposition").orElseThrow())
                .startsWith("attachment");
        var data = new ObjectMapper().readTree(file.body());
        assertThat(data.at("/user/email").asText()).isEqualTo(email);
        assertThat(data.path("sessions").size()).isPositive();
        assertThat(file.body()).doesNotContain("$argon2", "passwordHash");
    }

    @Test
    void aBanClosesThePageAtOnce() {
        assertThat(account().statusCode()).isEqualTo(200);
        server.ban(userId);
        assertThat(account().statusCode()).isEqualTo(302);
    }

    @Test
    void signingOutEndsTheSessionOfTheBrowser() {
        var left = change("sign-out", Map.of());
        assertThat(left.statusCode()).isEqualTo(200);
        assertThat(account().statusCode()).isEqualTo(302);
    }

    @Test
    void anAccountIsDeletedOnlyWithItsPasswordAndIfTheProjectAllows() {
        project.asOwner("PATCH", "").json(Map.of("allowSelfDeletion", false)).expect(200);
        assertThat(account().body()).doesNotContain("action=\"delete\"");
        assertThat(change("delete", Map.of("currentPassword", TestProject.PASSWORD))
                        .statusCode())
                .isEqualTo(403);
        project.asOwner("PATCH", "").json(Map.of("allowSelfDeletion", true)).expect(200);
        assertThat(account().body()).contains("action=\"delete\"");
        assertThat(change("delete", Map.of("currentPassword", "wrong password")).statusCode())
                .isEqualTo(422);
        var gone = change("delete", Map.of("currentPassword", TestProject.PASSWORD));
        assertThat(gone.statusCode()).as(gone.body()).isEqualTo(200);
        assertThat(gone.body()).contains("Your account is deleted");
        assertThat(account().statusCode()).isEqualTo(302);
    }

    @Test
    void nothingElseIsAForm() {
        assertThat(change("no-such-form", Map.of()).statusCode()).isEqualTo(404);
        assertThat(browser.get(browser.path() + "account").statusCode()).isEqualTo(302);
        assertThat(browser.get(browser.path() + "account/profile").headers().firstValue("location"))
                .hasValue("./");
    }
}
