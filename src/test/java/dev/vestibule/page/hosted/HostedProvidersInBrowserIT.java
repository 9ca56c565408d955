package dev.vestibule.page.hosted;

import static dev.vestibule.fixture.OauthProject.CALLBACK;
import static dev.vestibule.fixture.OauthProject.newSubject;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithBrowser;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import dev.vestibule.fixture.WithServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Sign ins that leave the hosted page for a provider or a mailbox, in a real browser; skipped if none is installed. The
 * page is at 127.0.0.1 and the provider at localhost, so that browsers treat them as two sites.
 */
@ExtendWith({WithServer.class, WithBrowser.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TakesLong("Every screen leads through a provider and back, with and without scripts.")
class HostedProvidersInBrowserIT {
    private static final String BUTTON = "button[name=provider][value=oidc]";
    private static final String FIRST_WAY = "form button:not([class])";
    private static final String MAIL = "https://mail.example.org/";

    private final List<String> logged = new ArrayList<>();
    private String url = "";
    private OauthWorld world;
    private final Chromium chromium;
    private final TestDatabase database;

    HostedProvidersInBrowserIT(Chromium chromium, TestDatabase database) {
        this.chromium = chromium;
        this.database = database;
    }

    @BeforeAll
    void start() {
        var port = FreePort.find();
        url = "http://127.0.0.1:" + port;
        world = OauthWorld.start(
                database, Map.of("VESTIBULE_HTTP_PORT", Integer.toString(port), "VESTIBULE_PUBLIC_URL", url));
    }

    @AfterAll
    void stop() {
        if (world != null) {
            world.close();
        }
    }

    private Page newPage(boolean withScripts) {
        var page = chromium.newPage(new Browser.NewContextOptions()
                .setJavaScriptEnabled(withScripts)
                .setLocale("en")
                .setViewportSize(Chromium.NARROW, 760));
        page.onConsoleMessage(message -> {
            // The provider's page is not ours.
            if (message.location().startsWith(url) && Chromium.isComplaint(message)) {
                logged.add(message.text());
            }
        });
        // The application does not exist: it is enough that the browser is sent to it.
        page.route("https://app.example.com/**", Route::fulfill);
        page.route("**://fonts.googleapis.com/**", Route::fulfill); // the provider's page would load it
        return page;
    }

    private Page open(OauthProject app, Map<String, String> more, boolean withScripts) {
        var page = newPage(withScripts);
        visit(page, app, more);
        return page;
    }

    private static void visit(Page page, OauthProject app, Map<String, String> more) {
        page.navigate(new HostedBrowser(app.project()).requestUrl(more));
    }

    private static Predicate<String> isAuthorization(OauthProject app) {
        return address -> address.startsWith(app.issuer() + "/authorize?");
    }

    private static void submit(Page page) {
        page.click(FIRST_WAY);
    }

    private static void signInAtProvider(Page page, OauthProject app, String email) {
        page.waitForURL(app.issuer() + "/**");
        page.fill("[name=username]", newSubject());
        page.fill("[name=claims]", "{\"email\":\"" + email + "\",\"email_verified\":true}");
        page.click("[type=submit]");
    }

    /** What the application gets for the returned code. */
    private static String redeemed(Page page, OauthProject app) {
        page.waitForURL(CALLBACK + "?code=*");
        var back = URI.create(page.url());
        assertThat(HostedBrowser.parameter(back, "state")).isEqualTo("the state & more");
        return new HostedBrowser(app.project())
                .redeem(
                        Map.of("code", HostedBrowser.parameter(back, "code"), "codeVerifier", HostedBrowser.VERIFIER),
                        200)
                .text("user/email");
    }

    @Test
    void aProviderLeadsBackToThePageAndOnToTheApplicationWithoutScripts() {
        var app = world.newProject();
        for (var screen : List.of("sign-in", "sign-up")) {
            var email = TestServer.newEmail();
            var page = open(app, Map.of("screen", screen), false);
            page.click(BUTTON);
            signInAtProvider(page, app, email);

            assertThat(redeemed(page, app)).as(screen).isEqualTo(email);
            page.context().close();
        }
        assertThat(logged).isEmpty();
    }

    /** Some providers do so: the browser does not send the page's cookie with a form of another site. */
    @Test
    void aProviderOfAnotherSiteThatPostsItsResponseLeadsBackToo() {
        var app = world.newProject();
        var email = TestServer.newEmail();
        var page = open(app, Map.of(), true);
        page.route(
                isAuthorization(app),
                route -> route.resume(
                        new Route.ResumeOptions().setUrl(route.request().url() + "&response_mode=form_post")));
        var posted = new ArrayList<JsonObject>();
        var devTools = page.context().newCDPSession(page);
        devTools.send("Network.enable");
        devTools.on("Network.requestWillBeSentExtraInfo", sent -> {
            var headers = sent.getAsJsonObject("headers");
            if (headers.has("Content-Type")
                    && headers.get("Sec-Fetch-Site").getAsString().equals("cross-site")) {
                posted.add(sent);
            }
        });
        page.click(BUTTON);
        signInAtProvider(page, app, email);

        assertThat(redeemed(page, app)).isEqualTo(email);
        assertThat(posted).hasSize(1);
        assertThat(posted.get(0).getAsJsonObject("headers").has("Cookie")).isFalse();
        assertThat(posted.get(0).getAsJsonArray("associatedCookies"))
                .hasSize(1)
                .allSatisfy(cookie -> assertThat(cookie.toString()).contains("\"vestibule-page\"", "SameSiteLax\"]"));
        assertThat(logged).isEmpty();
    }

    @Test
    void aSignInStartedInAnotherBrowserIsRefusedAccessibly() {
        var app = world.newProject();
        var attacker = open(app, Map.of(), true);
        attacker.click(BUTTON);
        attacker.waitForURL(app.issuer() + "/**");
        var victim = newPage(true);
        victim.navigate(attacker.url());
        signInAtProvider(victim, app, TestServer.newEmail());

        victim.waitForURL(url + "/p/*/from-provider?*");
        assertThat(victim.textContent(".problem")).contains("was started in another browser");
        Chromium.isAccessible(victim, "provider-other-browser");
        attacker.context().close();
        victim.context().close();
        assertThat(app.users()).isZero();
        assertThat(logged).isEmpty();
    }

    /** Simulates the page of a provider where a person cancels, with a link or a form. */
    private static void cancels(Page page, OauthProject app, boolean posts) {
        page.route(isAuthorization(app), route -> {
            var asked = OauthProject.parameters(URI.create(route.request().url()));
            var form = "<!DOCTYPE html><title>Provider</title><form method=\"" + (posts ? "post" : "get")
                    + "\" action=\"" + asked.get("redirect_uri")
                    + "\"><input type=\"hidden\" name=\"error\" value=\"access_denied\">"
                    + "<input type=\"hidden\" name=\"state\" value=\"" + asked.get("state")
                    + "\"><button>Cancel</button></form>";
            route.fulfill(new Route.FulfillOptions().setContentType("text/html").setBody(form));
        });
        page.click(BUTTON);
        page.waitForURL(app.issuer() + "/**");
        page.click("button");
        page.waitForURL("**/from-provider?*");
    }

    @Test
    void aPersonWhoCancelsAtTheProviderCanSignInAnotherWay() {
        var app = world.newProject();
        for (var posts : List.of(false, true)) {
            var email = TestServer.newEmail();
            app.project().signUp(email);
            var page = open(app, Map.of(), false);
            cancels(page, app, posts);

            assertThat(page.textContent("h1 + .problem")).contains("You cancelled the sign in.");
            page.fill("#email", email);
            page.fill("#password", TestProject.PASSWORD);
            submit(page);
            assertThat(redeemed(page, app)).isEqualTo(email);
            page.context().close();
        }
        assertThat(logged).isEmpty();
    }

    private OauthProject withManyProviders() {
        var app = world.newProject();
        for (var name : List.of("google", "github", "discord")) {
            app.project()
                    .asOwner("PUT", "/providers/" + name)
                    .json(Map.of("clientId", "the-app", "clientSecret", "a secret", "enabled", true))
                    .expect(200);
        }
        world.server().change(app.project(), "name = '<img src=x onerror=alert(1)> & a name that is rather long'");
        app.change(Map.of("callbackUrl", CALLBACK)); // and is in force
        return app;
    }

    @Test
    void theScreensAroundProvidersAreAccessibleInBothColourSchemesAndOnSmallScreens() {
        var app = withManyProviders();
        var page = open(app, Map.of("locale", "de"), true);
        Chromium.isAccessible(page, "providers-sign-in");
        page.focus(BUTTON);
        Chromium.picture(page, "providers-focus");
        cancels(page, app, false);
        Chromium.isAccessible(page, "provider-cancelled");
        page.click("button[value=sign-up]");
        Chromium.isAccessible(page, "providers-sign-up");

        page.route(
                isAuthorization(app),
                route -> route.fulfill(new Route.FulfillOptions().setStatus(204))); // the browser stays
        page.click(BUTTON);
        page.waitForSelector("#onward");
        Chromium.isAccessible(page, "provider-leave");

        app.change(Map.of("factors", Map.of("password", false)));
        visit(page, app, Map.of("locale", "fr"));
        Chromium.isAccessible(page, "providers-without-password");
        page.context().close();
        assertThat(logged).isEmpty();
    }

    /** Opens the link from another site, like a web mailbox. */
    private void openFromMail(Page page, String email) {
        var text = TestMailbox.text(world.mailbox().await(email, 1));
        var found = Pattern.compile(Pattern.quote(url) + "/p/[a-z0-9-]+/link\\?token=ml_[A-Za-z0-9_-]{43}")
                .matcher(text);
        assertThat(found.find()).as(text).isTrue();
        page.route(
                MAIL,
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("text/html")
                        .setBody("<!DOCTYPE html><title>Mail</title><a href=\"" + found.group() + "\">Sign in</a>")));
        page.navigate(MAIL);
        page.click("a");
        page.waitForURL(url + "/p/*/link?*");
    }

    private static void askForLink(Page page, String email) {
        page.click("button[value=magic-link]");
        page.fill("#email", email);
        submit(page);
        page.waitForURL("**/magic-link");
    }

    @Test
    void aLinkInAMailLeadsToTheApplicationAfterAClickWithoutScripts() {
        var app = world.newProject();
        var email = TestServer.newEmail();
        var page = open(app, Map.of(), false);
        askForLink(page, email);
        openFromMail(page, email);

        assertThat(page.textContent("main")).contains("You sign in as " + email);
        assertThat(app.users()).isZero();
        submit(page);

        assertThat(redeemed(page, app)).isEqualTo(email);
        assertThat(logged).isEmpty();
    }

    @Test
    void theScreensAroundLinksAreAccessibleInBothColourSchemesAndOnSmallScreens() {
        var app = withManyProviders();
        var email = "a-rather-long-email-" + TestServer.newEmail();
        var page = open(app, Map.of("locale", "de", "screen", "magic-link"), true);
        Chromium.isAccessible(page, "magic-link");
        page.fill("#email", "ann@" + "a".repeat(63) + ("." + "b".repeat(63)).repeat(4) + ".example");
        submit(page);
        Chromium.isAccessible(page, "magic-link-refused");
        page.fill("#email", email);
        submit(page);
        Chromium.isAccessible(page, "link-sent");

        var other = newPage(true);
        openFromMail(other, email);
        assertThat(other.locator(FIRST_WAY).count()).isZero();
        Chromium.isAccessible(other, "link-elsewhere");
        openFromMail(page, email);
        Chromium.isAccessible(page, "link");
        submit(page);
        page.waitForURL(CALLBACK + "?code=*");
        openFromMail(page, email);
        submit(page);
        assertThat(page.locator("h1 + .problem").count()).isEqualTo(1);
        assertThat(page.locator(FIRST_WAY).count()).isZero(); // another click would not help
        Chromium.isAccessible(page, "link-used");
        other.context().close();
        page.context().close();
        assertThat(logged).isEmpty();
    }
}
