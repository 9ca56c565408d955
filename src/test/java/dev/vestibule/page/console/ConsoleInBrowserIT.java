package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.junit.jupiter.api.Assumptions.abort;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.options.AriaRole;
import dev.vestibule.fixture.AuditSubjects;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestWebhook;
import dev.vestibule.journal.Fact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console's frame, and the screens that need no test class of their own. */
@TakesLong("Twenty ways through the console, and axe-core on each screen in both schemes.")
class ConsoleInBrowserIT extends ConsoleInBrowser {

    ConsoleInBrowserIT(TestDatabase database, Chromium chromium) {
        super(database, chromium);
    }

    @Test
    void aReloadStaysSignedInAndASignOutDoesNot() {
        openProjects();
        page.reload();
        assertThat(heading("Projects")).isVisible();
        assertThat((String) page.evaluate("document.cookie")).isEmpty();
        signOut();
        assertThat(heading("Sign in")).isVisible();
        page.reload();
        assertThat(heading("Sign in")).isVisible();
        check("sign-in");
    }

    @Test
    void thePersonWhoSignsInNextFindsNoProjectsOfTheLastOne() {
        openProject("Engines", "settings");
        page.keyboard().press("Control+k");
        var found = page.locator("#palette-list");
        assertThat(found).containsText("Engines");
        page.keyboard().press("Escape");
        signOut();
        server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", "next." + ownEmail, "password", PASSWORD))
                .expect(201);
        field("Email").fill("next." + ownEmail);
        field("Password").fill(PASSWORD);
        page.keyboard().press("Enter");
        assertThat(page.locator("#me")).isVisible();

        page.route("**/dashboard/projects?limit=100", unanswered -> {});
        page.keyboard().press("Control+k");

        assertThat(found).containsText("Projects");
        assertThat(found).not().containsText("Engines");
    }

    @Test
    void typedTextSurvivesTheEndOfTheSession() {
        openProject("Engines", "settings");
        field("Name").fill("Analytical Engines");
        server.sql().update("DELETE FROM sessions");
        page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Save"))
                .first()
                .click();
        assertThat(heading("Your session has ended")).isVisible();
        check("session-over");
        var dialog = page.locator("#again");
        dialog.getByLabel("Password").fill(PASSWORD);
        dialog.getByText("Sign in", new Locator.GetByTextOptions().setExact(true))
                .click();
        assertThat(page.getByText("Saved.")).isVisible();
        isInProject("Analytical Engines");
    }

    @Test
    void nothingIsSentAsThePersonWhoSignedInInAnotherTab() {
        openProjects();
        follow("New project");
        field("Name").fill("Engines of another");
        server.sql().update("DELETE FROM sessions");
        ownEmail = "next." + ownEmail;
        signIn();
        var sent = new ArrayList<String>();
        page.onRequest(request -> {
            if (request.method().equals("POST") && request.url().endsWith("/dashboard/projects")) {
                sent.add(request.postData());
            }
        });
        press("New project");
        assertThat(page.locator("#me")).hasAttribute("title", ownEmail);
        assertThat(sent).as("refused, and not sent again").hasSize(1);
        assertThat(server.sql().count("SELECT count(*) FROM projects WHERE name = 'Engines of another'"))
                .isZero();
    }

    @Test
    void whoHasSignedOutIsNotAskedToSignInAgain() {
        page.clock().install();
        openProject("Engines", "quickstart");
        assertThat(page.getByRole(AriaRole.TAB).first()).isVisible();
        signOut();
        assertThat(heading("Sign in")).isVisible();
        page.waitForResponse(
                Pattern.compile("/keys\\?limit=100"), () -> page.clock().fastForward(5000)); // Quickstart looks again
        field("Email").fill(ownEmail);
        field("Password").fill(PASSWORD);
        page.keyboard().press("Enter");
        isInProject("Engines");
        assertThat(heading("Your session has ended")).hasCount(0);
    }

