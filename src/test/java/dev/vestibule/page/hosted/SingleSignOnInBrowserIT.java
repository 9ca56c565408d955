package dev.vestibule.page.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithBrowser;
import dev.vestibule.fixture.WithServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** One sign in for all applications of a project, and the consent page, in a real browser; skipped without one. */
@ExtendWith({WithServer.class, WithBrowser.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SingleSignOnInBrowserIT {
    private final TestServer server;
    private final TestReceiver app = TestReceiver.start();
    private final String callback = app.url("/callback");
    private final String url;
    private final Chromium chromium;
    private final List<String> logged = new ArrayList<>();
    private final String email = TestServer.newEmail();

    SingleSignOnInBrowserIT(Chromium chromium, TestDatabase database) {
        this.chromium = chromium;
        var port = FreePort.find();
        url = "http://localhost:" + port;
        server = TestServer.start(
                database, Map.of("VESTIBULE_PUBLIC_URL", url, "VESTIBULE_HTTP_PORT", Integer.toString(port)));
    }

    @AfterAll
    void stop() {
        server.close();
        app.close();
    }

    private Page newPage() {
        var page =
                chromium.newPage(new Browser.NewContextOptions().setLocale("en").setViewportSize(Chromium.NARROW, 760));
        Chromium.collectComplaints(page, logged);
        page.route("https://app.example.com/**", route -> route.fulfill());
        return page;
    }

    private TestProject project() {
        var project = HostedBrowser.allowing(server.newProject());
        project.signUp(email);
        return project;
    }

    private void authorize(Page page, TestProject project, String client, Map<String, String> more) {
        var all = new HashMap<>(more);
        all.put("redirect_uri", callback);
        page.navigate(url + OauthBrowser.issuerPath(project) + "/oauth/authorize?"
                + OauthBrowser.encode(OauthBrowser.request(client, all)));
    }

    private void signIn(Page page) {
        page.fill("#email", email);
        page.fill("#password", TestProject.PASSWORD);
        page.click("form button:not([class])");
    }

    @Test
    void oneSignInServesAllApplicationsAndTheHostedFlow() {
        var project = project();
        var first = OauthBrowser.register(project, "spa", Map.of("redirectUris", List.of(callback)))
                .text("clientId");
        var second = OauthBrowser.register(project, "spa", Map.of("redirectUris", List.of(callback)))
                .text("clientId");
        var page = newPage();
        authorize(page, project, first, Map.of());
        signIn(page);
        page.waitForURL(callback + "?code=*");

        authorize(page, project, second, Map.of());
        page.waitForURL(callback + "?code=*");
        page.navigate(new HostedBrowser(project).requestUrl(Map.of()));
        page.waitForURL(HostedBrowser.APP + "?code=*");
        page.navigate(new HostedBrowser(project).requestUrl(Map.of("prompt", "login")));
        assertThat(page.locator("#password").isVisible()).isTrue();
        assertThat(logged).isEmpty();
    }

    @Test
    void theConsentPageFitsAndAnswersWithAForm() {
        var project = project();
        var third = OauthBrowser.register(
                        project, "spa", Map.of("firstParty", false, "name", "Third", "redirectUris", List.of(callback)))
                .text("clientId");
        var page = newPage();
        authorize(page, project, third, Map.of("response_mode", "form_post", "scope", "openid profile offline_access"));
        signIn(page);

        assertThat(page.textContent("main")).contains("Third", email, "Keep the access while you are away");
        Chromium.fits(page, "the consent page");
        page.click("button[value=allow]");
        page.waitForURL(callback);
        authorize(page, project, third, Map.of("prompt", "select_account"));
        page.click("button[value=continue]");
        page.click("button[value=deny]");
        page.waitForURL(callback + "?error=access_denied*");
        assertThat(logged).isEmpty();
    }

    @Test
    void aPersonAllowsADeviceThatShowsACode() {
        var project = project();
        var client = OauthBrowser.register(project, "native", Map.of("name", "Television"))
                .text("clientId");
        var device = OauthBrowser.post(
                project,
                "/oauth/device_authorization",
                Map.of("client_id", client, "scope", "openid profile offline_access"),
                200);
        var page = newPage();
        page.navigate(device.text("verification_uri"));
        Chromium.fits(page, "the page for the code of a device");
        page.fill("#code", "nope");
        page.click("main form button");
        assertThat(page.textContent("#code-problem")).contains("No device waits");
        page.fill("#code", device.text("user_code").toLowerCase(Locale.ROOT));
        page.click("main form button");
        signIn(page);

        assertThat(page.textContent("main")).contains("Television", email, "127.0.0.1", "in front of you");
        Chromium.fits(page, "the consent page of a device");
        page.click("button[value=allow]");
        assertThat(page.textContent("h1")).isEqualTo("Your device is connected");
        Chromium.fits(page, "the last page of a device");
        assertThat(logged).isEmpty();
    }
}
