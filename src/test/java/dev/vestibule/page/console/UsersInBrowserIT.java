package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The users of a project in the console, however many: the list, the import and the export. */
@TakesLong("It lists twelve thousand users, and imports some.")
class UsersInBrowserIT extends ConsoleInBrowser {
    private static final String SEARCH = "Search by email or name";

    /** More lines than one part of an import has, so that the lines after them are in the next part. */
    private static final String A_PART = "\n".repeat(5000);

    private static final Pattern IMPORT = Pattern.compile("/users/import\\?");

    UsersInBrowserIT(TestDatabase database, Chromium chromium) {
        super(database, chromium);
    }

    private String projectWith(int users) {
        openProject("Engines", "overview");
        var id = projectId();
        server.sql()
                .update(
                        "INSERT INTO users (project_id, id, email, display_name, created_at, updated_at)"
                                + " SELECT ?::uuid, gen_random_uuid(), 'user' || n || '@example.com',"
                                + " CASE WHEN n % 200 = 0 THEN 'Grace Hopper' ELSE ? END,"
                                + " now() - n * interval '1 minute', now() FROM generate_series(1, ?::integer) AS n",
                        id, HOSTILE, users);
        follow("Users");
        return id;
    }

    private void shows(String range) {
        assertThat(page.locator("section .row:not(.chosen) [role=status]")).hasText(range);
    }

    private void isOff(String button) {
        assertThat(page.getByRole(
                        AriaRole.BUTTON, new GetByRoleOptions().setName(button).setExact(true)))
                .hasAttribute("aria-disabled", "true");
    }

    private void choose(String lines) {
        page.navigate(console + "#/projects/" + projectId() + "/users/import");
        field("File").setInputFiles(new FilePayload("users.ndjson", "", lines.getBytes(UTF_8)));
    }

    private static String user(String email) {
        return "{\"email\":\"" + email + "\"}\n";
    }

    private void counts(int created, int exists, int failed) {
        Map.of("created", created, "exists", exists, "failed", failed)
                .forEach((status, count) -> assertThat(page.locator("dd[data-status=" + status + "]"))
                        .hasText(count.toString()));
    }

    @Test
    void manyUsersAreShownInPages() {
        projectWith(12_000);
        shows("1–50 of 12,000");
        isOff("Previous");
        check("users-first");
        press("Next");
        shows("51–100 of 12,000");
        press("Next");
        shows("101–150 of 12,000");
        assertThat(page.locator("tbody tr")).hasCount(50);
        follow("user101@example.com");
        assertThat(heading("user101@example.com")).isVisible();
        follow("All users");
        shows("101–150 of 12,000");
        press("Previous");
        shows("51–100 of 12,000");
        press("First page");
        shows("1–50 of 12,000");

        field(SEARCH).fill("hopper");
        shows("1–50 of 60");
        press("Next");
        shows("51–60 of 60");
        isOff("Next");
        assertThat(page.locator("tbody tr").last()).containsText("user12000@example.com");
        check("users-last");
        field(SEARCH).fill("USER7777@");
        shows("1–1 of 1");
        assertThat(page.locator("tbody")).containsText("user7777@example.com");
        field(SEARCH).fill("nobody at all");
        assertThat(page.getByText("No users found.")).isVisible();
        assertThat(page.locator("img")).hasCount(0);
    }

    @Test
    void theListSaysWhoIsLockedOutAndUntilWhen() {
        var project = openProject("Engines", "overview");
        project.signUp("ada@example.com");
        project.signUp("bob@example.com");
        for (var tries = 0; tries < 10; tries++) {
            project.trySignIn("ada@example.com", "a wrong password").send();
        }
        follow("Users");
        var rows = page.locator("tbody tr");
        assertThat(rows.filter(new Locator.FilterOptions().setHasText("ada"))).containsText("locked until ");
        assertThat(rows.filter(new Locator.FilterOptions().setHasText("bob"))).containsText("active");
        assertThat(page.locator(".tag.bad")).hasText("locked");
        page.setViewportSize(1280, 800);
        assertThat(page.evaluate("[...document.querySelectorAll('td time')].every(one => one.offsetHeight < 30)"))
                .isEqualTo(true);
        check("users-locked");
    }