    @Test
    void aRefusedSettingIsReportedAtItsField() {
        openProject("Engines", "settings");
        field("Callback URL").fill("no address");
        page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Save"))
                .first()
                .click();
        assertThat(page.locator("#general-callbackUrl-wrong")).isVisible();
        assertThat(field("Callback URL")).hasValue("no address");
    }

    @Test
    void aLostConnectionLosesNothing() {
        openProject("Engines", "settings");
        field("Name").fill("Analytical Engines");
        page.context().setOffline(true);
        page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Save"))
                .first()
                .click();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("cannot be reached");
        assertThat(field("Name")).hasValue("Analytical Engines");
        page.context().setOffline(false);
        page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Save"))
                .first()
                .click();
        isInProject("Analytical Engines");
    }

    @Test
    void aViewerSeesNoButtonForOwnersOnly() {
        openProject("Engines", "overview");
        var id = projectId();
        server.sql().update("UPDATE memberships SET role = 'viewer'");
        for (var part : List.of("settings", "factors", "tokens", "quickstart", "keys", "users")) {
            page.navigate(console + "#/projects/" + id + "/" + part);
            assertThat(page.locator("nav a[aria-current=page]").first())
                    .hasAttribute("href", Pattern.compile(".*/" + part));
            assertThat(page.locator(".note").first()).containsText("You can view this project, but not change it");
            assertThat(page.getByText("Loading")).hasCount(0);
            var buttons = page.locator("section button:not([role=tab])");
            assertThat(buttons.filter(new Locator.FilterOptions().setHasNotText("Copy")))
                    .hasCount(0);
        }
        page.navigate(console + "#/projects/" + id + "/members");
        assertThat(page.locator("section button")).hasText(new String[] {"Leave the project"});
        page.navigate(console + "#/projects/" + id + "/audit");
        assertThat(page.locator(".entries li").first()).isVisible();
        assertThat(page.locator(".head button")).hasCount(0);
    }

    @Test
    void aProjectIsDeletedOnlyByItsName() {
        openProject("Engines", "settings");
        var confirm = field("Type the name to delete it: Engines");
        confirm.fill("Engine");
        press("Delete the project");
        assertThat(page.locator("#delete-confirm-wrong")).isVisible();
        confirm.fill("Engines");
        press("Delete the project");
        assertThat(page.getByText("There is no project yet.")).isVisible();
    }

    @Test
    void theFirstUserOfAProjectSignsUpWithClicksOnly() {
        openProject("Engines", "overview");
        check("project-head");
        var page = this.page.waitForPopup(() -> follow("Sign-in page"));
        page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Create an account"))
                .click();
        page.getByLabel("Email").fill("ada@example.com");
        page.getByRole(AriaRole.TEXTBOX, new GetByRoleOptions().setName("Password"))
                .fill(PASSWORD);
        page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Create account"))
                .click();
        assertThat(page.getByRole(AriaRole.HEADING)).hasText("Done");
        page.close();
        follow("Users");
        assertThat(this.page.locator("tbody")).containsText("ada@example.com");
    }

    /** As a developer in a hurry does it: with the address that is proposed, and what is there to copy. */
    @Test
    void theNodeSampleSignsAUserIn(@TempDir Path folder) throws IOException {
        openProject("Engines", "quickstart");
        assertThat(field("Callback URL")).hasValue("http://localhost:3000/signed-in");
        var app = "http://localhost:" + FreePort.find();
        field("Callback URL").fill(app + "/signed-in");
        press("Save");
        assertThat(page.getByText("Saved.")).isVisible();
        page.getByRole(AriaRole.TAB, new GetByRoleOptions().setName("Node.js")).click();
        assertThat(page.locator("#sample")).containsText("Open " + app);
        check("quickstart-node");
        Files.writeString(folder.resolve("app.mjs"), page.locator("#sample").innerText());
        signUp(projectId(), "ada@example.com");

        var node = startNode(folder);
        try {
            assertThat(node.inputReader().readLine()).isEqualTo("Open " + app + "/");
            page.navigate(app);
            follow("Sign in");
            page.getByLabel("Email").fill("ada@example.com");
            page.getByRole(AriaRole.TEXTBOX, new GetByRoleOptions().setName("Password"))
                    .fill(PASSWORD);
            press("Sign in");
            assertThat(page.locator("body")).hasText("You are ada@example.com");
            page.context().clearCookies();
            page.navigate(app + "/signed-in?code=stolen&state=of-somebody-else");
            assertThat(page.getByLabel("Email")).isVisible();
        } finally {
            node.destroyForcibly();
        }
    }

