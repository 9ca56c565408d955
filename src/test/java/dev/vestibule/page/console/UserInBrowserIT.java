package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page.GetByTextOptions;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestDatabase;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** One user in the console: metadata, latest events, a mail to reset the password; and two tabs of one browser. */
class UserInBrowserIT extends ConsoleInBrowser {
    private static final String PUBLIC = "Public metadata (JSON)";
    private static final String PRIVATE = "Private metadata (JSON)";

    UserInBrowserIT(TestDatabase database, Chromium chromium) {
        super(database, chromium);
    }

    /** Opens the user Ada, and returns her id. */
    private String openAda(String tab) {
        openProject("Engines", "overview");
        var id = signUp(projectId(), "ada@example.com").text("user/id");
        follow("Users");
        follow("ada@example.com");
        assertThat(heading("ada@example.com")).isVisible();
        follow(tab);
        assertThat(page.locator(".tabs [aria-current]")).hasText(tab);
        return id;
    }

    @Test
    void theProfileIsEditedAndOnlyWhatChangedIsSent() {
        var ada = openAda("Profile");
        assertThat(page.locator(".id code")).hasText(ada);
        var sent = new ArrayDeque<String>();
        page.onRequest(request -> {
            if (request.method().equals("PATCH")) {
                sent.add(request.postData());
            }
        });
        field("Name").fill("Ada Lovelace");
        field("Phone").fill("+44 20 7946 0958");
        field("External id").fill("customer-1");
        field("The email is verified").check();
        check("user-profile");
        press("Save");
        assertThat(page.getByText("Saved.")).isVisible();
        assertThat(sent)
                .containsExactly("{\"displayName\":\"Ada Lovelace\",\"phone\":\"+44 20 7946 0958\","
                        + "\"externalId\":\"customer-1\",\"emailVerified\":true}");
        assertThat(stored("external_id || ' ' || phone || ' ' || email_verified", ada))
                .isEqualTo("customer-1 +442079460958 true");
        field("Email").fill("not an address");
        press("Save");
        assertThat(page.locator("#profile-email-wrong")).isVisible();
    }

    private String stored(String column, String user) {
        return server.sql()
                .texts("SELECT " + column + "::text FROM users WHERE id = ?::uuid", user)
                .get(0);
    }

    @Test
    void invalidMetadataIsReported() {
        var ada = openAda("Metadata");
        assertThat(field(PUBLIC)).hasValue("{}");
        assertThat(field(PRIVATE)).hasValue("{}");
        field(PUBLIC).fill("{\n  \"plan\": pro\n}");
        press("Save");
        var wrong = page.locator("#metadata-publicMetadata-wrong");
        assertThat(wrong).hasText(Pattern.compile("^This is not JSON\\. The browser says: .*pro", Pattern.DOTALL));
        assertThat(wrong.locator("[lang=en]")).hasText(Pattern.compile("JSON"));
        assertThat(field(PUBLIC)).isFocused();
        check("metadata-refused");
        field(PUBLIC).fill("[1]");
        press("Save");
        assertThat(wrong).hasText("This is not a JSON object.");

        field(PUBLIC).fill("{\"plan\": \"" + HOSTILE + "\"}");
        field(PRIVATE).fill("{\"creditLimit\": 500}");
        press("Save");
        assertThat(page.getByText("Saved.")).isVisible();
        assertThat(stored("public_metadata", ada)).isEqualTo("{\"plan\": \"" + HOSTILE + "\"}");
        assertThat(stored("private_metadata", ada)).isEqualTo("{\"creditLimit\": 500}");
        assertThat(field(PUBLIC)).hasValue(Pattern.compile("\"plan\""));
        assertThat(page.locator("img")).hasCount(0);
    }

    @Test
    void changesOfAnotherOwnerInBetweenAreNotUndone() {
        var ada = openAda("Metadata");
        server.sql().update("UPDATE users SET public_metadata = '{\"plan\": \"pro\"}' WHERE id = ?::uuid", ada);
        field(PRIVATE).fill("{\"creditLimit\": 500}");
        press("Save");
        assertThat(page.getByText("Saved.")).isVisible();
        assertThat(stored("public_metadata", ada)).isEqualTo("{\"plan\": \"pro\"}");
    }

