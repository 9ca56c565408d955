package dev.vestibule.page.hosted;

import static dev.vestibule.page.hosted.HostedBrowser.allowing;
import static dev.vestibule.page.hosted.HostedBrowser.onward;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWallet;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithSms;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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

    private final TestReceiver carrier = TestReceiver.start();
    private final WithMail mail;
    private final TestServer server;
    private final WithSms sms;
    private TestProject project;
    private String email;
    private String userId;
    private HostedBrowser browser;

    AccountPageIT(TestDatabase database) {
        mail = WithMail.start(database, WithSms.settings(carrier, Map.of()));
        server = mail.server();
        sms = new WithSms(carrier, server, mail.clock());
    }

    @AfterAll
    void stop() {
        mail.close();
        carrier.close();
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

    /** As deep and with as long numbers as the API lets them be. */
    @Test
    void theAccountIsShownWhateverItsMetadataIs() {
        Object deep = 1;
        for (var level = 0; level < 31; level++) {
            deep = Map.of("a", deep);
        }
        project.manage("PATCH", "/v1/dashboard/users/" + userId)
                .json(Map.of("publicMetadata", Map.of("far", 1e300)))
                .expect(200);
        project.manage("PATCH", "/v1/backend/organizations/" + organization(userId, "Deep"))
                .json(Map.of("metadata", deep))
                .expect(200);

        assertThat(account().statusCode()).isEqualTo(200);
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

    /** In another tab, the browser has signed in somebody else since. */
    @Test
    void aFormOfOneAccountChangesNoOther() {
        account();
        var fields = browser.hiddenFields();
        var other = TestServer.newEmail();
        project.signUp(other);
        change("sign-out", Map.of());
        signIn(browser, other);

        fields.put("displayName", "Ann");
        for (var form : List.of("profile", "sessions-ended", "delete")) {
            assertThat(browser.post("account/" + form, fields).statusCode()).isEqualTo(403);
        }
        assertThat(account().body()).contains(other).doesNotContain("Ann");
        isDone(change("profile", Map.of("displayName", "Bea")), "profile");
    }

    @Test
    void theNameIsChangedAndCleared() {
        isDone(change("profile", Map.of("displayName", "Ann <b> & co")), "profile");
        assertThat(account().body()).contains("Ann &lt;b&gt; &amp; co");
        isDone(change("profile", Map.of("displayName", "")), "profile");
        assertThat(account().body()).doesNotContain("Ann");
    }

    private HttpResponse<String> show(String picture) {
        isDone(change("picture", Map.of("avatarUrl", picture)), "picture");
        return account();
    }

    private static String policy(HttpResponse<String> page) {
        return page.headers().firstValue("content-security-policy").orElseThrow();
    }

    @Test
    void aPictureIsShownFromItsOwnHostAndRemoved() {
        assertThat(policy(account())).contains("img-src data:;");
        var page = show("https://cdn.example.com:8443/a.png?x=1&y='");
        assertThat(page.body())
                .contains("<img class=\"picture\" src=\"https://cdn.example.com:8443/a.png?x=1&amp;y=&#39;\"");
        assertThat(policy(page)).contains("img-src data: https://cdn.example.com:8443;");
        isDone(change("picture-removed", Map.of("avatarUrl", "https://cdn.example.com/b.png")), "picture-removed");
        var without = account();
        assertThat(without.body()).doesNotContain("<img class=\"picture\"");
        assertThat(policy(without)).contains("img-src data:;");
    }

    /** The API accepts such a picture, but no page shows it, since the policy would need more than a host. */
    @Test
    void aPictureOfAnyOtherKindIsKeptButNotShown() {
        for (var url : new String[] {
            "http://cdn.example.com/a.png",
            "https://user@cdn.example.com/a.png",
            "https://[2001:db8::1]/a.png",
            "https://b\u00fccher.example/a.png",
            "https://a_b.example/a.png",
            "https://%3b.example/a.png"
        }) {
            var page = show(url);
            assertThat(page.body()).as(url).doesNotContain("<img class=\"picture\"");
            assertThat(policy(page)).as(url).contains("img-src data:;");
        }
        for (var odd : new String[] {
            "", "javascript:alert(1)", "data:image/png;base64,AA", "https://a b", "https://x;y/", "https://a\u0000b/"
        }) {
            var refused = change("picture", Map.of("avatarUrl", odd));
            assertThat(refused.statusCode()).as(odd).isEqualTo(422);
            assertThat(refused.body()).as(odd).contains("Enter the https address of a picture.");
        }
    }

    @Test
    void aRefusedFormStillHasWhatWasTypedButNoPassword() {
        WithSms.on(project);
        var refused = change("email", Map.of("email", "ann@\"example", "currentPassword", TestProject.PASSWORD));
        assertThat(refused.body()).contains("value=\"ann@&quot;example\"").doesNotContain(TestProject.PASSWORD);
        assertThat(change("phone", Map.of("phone", "12")).body()).contains("value=\"12\"");
        assertThat(change("picture", Map.of("avatarUrl", "ftp://a/b.png")).body())
                .contains("value=\"ftp://a/b.png\"");
        assertThat(change("profile", Map.of("displayName", "x".repeat(300))).body())
                .contains("value=\"" + "x".repeat(300) + "\"");
        assertThat(account().body()).doesNotContain("value=\"ftp://a/b.png\"", "value=\"xxx");
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
    void aNumberIsChangedWithACodeThatWasSentToIt() {
        assertThat(account().body()).doesNotContain("action=\"phone\"");
        WithSms.on(project);
        var number = WithSms.newNumber();
        var asked = change("phone", Map.of("phone", number));
        assertThat(asked.statusCode()).as(asked.body()).isEqualTo(200);
        assertThat(asked.body()).contains(number, "on its way by SMS");
        var code = sms.awaitCode(number, 1);
        var wrong = browser.submit("account/phone-code", Map.of("code", code.equals("000000") ? "111111" : "000000"));
        assertThat(wrong.statusCode()).isEqualTo(422);
        assertThat(wrong.body()).contains("The code is wrong", "value=\"" + number + "\"");
        isDone(browser.submit("account/phone-code", Map.of("code", code)), "phone-code");
        assertThat(account().body()).contains(number);
    }

    @Test
    void theCodeForOneNumberConfirmsNoOther() {
        WithSms.on(project);
        var number = WithSms.newNumber();
        change("phone", Map.of("phone", number));
        var code = sms.awaitCode(number, 1);
        var other = browser.submit("account/phone-code", Map.of("phone", WithSms.newNumber(), "code", code));
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(account().body()).doesNotContain(number);
        var odd = change("phone", Map.of("phone", "<b>12\u0000"));
        assertThat(odd.statusCode()).isEqualTo(422);
        assertThat(odd.body()).contains("Enter a mobile number").doesNotContain("<b>12");
    }

    @Test
    void aWalletIsShownAndUnlinkedAndOneOfSomebodyElseIsNot() {
        var origin = "https://app.example.com";
        project.asOwner("PATCH", "")
                .json(Map.of("factors", Map.of("web3", true), "allowedOrigins", List.of(origin)))
                .expect(200);
        var own = link(project.signIn(email), TestWallet.evm());
        var foreign = link(project.signUp(TestServer.newEmail()), TestWallet.evm());
        assertThat(account().body()).contains(own.text("address")).doesNotContain(foreign.text("address"));
        assertThat(change("wallet-unlinked", Map.of("item", foreign.text("id"))).statusCode())
                .isEqualTo(404);
        isDone(change("wallet-unlinked", Map.of("item", own.text("id"))), "wallet-unlinked");
        assertThat(account().body()).doesNotContain(own.text("address"));
    }

    private Response link(Response user, TestWallet wallet) {
        var asked =
                Map.of("address", wallet.address(), "chain", wallet.chain(), "walletType", "metamask", "chainId", 10);
        var message =
                project.post("/v1/auth/web3/nonce").json(asked).expect(200).text("message");
        return server.api()
                .post("/v1/auth/web3/wallets/link")
                .bearer(user.accessToken())
                .json(wallet.signed(message))
                .expect(200);
    }

    @Test
    void anOrganizationIsLeftButNotByItsLastOwner() {
        var owned = organization(userId, "Own <engines>");
        var other = organization(project.signUp(TestServer.newEmail()).text("user/id"), "Other");
        assertThat(account().body()).contains("Own &lt;engines&gt;").doesNotContain("Other");
        assertThat(change("organization-left", Map.of("item", other)).statusCode())
                .isEqualTo(404);
        assertThat(change("organization-joined", Map.of("item", other)).statusCode())
                .isEqualTo(404);
        var last = change("organization-left", Map.of("item", owned));
        assertThat(last.statusCode()).isEqualTo(409);
        assertThat(last.body()).contains("You are the last owner of an organization.");
        project.manage("POST", "/v1/backend/organizations/" + other + "/members")
                .json(Map.of("userId", userId, "role", "member"))
                .expect(201);
        isDone(change("organization-left", Map.of("item", other)), "organization-left");
    }

    private String organization(String owner, String name) {
        return project.manage("POST", "/v1/backend/organizations")
                .json(Map.of("name", name, "createdBy", owner))
                .expect(201)
                .text("id");
    }

    @Test
    void aPersonJoinsTheOrganizationThatHasProvenTheDomainOfTheirEmail() {
        var engines = organization(project.signUp(TestServer.newEmail()).text("user/id"), "Engines");
        server.sql()
                .update(
                        "INSERT INTO organization_domains (project_id, id, organization_id, domain, proof, policy,"
                                + " verified_at, created_at)"
                                + " VALUES (?::uuid, gen_random_uuid(), ?::uuid, ?, '', 'suggest', now(), now())",
                        project.id(),
                        engines,
                        email.substring(email.lastIndexOf('@') + 1));
        assertThat(account().body()).contains("Join Engines");
        isDone(change("organization-joined", Map.of("item", engines)), "organization-joined");
        assertThat(account().body()).contains("Engines").doesNotContain("Join Engines");
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

    private String secondApplication() {
        var there = browser.requestUrl(Map.of());
        var back = browser.get(browser.path() + "?" + URI.create(there).getRawQuery());
        return browser.redeem(back, 200).accessToken();
    }

    @Test
    void signingOutEndsTheSessionsOfTheApplicationsThatSharedTheSignIn() {
        var elsewhere = project.signIn(email).accessToken();
        var first = secondApplication();
        var second = secondApplication();
        signInAgain(email);
        var third = secondApplication();
        for (var token : List.of(first, second, third)) {
            project.me(token).expect(200);
        }

        assertThat(change("sign-out", Map.of()).body()).contains("You are signed out");

        for (var token : List.of(first, second, third)) {
            project.me(token).expect(401);
        }
        project.me(elsewhere).expect(200);
    }

    private void signInAgain(String as) {
        account();
        var sent = browser.submit("account/sign-in", Map.of());
        var there = sent.headers().firstValue("location").orElseThrow();
        browser.get(browser.path() + there.substring("../".length()));
        browser.submit("sign-in", Map.of("email", as, "password", TestProject.PASSWORD));
    }

    @Test
    void anApplicationThatSignsOutEndsItsOwnSessionAlone() {
        var first = secondApplication();
        var second = secondApplication();
        project.signOut(first).expect(200);
        project.me(second).expect(200);
        assertThat(account().statusCode()).isEqualTo(200);
    }

    @Test
    void anotherPersonOfTheBrowserStaysSignedInToTheirApplications() {
        var theirs = secondApplication();
        var other = TestServer.newEmail();
        project.signUp(other);
        signInAgain(other);
        var own = secondApplication();
        change("sign-out", Map.of());
        project.me(own).expect(401);
        project.me(theirs).expect(200);
    }

    /** The session of the application is as new as it is, however long ago the person signed in. */
    @Test
    void anApplicationThatSharesAnOldSignInGetsASessionOfFullLength() {
        server.sql()
                .update(
                        "UPDATE sessions SET created_at = now() - interval '20 d', authenticated_at = now() - interval"
                                + " '20 d' WHERE user_id = ?::uuid",
                        userId);

        var token = secondApplication();

        project.me(token).expect(200);
        assertThat(Jwt.parse(token).claims().path("auth_time").asLong())
                .isLessThan(Instant.now().minus(Duration.ofDays(19)).getEpochSecond());
    }
}