    @Test
    void usersAreCreatedFilteredAndBannedTogether() {
        projectWith(3);
        follow("New user");
        field("Email").fill("grace@example.com");
        field("External id").fill("customer-1");
        check("new-user");
        press("Create the user");
        assertThat(page.getByText("The user was created.")).isVisible();
        assertThat(heading("grace@example.com")).isVisible();
        assertThat(field("External id")).hasValue("customer-1");
        Eventually.until(
                "the invitation is requested",
                () -> server.sql().count("SELECT count(*) FROM codes WHERE purpose = 'password_reset'") == 1);
        follow("All users");
        shows("1–4 of 4");
        for (var email : List.of("user1@example.com", "user3@example.com")) {
            field("Select: " + email).check();
        }
        assertThat(page.getByText("Selected: 2")).isVisible();
        check("users-selected");
        press("Ban");
        assertThat(page.locator("#question")).containsText("(2)");
        answerYes();
        assertThat(page.locator(".tag.bad")).hasCount(2);
        page.getByText("Filter and sort").click();
        field("State").selectOption("banned");
        shows("1–2 of 2");
        field("Order").selectOption("oldest first");
        assertThat(page.locator("tbody tr").first()).containsText("user3@example.com");
        check("users-filtered");
        field("Select: user3@example.com").check();
        page.locator(".chosen button.danger").click();
        answerYes();
        shows("1–1 of 1");
        field("Created before").fill("2020-01-01");
        assertThat(page.getByText("No users found.")).isVisible();
        follow("Overview");
        follow("Users");
        assertThat(field("Created before")).hasValue("2020-01-01");
    }

    @Test
    void aUserWhoseInvitationFailsIsShownAllTheSame() {
        projectWith(0);
        page.route(Pattern.compile("/password"), Route::abort);
        follow("New user");
        field("Email").fill("grace@example.com");
        press("Create the user");
        assertThat(heading("grace@example.com")).isVisible();
        assertThat(page.locator(".said")).containsText("cannot be reached");
    }

    @Test
    void exactlyThoseOfTheQuestionAreBannedWhateverIsChosenMeanwhile() {
        projectWith(3);
        var held = new ArrayDeque<Route>();
        page.route(Pattern.compile("/ban\\?"), held::add);
        field("Select: user1@example.com").check();
        field("Select: user2@example.com").check();
        press("Ban");
        answerYes();
        page.waitForCondition(() -> !held.isEmpty());
        field("Select: user3@example.com").check();
        field(SEARCH).fill("user3");
        shows("1–1 of 1");
        page.unroute(Pattern.compile("/ban\\?"));
        held.remove().resume();
        assertThat(page.getByText("Done.")).isVisible();
        assertThat(server.sql()
                        .texts(
                                "SELECT email FROM users WHERE project_id = ?::uuid AND is_banned ORDER BY email",
                                projectId()))
                .containsExactly("user1@example.com", "user2@example.com");
    }

    @Test
    void theResponseToAnOlderSearchReplacesNoNewerOne() {
        var held = new ArrayDeque<Route>();
        page.route(Pattern.compile("search=user12"), held::add);
        projectWith(20);
        shows("1–20 of 20");
        field(SEARCH).fill("user12");
        page.waitForCondition(() -> !held.isEmpty());
        field(SEARCH).fill("user13");
        shows("1–1 of 1");
        page.waitForResponse(
                Pattern.compile("search=user12"), () -> held.remove().resume());
        assertThat(page.locator("tbody")).containsText("user13@example.com");
        assertThat(page.locator("tbody")).not().containsText("user12@example.com");
    }

    @Test
    void aFailedListCanBeLoadedAgain() {
        projectWith(60);
        shows("1–50 of 60");
        page.context().setOffline(true);
        press("Next");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("cannot be reached");
        page.context().setOffline(false);
        press("Try again");
        shows("1–50 of 60");
    }

    @Test
    void anImportShowsTheResultOfEachLine() throws IOException {
        projectWith(1);
        follow("Import");
        assertThat(heading("Import users")).isVisible();
        press("Import");
        assertThat(page.locator("#import-file-wrong")).isVisible();
        check("import-refused");
        choose(user("ada@example.com")
                + user("user1@example.com")
                + A_PART
                + "{\"email\":\"grace@example.com\",\"<img src=x onerror=alert(1)>\":1}\n"
                + user("no email")
                + user("alan@example.com"));
        check("import-chosen");
        press("Import");
        assertThat(page.getByText("The import is complete.")).isVisible();
        counts(2, 1, 2);
        assertThat(page.locator("tbody tr")).hasCount(2);
        assertThat(page.locator("tbody tr").first()).containsText("5,003");
        assertThat(page.locator("tbody tr").last()).containsText("5,004");
        assertThat(page.locator("tbody tr").last()).containsText("email: must");
        check("import-complete");
        assertThat(page.locator("img")).hasCount(0);
        var report = page.waitForDownload(() -> press("Save the report"));
        assertThat(report.suggestedFilename()).startsWith("import-failures-").endsWith(".ndjson");
        assertThat(Files.readAllLines(report.path()))
                .satisfiesExactly(
                        line -> assertThat(line).contains("\"line\":5003,", "is not known"),
                        line -> assertThat(line).contains("\"line\":5004,", "\"field\":\"email\""));

        press("Import another file");
        choose("{\"email\":\"grace@example.com\",\"unknown\":1}");
        field("Ignore fields that this server does not know").check();
        press("Import");
        assertThat(page.getByText("The import is complete.")).isVisible();
        counts(1, 0, 0);
        follow("Users");
        shows("1–4 of 4");
    }

