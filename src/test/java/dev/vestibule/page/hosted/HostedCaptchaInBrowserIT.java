package dev.vestibule.page.hosted;

import static dev.vestibule.page.hosted.HostedBrowser.allowing;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithBrowser;
import dev.vestibule.fixture.WithServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Captchas on the hosted page in a real browser; skipped if none is installed. */
@ExtendWith({WithServer.class, WithBrowser.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostedCaptchaInBrowserIT {
    private final Chromium chromium;
    private final TestServer server;
    private final List<String> logged = new ArrayList<>();

    HostedCaptchaInBrowserIT(Chromium chromium, TestDatabase database) {
        this.chromium = chromium;
        server = TestServer.start(
                database,
                Map.of(
                        "VESTIBULE_PUBLIC_URL",
                        "http://localhost:8080",
                        "VESTIBULE_CAPTCHA_COST",
                        "10",
                        "VESTIBULE_CAPTCHA_DIGITS",
                        "2"));
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private TestProject asking(Map<String, ?> captcha) {
        var project = allowing(server.newProject());
        project.asOwner("PATCH", "").json(Map.of("captcha", captcha)).expect(200);
        return project;
    }

    private Page open(TestProject project, String screen, boolean withScripts) {
        var page = chromium.newPage(new Browser.NewContextOptions()
                .setJavaScriptEnabled(withScripts)
                .setLocale("en")
                .setViewportSize(Chromium.NARROW, 760));
        if (withScripts) { // Chromium reports the refusal of a form without a solution
            Chromium.collectComplaints(page, logged);
        }
        var visitor = new HostedBrowser(project);
        var query = URI.create(visitor.requestUrl(Map.of("screen", screen))).getRawQuery();
        page.route(
                "https://app.example.com/**", route -> route.fulfill(new Route.FulfillOptions().setBody("signed in")));
        page.navigate("http://localhost:" + server.api().base().getPort() + visitor.path() + "?" + query);
        return page;
    }

    @Test
    void theBrowserSolvesTheProofOfWorkByItself() {
        var project = asking(Map.of("when", "always"));
        var page = open(project, "sign-up", true);
        Chromium.isAccessible(page, "captcha");
        Chromium.fits(page, "captcha");
        page.fill("#email", TestServer.newEmail());
        page.fill("#password", TestProject.PASSWORD);
        page.click("form button:not([class])");
        page.waitForURL("https://app.example.com/**");

        var forgot = open(project, "forgot-password", true);
        forgot.fill("#email", TestServer.newEmail());
        forgot.click("form button:not([class])");
        forgot.waitForSelector("#code");
        assertThat(logged).isEmpty();
    }

    @Test
    void aButtonToAnotherScreenWaitsForNothing() {
        var page = open(asking(Map.of("when", "always")), "sign-up", true);
        page.click("button[value=sign-in]");
        page.waitForSelector("button[value=forgot-password]");
    }

    @Test
    void withoutScriptsThePageSaysWhatItNeeds() {
        var page = open(asking(Map.of("when", "always")), "sign-up", false);
        assertThat(page.textContent("form")).contains("which needs JavaScript");
        page.fill("#email", TestServer.newEmail());
        page.fill("#password", TestProject.PASSWORD);
        page.click("form button:not([class])");
        assertThat(page.textContent("main")).contains("this page checks that you are not a bot");
    }

    @Test
    void aProjectWithoutPressureHasNoScriptForIt() {
        var page = open(allowing(server.newProject()), "sign-up", true);
        assertThat(page.content()).doesNotContain("proof-of-work").doesNotContain("captcha");
    }

    @Test
    void aProvidersWidgetIsLetInOnlyWhereTheProjectChoseIt() {
        var project = allowing(server.newProject());
        project.asOwner("PUT", "/captcha-secret")
                .json(Map.of("secretKey", "secret"))
                .expect(200);
        for (var provider : Map.of("turnstile", "https://challenges.cloudflare.com", "hcaptcha", "https://hcaptcha.com")
                .entrySet()) {
            project.asOwner("PATCH", "")
                    .json(Map.of(
                            "captcha", Map.of("when", "always", "provider", provider.getKey(), "siteKey", "site-key")))
                    .expect(200);
            var visitor = new HostedBrowser(project);
            var page = visitor.get(visitor.path() + "?screen=sign-up");
            assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                    .contains("script-src 'sha256-", "frame-src " + provider.getValue());
            assertThat(page.body()).contains("data-sitekey=\"site-key\"");
            var other = visitor.get(visitor.path());
            assertThat(other.headers().firstValue("Content-Security-Policy").orElse(""))
                    .doesNotContain(provider.getValue());
        }
    }
}
