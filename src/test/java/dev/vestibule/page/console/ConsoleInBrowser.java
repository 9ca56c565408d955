package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByLabelOptions;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.Cookie;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Barriers;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithBrowser;
import dev.vestibule.fixture.WithServer;
import java.net.HttpCookie;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The console in a browser, as a person uses it, for the tests of its screens. Any complaint of the browser, about its
 * policy or an error of a script, fails the test.
 */
@ExtendWith({WithServer.class, WithBrowser.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConsoleInBrowser {
    static final String PASSWORD = "a dashboard password";
    static final String HOSTILE = "<img src=x onerror=alert(1)>";

    private static final String BEYOND_THE_EDGE = "[...document.querySelectorAll('section, header, nav')]"
            + ".filter(part => part.scrollWidth > part.clientWidth).map(part => part.innerText).join()";

    final TestDatabase database;
    private final List<String> complaints = new ArrayList<>();
    private final Chromium chromium;
    private boolean isRunning;
    private int accounts;
    private String owner = "";
    String ownEmail = "";
    String console = "";

    @SuppressWarnings("NullAway.Init")
    TestServer server;

    Page page;

    ConsoleInBrowser(TestDatabase database, Chromium chromium) {
        this.chromium = chromium;
        this.database = database;
    }

    /** The settings that a test class changes. */
    Map<String, String> settings() {
        return Map.of();
    }

    /** Whether each test starts on an unused server, instead of one that the class shares. */
    boolean isFirstRun() {
        return false;
    }

    @BeforeEach
    final void openConsole() {
        if (!isRunning) {
            startServer();
        }
        accounts++;
        ownEmail = "owner" + accounts + "@example.com";
        complaints.clear();
        open(new NewContextOptions());
    }

    private void startServer() {
        var port = FreePort.find();
        var url = "http://localhost:" + port;
        var settings = new HashMap<String, String>();
        settings.put("VESTIBULE_HTTP_PORT", Integer.toString(port));
        settings.put("VESTIBULE_PUBLIC_URL", url);
        settings.put("VESTIBULE_DASHBOARD_REGISTRATION", isFirstRun() ? "first" : "open");
        settings.putAll(settings());
        server = TestServer.start(database, settings);
        isRunning = true;
        console = url + "/console/";
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
        if (isFirstRun()) {
            closeServer();
        }
        assertThat(complaints).isEmpty();
    }

    @AfterAll
    final void closeServer() {
        if (isRunning) {
            server.close();
            isRunning = false;
        }
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

    /** Opens the list of projects, signed in; {@link FirstRunInBrowserIT} tests how people get there. */
    final void openProjects() {
        signIn();
        page.navigate(console);
        assertThat(heading("Projects")).isVisible();
    }

    /** Opens a part of a new project that the person owns. */
    final TestProject openProject(String name, String part) {
        signIn();
        return openAnotherProject(name, part);
    }

    final TestProject openAnotherProject(String name, String part) {
        var project = TestProject.create(server.api(), owner, Map.of("name", name));
        page.navigate(console + "#/projects/" + project.id() + "/" + part);
        isInProject(name);
        return project;
    }

    /** The bar names the project of the screen, once that is loaded. */
    final void isInProject(String name) {
        assertThat(page.locator("#switcher .name")).hasText(name);
        page.waitForSelector("main h1");
    }

    final void signOut() {
        page.locator("#me").click();
        press("Sign out");
    }

    final void openOwnAccount() {
        press(ownEmail);
        follow("Your account");
        assertThat(heading("Your account")).isVisible();
    }

    /** Creates the account, and gives the browser the account's cookie. */
    final void signIn() {
        var answer = server.api()
                .post("/v1/dashboard/auth/register")
                .header("x-refresh-token", "cookie")
                .json(Map.of("email", ownEmail, "password", PASSWORD))
                .expect(201);
        owner = answer.accessToken();
        var cookie = HttpCookie.parse(answer.header("Set-Cookie").orElseThrow()).get(0);
        page.context()
                .addCookies(List.of(new Cookie(cookie.getName(), cookie.getValue())
                        .setDomain("localhost")
                        .setPath(cookie.getPath())
                        .setHttpOnly(cookie.isHttpOnly())));
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

    /** Checks a screen: accessible, in light and dark, and with nothing beyond the edge of a small screen. */
    final void check(String name) {
        page.evaluate("scrollTo(0, 0)"); // or the bar could lie on the edge of a link
        Barriers.areNone(page, name);
        fitsAPhone(name);
    }

    final void fitsAPhone(String name) {
        page.setViewportSize(Chromium.NARROW, 700);
        Chromium.picture(page, name + "-narrow");
        Chromium.fits(page, name);
        assertThat((String) page.evaluate(BEYOND_THE_EDGE))
                .as("what is wider than its part of %s", name)
                .isEmpty();
        page.setViewportSize(1100, 800);
    }
}
