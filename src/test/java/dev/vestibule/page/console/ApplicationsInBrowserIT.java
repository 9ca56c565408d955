package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page.NavigateOptions;
import com.microsoft.playwright.options.WaitUntilState;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.TestDatabase;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The applications and APIs of a project's authorization server in the console. */
class ApplicationsInBrowserIT extends ConsoleInBrowser {
    /** The example of RFC 7517, A.1. */
    private static final String KEYS = "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"1\","
            + "\"x\":\"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4\","
            + "\"y\":\"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM\"}]}";

    ApplicationsInBrowserIT(TestDatabase database, Chromium chromium) {
        super(database, chromium);
    }

    private void choose(String kind) {
        page.locator(".cards")
                .getByText(kind, new Locator.GetByTextOptions().setExact(true))
                .click();
        assertThat(heading("New application: " + kind)).isVisible();
    }

    private void goTo(String part) {
        page.navigate(
                console + "#/projects/" + projectId() + "/" + part,
                new NavigateOptions().setWaitUntil(WaitUntilState.COMMIT));
    }

    @Test
    void aWebApplicationShowsItsSecretOnceAndIsChangedAndDeleted() {
        openProject("Engines", "applications");
        assertThat(page.getByText("There are no applications.")).isVisible();
        assertThat(page.locator(".secret").first()).containsText("/v1/projects/" + projectId());
        assertThat(page.getByText("Set publicUrl")).isVisible();
        check("applications-empty");
        choose("Web application");
        field("Name").fill(HOSTILE);
        field("Redirect URIs").fill("http://app.example.com/back");
        press("Create the application");
        assertThat(page.locator("#new-application-redirectUris-wrong")).isVisible();
        check("application-refused");
        field("Redirect URIs").fill("https://app.example.com/back\nhttps://app.example.com/other");
        press("Create the application");
        var secrets = page.locator(".secret code");
        assertThat(secrets.last()).containsText("cs_");
        check("application-created");
        var clientId = secrets.first().innerText();
        follow("Continue to its settings");
        assertThat(page.locator(".id code")).hasText(clientId);
        assertThat(page.locator(".secret")).hasCount(0);
        assertThat(page.locator("tbody tr")).hasCount(1);
        press("Add a secret");
        assertThat(page.locator(".secret code")).containsText("cs_");
        assertThat(page.locator("tbody tr")).hasCount(2);
        field("Trusted: users are not asked for consent").uncheck();
        field("Redirect URIs after a sign out").fill("https://app.example.com/bye");
        field("Back-channel logout URI").fill("not a URL");
        press("Save");
        assertThat(page.locator("#application-backchannelLogoutUri-wrong")).isVisible();
        field("Back-channel logout URI").fill("https://app.example.com/logout");
        field("Sign in by a code on another device").check();
        field("Tokens must be bound to a key (DPoP)").check();
        press("Save");
        assertThat(page.getByText("Saved.")).isVisible();
        check("application");
        page.locator("tbody tr").first().locator("button").click();
        answerYes();
        assertThat(page.locator("tbody tr")).hasCount(1);
        page.reload();
        assertThat(field("Trusted: users are not asked for consent")).not().isChecked();
        assertThat(field("Redirect URIs after a sign out")).hasValue("https://app.example.com/bye");
        assertThat(field("Back-channel logout URI")).hasValue("https://app.example.com/logout");
        assertThat(field("Sign in by a code on another device")).isChecked();
        assertThat(field("Tokens must be bound to a key (DPoP)")).isChecked();
        assertThat(field("Redirect URIs")).hasValue("https://app.example.com/back\nhttps://app.example.com/other");
        goTo("applications");
        assertThat(page.locator("tbody")).containsText(HOSTILE);
        check("applications");
        goTo("audit");
        assertThat(page.locator(".entries")).containsText(ownEmail + " added a client secret");
        goTo("applications/" + clientId);
        press("Delete the application");
        answerYes();
        assertThat(page.getByText("There are no applications.")).isVisible();
        assertThat(page.locator("img")).hasCount(0);
    }

