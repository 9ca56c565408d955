package dev.vestibule.page.hosted;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Route;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithBrowser;
import dev.vestibule.fixture.WithServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The account page in a real browser, which its policy lets run only the script for a new passkey; skipped if none is
 * installed.
 */
@ExtendWith({WithServer.class, WithBrowser.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccountPageInBrowserIT {
    private final TestServer server;
    private final String url;
    private final Chromium chromium;
    private final List<String> logged = new ArrayList<>();

    AccountPageInBrowserIT(Chromium chromium, TestDatabase database) {
        this.chromium = chromium;
        var port = FreePort.find();
        url = "http://localhost:" + port;
        server = TestServer.start(
                database, Map.of("VESTIBULE_PUBLIC_URL", url, "VESTIBULE_HTTP_PORT", Integer.toString(port)));
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void aPersonComesToTheAccountBySigningInAndChangesIt() {
        var project = server.newProject();
        project.asOwner("PATCH", "")
                .json(Map.of(
                        "allowSelfDeletion",
                        true,
                        "factors",
                        Map.of("totp", true),
                        "passkeyRpId",
                        "localhost",
                        "passkeyOrigins",
                        List.of(url)))
                .expect(200);
        var email = TestServer.newEmail();
        var person = project.signUp(email);
        server.proveEmail(email);
        project.signIn(email);
        project.manage("POST", "/v1/backend/organizations")
                .json(Map.of("name", "Engines", "createdBy", person.text("user/id")))
                .expect(201);
        var page =
                chromium.newPage(new Browser.NewContextOptions().setLocale("en").setViewportSize(Chromium.NARROW, 760));
        Chromium.collectComplaints(page, logged);

        page.navigate(url + "/p/" + project.asOwner("GET", "").expect(200).text("slug") + "/account");
        page.fill("#email", email);
        page.fill("#password", TestProject.PASSWORD);
        page.click("form button:not([class])");
        page.waitForURL("**/account/");
        assertThat(page.locator("h1")).hasText("Your account");
        Chromium.isAccessible(page, "account");
        Chromium.fits(page, "account");

        page.fill("#displayName", "Ann");
        page.click("form[action=profile] button");
        assertThat(page.locator("[role=status]")).hasText("Your profile is saved.");
        assertThat(page.locator("#displayName")).hasValue("Ann");
        page.route(
                "https://pictures.example/**",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("image/svg+xml")
                        .setBody("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")));
        page.fill("#avatarUrl", "https://pictures.example/ann.svg");
        page.click("form[action=picture] button.quiet");
        assertThat(page.locator("[role=status]")).hasText("Your picture is saved.");
        page.waitForFunction("document.querySelector('.picture').naturalWidth === 9");
        Chromium.isAccessible(page, "account-picture");
        page.click("form[action=picture] button.text");
        assertThat(page.locator("[role=status]")).hasText("Your picture is removed.");
        assertThat(page.locator(".picture")).hasCount(0);
        page.click("form[action=factor] button");
        assertThat(page.locator("h1")).hasText("Set up an app");
        Chromium.isAccessible(page, "account-factor");
        page.click("a[href='./']");
        Chromium.addAuthenticator(page);
        page.click("#new-passkey button");
        assertThat(page.locator("[role=status]")).hasText("The passkey is added.");
        assertThat(page.locator("form[action=passkey-name]")).hasCount(1);
        page.click("form[action=factor] button");
        assertThat(page.locator("p.problem").first()).containsText("Sign in again, with your passkey");
        assertThat(page.locator("form[action=sign-in] button")).isVisible();
        page.click("form[action='sessions-ended?keepCurrent=true'] button");
        assertThat(page.locator("[role=status]")).hasText("You are signed out everywhere else.");
        page.click("form[action=sign-out] button");
        assertThat(page.locator("h1")).hasText("You are signed out");
        assertThat(logged).isEmpty();
    }

    @Test
    void anAdministratorSetsUpSingleSignOnWithALink() {
        var project = server.newProject();
        var organization = project.manage("POST", "/v1/dashboard/organizations")
                .json(Map.of("name", "Engines", "createdBy", project.signUp().text("user/id")))
                .expect(201)
                .text("id");
        var link = project.manage("POST", "/v1/dashboard/organizations/" + organization + "/setup-link")
                .json(Map.of())
                .expect(201)
                .text("url");
        var page =
                chromium.newPage(new Browser.NewContextOptions().setLocale("en").setViewportSize(Chromium.NARROW, 760));
        Chromium.collectComplaints(page, logged);

        page.navigate(link);
        page.fill("#domain", "engines.example");
        page.click("form[action=domain-added] button");
        assertThat(page.locator("[role=status]")).containsText("The domain is added.");
        assertThat(page.locator("dd")).hasCount(2);
        page.locator("form[action=domain-policy] select").selectOption("suggest");
        page.click("form[action=domain-policy] button.quiet");
        assertThat(page.locator("[role=status]")).hasText("That is saved.");
        page.click("form[action=domain-verified] button");
        assertThat(page.locator("[role=alert]")).isVisible();
        page.fill("#name", "Okta");
        page.fill("#issuer", "https://engines.example");
        page.fill("#clientId", "engines");
        page.fill("#clientSecret", "a secret of the provider");
        page.click("form[action=connection-added] button");
        assertThat(page.locator("[role=status]")).containsText("Your provider is connected.");
        page.fill("#directoryName", "Entra ID");
        page.click("form[action=directory-created] button");
        assertThat(page.locator("[role=status]")).containsText("The directory is ready.");
        assertThat(page.locator("dl.notice")).containsText("scim_");
        Chromium.isAccessible(page, "setup");
        Chromium.fits(page, "setup");
    }
}
