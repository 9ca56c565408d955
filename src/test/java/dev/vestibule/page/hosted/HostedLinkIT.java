package dev.vestibule.page.hosted;

import static dev.vestibule.page.hosted.HostedBrowser.APP;
import static dev.vestibule.page.hosted.HostedBrowser.allowing;
import static dev.vestibule.page.hosted.HostedBrowser.onward;
import static dev.vestibule.page.hosted.HostedBrowser.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sign ins on the hosted page with the link of a mail. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostedLinkIT {
    private static final Pattern LINK =
            Pattern.compile("https://auth\\.example\\.com(/p/[a-z0-9-]+/link\\?token=ml_[A-Za-z0-9_-]{43})");

    private final WithMail mail;
    private final TestServer server;
    private TestProject project;
    private HostedBrowser browser;
    private String email;

    HostedLinkIT(TestDatabase database) {
        mail = WithMail.start(database, Map.of("VESTIBULE_PUBLIC_URL", "https://auth.example.com"));
        server = mail.server();
    }

    @BeforeEach
    void open() {
        project = allowing(server.newProject());
        browser = new HostedBrowser(project);
        email = TestServer.newEmail();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    private HttpResponse<String> ask(HostedBrowser in, String forEmail) {
        in.open(Map.of("screen", "magic-link"));
        return in.submit("magic-link", Map.of("email", forEmail));
    }

    private String link(String of) {
        var text = TestMailbox.text(mail.mailbox().await(of, 1));
        var found = LINK.matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return found.group(1);
    }

    @Test
    void theLinkOfTheMailLeadsBackToThePageWhereAClickConfirmsIt() {
        assertThat(browser.open(Map.of()).body()).contains("Sign in with a link by email");
        assertThat(ask(browser, " " + email.toUpperCase(java.util.Locale.ROOT) + " ")
                        .body())
                .contains("Check your mailbox")
                .doesNotContain("ml_");

        var shown = browser.get(link(email));
        assertThat(shown.body()).contains("You sign in as <strong>" + email).doesNotContain("id=\"onward\"");
        assertThat(shown.headers().firstValue("Referrer-Policy")).contains("same-origin");
        assertThat(users()).isZero();
        var response = browser.submit("link", Map.of());

        assertThat(onward(response).toString()).startsWith(APP + "?code=");
        assertThat(parameter(onward(response), "state")).isEqualTo("the state & more");
        var tokens = browser.redeem(response, 200);
        assertThat(tokens.text("user/email")).isEqualTo(email);
        assertThat(tokens.text("user/emailVerified")).isEqualTo("true");
    }

    private long users() {
        return server.sql().count("SELECT count(*) FROM users WHERE project_id = ?::uuid", project.id());
    }

    @Test
    void inAnotherBrowserALinkSignsNobodyInAndStaysValid() {
        ask(browser, email);
        var link = link(email);
        var other = new HostedBrowser(project);

        var shown = other.get(link);
        assertThat(shown.body())
                .contains("only in the browser in which you asked for it")
                .contains("value=\"magic-link\"", "value=\"sign-in\"")
                .doesNotContain("ml_", "action=\"link\"");
        other.open(Map.of());
        assertThat(other.submit("link", Map.of("token", link.split("token=", -1)[1]))
                        .body())
                .contains("only in the browser in which you asked for it")
                .doesNotContain("id=\"onward\"");
        assertThat(users()).isZero();

        browser.get(link);
        browser.redeem(browser.submit("link", Map.of()), 200);
    }

    /** Somebody sends a link for their own account to a person who waits for one. */
    @Test
    void theLinkOfAnotherEmailSignsNobodyInAsSomebodyElse() {
        var attacker = new HostedBrowser(project);
        var attackersEmail = TestServer.newEmail();
        ask(attacker, attackersEmail);
        var attackersLink = link(attackersEmail);
        ask(browser, email);

        browser.get(attackersLink);
        var response = browser.submit("link", Map.of());

        assertThat(response.statusCode()).isEqualTo(422);
        assertThat(response.body()).contains("it is for another email").doesNotContain("id=\"onward\"");
        attacker.get(attackersLink);
        attacker.redeem(attacker.submit("link", Map.of()), 200);
    }

    @Test
    void aLinkWorksOnceInItsLifetimeAndProject() {
        ask(browser, email);
        var link = link(email);
        browser.get(link);
        browser.redeem(browser.submit("link", Map.of()), 200);
        browser.get(link);
        assertThat(browser.submit("link", Map.of()).statusCode()).isEqualTo(422);

        var late = TestServer.newEmail();
        ask(browser, late);
        var lateLink = link(late);
        mail.clock().advance(Duration.ofMinutes(16));
        browser.get(lateLink);
        assertThat(browser.submit("link", Map.of()).statusCode()).isEqualTo(422);

        var other = new HostedBrowser(allowing(server.newProject()));
        ask(other, TestServer.newEmail());
        assertThat(other.get(other.path() + "link?token=" + lateLink.split("token=", -1)[1])
                        .body())
                .contains("You sign in as");
        assertThat(other.submit("link", Map.of()).statusCode()).isEqualTo(422);
        for (var token : List.of("", "%00", "ml_x", "x".repeat(300))) {
            assertThat(browser.get(browser.path() + "link?token=" + token).statusCode())
                    .as(token)
                    .isEqualTo(200);
            assertThat(browser.submit("link", Map.of()).statusCode()).as(token).isEqualTo(422);
        }
    }

    @Test
    void aFormOfAnotherSiteUsesUpNoLink() {
        ask(browser, email);
        var link = link(email);
        browser.get(link);
        assertThat(browser.submit("link", Map.of(), "Sec-Fetch-Site", "cross-site")
                        .statusCode())
                .isEqualTo(403);
        browser.get(link);
        assertThat(browser.post("link", Map.of("token", link.split("token=", -1)[1]))
                        .statusCode())
                .isEqualTo(403);
        browser.get(link);
        browser.redeem(browser.submit("link", Map.of()), 200);
    }

    @Test
    void theApiKeepsUsingTheProjectsOwnPageForLinks() {
        project.asOwner("PATCH", "")
                .json(Map.of("magicLinkUrl", "https://app.example.com/link"))
                .expect(200);
        project.post("/v1/auth/passwordless/magic-link")
                .json(Map.of("email", email))
                .expect(200);
        assertThat(TestMailbox.text(mail.mailbox().await(email, 1))).contains("https://app.example.com/link?token=ml_");

        var another = TestServer.newEmail();
        ask(browser, another);
        assertThat(link(another)).startsWith(browser.path() + "link");
    }

    @Test
    void aVisitToTheBareUrlEndsThere() {
        browser.get(browser.path() + "?screen=magic-link");
        browser.submit("magic-link", Map.of("email", email));
        browser.get(link(email));

        assertThat(onward(browser.submit("link", Map.of()))).hasToString(APP);
        assertThat(server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id()))
                .isZero();
    }

    @Test
    void thePageNeverReturnsToARemovedOrigin() {
        ask(browser, email);
        var link = link(email);
        project.asOwner("PATCH", "")
                .json(Map.of("callbackUrl", "https://new.example.com/"))
                .expect(200);

        assertThat(browser.get(link).statusCode()).isEqualTo(410);
    }

    @Test
    void thereAreNoLinksIfTheProjectSendsNoMails() {
        project.asOwner("PATCH", "")
                .json(Map.of("factors", Map.of("passwordless", false)))
                .expect(200);
        assertThat(browser.open(Map.of("screen", "magic-link")).body()).doesNotContain("action=\"magic-link\"");
        assertThat(browser.submit("magic-link", Map.of("email", email)).statusCode())
                .isEqualTo(404);
    }

    @Test
    void theStoredRequestIsValidOnlyInItsBrowser() {
        var sent = ask(browser, email);
        var cookie = sent.headers().allValues("Set-Cookie").stream()
                .filter(text -> text.startsWith("__Host-vestibule-page-link="))
                .findFirst()
                .orElseThrow();
        assertThat(cookie).contains("HTTPOnly", "Secure", "SameSite=Lax", "Path=/", "Max-Age=3600");
        var other = new HostedBrowser(project);
        other.open(Map.of());
        other.setCookie(cookie);
        assertThat(other.get(link(email)).body()).contains("only in the browser in which you asked for it");
    }
}
