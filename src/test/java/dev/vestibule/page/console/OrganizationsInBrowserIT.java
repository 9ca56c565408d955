package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
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
    void aProviderIsConnectedRequiredChangedAndRemoved() {
        openOrganization();
        follow("Domains");
        field("Domain").fill("engines.example.com");
        press("Add a domain");
        follow("Connections");
        assertThat(page.getByText("No identity provider is connected.")).isVisible();
        assertThat(page.locator(".secret")).containsText("/v1/auth/oauth/redirect");
        field("Name").fill(HOSTILE);
        field("Issuer (URL)").fill("ftp://engines.example.com");
        field("Client id").fill("the-app");
        field("Client secret").fill("a secret of the provider");
        press("Connect a provider");
        assertThat(page.locator("#connection-issuer-wrong")).isVisible();
        field("Issuer (URL)").fill("https://login.engines.invalid");
        press("Connect a provider");
        assertThat(page.getByText("The provider is connected.")).isVisible();
        check("organization-connections");

        field("Its users: engines.example.com").selectOption("sso_required");
        answerYes();
        assertThat(page.getByText("Saved.")).isVisible();
        assertThat(field("Its users: engines.example.com")).hasValue("sso_required");
        follow(HOSTILE);
        field("Users can sign in with it").uncheck();
        press("Save");
        assertThat(page.locator("main form [role=alert]")).containsText("sso_required");
        field("Users can sign in with it").check();
        field("Name").fill("Okta");
        press("Save");
        assertThat(heading("Okta")).isVisible();
        assertThat(page.getByText("Test the sign in")).isVisible();
        check("organization-connection");
        assertThat(page.locator("main")).not().containsText("a secret of the provider");

        follow("All connections");
        field("Its users: engines.example.com").selectOption("none");
        assertThat(page.getByText("Saved.")).isVisible();
        follow("Okta");
        press("Remove Okta");
        answerYes();
        assertThat(page.getByText("No identity provider is connected.")).isVisible();
    }

    @Test
    void aDirectoryIsCreatedItsTokenReplacedAndItselfDeleted() {
        openOrganization();
        follow("Directories");
        field("Name").fill("Entra ID");
        field("Roles by group").fill("no role");
        press("Create a directory");
        assertThat(page.locator("#directory-groupRoles-wrong")).hasText("Each line needs a group, then = and a role.");
        field("Roles by group").fill("a = b = admin\n\nStaff=member");
        press("Create a directory");
        assertThat(page.getByText("The token is shown only now.")).isVisible();
        assertThat(page.locator(".secret").first()).containsText("scim_");
        assertThat(page.locator(".secret").last()).containsText("/v1/scim/" + projectId());
        check("organization-directories");

        follow("Entra ID");
        assertThat(heading("Entra ID")).isVisible();
        assertThat(page.locator("main")).not().containsText("scim_");
        assertThat(field("Roles by group")).hasValue("Staff = member\na = b = admin");
        assertThat(page.locator("dl")).containsText("never");
        press("Create a token");
        assertThat(page.locator(".secret").last()).containsText("scim_");
        assertThat(page.locator("tbody tr")).hasCount(2);
        assertThat(page.getByText("Create a token")).hasCount(0);
        check("organization-directory");
        page.locator("tbody button").first().click();
        answerYes();
        assertThat(page.getByText("The token was withdrawn.")).isVisible();
        assertThat(page.locator("tbody tr")).hasCount(1);
        field("The identity provider can change members").uncheck();
        press("Save");
        assertThat(page.locator(".head .tag").last()).hasText("off");
        press("Delete the directory");
        answerYes();
        assertThat(page.getByText("There are no directories.")).isVisible();
    }

    @Test
    void whoMayNotChangeConnectionsAndDirectoriesSeesThemAlone() {
        openOrganization();
        follow("Directories");
        field("Name").fill("Entra ID");
        press("Create a directory");
        assertThat(page.getByText("The token is shown only now.")).isVisible();
        follow("Connections");
        assertThat(page.getByText("No identity provider is connected.")).isVisible();
        field("Name").fill("Okta");
        field("Issuer (URL)").fill("https://login.engines.invalid");
        field("Client id").fill("the-app");
        field("Client secret").fill("a secret of the provider");
        press("Connect a provider");
        assertThat(page.getByText("The provider is connected.")).isVisible();
        server.sql().update("UPDATE memberships SET role = 'support' WHERE project_id = ?::uuid", projectId());
        page.reload();

        follow("Okta");
        assertThat(page.locator("dl")).containsText("the-app");
        assertThat(page.locator("main form, section button")).hasCount(0);
        follow("All connections");
        assertThat(page.locator("main form, section button")).hasCount(0);
        follow("Directories");
        assertThat(page.locator("tbody")).containsText("never");
        assertThat(page.locator("main form, section button")).hasCount(0);
        follow("Entra ID");
        assertThat(page.locator(".secret")).containsText("/v1/scim/");
        assertThat(page.locator("main form, tbody button, .dangerous")).hasCount(0);
        check("organization-directory-support");
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
        follow("What users can do");
        check("organizations-rules");
        field("How many a user can create").fill("many");
        press("Save");
        assertThat(page.getByText("must be a whole number")).isVisible();
        field("How many a user can create").fill("3");
        press("Save");
        assertThat(page.getByText("Saved.")).isVisible();
        assertThat(server.sql()
                        .texts("SELECT organizations_per_user::text FROM projects WHERE id = ?::uuid", projectId()))
                .containsExactly("3");
    }

    private String roles() {
        return server.sql()
                .texts("SELECT organization_roles::text FROM projects WHERE id = ?::uuid", projectId())
                .get(0);
    }

    @Test
    void rolesAreMadeFilledRenamedAndRemoved() {
        openProject("Engines", "organizations");
        follow("Roles in organizations");
        assertThat(page.getByText("manage API keys")).hasCount(1);
        field("Role").fill("Billing!");
        press("New role");
        assertThat(page.locator("#new-role-name-wrong")).isVisible();
        field("Role").fill("admin");
        press("New role");
        assertThat(page.locator("#new-role-name-wrong")).hasText("There is a role of this name.");
        check("roles-refused");
        field("Role").fill("billing");
        press("New role");

        assertThat(heading("Role: billing")).isVisible();
        field("see members").check();
        field("Permissions of your application").fill("Invoices!");
        press("Save");
        assertThat(page.locator("#role-own-wrong")).containsText("permissions of billing");
        field("Permissions of your application").fill("invoices.read invoices.write");
        press("Save");
        assertThat(page.getByText("Saved.")).isVisible();
        assertThat(roles()).isEqualTo("{\"billing\": [\"invoices.read\", \"invoices.write\", \"org.members.read\"]}");
        check("role");

        field("Name").fill("member");
        press("Rename");
        assertThat(page.locator("#rename-name-wrong")).hasText("There is a role of this name.");
        field("Name").fill("accounting");
        press("Rename");
        assertThat(page.locator("#question")).containsText("Members with the role billing");
        answerYes();
        assertThat(heading("Role: accounting")).isVisible();
        assertThat(field("see members")).isChecked();
        page.locator("button.danger").first().click();
        answerYes();
        assertThat(heading("Roles in organizations")).isVisible();
        assertThat(roles()).isEqualTo("{}");
    }

    @Test
    void anOriginalRoleIsChangedAndGoesBackToWhatItWas() {
        openProject("Engines", "organizations/roles");
        follow("admin");
        assertThat(page.locator("fieldset input:checked")).hasCount(7);
        assertThat(field("delete the organization")).not().isChecked();
        field("manage domains").uncheck();
        field("delete the organization").check();
        press("Save");
        assertThat(page.getByText("Saved.")).isVisible();
        assertThat(roles()).contains("org.delete").doesNotContain("org.domains.manage");
        press("Restore the original permissions");
        assertThat(heading("Roles in organizations")).isVisible();
        follow("admin");
        assertThat(field("manage domains")).isChecked();
        assertThat(field("delete the organization")).not().isChecked();
        assertThat(roles()).isEqualTo("{}");
        page.navigate(page.url().replace("admin", "nobody"));
        assertThat(page.getByRole(AriaRole.ALERT)).isVisible();
    }
}
