package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.FakeProvider;
import dev.vestibule.fixture.MockProvider;
import dev.vestibule.fixture.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The console's screens for sign-in providers. */
class ProvidersInBrowserIT extends ConsoleInBrowser {
    ProvidersInBrowserIT(TestDatabase database, Chromium chromium) {
        super(database, chromium);
    }

    @Override
    Map<String, String> settings() {
        return Map.of("VESTIBULE_OAUTH_ALLOW_PRIVATE_ISSUERS", "true");
    }

    private void openProvider(String name) {
        follow("Sign-in providers");
        assertThat(heading("Sign-in providers")).isVisible();
        follow(name);
        assertThat(heading(name)).isVisible();
    }

    private void setUp(String issuer) {
        openProvider("OpenID Connect");
        assertThat(page.getByText("Register an application at your provider.")).isVisible();
        field("Client id").fill("the-app");
        field("Client secret").fill("a secret");
        field("Issuer (URL)").fill(issuer);
        press("Save");
        assertThat(heading("Settings")).isVisible();
    }

    private Locator state(String provider) {
        return page.locator("tbody tr")
                .filter(new Locator.FilterOptions()
                        .setHas(page.getByText(provider, new Page.GetByTextOptions().setExact(true))))
                .locator("td")
                .nth(1);
    }

    @Test
    void anOwnerSetsUpDisablesAndRemovesAProvider() {
        openProject(HOSTILE, "providers");
        assertThat(page.locator("tbody tr")).hasCount(11);
        assertThat(state("Apple")).hasText("not set up");
        check("providers");

        follow("Google");
        assertThat(page.locator(".secret code")).hasText(console.replace("/console/", "/v1/auth/oauth/redirect"));
        assertThat(page.locator("section a[target=_blank]").first())
                .hasAttribute("href", "https://console.cloud.google.com/auth/clients");
        press("Save");
        assertThat(page.locator("#provider-clientId-wrong")).hasText("must have 1 to 512 characters");
        assertThat(page.locator("#provider-clientSecret-wrong")).hasText("is required");
        assertThat(field("Client id")).isFocused();
        field("Client id").fill(HOSTILE);
        field("Client secret").fill("a secret");
        field("Scopes").fill("openid \"quoted\"");
        press("Save");
        assertThat(page.locator("#provider-scopes-wrong")).containsText("must be a scope");
        field("Scopes").fill("openid email");
        press("Save");
        assertThat(heading("Settings")).isVisible();
        assertThat(field("Client secret")).hasValue("");
        assertThat(page.locator("#provider-clientSecret-help")).containsText("Leave this empty to keep it");
        assertThat(page.locator("body")).not().containsText("a secret");
        check("provider");
        field("Users can sign in with it").uncheck();
        press("Save");
        assertThat(page.locator(".tag").nth(1)).hasText("off");
        follow("All providers");
        assertThat(state("Google")).hasText("off");
        assertThat(page.locator("img:not(.provider)")).hasCount(0);

        follow("Google");
        assertThat(field("Users can sign in with it")).not().isChecked();
        assertThat(field("Scopes")).hasValue("openid email");
        press("Remove Google");
        assertThat(page.locator("#question-text")).containsText("Remove Google?");
        answerYes();
        assertThat(state("Google")).hasText("not set up");
    }

    @Test
    void aProviderShowsTheFieldsThatItNeedsAndTheErrorOfEach() {
        openProject("Engines", "overview");
        openProvider("Apple");
        field("Client id").fill("com.example.web");
        field("Private key").fill("no key");
        field("Team id").fill("not one");
        field("Key id").fill("ABC123DEFG");
        press("Save");
        assertThat(page.locator("#provider-clientSecret-wrong")).containsText("the content of its .p8 file");
        assertThat(page.locator("#provider-teamId-wrong")).containsText("letters and digits");
        assertThat(page.locator("#provider-keyId-wrong")).hasCount(0);
        check("apple");

        follow("Sign-in providers");
        assertThat(page.locator("#question-text")).containsText("Leave without saving?");
        answerYes();
        openProvider("Microsoft");
        assertThat(field("Tenant")).hasValue("common");
        field("Client id").fill("an-app");
        field("Client secret").fill("a secret");
        field("Tenant").fill("Everybody");
        press("Save");
        assertThat(page.locator("#provider-tenant-wrong")).containsText("must be common");
        field("Tenant").fill("organizations");
        press("Save");
        assertThat(heading("Settings")).isVisible();

        setUp("http://localhost:1");
        assertThat(page.locator("section p.wrong")).containsText("nobody can sign in with http://localhost:1");
    }

