package dev.vestibule.page.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithBrowser;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The ways between the forms of the page, in a real browser; skipped if none is installed. */
@ExtendWith({WithServer.class, WithBrowser.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostedFormsInBrowserIT {
    private final WithMail mail;
    private final TestProject project;
    private final List<String> logged = new ArrayList<>();
    private final Chromium chromium;

    HostedFormsInBrowserIT(Chromium chromium, TestDatabase database) {
        this.chromium = chromium;
        mail = WithMail.start(database, Map.of("VESTIBULE_PUBLIC_URL", "http://localhost:8080"));
        project = HostedBrowser.allowing(mail.server().newProject());
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    private Page open(Map<String, String> more, int width, boolean withScripts) {
        var page = chromium.newPage(new Browser.NewContextOptions()
                .setJavaScriptEnabled(withScripts)
                .setLocale("en")
                .setViewportSize(width, 760));
        Chromium.collectComplaints(page, logged);
        // The application does not exist: it is enough that the browser is sent to it.
        page.route("https://app.example.com/**", Route::fulfill);
        var visitor = new HostedBrowser(project);
        var query = URI.create(visitor.requestUrl(more)).getRawQuery();
        page.navigate("http://localhost:" + mail.server().api().base().getPort() + visitor.path() + "?" + query);
        return page;
    }

    @Test
    void thePasswordIsShownOnDemandAndSentAsAPassword() {
        var page = open(Map.of("screen", "sign-up"), Chromium.NARROW, true);
        var show = page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Show password"));
        page.fill("#password", TestProject.PASSWORD);
        show.click();
        PlaywrightAssertions.assertThat(page.locator("#password")).hasAttribute("type", "text");
        PlaywrightAssertions.assertThat(show).hasAttribute("aria-pressed", "true");
        PlaywrightAssertions.assertThat(page.locator("#password")).hasAttribute("spellcheck", "false");
        PlaywrightAssertions.assertThat(page.locator("#password")).hasAttribute("autocapitalize", "none");
        Chromium.isAccessible(page, "password-shown");
        show.click();
        PlaywrightAssertions.assertThat(page.locator("#password")).hasAttribute("type", "password");
        show.click();
        page.evaluate("document.forms[0].addEventListener('submit', event => {"
                + " event.preventDefault(); document.title = document.getElementById('password').type; })");
        page.fill("#email", "ann@example.com");
        page.click("form button:not([class])");
        assertThat(page.title()).isEqualTo("password");
        page.context().close();

        var without = open(Map.of(), Chromium.NARROW, false);
        assertThat(without.isVisible(".reveal")).isFalse();
        assertThat(logged).isEmpty();
    }

    @Test
    void enterSignsInAndTheEmailComesAlongToTheForgottenPasswordAndBackWithoutScripts() {
        var email = TestServer.newEmail();
        mail.signUp(project, email);
        var page = open(Map.of(), 1000, false);
        page.fill("#email", email);
        page.click("button[value=forgot-password]");
        assertThat(page.inputValue("#email")).isEqualTo(email);
        page.click("form button:not([class])");
        assertThat(page.textContent(".notice")).contains(email);
        page.fill("#code", " " + mail.mailbox().awaitCodeAmongNotices(email, 2).replace("-", " "));
        page.fill("#password", "another good passphrase");
        page.press("#password", "Enter");
        assertThat(page.textContent(".notice")).contains("Your password is set.");
        assertThat(page.inputValue("#email")).isEqualTo(email);
        page.fill("#password", "another good passphrase");
        page.press("#password", "Enter");
        page.waitForURL(HostedBrowser.APP + "?code=*");
        assertThat(logged).isEmpty();
    }

    /** In visual order it stands before the field, but the keyboard gets there after the button. */
    @Test
    void theForgottenPasswordIsNextToItsFieldInEachLanguage() {
        for (var language : List.of("en", "de", "fr", "es", "pt", "ja", "ko", "zh")) {
            var page = open(Map.of("locale", language), Chromium.NARROW, true);
            var forgot = page.locator("button[value=forgot-password]").boundingBox();
            var field = page.locator("#password").boundingBox();
            assertThat(forgot.y + forgot.height).as(language).isLessThanOrEqualTo(field.y);
            assertThat(field.y - forgot.y).as(language).isLessThan(40);
            Chromium.fits(page, language);
            Chromium.picture(page, "sign-in-" + language);
            page.context().close();
        }
    }

    @Test
    void screensAfterSendingAndErrorsAreAccessible() {
        var page = open(Map.of("screen", "forgot-password"), Chromium.NARROW, true);
        page.fill("#email", "ann@example.com");
        page.click("form button:not([class])");
        Chromium.isAccessible(page, "reset-password");
        page.fill("#code", "nonsense");
        page.fill("#password", "another good passphrase");
        page.click("form button:not([class])");
        Chromium.isAccessible(page, "reset-password-refused");
        page.click("button[value=sign-in]");
        page.click("button[value=magic-link]");
        page.click("form button:not([class])");
        Chromium.isAccessible(page, "link-sent");
        page.context().close();

        var base = "http://localhost:" + mail.server().api().base().getPort() + "/p/";
        var lost =
                chromium.newPage(new Browser.NewContextOptions().setLocale("en").setViewportSize(Chromium.NARROW, 760));
        lost.navigate(base + "no-such-project/");
        Chromium.isAccessible(lost, "unknown");
        PlaywrightAssertions.assertThat(lost.locator(".card")).hasCSS("border-radius", "0px");
        lost.navigate(base.replace("/p/", "/nothing"));
        Chromium.isAccessible(lost, "nothing");
        lost.navigate(base + new HostedBrowser(project).path().substring(3) + "?request=nonsense");
        Chromium.isAccessible(lost, "expired");
        lost.setContent("<form method=post action='" + base + "x/sign-in'><input name=email value='"
                + "%".repeat(70_000) + "'><button>Send</button></form>");
        lost.click("button");
        assertThat(lost.textContent("h1")).isEqualTo("Something went wrong");
        Chromium.isAccessible(lost, "failed");
        lost.context().close();
    }
}
