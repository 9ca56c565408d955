package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByLabelOptions;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithBrowser;
import dev.vestibule.fixture.WithServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The console in a browser, as a person uses it, for the tests of its screens. Whatever the
 * browser complains about, its policy or an error of a script, fails the test.
 */
@ExtendWith({WithServer.class, WithBrowser.class})
abstract class ConsoleInBrowser {
    static final String PASSWORD = "a dashboard password";
    static final String HOSTILE = "<img src=x onerror=alert(1)>";
    private static final int PHONE = 320;

    /** Scripts do not run in it, axe's neither; what it shows is tested where people see it. */
    private static final String FRAME = "iframe";

    private static final String BEYOND_THE_EDGE = "[...document.querySelectorAll('section, header, nav')]"
            + ".filter(part => part.scrollWidth > part.clientWidth).map(part => part.innerText).join()";

    final TestDatabase database;
    private final List<String> complaints = new ArrayList<>();
    private final Chromium chromium;
    TestServer server;
    Page page;
    String console;

    ConsoleInBrowser(TestDatabase database, Chromium chromium) {
        this.chromium = chromium;
        this.database = database;
    }

    /** What a class of tests sets differently. */
    Map<String, String> settings() {
        return Map.of();
    }

    @BeforeEach
    final void openConsole() {
        var port = FreePort.find();
        var url = "http://localhost:" + port;
        var settings = new HashMap<String, String>();
        settings.put("VESTIBULE_HTTP_PORT", Integer.toString(port));
        settings.put("VESTIBULE_PUBLIC_URL", url);
        settings.put("VESTIBULE_DASHBOARD_REGISTRATION", "first");
        settings.putAll(settings());
        server = TestServer.start(database, settings);
        console = url + "/console/";
        open(new NewContextOptions());
    }

    final void open(NewContextOptions options) {
        page = chromium.newPage(options.setViewportSize(1100, 800));
        page.onConsoleMessage(message -> {
            if (message.text().contains("Content Security Policy")
                    || message.text().contains("Trusted")) {
                complaints.add(message.text());
            }
        });
        page.onPageError(complaints::add);
        page.onDialog(dialog -> complaints.add("a dialog: " + dialog.message()));
    }

    @AfterEach
    final void closeConsole() {
        chromium.closePages();
        server.close();
        assertThat(complaints).isEmpty();
    }

    final Locator field(String label) {
        return page.getByLabel(label, new GetByLabelOptions().setExact(true));
    }

    final void press(String name) {
        page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName(name).setExact(true))
                .click();
    }

    final void follow(String name) {
        page.getByRole(AriaRole.LINK, new GetByRoleOptions().setName(name).setExact(true))
                .click();
    }

    final Locator heading(String name) {
        return page.getByRole(
                AriaRole.HEADING, new GetByRoleOptions().setName(name).setExact(true));
    }

    final void firstRun() {
        page.navigate(console);
        field("Email").fill("first@example.com");
        field("Password").fill(PASSWORD);
        press("Make an account");
        assertThat(heading("Projects")).isVisible();
    }

    final void newProject(String name) {
        follow("New project");
        field("Name").fill(name);
        press("New project");
        assertThat(heading("The project is made")).isVisible();
        follow("Go to the project");
        assertThat(heading(name)).isVisible();
    }

    final String projectId() {
        return page.url().replaceAll(".*/projects/([^/]+).*", "$1");
    }

    final Response signUp(String projectId, String email) {
        return server.api()
                .post("/v1/auth/signup")
                .json(Map.of("projectId", projectId, "email", email, "password", PASSWORD, "displayName", HOSTILE))
                .expect(201);
    }

    final void answerYes() {
        page.locator("#question button.danger").click();
    }

    /** However a person uses it: no finding, light and dark, and nothing beyond the edge of a small screen. */
    final void check(String name) {
        for (var scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
            picture(name + "-" + scheme);
            assertThat(new AxeBuilder(page).exclude(FRAME).analyze().getViolations())
                    .as("%s, %s", name, scheme)
                    .extracting(rule -> rule.getId() + ": " + rule.getHelp() + " " + rule.getNodes())
                    .isEmpty();
        }
        page.setViewportSize(PHONE, 700);
        picture(name + "-narrow");
        assertThat((Integer) page.evaluate("document.documentElement.scrollWidth"))
                .as("width of %s", name)
                .isLessThanOrEqualTo(PHONE);
        assertThat((String) page.evaluate(BEYOND_THE_EDGE))
                .as("what is wider than its part of %s", name)
                .isEmpty();
        page.setViewportSize(1100, 800);
    }

    final void picture(String name) {
        Chromium.picture(page, name);
    }
}