    @Test
    void aSampleSaysWhichCallbackUrlItNeeds() {
        openProject("Engines", "quickstart");
        var need = "This sample needs a callback URL with a path of its own, such as http://localhost:3000/signed-in";
        var first = "// Before this works: set the callback URL of the project";
        for (var name : List.of("Node.js", "JavaScript", "React", "Next.js")) {
            tab(name);
            assertThat(page.getByText(need)).isVisible();
            assertThat(page.locator("#sample")).containsText(first);
        }
        check("quickstart-missing");
        tab("curl");
        assertThat(page.getByText(need)).hasCount(0);
        field("Callback URL").fill("http://localhost:3000");
        press("Save");
        assertThat(page.getByText("Saved.")).isVisible();
        tab("Next.js");
        assertThat(page.locator("#sample")).containsText(first);
        tab("React");
        assertThat(page.locator("#sample")).not().containsText(first);
    }

    private void tab(String name) {
        page.getByRole(AriaRole.TAB, new GetByRoleOptions().setName(name).setExact(true))
                .click();
    }

    private static Process startNode(Path folder) {
        try {
            return new ProcessBuilder("node", "app.mjs")
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException absent) {
            return abort("this machine has no node");
        }
    }

    @Test
    void aUserIsFoundAndBanned() {
        openProject("Engines", "overview");
        var id = projectId();
        for (var email : List.of("ada@example.com", "grace@example.com")) {
            signUp(id, email);
        }
        follow("Users");
        assertThat(page.locator("tbody tr")).hasCount(2);
        field("Search by email or name").fill("ADA");
        assertThat(page.locator("tbody tr")).hasCount(1);
        follow("ada@example.com");
        assertThat(heading("ada@example.com")).isVisible();
        check("user");
        press("Ban");
        page.locator("#question button.danger").click();
        assertThat(page.locator("dl").first()).containsText("banned");
        assertThat(page.locator("img")).hasCount(0);
    }

    @Test
    void theOverviewDrawsTheActivity() {
        openProject("Engines", "overview");
        assertThat(page.getByText("Nothing has happened in this period.")).isVisible();
        check("overview-empty");
        signUp(projectId(), "ada@example.com");
        server.sql()
                .update(
                        "INSERT INTO project_statistics SELECT ?::uuid, date_trunc('hour', now()) - n * interval '1 hour',"
                                + " n % 7, 40 + n % 13, n % 5, 30 + n % 11, n % 3, '' FROM generate_series(1, 600) AS n"
                                + " ON CONFLICT DO NOTHING",
                        projectId());
        press("7 days");
        assertThat(page.locator("figure")).hasCount(5);
        assertThat(page.locator("figure").first().locator("rect.good")).hasCount(7);
        assertThat(page.locator("figure").last().locator("rect.bad")).hasCount(7);
        assertThat(page.locator("section p strong")).hasText("1");
        press("30 days");
        assertThat(page.locator("figure").first().locator("rect.good")).hasCount(30);
        press("24 hours");
        assertThat(page.locator("figure").first().locator("rect.good")).hasCount(24);
        assertThat(page.getByLabel("Period").locator("[aria-pressed=true]")).hasText("24 hours");
        assertThat(page.getByRole(
                        AriaRole.IMG, new GetByRoleOptions().setName(Pattern.compile("^Sign ins: .*most: 52"))))
                .isVisible();
        var swatches = page.locator(".swatch");
        assertThat(swatches).hasCount(2);
        assertThat(swatches.first().boundingBox().y)
                .as("on one line")
                .isEqualTo(swatches.last().boundingBox().y);
        check("overview");
        page.locator("main summary").click();
        assertThat(page.locator("tbody tr")).hasCount(24);
        check("overview-table");
    }

