package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.TestDatabase;
import org.junit.jupiter.api.Test;

/** The organizations of a project in the console. */
class OrganizationsInBrowserIT extends ConsoleInBrowser {
    OrganizationsInBrowserIT(TestDatabase database, Chromium chromium) {
        super(database, chromium);
    }

    private void openOrganization() {
        openProject("Engines", "organizations");
        signUp(projectId(), "ada@example.com");
        signUp(projectId(), "bob@example.com");
        field("Name").fill("Analytical Engines");
        field("Owner’s email").fill("nobody@example.com");
        press("Create the organization");
        assertThat(page.locator("#create-email-wrong")).hasText("No user has this email.");
        field("Owner’s email").fill("ada@example.com");
        press("Create the organization");
        assertThat(page.getByText("The organization was created.")).isVisible();
        check("organizations");
        follow("Analytical Engines");
        assertThat(heading("Analytical Engines")).isVisible();
    }

    @Test
    void membersAreAddedGivenRolesAndRemoved() {
        openOrganization();
        assertThat(page.locator("tbody")).containsText("ada@example.com");
        field("Email").fill("bob@example.com");
        press("Add a member");
        assertThat(page.locator("tbody tr")).hasCount(2);
        check("organization-members");
        field("Role of bob@example.com").selectOption("admin");
        answerYes();
        assertThat(page.getByText("The role was changed.")).isVisible();
        assertThat(field("Role of bob@example.com")).hasValue("admin");
        field("Role of ada@example.com").selectOption("member");
        answerYes();
        assertThat(page.getByText("This is the last owner")).isVisible();
        assertThat(field("Role of ada@example.com")).hasValue("owner");
        press("Remove bob@example.com");
        answerYes();
        assertThat(page.locator("tbody tr")).hasCount(1);
    }

    @Test
    void peopleAreInvitedAndDomainsAdded() {
        openOrganization();
        follow("Invitations");
        field("Email").fill("eve@example.com");
        press("Invite");
        assertThat(page.getByText("The invitation was sent.")).isVisible();
        assertThat(page.locator("tbody")).containsText("eve@example.com");
        check("organization-invitations");
        press("Withdraw the invitation of eve@example.com");
        answerYes();
        assertThat(page.getByText("There are no invitations.")).isVisible();

        follow("Domains");
        field("Domain").fill("engines.example.com");
        press("Add a domain");
        assertThat(page.locator("tbody")).containsText("_vestibule-challenge.engines.example.com");
        assertThat(page.locator("tbody")).containsText("not proven");
        check("organization-domains");
        field("Its users: engines.example.com").selectOption("join");
        assertThat(page.getByText("Saved.")).isVisible();
        assertThat(field("Its users: engines.example.com")).hasValue("join");
        press("Create a setup link");
        assertThat(page.getByText("Give the link to the administrator.")).isVisible();
        assertThat(page.locator("main")).containsText("/setup/?token=sl_");
        check("organization-setup-link");
    }

    @Test
    void anOrganizationIsChangedFoundAtItsMemberAndDeleted() {
        openOrganization();
        follow("General");
        field("Name").fill(HOSTILE);
        field("Most members").fill("5");
        press("Save");
        assertThat(page.getByText("Saved.")).isVisible();
        check("organization-general");
        follow("Users");
        follow("ada@example.com");
        page.locator(".tabs").getByText("Organizations").click();
        follow(HOSTILE);
        assertThat(heading(HOSTILE)).isVisible();
        follow("General");
        press("Delete the organization");
        answerYes();
        assertThat(page.getByText("No organizations found.")).isVisible();
    }

    @Test
    void theRulesOfTheProjectAreSaved() {
        openProject("Engines", "organizations");
        field("How many a user can create").fill("many");
        press("Save");
        assertThat(page.getByText("must be a whole number")).isVisible();
        field("How many a user can create").fill("3");
        field("Roles (JSON)").fill("{\"billing\": [\"invoices.read\"]}");
        press("Save");
        assertThat(page.getByText("Saved.")).isVisible();
        assertThat(server.sql()
                        .texts(
                                "SELECT organizations_per_user || ' ' || organization_roles::text FROM projects WHERE id = ?::uuid",
                                projectId()))
                .containsExactly("3 {\"billing\": [\"invoices.read\"]}");
    }
}
