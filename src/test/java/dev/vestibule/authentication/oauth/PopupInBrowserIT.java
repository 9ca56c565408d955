package dev.vestibule.authentication.oauth;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.vestibule.fixture.OauthProject.newSubject;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithBrowser;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The flows that the server handles, in a real browser; skipped if none is installed. */
@ExtendWith({WithServer.class, WithBrowser.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PopupInBrowserIT {
    /** Like an application: asks where to go, opens a window there, and listens. */
    private static final String APP_PAGE = """
            <!DOCTYPE html><title>App</title><script>
            var heard = [];
            addEventListener("message", function (event) { heard.push({origin: event.origin, data: event.data}); });
            function ask(url, key) {
              return fetch(url, {headers: {"x-api-key": key}}).then(function (answer) { return answer.json(); });
            }
            </script>""";

    private final Chromium chromium;
    private final TestDatabase database;
    private OauthWorld world;
    private OauthProject app;
    private HttpServer allowed;
    private HttpServer foreign;
    private String auth;
    private Page page;

    PopupInBrowserIT(Chromium chromium, TestDatabase database) {
        this.chromium = chromium;
        this.database = database;
    }

    @BeforeAll
    void start() throws IOException {
        var port = FreePort.find();
        auth = "http://localhost:" + port;
        allowed = serveApp();
        foreign = serveApp();
        world = OauthWorld.start(
                database, Map.of("VESTIBULE_HTTP_PORT", Integer.toString(port), "VESTIBULE_PUBLIC_URL", auth));
        app = world.newProject();
        app.change(Map.of("callbackUrl", origin(allowed) + "/"));
    }

    private static HttpServer serveApp() throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            var page = APP_PAGE.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static String origin(HttpServer server) {
        return "http://localhost:" + server.getAddress().getPort();
    }

    @AfterAll
    void stop() {
        world.close();
        allowed.stop(0);
        foreign.stop(0);
    }

    @BeforeEach
    void newPage() {
        app.change(Map.of("allowedOrigins", List.of(origin(allowed))));
        page = chromium.newPage();
    }

    @AfterEach
    void closePage() {
        page.context().close();
    }

    private String path(String flow) {
        return "/v1/auth/oauth/oidc/url?flow=" + flow + "&redirectUri=" + auth + "/v1/auth/oauth/redirect";
    }

    private Response url(String path) {
        return world.server()
                .api()
                .get(path)
                .key(app.project().publishableKey())
                .expect(200);
    }

    /** As an application's own script opens it, which keeps the state. */
    private Page openPopup(HttpServer at) {
        page.navigate(origin(at) + "/");
        return page.waitForPopup(() -> page.evaluate(
                "([url, key]) => ask(url, key).then(answer => { window.state = answer.state; window.open(answer.url); })",
                List.of(auth + path("popup"), app.project().publishableKey())));
    }

    private static void signInAtProvider(Page login, String email) {
        login.fill("[name=username]", newSubject());
        login.fill("[name=claims]", "{\"email\":\"" + email + "\",\"email_verified\":true}");
        login.click("[type=submit]");
    }

    private static void asks(Page end) {
        assertThat(end.locator("#question")).isVisible();
        assertThat(end.locator("#end")).isHidden();
    }

    @Test
    void theWindowThatOpenedThePopupReceivesTheTokens() {
        var email = TestServer.newEmail();
        var popup = openPopup(allowed);
        signInAtProvider(popup, email);

        page.waitForFunction("heard.length > 0");
        assertThat(page.evaluate("heard[0].origin")).isEqualTo(auth);
        assertThat(page.evaluate("heard[0].data.type")).isEqualTo("authon-oauth-callback");
        assertThat(page.evaluate("heard[0].data.tokens.user.email")).isEqualTo(email);
        app.project()
                .me((String) page.evaluate("heard[0].data.tokens.accessToken"))
                .expect(200);
        page.waitForCondition(popup::isClosed);
        assertThat(page.evaluate("heard.length")).isEqualTo(1);
    }

    private long held() {
        return world.server()
                .sql()
                .count(
                        "SELECT count(*) FROM oauth_states WHERE project_id = ?::uuid AND outcome = 'held'",
                        app.project().id());
    }

    @Test
    void aWindowOfAnotherOriginReceivesNothing() {
        var before = held();
        var url = url(path("popup"));
        page.navigate(origin(foreign) + "/");
        var popup = page.waitForPopup(() -> page.evaluate("url => { window.open(url); }", url.text("url")));
        signInAtProvider(popup, TestServer.newEmail());

        page.waitForCondition(popup::isClosed);
        assertThat(app.poll(url.text("state")).expect(200).text("status")).isEqualTo("pending");
        assertThat(held()).as("the provider has answered").isEqualTo(before + 1);
        assertThat(page.evaluate("heard.length")).isEqualTo(0);
    }

    /** As if the provider's pages had cut the connection to the window that opened the popup. */
    @Test
    void aPageWithoutAnOpenerAsksBeforeAPollGetsTheTokens() {
        var email = TestServer.newEmail();
        var state = endWithoutOpener(email);
        page.click("#allow");

        assertThat(page.getByText("You agreed")).isVisible();
        assertThat(app.poll(state).expect(200).text("user/email")).isEqualTo(email);
    }

    @Test
    void aPageWithoutAnOpenerCanRefuse() {
        var state = endWithoutOpener(TestServer.newEmail());
        page.click("[value=refuse]");

        assertThat(page.getByText("You refused")).isVisible();
        assertThat(app.poll(state).expect(200).text("status")).isEqualTo("error");
    }

    private String endWithoutOpener(String email) {
        var url = url(path("popup"));
        page.navigate(url.text("url"));
        signInAtProvider(page, email);
        asks(page);
        assertThat(app.poll(url.text("state")).expect(200).text("status")).isEqualTo("pending");
        return url.text("state");
    }

    /** Without allowed origins any page may have begun, so the popup cannot know whether its message was received. */
    @Test
    void aPopupThatIsNotClosedAsksIfAnyOriginMayHaveStarted() {
        app.change(Map.of("allowedOrigins", List.of()));
        var email = TestServer.newEmail();
        var popup = openPopup(foreign);
        signInAtProvider(popup, email);
        asks(popup);
        popup.click("#allow");

        assertThat(popup.getByText("You agreed")).isVisible();
        assertThat(page.evaluate("heard.length")).isEqualTo(0);
        assertThat(app.poll((String) page.evaluate("window.state")).expect(200).text("user/email"))
                .isEqualTo(email);
    }

    @Test
    void anApplicationInTheServersOriginFindsTheTokensInItsStorage() {
        app.change(Map.of("allowedOrigins", List.of(origin(allowed), auth)));
        var email = TestServer.newEmail();
        var back = auth + "/v1/openapi.json";
        var url = url(path("redirect") + "&returnTo=" + back);
        page.navigate(url.text("url"));
        signInAtProvider(page, email);

        page.waitForURL(at -> at.startsWith(back + "?authon_oauth_state=" + url.text("state")));
        assertThat(page.evaluate(
                        "state => JSON.parse(localStorage.getItem('authon-oauth-' + state)).tokens.user.email",
                        url.text("state")))
                .isEqualTo(email);
    }

    @Test
    void aSignInStartedElsewhereAsksTheUserAndCanContinue() {
        var email = TestServer.newEmail();
        var back = origin(allowed) + "/back";
        var url = world.server()
                .api()
                .get(path("redirect") + "&returnTo=" + back)
                .header("X-Forwarded-For", "198.51.100.66")
                .key(app.project().publishableKey())
                .expect(200);
        page.navigate(url.text("url"));
        signInAtProvider(page, email);
        assertThat(page.locator("#allow")).isVisible();
        assertThat(page.locator("time")).not().containsText("UTC");
        app.poll(url.text("state")).expect(200);
        page.click("#allow");

        page.waitForURL(at -> at.startsWith(back));
        assertThat(page.evaluate("new URL(location.href).searchParams.get('authon_oauth_state')"))
                .isEqualTo(url.text("state"));
        assertThat(app.poll(url.text("state")).expect(200).text("user/email")).isEqualTo(email);
    }
}