    @Test
    void theLongestWordsFitAPhone() {
        openProject("Engines", "overview");
        var id = projectId();
        var user = signUp(id, "ada@example.com").text("user/id");
        server.sql()
                .update(
                        "INSERT INTO project_statistics SELECT ?::uuid, date_trunc('hour', now()) - interval '2 hours',"
                                + " 1, 2, 3, 4, 5, ''",
                        id);
        page.evaluate("localStorage.setItem('vestibule-language', 'de')");
        page.reload();
        assertThat(heading("Fehlgeschlagene Anmeldungen")).isVisible();
        page.locator("main summary").click();
        fitsAPhone("overview-de");
        follow("Webhooks");
        assertThat(heading("Neuer Webhook")).isVisible();
        page.waitForSelector("section p[role=status]");
        fitsAPhone("webhooks-de");
        follow("Protokoll");
        assertThat(page.locator(".entries")).containsText("hat sich registriert");
        fitsAPhone("audit-de");
        page.navigate(console + "#/projects/" + id + "/users/" + user);
        assertThat(heading("Als dieser Benutzer handeln")).isVisible();
        fitsAPhone("user-de");
    }

    @Test
    void theAuditLogIsFilteredAndExported() throws IOException {
        openProject("Engines", "overview");
        var user = signUp(projectId(), "ada@example.com").text("user/id");
        follow("Users");
        follow("ada@example.com");
        follow("Latest events");
        follow("What this user did");
        assertThat(field("Who")).hasValue("ada@example.com");
        assertThat(page.locator(".entries li")).hasCount(1);
        assertThat(page.locator(".entries")).containsText("signed up");
        field("Who").fill("");
        field("Event").selectOption("project.created");
        press("Filter");
        assertThat(page.locator(".entries")).containsText("created the project");
        assertThat(page.locator(".entries li")).hasCount(1);
        var file = page.waitForDownload(() -> press("Export"));
        assertThat(file.suggestedFilename()).startsWith("audit-").endsWith(".ndjson");
        assertThat(Files.readAllLines(file.path())).singleElement().asString().contains("project.created", projectId());
        field("Target").fill("nobody");
        press("Filter");
        assertThat(page.locator("#filter-targetId-wrong")).isVisible();
        check("audit-refused");
        field("Event").selectOption("");
        field("Target").fill("ada");
        press("Filter");
        assertThat(field("Target")).hasValue("ada@example.com");
        assertThat(page.locator(".entries")).containsText("ada@example.com");
        field("Target").fill("");
        field("Who").fill(ownEmail.substring(0, 5));
        assertThat(page.locator("#filter-actorId-list option")).hasCount(1);
        press("Filter");
        assertThat(field("Who")).hasValue(ownEmail);
        assertThat(page.locator(".entries")).containsText("created the project");
        field("Who").fill("");
        field("Event").selectOption("project.deleted");
        press("Filter");
        assertThat(page.getByText("There are no entries.")).isVisible();
        field("Event").selectOption("");
        field("From (UTC)").fill("2020-01-01");
        press("Filter");
        assertThat(page.locator(".entries")).containsText(ownEmail + " exported the audit log");
        check("audit-filtered");
    }

    @Test
    void whomALinkFiltersByStaysWhenTheFilterIsNarrowed() {
        var project = openProject("Engines", "overview");
        var ann = project.signUp("ann@example.com").text("user/id");
        project.signUp("joann@example.com");
        var key = own(project, "keys", Map.of("kind", "secret", "name", "Deploy"));
        write(project, "api_key", key, "admin.user.banned", ann);
        Map.of(key, "Deploy", ann, "ann@example.com").forEach((id, name) -> {
            page.navigate(console + "#/projects/" + project.id() + "/audit/actorId/" + id);
            assertThat(field("Who")).hasValue(name);
            field("From (UTC)").fill("2020-01-01");
            page.waitForResponse(Pattern.compile("actorId=" + id + ".*&dateFrom="), () -> press("Filter"));
            assertThat(field("Who")).hasValue(name);
        });
    }

