package dev.vestibule.oauth;

import static dev.vestibule.fixture.OauthProject.newSubject;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.net.httpserver.HttpServer;
import dev.vestibule.fixture.Browser;
import dev.vestibule.fixture.Browser.Page;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The flows that the server handles, by a real browser; skipped where there is none to be found. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PopupInBrowserIT {
    /** As an application does it: asks where to go, opens a window there, and listens. */
    private static final String APP_PAGE = """
            <!DOCTYPE html><title>App</title><script>
            var heard = [];
            addEventListener("message", function (event) { heard.push({origin: event.origin, data: event.data}); });
            function ask(url, key) {
              return fetch(url, {headers: {"x-api-key": key}}).then(function (answer) { return answer.json(); });
            }
            </script>""";

    private Browser browser;
    private OauthWorld world;
    private OauthProject app;
    private HttpServer allowed;
    private HttpServer foreign;
    private String auth;

    @BeforeAll
    void start(@TempDir Path profile) throws IOException {
        var program = Browser.find();
        assumeThat(program)
                .as("a Chromium in the PATH (Debian: apt-get install chromium)")
                .isPresent();
        var port = FreePort.find();
        auth = "http://localhost:" + port;
        allowed = serveApp();
        foreign = serveApp();
        world = OauthWorld.start(Map.of("VESTIBULE_HTTP_PORT", Integer.toString(port), "VESTIBULE_PUBLIC_URL", auth));
        app = world.newProject();
        app.change(Map.of("callbackUrl", origin(allowed) + "/", "allowedOrigins", List.of(origin(allowed))));
        browser = Browser.start(program.get(), profile);
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
        if (browser != null) {
            browser.close();
        }
        if (world != null) {
            world.close();
            allowed.stop(0);
            foreign.stop(0);
        }
    }

    private String path(String flow) {
        return "/v1/auth/oauth/oidc/url?flow=" + flow + "&redirectUri=" + auth + "/v1/auth/oauth/redirect";
    }

    private Page openApp(HttpServer at, String path) {
        var page = browser.open(origin(at) + path);
        Eventually.until("the page is there", () -> page.shows("typeof heard === 'object'"));
        return page;
    }

    private void signInAtProvider(String email) {
        var login = browser.await(app.issuer());
        Eventually.until("its form is there", () -> login.shows("document.querySelector('form') !== null"));
        login.run("document.querySelector('[name=username]').value = '" + newSubject() + "';"
                + "document.querySelector('[name=claims]').value ="
                + " '{\"email\":\"" + email + "\",\"email_verified\":true}';"
                + "setTimeout(function () { document.querySelector('form').submit(); }, 0)");
    }

    @Test
    void theWindowThatOpenedThePopupReceivesTheTokens() {
        var email = TestServer.newEmail();
        var page = openApp(allowed, "/popup");
        page.run("ask('" + auth + path("popup") + "', '" + app.project().publishableKey() + "')"
                + ".then(function (answer) { window.open(answer.url); })");
        signInAtProvider(email);

        Eventually.until("the tokens are there", () -> page.shows("heard.length > 0"));
        assertThat(page.run("heard[0].origin").asText()).isEqualTo(auth);
        assertThat(page.run("heard[0].data.type").asText()).isEqualTo("authon-oauth-callback");
        assertThat(page.run("heard[0].data.tokens.user.email").asText()).isEqualTo(email);
        app.project().me(page.run("heard[0].data.tokens.accessToken").asText()).expect(200);
        Eventually.until("the popup is closed", () -> !browser.hasPage(auth));
        assertThat(page.run("heard.length").asInt()).isEqualTo(1);
    }

    @Test
    void aWindowOfAnotherOriginReceivesNothing() {
        var url = world.server()
                .api()
                .get(path("popup"))
                .key(app.project().publishableKey())
                .expect(200);
        var page = openApp(foreign, "/foreign");
        page.run("window.open('" + url.text("url") + "'); true");
        signInAtProvider(TestServer.newEmail());

        Eventually.until(
                "the popup came to its end",
                () -> world.server()
                                        .sql()
                                        .count(
                                                "SELECT count(*) FROM oauth_states WHERE project_id = ?::uuid"
                                                        + " AND outcome = 'held'",
                                                app.project().id())
                                > 0
                        && !browser.hasPage(auth)
                        && !browser.hasPage(app.issuer()));
        assertThat(page.run("heard.length").asInt()).isZero();
        assertThat(app.poll(url.text("state")).expect(200).text("status")).isEqualTo("pending");
    }

    /** As where the provider's pages cut the connection to the window that opened the popup. */
    @Test
    void aPageWithoutAnOpenerAsksBeforeAPollGetsTheTokens() {
        var email = TestServer.newEmail();
        var end = endWithoutOpener(email);
        end.page().run("setTimeout(function () { document.getElementById('allow').click(); }, 0)");

        Eventually.until("the page agrees", () -> end.page().shows("document.body.innerText.includes('You agreed')"));
        assertThat(app.poll(end.state()).expect(200).text("user/email")).isEqualTo(email);
        end.page().close();
        Eventually.until("it is closed", () -> !browser.hasPage(auth));
    }

    @Test
    void aPageWithoutAnOpenerCanRefuse() {
        var end = endWithoutOpener(TestServer.newEmail());
        end.page().run("setTimeout(function () { document.querySelector('[value=refuse]').click(); }, 0)");

        Eventually.until("the page says so", () -> end.page().shows("document.body.innerText.includes('You refused')"));
        assertThat(app.poll(end.state()).expect(200).text("status")).isEqualTo("error");
        end.page().close();
        Eventually.until("it is closed", () -> !browser.hasPage(auth));
    }

    private record End(Page page, String state) {}

    private End endWithoutOpener(String email) {
        var url = world.server()
                .api()
                .get(path("popup"))
                .key(app.project().publishableKey())
                .expect(200);
        browser.open(url.text("url"));
        signInAtProvider(email);
        var end = browser.await(auth);
        Eventually.until(
                "the page asks",
                () -> end.shows("document.getElementById('question').checkVisibility()"
                        + " && !document.getElementById('end').checkVisibility()"));
        assertThat(app.poll(url.text("state")).expect(200).text("status")).isEqualTo("pending");
        return new End(end, url.text("state"));
    }

    /** Without allowed origins any page may have begun, so the popup cannot know whether its message was received. */
    @Test
    void aPopupThatIsNotClosedAsksWhereAnyOriginMayHaveBegun() {
        app.change(Map.of("allowedOrigins", List.of()));
        var email = TestServer.newEmail();
        var page = openApp(foreign, "/any");
        page.run("ask('" + auth + path("popup") + "', '" + app.project().publishableKey() + "')"
                + ".then(function (answer) { window.state = answer.state; window.open(answer.url); })");
        signInAtProvider(email);
        var end = browser.await(auth);
        Eventually.until("it asks", () -> end.shows("document.getElementById('question').checkVisibility()"));
        end.run("setTimeout(function () { document.getElementById('allow').click(); }, 0)");
        Eventually.until("it agrees", () -> end.shows("document.body.innerText.includes('You agreed')"));

        assertThat(page.run("heard.length").asInt()).isZero();
        assertThat(app.poll(page.run("state").asText()).expect(200).text("user/email"))
                .isEqualTo(email);
        end.close();
        app.change(Map.of("allowedOrigins", List.of(origin(allowed))));
    }

    @Test
    void anApplicationInTheServersOriginFindsTheTokensInItsStorage() {
        app.change(Map.of("allowedOrigins", List.of(origin(allowed), auth)));
        var email = TestServer.newEmail();
        var url = world.server()
                .api()
                .get(path("redirect") + "&returnTo=" + auth + "/v1/openapi.json")
                .key(app.project().publishableKey())
                .expect(200);
        browser.open(url.text("url"));
        signInAtProvider(email);

        var back = browser.await(auth + "/v1/openapi.json?authon_oauth_state=" + url.text("state"));
        assertThat(back.run("JSON.parse(localStorage.getItem('authon-oauth-" + url.text("state")
                                + "')).tokens.user.email")
                        .asText())
                .isEqualTo(email);
        back.close();
        app.change(Map.of("allowedOrigins", List.of(origin(allowed))));
    }

    @Test
    void aSignInStartedElsewhereAsksTheUserAndCanContinue() {
        var email = TestServer.newEmail();
        var url = world.server()
                .api()
                .get(path("redirect") + "&returnTo=" + origin(allowed) + "/back")
                .header("X-Forwarded-For", "198.51.100.66")
                .key(app.project().publishableKey())
                .expect(200);
        browser.open(url.text("url"));
        signInAtProvider(email);
        var question = browser.await(auth);
        Eventually.until("it asks", () -> question.shows("document.querySelector('button') !== null"));
        assertThat(question.run("document.querySelector('time').textContent").asText())
                .doesNotContain("UTC");
        app.poll(url.text("state")).expect(200);
        question.run("setTimeout(function () { document.querySelector('button').click(); }, 0)");

        var back = browser.await(origin(allowed) + "/back");
        assertThat(back.run("new URL(location.href).searchParams.get('authon_oauth_state')")
                        .asText())
                .isEqualTo(url.text("state"));
        assertThat(app.poll(url.text("state")).expect(200).text("user/email")).isEqualTo(email);
    }
}
