package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.TestDatabase;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an administrator of the server sees in the console. */
class OperatorInBrowserIT extends ConsoleInBrowser {
    OperatorInBrowserIT(TestDatabase database, Chromium chromium) {
        super(database, chromium);
    }

    @Override
    Map<String, String> settings() {
        return Map.of("VESTIBULE_DASHBOARD_ADMINISTRATORS", "owner1@example.com");
    }

    @Override
    boolean isFirstRun() {
        return false;
    }

    private Locator row(String text) {
        return page.locator("tbody tr").filter(new Locator.FilterOptions().setHasText(text));
    }

    @Test
    void anAdministratorSeesTheServerAndAdoptsAnOrphanAndOthersDoNot() {
        ownEmail = "owner1@example.com";
        openProject(HOSTILE, "settings");
        var orphan = projectId();
        page.navigate(console + "#/");
        assertThat(page.locator(".cards li")).hasCount(1);
        assertThat(page.getByRole(AriaRole.LINK).getByText("Operator")).hasCount(0);

        server.proveEmail(ownEmail);
        page.reload();
        assertThat(page.getByRole(AriaRole.LINK).getByText("Operator")).isVisible();
        page.navigate(console + "#/projects/" + orphan);
        isInProject(HOSTILE);
        press(ownEmail);
        follow("Operator");
        assertThat(heading("Operator")).isVisible();
        assertThat(page).hasTitle("Operator · Vestibule console");
        assertThat(row("Webhook deliveries")).containsText("0");
        assertThat(row("running")).hasCount(1);
        assertThat(row(HOSTILE)).containsText("owner1@example.com");
        assertThat(page.getByText("settings")).not().hasCount(0);
        check("operator");
        page.locator("summary")
                .filter(new Locator.FilterOptions().setHasText("settings"))
                .click();
        assertThat(row("dashboard.administrators")).containsText("VESTIBULE_DASHBOARD_ADMINISTRATORS");
        assertThat(row("dashboard.maxProjects")).containsText("default");
        check("operator-settings");

        server.sql().update("DELETE FROM memberships WHERE project_id = ?::uuid", orphan);
        field("Only projects without an owner").check();
        press("Filter");
        assertThat(row(HOSTILE)).containsText("no owner");
        check("operator-orphan");
        press("Adopt " + HOSTILE);
        answerYes();
        assertThat(page.getByText("You own the project now.")).isVisible();
        assertThat(page.getByText("No project was found.")).isVisible();
        page.navigate(console + "#/projects/" + orphan + "/audit");
        assertThat(page.locator(".entries")).containsText("became the owner of the project, which had none");
        check("operator-adopted");
    }

    @Test
    void aPersonWhoIsNotAnAdministratorIsToldSoAtTheAddress() {
        ownEmail = "nobody@example.com";
        openProjects();
        press(ownEmail);
        page.waitForResponse(answer -> answer.url().contains("limit=1"), () -> {
            page.reload();
            press(ownEmail);
        });
        assertThat(page.locator("#account-menu a")).hasCount(2);
        page.navigate(console + "#/operator");
        assertThat(page.locator("main .blank")).containsText("Only administrators of this server see this page.");
        assertThat(page.locator("main [role=alert]")).hasCount(0);
        assertThat(page.locator("tbody")).hasCount(0);
        check("operator-refused");
    }
}