    @Test
    void everyEventOfTheAuditLogIsInItsMenu() {
        openProject("Engines", "audit");
        assertThat(page.locator("#filter-event")).isVisible();
        assertThat(page.locator("#filter-event option + option").evaluateAll("all => all.map(one => one.value)"))
                .asInstanceOf(LIST)
                .containsExactlyInAnyOrderElementsOf(Fact.actions().toList());
    }

    private static final String ENTRY = """
            INSERT INTO audit_log (project_id, created_at, id, actor_type, actor_id, event, target_type, target_id, metadata)
            SELECT ?::uuid, now(), overlay(gen_random_uuid()::text PLACING '7' FROM 15 FOR 1)::uuid, ?, ?::uuid, ?,
                   nullif(?, ''), ?::uuid, ?::jsonb
            """;

    private void write(TestProject project, String actor, @Nullable String actorId, String event, String target) {
        var type = AuditSubjects.typeOf(event);
        var metadata = actor.equals("admin") ? "{\"actingAs\": \"" + target + "\"}" : null;
        server.sql().update(ENTRY, project.id(), actor, actorId, event, type, type.isEmpty() ? null : target, metadata);
    }

    @Test
    void everySentenceOfTheAuditLogNamesWhoDidItAndWhatItIsAbout() {
        var project = openProject("Engines", "overview");
        var ada = project.signUp("ada@example.com").text("user/id");
        server.sql().update("UPDATE users SET email_verified = true WHERE email = ?", ownEmail);
        var client = Map.of("name", "Mobile app", "kind", "spa", "redirectUris", List.of("https://app.example.com/in"));
        var api = Map.of("uri", "https://api.example.com", "name", "Orders", "scopes", List.of());
        var template = Map.of("name", "plan", "claims", List.of(Map.of("key", "plan", "value", "pro")));
        var subjects = Map.ofEntries(
                entry("user", List.of("ada@example.com", ada)),
                entry("session", List.of("ada@example.com", UUID.randomUUID().toString())),
                entry("", List.of("ada@example.com", project.id())),
                entry("project", List.of("ada@example.com", project.id())),
                entry(
                        "organization",
                        List.of("Acme", made(project, "organizations", Map.of("name", "Acme", "createdBy", ada)))),
                entry(
                        "webhook",
                        List.of(
                                "http://203.0.113.1/hook",
                                made(
                                        project,
                                        "webhooks",
                                        Map.of("url", "http://203.0.113.1/hook", "events", List.of("*"))))),
                entry("api_key", List.of("Deploy", own(project, "keys", Map.of("kind", "secret", "name", "Deploy")))),
                entry("member", List.of("bob@example.com", own(project, "members", INVITED))),
                entry("jwt_template", List.of("plan", made(project, "jwt-templates", template))),
                entry("oauth_client", List.of("Mobile app", own(project, "oauth-clients", client))),
                entry("oauth_api", List.of("Orders", own(project, "oauth-apis", api))));
        var names = new HashMap<String, String>();
        Fact.actions().forEach(action -> {
            var subject = Objects.requireNonNull(subjects.get(AuditSubjects.typeOf(action)));
            names.put(action, action.equals("audit.entries_dropped") ? "" : subject.get(0)); // nobody did it
            write(project, "user", ada, action, subject.get(1));
            if (AuditSubjects.typeOf(action).equals("user")) {
                write(project, "user", null, action, ada);
            }
        });
        page.navigate(console + "#/projects/" + project.id() + "/audit");
        var more = page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Show more"));
        var shown = page.locator(".entries li");
        for (var count = 50; more.count() > 0 || count == 50; count += 50) {
            assertThat(shown.nth(count - 1)).isVisible();
            more.click();
            assertThat(shown.nth(count)).isVisible();
        }

        var sentences = shown.evaluateAll("all => all.map(one => [one.querySelector('dd code').textContent, "
                + "one.querySelector('p').textContent.trim()])");
        assertThat(sentences)
                .asInstanceOf(LIST)
                .hasSizeGreaterThan(names.size())
                .allSatisfy(read -> {
                    var action = (String) ((List<?>) read).get(0);
                    var sentence = (String) ((List<?>) read).get(1);
                    assertThat(sentence)
                            .as(action)
                            .containsAnyOf(names.getOrDefault(action, ""), ownEmail)
                            .doesNotContain("Somebody", action, "{")
                            .doesNotContainPattern("[0-9a-f]{8}-");
                });
        fitsAPhone("audit-sentences");
    }