    @Test
    void aViewerReadsOnlyPublicMetadata() {
        var ada = openAda("Metadata");
        server.sql()
                .update(
                        "UPDATE users SET public_metadata = '{\"plan\": \"pro\"}', private_metadata = '{\"limit\": 500}'"
                                + " WHERE id = ?::uuid",
                        ada);
        server.sql().update("UPDATE memberships SET role = 'viewer'");
        page.reload();
        assertThat(page.locator("pre")).containsText("\"plan\": \"pro\"");
        assertThat(page.locator("main")).not().containsText("500");
        assertThat(page.locator("textarea")).hasCount(0);
        assertThat(page.locator("section button")).hasCount(0);
        follow("Latest events");
        assertThat(page.locator(".entries")).containsText("signed up");
    }

    @Test
    void theLatestEventsFollowTheChanges() {
        openAda("Latest events");
        var events = page.locator(".entries");
        assertThat(events).containsText("signed up");
        follow("Profile");
        press("Ban");
        answerYes();
        assertThat(page.locator("dl")).containsText("banned");
        follow("Latest events");
        assertThat(events).containsText(ownEmail + " banned " + HOSTILE);
        events.locator("summary").first().click();
        assertThat(events.locator("dl").first()).containsText("admin.user.banned");
        check("user-events");
    }

    @Test
    void aMailToResetThePasswordIsSent() {
        var project = openProject("Engines", "overview");
        project.asOwner("PATCH", "")
                .json(Map.of("allowedOrigins", List.of("https://app.example.com")))
                .expect(200);
        var ada = project.signUp("ada@example.com").text("user/id");
        page.navigate(console + "#/projects/" + project.id() + "/users/" + ada);
        press("Send a reset mail");
        assertThat(page.locator("#question")).containsText("ada@example.com");
        check("reset-asked");
        answerYes();
        assertThat(page.getByText("The mail is on its way")).isVisible();
        Eventually.until(
                "a code to reset is sent",
                () -> server.sql()
                                .count("SELECT count(*) FROM codes WHERE purpose = 'password_reset'"
                                        + " AND code_hash IS NOT NULL")
                        == 1);
    }

    @Test
    void whereNobodyHasAPasswordNoMailToSetOneIsOffered() {
        var project = openProject("Engines", "overview");
        var ada = project.signUp("ada@example.com").text("user/id");
        project.asOwner("PATCH", "")
                .json(Map.of("factors", Map.of("password", false)))
                .expect(200);
        page.navigate(console + "#/projects/" + project.id() + "/users/" + ada);
        assertThat(page.getByText("Ban", new GetByTextOptions().setExact(true))).isVisible();
        assertThat(page.getByText("Send a reset mail")).hasCount(0);
        page.navigate(console + "#/projects/" + project.id() + "/users/new");
        assertThat(field("The email is verified")).isVisible();
        assertThat(page.getByText("Invite")).hasCount(0);
        field("Email").fill("grace@example.com");
        press("Create the user");
        assertThat(heading("grace@example.com")).isVisible();
    }

    @Test
    void aButtonKeepsItsNameWhileItWorks() {
        openAda("Metadata");
        var held = new ArrayDeque<Route>();
        page.route(Pattern.compile("/v1/dashboard/users/"), held::add);
        field(PRIVATE).fill("{\"creditLimit\": 500}");
        press("Save");
        page.waitForCondition(() -> !held.isEmpty());
        var form = page.locator("form[aria-busy=true]");
        assertThat(form.getByRole(AriaRole.BUTTON)).hasText("Save");
        page.unroute(Pattern.compile("/v1/dashboard/users/"));
        held.remove().resume();
        assertThat(page.getByText("Saved.")).isVisible();
    }

    @Test
    void twoTabsThatRefreshAtOnceStaySignedIn() {
        openProjects();
        var first = page;
        var held = new ArrayDeque<Route>();
        first.context().route(Pattern.compile("/auth/refresh"), held::add);
        var second = first.context().newPage();
        second.navigate(console);
        first.reload();
        first.waitForCondition(() -> held.size() == 2);
        first.context().unroute(Pattern.compile("/auth/refresh"));
        held.forEach(Route::resume);
        for (var tab : new com.microsoft.playwright.Page[] {first, second}) {
            page = tab;
            assertThat(heading("Projects")).isVisible();
            page.reload();
            assertThat(heading("Projects")).isVisible();
        }
    }

    @Test
    void theNewProjectPageIsAccessible() {
        openProjects();
        follow("New project");
        press("New project");
        assertThat(page.locator("#new-project-name-wrong")).isVisible();
        check("new-project-refused");
        field("Name").fill(HOSTILE);
        press("New project");
        assertThat(heading("The project was created")).isVisible();
        check("new-project-made");
        assertThat(page.locator("img")).hasCount(0);
    }
}
