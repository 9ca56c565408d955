package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.FrameLocator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The branding screen of the console, and its preview of a draft. */
class BrandingInBrowserIT extends ConsoleInBrowser {
    private static final byte[] PIXEL = Base64.getDecoder()
            .decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");

    private static final Pattern PREVIEW = Pattern.compile("/branding/preview");

    BrandingInBrowserIT(TestDatabase database, Chromium chromium) {
        super(database, chromium);
    }

    private FrameLocator preview() {
        return page.frameLocator("iframe");
    }

    private void openBranding(String project) {
        openProject(project, "branding");
        assertThat(heading("Preview")).isVisible();
    }

    @Test
    void whileAnOwnerTypesTheServerPreviewsThePageAndTheMailsAndStoresNothing() {
        openBranding("Engines");
        assertThat(preview().locator(".brand")).hasText("Engines");
        field("Name").fill("Analytical Engines");
        field("Main colour, start").fill("#0f766e");
        field("Main colour, end").fill("#0f766e");
        field("Custom CSS").fill("h1 { letter-spacing: 3px }");
        assertThat(preview().locator(".brand")).hasText("Analytical Engines");
        assertThat(preview().locator("h1")).hasCSS("letter-spacing", "3px");
        assertThat(preview().locator("form button:not([class])")).hasCSS("background-color", "rgb(15, 118, 110)");
        field("Colours").selectOption("light");
        assertThat(preview().locator(".card")).hasCSS("background-color", "rgb(255, 255, 255)");
        check("branding");

        field("Colours").selectOption("dark");
        assertThat(preview().locator(".card")).hasCSS("background-color", "rgb(11, 16, 32)");
        field("Language").selectOption("de");
        assertThat(preview().locator("html")).hasAttribute("lang", "de");
        field("Page or mail").selectOption("verificationMail");
        assertThat(preview().locator(".code")).hasText("123456");
        assertThat(preview().locator(".code")).hasCSS("font-weight", "700");
        assertThat(page.locator(".preview p")).containsText("Analytical Engines");
        check("branding-mail");
        assertThat(server.sql().count("SELECT count(*) FROM brandings WHERE project_id = ?::uuid", projectId()))
                .isZero();

        press("Save");
        assertThat(page.locator(".said p")).hasText("Saved.");
        page.reload();
        assertThat(field("Name")).hasValue("Analytical Engines");
        assertThat(preview().locator(".brand")).hasText("Analytical Engines");
    }

    @Test
    void theTextsOfAMailAreWrittenWithAPreviewAndTheServersComeBack() {
        openProject("Engines", "mails");
        assertThat(page.locator(".preview p")).containsText("Your code for Engines");
        field("Subject").fill("{{ code }} opens {{ brand }}");
        assertThat(page.locator(".preview p")).containsText("123456 opens Engines");
        field("Text before the code or link").fill("{{ password }}");
        assertThat(page.locator("#mail-intro-wrong")).containsText("{{ brand }}, {{ code }}, {{ minutes }}");
        check("mails-refused");
        field("Text before the code or link").fill("Good morning 🚀\nfrom {{ brand }}");
        assertThat(preview().locator("body")).containsText("Good morning 🚀");
        press("Save");
        assertThat(page.locator(".said p")).hasText("Saved.");
        assertThat(page.getByText("The server’s text: Your code for {{ brand }}"))
                .isVisible();

        field("Language").selectOption("de");
        assertThat(field("Subject")).hasValue("Ihr Code für {{ brand }}");
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("English"))
                .click();
        assertThat(field("Subject")).hasValue("{{ code }} opens {{ brand }}");
        assertThat(field("Message").locator("option:checked")).hasText("Verification of an email (changed)");
        check("mails");