    private static final Map<String, ?> INVITED = Map.of("email", "bob@example.com", "role", "viewer");

    private static String made(TestProject project, String things, Map<String, ?> fields) {
        return project.manage("POST", "/v1/" + (things.startsWith("jwt") ? "backend/" : "dashboard/") + things)
                .json(fields)
                .expect(201)
                .text("id");
    }

    private static String own(TestProject project, String things, Map<String, ?> fields) {
        return project.asOwner("POST", "/" + things)
                .json(fields)
                .expect(201)
                .text(things.equals("oauth-clients") ? "clientId" : "id");
    }

    @Test
    void anEntrySaysOnWhoseBehalfAndWithWhatItHappened() {
        var project = openProject("Engines", "overview");
        var user = project.signUp().text("user/id");
        var key = own(project, "keys", Map.of("kind", "secret", "name", "Deploy"));
        var gone = UUID.randomUUID().toString();
        var owner = server.sql()
                .texts("SELECT id::text FROM users WHERE email = ?", ownEmail)
                .get(0);
        write(project, "api_key", key, "admin.user.banned", user);
        write(project, "admin", owner, "auth.profile.updated", user);
        write(project, "user", null, "auth.signin.failed", gone);
        server.sql()
                .update(
                        "INSERT INTO audit_log (project_id, created_at, id, actor_type, event) SELECT ?::uuid, now(),"
                                + " overlay(gen_random_uuid()::text PLACING '7' FROM 15 FOR 1)::uuid, 'user', ?",
                        project.id(),
                        "auth.signin.failed");

        page.navigate(console + "#/projects/" + project.id() + "/audit");
        var entries = page.locator(".entries");
        assertThat(entries).containsText("An API key (Deploy) banned ");
        assertThat(entries).containsText(ownEmail + " as ");
        assertThat(entries).containsText("A sign in as an unknown account failed");
        assertThat(entries).containsText("A sign in as " + gone + " failed");
    }

    @Test
    void allThatAnEndpointMissedIsSentAgainAfterAQuestion() {
        try (var receiver = TestReceiver.start()) {
            receiver.answer("/hook", 200, "thanks");
            var project = openProject("Engines", "overview");
            var webhook = TestWebhook.create(server, project, receiver.url("/hook"));
            for (var missed = 0; missed < 3; missed++) {
                webhook.addDelivery("dead");
            }
            page.navigate(console + "#/projects/" + project.id() + "/webhooks/" + webhook.id());
            assertThat(page.locator(".tag.bad")).hasCount(3);
            check("webhook-dead");
            press("Send all given up again");
            assertThat(page.locator("#question")).containsText("Send 3 given-up deliveries again?");
            answerYes();
            assertThat(page.getByText("3 deliveries are being sent again.")).isVisible();
            Eventually.until("all have arrived", () -> receiver.to("/hook").size() == 3);
            press("Refresh");
            assertThat(page.locator(".tag.bad")).hasCount(0);
            assertThat(page.getByText("Send all given up again")).hasCount(0);
        }
    }

