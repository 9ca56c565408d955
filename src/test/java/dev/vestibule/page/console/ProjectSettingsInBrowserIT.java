package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The settings of a project, which the server checks, and the actions that cannot be undone. */
class ProjectSettingsInBrowserIT extends ConsoleInBrowser {

    ProjectSettingsInBrowserIT(TestDatabase database, Chromium chromium) {
        super(database, chromium);
    }

    private void openSettings() {
        openProject("Engines", "settings");
        assertThat(heading("Danger zone")).isVisible();
    }

    private void openFactors() {
        follow("Ways to sign in");
        assertThat(heading("Sign up and in")).isVisible();
    }

    private void openTokens() {
        follow("Tokens");
        assertThat(heading("Sessions")).isVisible();
    }

    private void save(String section) {
        page.locator("section")
                .filter(new Locator.FilterOptions().setHas(heading(section)))
                .getByText("Save", new Locator.GetByTextOptions().setExact(true))
                .click();
    }

    private void saved(String section) {
        save(section);
        assertThat(page.getByText("Saved.")).isVisible();
        assertThat(page.locator("form [aria-invalid]")).hasCount(0);
    }

    private Response project() {
        var owner = server.api()
                .post("/v1/dashboard/auth/login")
                .json(Map.of("email", ownEmail, "password", PASSWORD))
                .expect(200)
                .text("accessToken");
        return server.api()
                .get("/v1/dashboard/projects/" + projectId())
                .bearer(owner)
                .expect(200);
    }

    @Test
    void everySettingIsSavedAndUnchangedSettingsAreNotSent() {
        openSettings();
        var sent = new ArrayList<String>();
        page.onRequest(request -> {
            if (request.method().equals("PATCH")) {
                sent.add(request.postData());
            }
        });
        field("Language of mails").selectOption("ko");
        field("Country of phone numbers").fill("KR");
        saved("General");
        saved("General");
        assertThat(sent).as("a save without a change").hasSize(1);
        field("Slug").fill("another-" + projectId());
        saved("General");
        assertThat(page.getByText("/p/another-" + projectId() + "/").first()).isVisible();
        assertThat(project().text("slug")).isEqualTo("another-" + projectId());
        sent.remove(1);
        assertThat(sent).as("a save without a change").hasSize(1);
        openFactors();
        field("Links and codes by mail create accounts too").uncheck();
        field("Users get a mail about what happens to their account").uncheck();
        field("Passkeys").uncheck();
        field("Maximum sign in age to change ways to sign in").fill("15");
        saved("Sign up and in");
        field("Domain of passkeys").fill("example.com");
        field("Other origins of passkeys").fill("https://app.example.com\n\nhttps://example.com");
        saved("Passkeys");
        openTokens();
        field("Access token lifetime").fill("10");
        field("Access token lifetime: unit").selectOption("minute");
        saved("Sessions");
        assertThat(sent)
                .containsExactly(
                        "{\"locale\":\"ko\",\"defaultCountry\":\"KR\"}",
                        "{\"passwordlessSignUp\":false,\"securityNotices\":false,\"requireRecentSignIn\":900,"
                                + "\"factors\":{\"passkeys\":false}}",
                        "{\"passkeyRpId\":\"example.com\","
                                + "\"passkeyOrigins\":[\"https://app.example.com\",\"https://example.com\"]}",
                        "{\"sessionConfig\":{\"accessTokenTtl\":600}}");

        var kept = project();
        assertThat(kept.text("locale")).isEqualTo("ko");
        assertThat(kept.json().at("/factors/passkeys").asBoolean(true)).isFalse();
        page.reload();
        assertThat(field("Access token lifetime")).hasValue("10");
        assertThat(field("Access token lifetime: unit")).hasValue("minute");
        assertThat(field("Longest session")).hasValue("90");
        assertThat(field("Longest session: unit")).hasValue("day");
        check("tokens-set");
        openFactors();
        assertThat(field("Passkeys")).not().isChecked();
        assertThat(field("Domain of passkeys")).hasValue("example.com");
        check("factors-set");
        follow("Settings");
        assertThat(field("Country of phone numbers")).hasValue("KR");
        check("settings-set");

        server.sql().update("UPDATE memberships SET role = 'viewer'");
        page.reload();
        assertThat(page.locator("dl")).containsText("한국어");
        assertThat(page.locator("section button")).hasCount(0);
        check("settings-viewer");
        follow("Ways to sign in");
        assertThat(page.locator("dl")).containsText("example.com");
        assertThat(page.locator("section button")).hasCount(0);
        check("factors-viewer");
        follow("Tokens");
        assertThat(page.locator("dl")).containsText("10 minutes");
        assertThat(page.locator("dl")).containsText("90 days");
        assertThat(page.locator("section button")).hasCount(0);
        check("tokens-viewer");
    }

    /** By itself it leaves after some seconds, which a busy machine needs for less than this test does. */
    private static final String NOTICES_STAY = """
            () => {
              const later = window.setTimeout;
              window.setTimeout = (work, delay, ...rest) => (delay > 5000 ? 0 : later(work, delay, ...rest));
            }
            """;