    @Test
    void anApiHasScopesWithTextsAndAServiceAccountGetsSomeOfThem() {
        openProject("Engines", "apis");
        assertThat(page.getByText("There are no APIs.")).isVisible();
        field("Name").fill("Notes");
        field("Resource URI").fill("https://api.example.com#no");
        press("New API");
        assertThat(page.locator("#new-api-uri-wrong")).isVisible();
        check("apis-refused");
        field("Resource URI").fill("https://api.example.com");
        field("Default").check();
        press("New API");
        assertThat(heading("Notes")).isVisible();
        field("Scope").fill("openid");
        press("Add the scope");
        assertThat(page.locator("#new-scope-name-wrong")).isVisible();
        field("Scope").fill("notes:read/all");
        field("Words of the consent page").fill("Read your notes");
        press("Add the scope");
        assertThat(page.locator("tbody")).containsText("Read your notes");
        check("api");
        follow("notes:read/all");
        assertThat(field("English")).hasValue("Read your notes");
        field("Deutsch").fill("Ihre Notizen lesen");
        press("Save");
        assertThat(page.getByText("Saved.")).isVisible();
        check("scope");
        assertThat(server.sql()
                        .texts("SELECT scopes::text FROM oauth_resources WHERE project_id = ?::uuid", projectId()))
                .singleElement()
                .asString()
                .contains("Ihre Notizen lesen", "Read your notes");

        goTo("applications");
        choose("Service account");
        field("Name").fill("Nightly");
        field("notes:read/all").check();
        press("Create the application");
        assertThat(page.locator(".secret code").last()).containsText("cs_");
        follow("Continue to its settings");
        assertThat(field("notes:read/all")).isChecked();
        goTo("applications");
        choose("API that checks tokens");
        field("Name").fill("Notes server");
        field("API it serves (URI)").fill("https://api.example.com");
        check("application-api");
        press("Create the application");
        assertThat(page.locator(".secret code").last()).containsText("cs_");

        server.sql().update("UPDATE memberships SET role = 'viewer'");
        goTo("apis");
        page.reload();
        follow("Notes");
        assertThat(page.locator("tbody")).containsText("notes:read/all");
        assertThat(page.locator("section button")).hasCount(0);
        goTo("applications");
        follow("Nightly");
        assertThat(page.locator("dl")).containsText("notes:read/all");
        assertThat(page.locator("section button")).hasCount(0);
        check("application-viewer");
    }

    @Test
    void aServiceAccountIsAWorkloadElsewhereOrSignsWithItsKey() {
        openProject("Engines", "applications");
        choose("Service account");
        field("Name").fill("Deployments");
        press("Create the application");
        follow("Continue to its settings");

        field("Issuer of the tokens").fill("https://token.actions.githubusercontent.com");
        field("Subject (sub)").fill("repo:*");
        press("Add the workload");
        assertThat(page.locator("#new-workload-subject-wrong")).isVisible();
        field("Subject (sub)").fill("repo:acme/shop:*");
        press("Add the workload");
        assertThat(page.locator("tbody").last()).containsText("repo:acme/shop:*");
        assertThat(field("Subject (sub)")).hasValue("");
        assertThat(field("How it sends its secret")).hasValue("federated_identity");
        field("Issuer of the tokens").fill("https://cluster.example.com");
        field("Subject (sub)").fill("system:serviceaccount:shop:web");
        field("Audience (aud)").fill("vestibule");
        field("Each token works once").uncheck();
        field("Public keys of the issuer (JWKS)").fill("no JSON");
        press("Add the workload");
        assertThat(page.locator("#new-workload-jwks-wrong")).isVisible();
        field("Public keys of the issuer (JWKS)").fill(KEYS);
        press("Add the workload");
        assertThat(page.locator("tbody").last().locator("tr")).hasCount(2);
        check("application-workloads");
        page.locator("tbody").last().locator("button").first().click();
        answerYes();
        assertThat(page.locator("tbody").last().locator("tr")).hasCount(1);
        assertThat(server.sql()
                        .texts(
                                "SELECT federated_identities::text FROM oauth_clients WHERE project_id = ?::uuid",
                                projectId()))
                .singleElement()
                .asString()
                .contains("\"singleUse\": false", "\"audience\": \"vestibule\"", "\"kty\": \"EC\"");

        field("How it sends its secret").selectOption("private_key_jwt");
        field("Its public keys (JWKS)").fill("{}");
        press("Save");
        assertThat(page.locator("#application-jwks-wrong")).isVisible();
        field("Its public keys (JWKS)").fill(KEYS);
        press("Save");
        assertThat(page.getByText("Saved.")).isVisible();
        page.reload();
        assertThat(field("Its public keys (JWKS)")).hasValue(Pattern.compile("\"kty\": \"EC\""));
        field("Its public keys (JWKS)").fill("");
        press("Save");
        assertThat(page.locator("#application-jwks-wrong")).isVisible();
        field("How it sends its secret").selectOption("any");
        press("Save");
        assertThat(page.getByText("Saved.")).isVisible();
        page.reload();
        assertThat(field("Its public keys (JWKS)")).hasValue("");

        server.sql().update("UPDATE memberships SET role = 'viewer'");
        page.reload();
        assertThat(page.locator("tbody").last()).containsText("system:serviceaccount:shop:web");
        assertThat(page.locator("section button")).hasCount(0);
    }
}