    @Test
    void aProjectNamesOneMoreProviderWithAnIconAndUsersSeeBoth() {
        openProject("Engines", "providers");
        assertThat(heading("One more OpenID provider")).isVisible();
        field("Short name").fill(" Acme Staff! ");
        press("Continue");
        assertThat(heading("oidc-acme-staff")).isVisible();
        assertThat(page.locator(".secret code"))
                .hasText(console.replace("/console/", "/v1/auth/oauth/redirect/") + projectId() + ".oidc-acme-staff");
        field("Name").fill(HOSTILE);
        field("Client id").fill("the-app");
        field("Client secret").fill("a secret");
        field("Issuer (URL)").fill("http://localhost:1");
        field("Icon")
                .setInputFiles(
                        new FilePayload("icon.svg", "image/svg+xml", "<svg onload='alert(1)'/>".getBytes(UTF_8)));
        assertThat(page.locator("img.logo")).isVisible();
        press("Save");
        assertThat(page.locator("#provider-icon-wrong")).isVisible();
        var picture = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>";
        field("Icon").setInputFiles(new FilePayload("icon.svg", "image/svg+xml", picture.getBytes(UTF_8)));
        press("Save");
        assertThat(heading(HOSTILE)).isVisible();
        assertThat(page.locator("img.provider")).hasAttribute("src", Pattern.compile("^data:image/svg\\+xml;base64,"));
        check("provider-named");

        follow("All providers");
        assertThat(state(HOSTILE)).hasText("on");
        follow(HOSTILE);
        press("Remove " + HOSTILE);
        answerYes();
        assertThat(page.locator("tbody tr")).hasCount(11);
        check("providers-named");
    }

    @Test
    void aTestSignsInAtTheProviderAndShowsItsResponse() {
        try (var provider = MockProvider.start()) {
            openProject("Engines", "overview");
            setUp(provider.newIssuer());
            BrowserContext context = page.context();
            var window = context.waitForPage(() -> press("Test the sign in"));
            assertThat(page.locator("div[role=status]").last()).containsText("Waiting for the provider");
            check("provider-waits");
            window.locator("input[name=username]").fill("subject-1");
            window.locator("textarea[name=claims]")
                    .fill("{\"email\":\"ada@example.com\",\"email_verified\":true,\"name\":\"<b>Ada</b>\"}");
            window.locator("input[type=submit], button[type=submit]").click();
            assertThat(window.locator("h1")).hasText("The test is over");

            assertThat(page.locator("p.good")).isVisible();
            assertThat(page.locator("dl").last()).containsText("ada@example.com");
            assertThat(page.locator("dl").last()).containsText("(verified)");
            assertThat(page.locator("dl").last()).containsText("subject-1");
            assertThat(page.locator("dl b")).hasCount(0);
            check("provider-passed");
            assertThat(server.sql().count("SELECT count(*) FROM users WHERE project_id = ?::uuid", projectId()))
                    .isZero();
        }
    }

    @Test
    void aTestReportsAWrongSecret() {
        try (var provider = new FakeProvider()) {
            var issuer = provider.url().toString();
            provider.answers(
                            "/.well-known/openid-configuration",
                            new JsonObject()
                                    .put("issuer", issuer)
                                    .put("authorization_endpoint", issuer + "/authorize")
                                    .put("token_endpoint", issuer + "/token")
                                    .put("jwks_uri", issuer + "/keys"))
                    .answers(
                            "/authorize",
                            request -> request.response()
                                    .setStatusCode(302)
                                    .putHeader(
                                            "location",
                                            request.getParam("redirect_uri") + "?code=a-code&state="
                                                    + request.getParam("state"))
                                    .end())
                    .answers("/token", 401, "{\"error\":\"invalid_client\"}");
            openProject("Engines", "overview");
            setUp(issuer);
            press("Test the sign in");

            assertThat(page.getByText("It does not work.")).isVisible();
            assertThat(page.locator("div[role=status]").last())
                    .containsText("The provider does not accept these settings.");
            assertThat(page.locator("div[role=status]").last()).containsText("invalid_client");
            check("provider-failed");
        }
    }

    @Test
    void aViewerSeesTheProvidersAndChangesNothing() {
        openProject("Engines", "overview");
        openProvider("Google");
        field("Client id").fill("the-app");
        field("Client secret").fill("a secret");
        press("Save");
        assertThat(heading("Settings")).isVisible();
        server.sql().update("UPDATE memberships SET role = 'viewer'");
        page.reload();

        assertThat(page.locator("dl")).containsText("the-app");
        assertThat(page.locator("form, section button")).hasCount(0);
        follow("All providers");
        assertThat(state("Google")).hasText("on");
        follow("GitHub");
        assertThat(page.locator(".tag").nth(1)).hasText("not set up");
        assertThat(page.locator("form, section button")).hasCount(0);
        check("provider-viewer");
    }
}