        field("Subject").fill("{{ code }} is not saved");
        assertThat(page.locator(".preview p")).containsText("123456 is not saved");
        press("Return to the server’s texts");
        page.locator("dialog .danger").click();
        assertThat(page.locator(".said p")).hasText("The server’s texts are back.");
        assertThat(field("Subject")).hasValue("Your code for {{ brand }}");
        assertThat(page.locator(".preview p")).containsText("Your code for Engines");
        assertThat(preview().locator("body")).not().containsText("Good morning 🚀");
        assertThat(field("Message").locator("option:checked")).hasText("Verification of an email");
        field("Message").selectOption("sms");
        assertThat(preview().locator("p")).containsText("123456 is your code for Engines");
        assertThat(server.sql().count("SELECT count(*) FROM message_texts WHERE project_id = ?::uuid", projectId()))
                .isZero();
    }

    @Test
    void aLateAnswerToAnEarlierDraftDoesNotReplaceTheLaterOne() {
        openBranding("Engines");
        assertThat(preview().locator(".brand")).hasText("Engines");
        var held = new ArrayDeque<Route>();
        page.route(PREVIEW, route -> {
            if (route.request().postData().contains("Early")) {
                held.add(route);
            } else {
                route.resume();
            }
        });
        field("Name").fill("Early");
        page.waitForCondition(() -> !held.isEmpty());
        field("Name").fill("Late");
        assertThat(preview().locator(".brand")).hasText("Late");
        var late = page.waitForResponse(PREVIEW, held.remove()::resume);
        assertThat(late.text()).contains("Early");
        page.evaluate("fetch('../v1/openapi.json').then(answer => answer.text())"); // the late response is read by then
        assertThat(preview().locator(".brand")).hasText("Late");
    }

    @Test
    void aRefusedValueIsReportedAtItsFieldBeforeAnythingIsSaved() {
        openBranding("Engines");
        assertThat(preview().locator(".brand")).hasText("Engines");
        field("Main colour, start").fill("rebeccapurple");
        field("Terms of service (URL)").fill("javascript:alert(1)");
        field("Custom CSS").fill("@import url(https://evil.example.com)");
        field("Corner radius (0 to 64)").fill("65");

        assertThat(page.locator("#branding-primaryColorStart-wrong")).containsText("must be a colour");
        assertThat(page.locator("#branding-termsUrl-wrong")).isVisible();
        assertThat(page.locator("#branding-customCss-wrong")).containsText("at-rules");
        assertThat(page.locator("#branding-borderRadius-wrong")).isVisible();
        assertThat(page.locator(".preview [role=alert]")).containsText("cannot be shown");
        assertThat(preview().locator(".brand")).hasText("Engines");
        assertThat(field("Corner radius (0 to 64)")).isFocused();
        check("branding-refused");
        press("Save");
        assertThat(field("Main colour, start")).isFocused();
        field("Main colour, start").fill("#123");
        assertThat(page.locator("#branding-primaryColorStart-wrong")).hasCount(0);
    }

    @Test
    void aLogoIsShownAndRemoved() {
        openBranding("Engines");
        page.locator("input[type=file]").setInputFiles(new FilePayload("logo.png", "image/png", PIXEL));
        assertThat(preview().locator("img.logo")).isVisible();
        press("Save");
        assertThat(page.locator(".said p")).hasText("Saved.");
        page.reload();
        assertThat(page.locator("img.logo")).isVisible();
        press("Remove the logo");
        assertThat(preview().locator(".brand")).hasText("Engines");
        page.locator("input[type=file]")
                .setInputFiles(new FilePayload(
                        "logo.svg", "image/svg+xml", "<svg onload='alert(1)'/>".getBytes(StandardCharsets.UTF_8)));
        assertThat(page.locator("#branding-logoDataUrl-wrong")).containsText("SVG");
    }

    @Test
    void aHostileDraftDoesNothing() {
        openBranding(HOSTILE);
        assertThat(preview().locator("h1")).isVisible();
        field("Name").fill("<script>alert(1)</script>");
        assertThat(page.locator("#branding-brandName-wrong")).isVisible();
        field("Name").fill("Engines");
        field("Custom CSS").fill("</style><script>alert(1)</script>");
        assertThat(page.locator("#branding-customCss-wrong")).isVisible();
        field("Custom CSS").fill("body { background: url(https://127.0.0.1:1/beacon) }");
        assertThat(page.locator("#branding-customCss-wrong")).containsText("must not load anything");
        field("Custom CSS").fill("body { background: url(data:image/png;base64,AAAA) }");
        assertThat(preview().locator(".brand")).hasText("Engines");
        // The frame runs nothing, even if it contained markup of a stranger.
        page.evaluate(
                "() => { const body = document.querySelector('iframe').contentDocument.body;"
                        + " body.innerHTML = '<img src=\"data:,x\" onerror=\"parent.document.title = 1\"><a id=go href=\"https://example.com\" target=_top>go</a>'; }");
        preview().locator("#go").click();
        assertThat(page.title()).contains("Branding");
        assertThat(page.frames()).hasSize(2);
    }

    @Test
    void nothingInThePreviewLeadsAnywhere() {
        openBranding("Engines");
        preview().locator("button.text").first().click();
        preview().locator("form button:not([class])").click();

        assertThat(page.context().pages()).hasSize(1);
        assertThat(preview().locator(".brand")).hasText("Engines");
        assertThat(page.frames().get(1).url()).endsWith("/console/preview");
    }

    @Test
    void aViewerSeesTheBrandingAndItsPreviewAndChangesNothing() {
        openBranding("Engines");
        server.sql().update("UPDATE memberships SET role = 'viewer'");
        page.reload();

        assertThat(page.locator("dl")).containsText("#4f46e5");
        assertThat(page.locator("form, section button")).hasCount(0);
        assertThat(preview().locator(".brand")).hasText("Engines");
        field("Page or mail").selectOption("passwordResetMail");
        assertThat(preview().locator("h1.text")).isVisible();
        check("branding-viewer");
    }
}
