package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.options.AriaRole;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.TestDatabase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The first run from another machine, and what is shown once. */
class FirstRunInBrowserIT extends ConsoleInBrowser {

    FirstRunInBrowserIT(TestDatabase database, Chromium chromium) {
        super(database, chromium);
    }

    @Test
    void fromAnotherMachineTheFirstAccountNeedsTheSetupCode() {
        open(new NewContextOptions().setExtraHTTPHeaders(Map.of("X-Forwarded-For", "203.0.113.9")));
        page.navigate(console);
        assertThat(heading("Make the first account")).isVisible();
        assertThat(field("Setup code")).isVisible();
        check("setup-code");
        field("Setup code").fill("0000-0000-0000-0000");
        field("Email").fill(FIRST);
        field("Password").fill(PASSWORD);
        press("Make an account");
        assertThat(page.getByRole(AriaRole.ALERT)).isVisible();
        assertThat(page.getByRole(AriaRole.ALERT)).hasAttribute("lang", "en");
        check("setup-code-wrong");
        field("Setup code").fill(server.setupCode());
        press("Make an account");
        assertThat(heading("Projects")).isVisible();
        page.reload();
        assertThat(heading("Projects")).isVisible();
    }

    @Test
    void aNewProjectsKeysAreShownOnceAndCopied() {
        openProjects();
        follow("New project");
        field("Name").fill("Engines");
        press("New project");
        assertThat(heading("The project is made")).isVisible();
        assertThat(page.locator(".secret code")).hasCount(2);
        check("keys-once");
        var secret = page.locator(".secret code").last().innerText();
        page.context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
        press("Copy: Secret key");
        assertThat(page.getByText("Copied.")).isVisible();
        assertThat((String) page.evaluate("navigator.clipboard.readText()")).isEqualTo(secret);
        page.reload();
        assertThat(heading("New project")).isVisible();
        assertThat(page.content()).doesNotContain(secret);
    }
}