    @Test
    void aWebhookIsCreatedTestedChangedAndDeleted() {
        try (var receiver = TestReceiver.start()) {
            receiver.answer("/hook", 500, HOSTILE);
            openProject("Engines", "webhooks");
            assertThat(page.getByText("There are no webhooks.")).isVisible();
            check("webhooks-empty");
            field("Address (URL)").fill("no address");
            press("New webhook");
            assertThat(page.locator("#new-webhook-url-wrong")).isVisible();
            field("Address (URL)").fill(receiver.url("/hook"));
            press("New webhook");
            assertThat(page.locator("#new-webhook-events-wrong")).isVisible();
            check("webhook-refused");
            field("user.created").check();
            field("user.banned").check();
            press("New webhook");
            assertThat(page.locator(".secret code")).containsText("whsec_");
            assertThat(page.locator("tbody")).containsText("user.created, user.banned");
            check("webhooks");

            follow(receiver.url("/hook"));
            assertThat(page.getByText("There are no deliveries.")).isVisible();
            assertThat(page.locator(".secret")).hasCount(0);
            press("Send a test event");
            assertThat(page.locator("tbody")).containsText("webhook.test");
            assertThat(page.getByText("The test event is on its way.")).isVisible();
            Eventually.until("the endpoint has refused it", () -> {
                press("Refresh");
                return page.locator("tbody").innerText().contains("500");
            });
            check("webhook");
            field("Status").selectOption("delivered");
            assertThat(page.getByText("There are no deliveries.")).isVisible();
            field("Status").selectOption("waiting");

            follow("webhook.test");
            assertThat(page.locator("pre").first()).containsText("\"type\": \"webhook.test\"");
            assertThat(page.locator("pre").last()).hasText(HOSTILE);
            check("delivery");
            receiver.answer("/hook", 200, "thanks");
            press("Send again");
            assertThat(page.getByText("It is being sent again.")).isVisible();
            Eventually.until("the endpoint has taken it", () -> {
                press("Refresh");
                return page.locator("dl").innerText().contains("delivered");
            });
            follow("To the webhook");

            press("Replace the secret");
            answerYes();
            assertThat(page.locator(".secret code")).containsText("whsec_");
            check("webhook-rotated");
            field("all, including those of later versions").check();
            press("Save");
            assertThat(page.locator("dl")).containsText("all, including those of later versions");
            press("Disable");
            answerYes();
            assertThat(page.locator("dl")).containsText("disabled");
            press("Enable");
            assertThat(page.locator("dl")).not().containsText("disabled");
            press("Delete");
            answerYes();
            assertThat(page.getByText("There are no webhooks.")).isVisible();
            assertThat(page.locator("img")).hasCount(0);
        }
    }

    @Test
    void aViewerReadsWebhooksAndChangesNone() {
        try (var receiver = TestReceiver.start()) {
            openProject("Engines", "webhooks");
            field("Address (URL)").fill(receiver.url("/hook"));
            field("user.created").check();
            press("New webhook");
            follow(receiver.url("/hook"));
            signUp(projectId(), "ada@example.com");
            Eventually.until("the delivery is in the log", () -> {
                press("Refresh");
                return page.locator("tbody").count() > 0;
            });
            server.sql().update("UPDATE memberships SET role = 'viewer'");
            page.reload();
            assertThat(page.locator(".note").first()).containsText("You can view this project, but not change it");
            assertThat(page.locator("tbody tr")).hasCount(1);
            assertThat(page.locator("section button")).hasText(new String[] {"Refresh"});
            assertThat(page.locator("form")).hasCount(0);
            follow("user.created");
            assertThat(page.locator("pre").first()).containsText("ada@example.com");
            assertThat(page.locator("section button")).hasText(new String[] {"Refresh"});
            follow("Webhooks");
            assertThat(page.locator("tbody tr")).hasCount(1);
            assertThat(page.locator("section button")).hasCount(0);
            follow("Users");
            follow("ada@example.com");
            assertThat(heading("ada@example.com")).isVisible();
            assertThat(page.locator("section button")).hasCount(0);
        }
    }

