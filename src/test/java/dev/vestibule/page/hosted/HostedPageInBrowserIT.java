package dev.vestibule.page.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithBrowser;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The hosted page in a real browser, without scripts; skipped if none is installed. */
@ExtendWith({WithServer.class, WithBrowser.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostedPageInBrowserIT {
    private final WithMail mail;
    private final TestServer server;
    private final List<String> logged = new ArrayList<>();
    private final Chromium chromium;
    private HttpServer app;
    private TestProject project;

    HostedPageInBrowserIT(Chromium chromium, TestDatabase database) {
        this.chromium = chromium;
        mail = WithMail.start(database, Map.of("VESTIBULE_PUBLIC_URL", "http://localhost:8080"));
        server = mail.server();
    }

    @BeforeAll
    void start() throws IOException {
        app = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        app.createContext("/", exchange -> {
            var page = "<!DOCTYPE html><title>App</title>".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        app.start();
        project = mail.strictProject();
        project.asOwner("PATCH", "").json(Map.of("callbackUrl", appUrl())).expect(200);
    }

    @AfterAll
    void stop() {
        if (app != null) {
            app.stop(0);
        }
        mail.close();
    }

    private String appUrl() {
        return "http://localhost:" + app.getAddress().getPort() + "/signed-in";
    }

    private Page open(Map<String, String> more, int width, boolean withScripts) {
        return open(project, more, width, withScripts);
    }

    private Page open(TestProject of, Map<String, String> more, int width, boolean withScripts) {
        var page = chromium.newPage(new Browser.NewContextOptions()
                .setJavaScriptEnabled(withScripts)
                .setLocale("en")
                .setViewportSize(width, 760));
        Chromium.collectComplaints(page, logged);
        var visitor = new HostedBrowser(of);
        var query = URI.create(visitor.requestUrl(more)).getRawQuery();
        var base = server.api().base();
        page.navigate("http://localhost:" + base.getPort() + visitor.path() + "?" + query);
        return page;
    }

    private static void fill(Page page, Map<String, String> fields) {
        fields.forEach((name, text) -> page.fill("#" + name, text));
        page.click("form button:not([class])");
    }

    @Test
    void aSignUpAndASignInReturnToTheApplicationWithoutScripts() {
        var email = TestServer.newEmail();
        var page = open(Map.of("screen", "sign-up"), 1000, false);
        fill(page, Map.of("email", email, "password", TestProject.PASSWORD));
        fill(page, Map.of("code", mail.mailbox().awaitCode(email)));
        page.waitForURL(appUrl() + "?*");
        assertThat(redeemed(page)).isEqualTo(email);

        var again = open(Map.of(), 1000, false);
        fill(again, Map.of("email", email, "password", "not the password"));
        assertThat(again.textContent("main")).contains("The email or the password is wrong.");
        Chromium.picture(again, "wrong-password");
        fill(again, Map.of("email", email, "password", TestProject.PASSWORD));
        again.waitForURL(appUrl() + "?*");
        assertThat(redeemed(again)).isEqualTo(email);
        assertThat(logged).isEmpty();
    }

    private String redeemed(Page page) {
        var code = HostedBrowser.parameter(URI.create(page.url()), "code");
        return new HostedBrowser(project)
                .redeem(Map.of("code", code, "codeVerifier", HostedBrowser.VERIFIER), 200)
                .text("user/email");
    }

    @Test
    void theEmailLeadsToTheWaysThatAreOpenToItWithoutScripts() {
        var other = server.newProject();
        other.asOwner("PATCH", "").json(Map.of("callbackUrl", appUrl())).expect(200);
        var email = TestServer.newEmail();
        var organization = other.manage("POST", "/v1/dashboard/organizations")
                .json(Map.of("name", "Engines", "createdBy", other.signUp(email).text("user/id")))
                .expect(201)
                .text("id");
        var below = "/v1/dashboard/organizations/" + organization;
        other.manage("POST", below + "/connections")
                .json(Map.of(
                        "name", "Okta",
                        "issuer", "https://login.engines.invalid",
                        "clientId", "engines",
                        "clientSecret", "a secret"))
                .expect(201);
        other.manage("POST", below + "/domains")
                .json(Map.of("domain", "engines.example"))
                .expect(201);
        server.sql()
                .update("UPDATE organization_domains SET verified_at = now() WHERE project_id = ?::uuid", other.id());
        var page = open(other, Map.of(), Chromium.NARROW, true);
        assertThat(page.locator("#password").count()).isZero();
        Chromium.isAccessible(page, "email");
        page.fill("#email", "ada@engines.example");
        page.click("form button:not([class])");
        assertThat(page.textContent("main")).contains("Continue with Okta");
        Chromium.isAccessible(page, "sign-in-connection");
        page = open(other, Map.of(), Chromium.NARROW, false);
        fill(page, Map.of("email", email));
        fill(page, Map.of("password", TestProject.PASSWORD));
        page.waitForURL(appUrl() + "?*");
        assertThat(logged).isEmpty();
    }

    @Test
    void everyScreenIsAccessibleInBothColourSchemesAndOnSmallScreens() {
        for (var screen : List.of("sign-in", "sign-up", "forgot-password", "email-code")) {
            var page = open(Map.of("screen", screen, "locale", "de"), Chromium.NARROW, true);
            Chromium.isAccessible(page, screen);
            page.context().close();
        }
        assertThat(logged).isEmpty();
    }
}