    @Test
    void aNoticeMovesThePageDownAndIsClosedByThePersonOrTheNextScreen() {
        openSettings();
        page.evaluate(NOTICES_STAY);
        page.evaluate("scrollTo(0, 0)");
        var bar = page.locator("header").boundingBox();
        saved("General");
        page.evaluate("scrollTo(0, 0)");
        var notice = page.locator(".said").boundingBox();
        assertThat(notice.y).isEqualTo(bar.y + bar.height);
        assertThat(page.locator("main").boundingBox().y).isGreaterThanOrEqualTo(notice.y + notice.height);
        check("notice");
        press("Close");
        assertThat(page.getByText("Saved.")).hasCount(0);
        saved("General");
        openTokens();
        assertThat(page.getByText("Saved.")).hasCount(0);
    }

    @Test
    void aRefusedValueIsReportedAtItsField() {
        openSettings();
        field("Country of phone numbers").fill("germany");
        save("General");
        assertThat(page.locator("#general-defaultCountry-wrong")).isVisible();
        check("settings-refused");
        follow("Ways to sign in");
        assertThat(page.locator("#question")).containsText("Leave without saving?");
        check("unsaved");
        press("Cancel");
        assertThat(heading("Danger zone")).isVisible();
        assertThat(field("Country of phone numbers")).hasValue("germany");
        follow("Ways to sign in");
        answerYes();
        assertThat(heading("Sign up and in")).isVisible();
        field("Authenticator app (second factor)").uncheck();
        field("Second factor").selectOption("required");
        save("Sign up and in");
        assertThat(page.locator("#sign-in-settings-requireMfa-wrong")).isVisible();
        field("Maximum sign in age to change ways to sign in").fill("-1");
        save("Sign up and in");
        assertThat(page.locator("#sign-in-settings-requireRecentSignIn-wrong")).isVisible();
        field("Domain of passkeys").fill("co.uk");
        save("Passkeys");
        assertThat(page.locator("#passkey-settings-passkeyRpId-wrong")).isVisible();
        check("factors-refused");
        assertThat(project().text("requireMfa")).isEqualTo("off");
    }

    @Test
    void anOwnerWhoWouldLockUsersOutIsAskedFirst() {
        openSettings();
        signUp(projectId(), "ada@example.com");
        openFactors();
        field("Emails must be verified before a sign in").check();
        save("Sign up and in");
        assertThat(page.locator("#sign-in-settings-confirm-wrong")).containsText("1 user has not verified the email");
        check("settings-confirm");
        page.locator("#sign-in-settings-confirm").check();
        saved("Sign up and in");
        assertThat(page.locator("#sign-in-settings-confirm")).hasCount(0);
        assertThat(project().json().path("requireEmailVerification").asBoolean())
                .isTrue();
    }

    @Test
    void signingKeysAreReplacedOrRevokedAfterAConfirmation() {
        openSettings();
        openTokens();
        var id = projectId();
        var before = keys(id);
        press("Replace the signing key");
        assertThat(page.locator("#question")).isVisible();
        check("question");
        press("Cancel");
        assertThat(keys(id)).isEqualTo(before);
        press("Replace the signing key");
        answerYes();
        assertThat(page.getByText("The new key signs from")).isVisible();
        assertThat(keys(id)).containsAll(before).hasSize(2);
        press("Revoke all signing keys");
        answerYes();
        page.waitForCondition(() -> keys(id).size() == 1);
        assertThat(keys(id)).doesNotContainAnyElementsOf(before);
    }

    private List<String> keys(String project) {
        return server.api()
                .get("/v1/projects/" + project + "/.well-known/jwks.json")
                .expect(200)
                .json()
                .path("keys")
                .findValuesAsText("kid");
    }

    @Test
    void aClaimTemplateIsMadePreviewedChangedAndDeleted() {
        var project = openProject("Engines", "tokens");
        var user = project.signUp("ada@example.com").text("user/id");
        project.manage("PATCH", "/v1/dashboard/users/" + user)
                .json(Map.of("publicMetadata", Map.of("role", HOSTILE)))
                .expect(200);
        assertThat(page.getByText("There are no templates.")).isVisible();
        field("Name").fill("app");
        field("Claims of the token").fill("role");
        press("New template");
        assertThat(page.locator("#new-template-claims-wrong")).containsText("Each line needs a name");
        field("Claims of the token").fill("sub = publicMetadata.role");
        press("New template");
        assertThat(page.locator("#new-template-claims-wrong")).containsText("which tokens say themselves");
        check("templates-refused");
        field("Claims of the token").fill("role = publicMetadata.role\n\nlevel = 3");
        press("New template");

        assertThat(heading("app")).isVisible();
        assertThat(field("In every access token")).isChecked();
        assertThat(field("Claims of the token")).hasValue("role = publicMetadata.role\nlevel = 3");
        field("Claims of the token").fill("role = publicMetadata.role\nplan = {\"name\": \"pro\"}");
        field("Email").fill("nobody@example.com");
        press("Show the claims");
        assertThat(page.locator("#preview-email-wrong")).hasText("No user has this email.");
        field("Email").fill("ada@example.com");
        press("Show the claims");
        assertThat(page.locator("pre")).containsText("\"role\": \"" + HOSTILE + "\"");
        assertThat(page.locator("pre")).containsText("\"name\": \"pro\"");
        assertThat(page.locator("main img")).hasCount(0);
        check("template");
        press("Save");
        assertThat(page.getByText("Saved.")).isVisible();
        page.locator(".crumb a").click();
        assertThat(page.locator("tbody")).containsText("role, plan");
        check("templates");
        follow("app");
        assertThat(field("Claims of the token")).hasValue("role = publicMetadata.role\nplan = {\"name\":\"pro\"}");
        page.locator("button.danger").first().click();
        answerYes();
        assertThat(page.getByText("There are no templates.")).isVisible();
    }
}