    @Test
    void aFileIsCheckedAndShowsItsWarningsBeforeItIsImported() {
        projectWith(0);
        choose(user("ada@example.com") + "{\"id\":\"019ba6ec-4e40-7d1c-8f3a-2b5c6d7e8f90\"}\n" + user("no email"));
        field("Only check the file, and create nothing").check();
        press("Import");
        assertThat(page.getByText("The check is complete. Nothing was created."))
                .isVisible();
        counts(2, 0, 1);
        assertThat(heading("Lines with a warning")).isVisible();
        assertThat(page.locator("tbody").first()).containsText("2");
        check("import-checked");
        press("Import");
        assertThat(page.getByText("The import is complete.")).isVisible();
        counts(2, 0, 1);
        follow("Users");
        shows("1–2 of 2");
    }

    @Test
    void anImportIsStoppedAndContinuesWhereItWas() {
        projectWith(0);
        var held = new ArrayDeque<Route>();
        page.route(IMPORT, route -> {
            if (route.request().postData().contains("second")) {
                held.add(route);
            } else {
                route.resume();
            }
        });
        choose(user("first@example.com") + A_PART + user("second@example.com") + A_PART + user("third@example.com"));
        press("Import");
        page.waitForCondition(() -> !held.isEmpty());
        counts(1, 0, 0);
        assertThat(page.locator("dl")).containsText("5 kB of 10.1 kB");
        assertThat(page.getByRole(AriaRole.PROGRESSBAR)).hasJSProperty("value", 5029);
        check("import-running");
        follow("Users");
        shows("1–1 of 1");
        follow("Import");
        press("Stop");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("The import has stopped.");
        check("import-stopped");
        page.unroute(IMPORT);
        press("Continue");
        assertThat(page.getByText("The import is complete.")).isVisible();
        counts(3, 0, 0);
    }

    @Test
    void anImportSurvivesALostConnectionAndTheEndOfASession() {
        projectWith(0);
        var held = new ArrayDeque<Route>();
        page.route(IMPORT, held::add);
        choose(user("first@example.com") + A_PART + user("second@example.com"));
        press("Import");
        page.waitForCondition(() -> !held.isEmpty());
        held.remove().abort();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("cannot be reached");
        press("Continue");
        page.waitForCondition(() -> !held.isEmpty());
        held.remove().resume();
        page.waitForCondition(() -> !held.isEmpty());
        counts(1, 0, 0);
        server.sql().update("DELETE FROM sessions");
        page.unroute(IMPORT);
        held.remove().resume();
        assertThat(heading("Your session has ended")).isVisible();
        var dialog = page.locator("#again");
        dialog.getByLabel("Password").fill(PASSWORD);
        dialog.getByRole(AriaRole.BUTTON).first().click();
        assertThat(page.getByText("The import is complete.")).isVisible();
        counts(2, 0, 0);
    }

    @Test
    void anInterruptedImportContinuesAfterTheLastReportedLine() {
        projectWith(0);
        page.route(
                IMPORT,
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/x-ndjson")
                        .setBody("{\"line\":1,\"status\":\"created\"}\n{\"line\":")));
        choose(user("first@example.com") + user("second@example.com"));
        press("Import");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("cannot be reached");
        counts(1, 0, 0);
        page.unroute(IMPORT);
        press("Continue");
        assertThat(page.getByText("The import is complete.")).isVisible();
        counts(2, 0, 0);
        follow("Users");
        shows("1–1 of 1"); // the first import was never sent to the server
    }

    @Test
    void aTooLongLineEndsTheImportWithItsReason() {
        projectWith(0);
        choose(user("ada@example.com") + "{\"email\":\"" + "a".repeat(100_000) + "\"}\n" + user("alan@example.com"));
        press("Import");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("65536");
        counts(1, 0, 0);
    }

    @Test
    void anExportHasEveryUser() throws IOException {
        projectWith(120);
        var file = page.waitForDownload(() -> press("Export"));
        assertThat(file.suggestedFilename()).startsWith("users-").endsWith(".ndjson");
        assertThat(Files.readAllLines(file.path())).hasSize(120).allMatch(line -> line.contains("@example.com"));
        assertThat(page.getByText("The users are saved, one per line.")).isVisible();
    }

    @Test
    void aViewerListsUsersAndImportsNone() {
        var id = projectWith(60);
        server.sql().update("UPDATE memberships SET role = 'viewer'");
        page.reload();
        shows("1–50 of 60");
        assertThat(page.locator("section button")).hasText(new String[] {"First page", "Previous", "Next"});
        assertThat(page.getByText("Import")).hasCount(0);
        press("Next");
        shows("51–60 of 60");
        page.navigate(console + "#/projects/" + id + "/users/import");
        assertThat(heading("Import users")).isVisible();
        assertThat(page.locator("form")).hasCount(0);
        assertThat(page.locator("section button")).hasCount(0);
    }
}