    @Test
    void anOwnerSeesTheWaysToSignInAndImpersonatesTheUser() {
        openProject("Engines", "overview");
        var user = signUp(projectId(), "ada@example.com").text("user/id");
        follow("Users");
        follow("ada@example.com");
        page.locator(".tabs").getByText("Ways to sign in").click();
        assertThat(page.getByText("There are no passkeys.")).isVisible();
        server.sql()
                .update(
                        "INSERT INTO identities (project_id, provider, issuer, subject, user_id, created_at)"
                                + " VALUES (?::uuid, 'github', 'github', 'x', ?::uuid, now())",
                        projectId(),
                        user);
        server.sql()
                .update(
                        "INSERT INTO passkeys (project_id, id, user_id, rp_id, credential_id, aaguid, public_key, sign_count,"
                                + " backup_eligible, backed_up, user_verified, name, created_at)"
                                + " SELECT project_id, id, id, 'localhost', uuid_send(id), id, '', 0, false, false, false, ?,"
                                + " now() FROM users WHERE id = ?::uuid",
                        HOSTILE,
                        user);
        page.reload();
        assertThat(page.getByText("github")).isVisible();
        assertThat(page.getByText(HOSTILE).first()).isVisible();
        follow("Profile");
        press("Act as this user");
        assertThat(page.locator("#impersonate-reason-wrong")).isVisible();
        field("Reason").fill("Ticket 4711");
        field("Show tokens instead").check();
        press("Act as this user");
        assertThat(page.locator(".secret code")).hasCount(2);
        check("impersonation");
        var token = page.locator(".secret code").first().innerText();
        assertThat(server.api().get("/v1/auth/me").bearer(token).expect(200).text("id"))
                .isEqualTo(user);
        page.reload();
        assertThat(heading("Act as this user")).isVisible();
        assertThat(page.locator(".secret")).hasCount(0);
        page.locator(".tabs").getByText("Ways to sign in").click();
        press("Remove " + HOSTILE);
        answerYes();
        assertThat(page.getByText("There are no passkeys.")).isVisible();
        assertThat(page.locator("img")).hasCount(0);
    }

    /** The application begins a sign in as always: it knows nothing of this. */
    @Test
    void anOwnerActsAsAUserInTheApplication() {
        var project = openProject("Engines", "overview");
        project.asOwner("PATCH", "")
                .json(Map.of("callbackUrl", "https://app.example.com/signed-in"))
                .expect(200);
        page.context().route("https://app.example.com/**", route -> route.fulfill());
        var user = signUp(projectId(), "ada@example.com").text("user/id");
        follow("Users");
        follow("ada@example.com");
        field("Reason").fill("Ticket 4711");
        var application = page.context().waitForPage(() -> press("Act as this user"));
        application.waitForURL("https://app.example.com/signed-in");
        assertThat(page.getByText("sign in there within a minute")).isVisible();
        assertThat(page.locator(".secret")).hasCount(0);
        check("acting");

        application.navigate(
                project.get("/v1/auth/hosted/url?codeChallenge=" + OauthBrowser.CHALLENGE + "&state=its-own")
                        .expect(200)
                        .text("url"));
        application.waitForURL(Pattern.compile("https://app\\.example\\.com/signed-in\\?code=[^&]+&state=its-own"));
        var code = application.url().replaceAll(".*code=([^&]+).*", "$1");
        var tokens = project.post("/v1/auth/hosted/callback")
                .json(Map.of("code", code, "codeVerifier", OauthBrowser.VERIFIER))
                .expect(200);
        assertThat(tokens.text("user/id")).isEqualTo(user);
        assertThat(Jwt.parse(tokens.accessToken()).claims().has("act")).isTrue();

        application.navigate(project.get("/v1/auth/hosted/url?codeChallenge=" + OauthBrowser.CHALLENGE)
                .expect(200)
                .text("url"));
        assertThat(application.locator("#password")).isVisible();
        application.close();
    }
}
