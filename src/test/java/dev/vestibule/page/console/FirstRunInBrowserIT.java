package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The first run, including from another machine and in another language, and the keys that are shown only once. */
class FirstRunInBrowserIT extends ConsoleInBrowser {
    private static final int AFTER_TYPING = 1000; // milliseconds, which is long after the last key

    FirstRunInBrowserIT(TestDatabase database, Chromium chromium) {
        super(database, chromium);
    }

    @Override
    boolean isFirstRun() {
        return true;
    }

    @Test
    void aPersonCreatesTheFirstAccountAProjectAndAKey() {
        page.navigate(console);
        assertThat(heading("Create the first account")).isVisible();
        check("first");
        field("Email").fill(ownEmail);
        field("Password").fill("short");
        press("Create an account");
        assertThat(page.locator("#register-password-wrong")).isVisible();
        assertThat(field("Password")).isFocused();
        check("refused");
        field("Password").fill(PASSWORD);
        press("Create an account");
        assertThat(heading("Projects")).isVisible();
        check("no-projects");

        follow("New project");
        field("Name").fill(HOSTILE);
        press("New project");
        assertThat(heading("The project was created")).isVisible();
        follow("Continue to the quickstart");
        isInProject(HOSTILE);
        assertThat(heading("Take the publishable key")).isVisible();
        check("quickstart-new");
        follow("Settings");
        assertThat(heading("General")).isVisible();
        check("settings");
        follow("API keys");
        assertThat(heading("New key")).isVisible();
        field("Name").fill("server of the shop");
        field("Kind").selectOption("secret");
        press("New key");
        assertThat(page.locator(".secret code")).containsText("sk_live_");
        check("keys");
        for (var part : List.of("Users", "Members", "Audit log")) {
            follow(part);
            assertThat(heading(part)).isVisible();
            page.waitForSelector("table, .entries, section p[role=status]");
            check(part);
        }
        openOwnAccount();
        assertThat(heading("Your sessions")).isVisible();
        page.waitForSelector("table");
        check("account");
        assertThat(page.locator("img")).hasCount(0);
    }

    @Test
    void aKoreanBrowserSeesKoreanAndLoadsNoOtherLanguage() {
        open(new NewContextOptions().setLocale("ko-KR"));
        var loaded = new ArrayList<String>();
        page.onRequest(request -> {
            if (request.url().contains("/messages/")) {
                loaded.add(request.url().replaceAll(".*/", ""));
            }
        });
        page.navigate(console);
        assertThat(heading("첫 계정 만들기")).isVisible();
        assertThat(page.locator("html")).hasAttribute("lang", "ko");
        assertThat(page).hasTitle("로그인 · Vestibule 대시보드");
        assertThat(loaded).containsExactly("ko.json");
        fitsAPhone("first-ko");
    }

    @Test
    void theConsoleUsesTheBrowsersFirstSupportedLanguageUnlessThePersonChoosesOne() {
        page.addInitScript(
                "Object.defineProperty(navigator, 'languages', { get: () => ['sv', 'en_US@posix', 'fr-CA', 'en'] })");
        page.navigate(console);
        assertThat(page.locator("html")).hasAttribute("lang", "fr");
        field("E-mail").fill(ownEmail);
        field("Mot de passe").fill(PASSWORD);
        press("Créer un compte");
        assertThat(heading("Projets")).isVisible();
        press(ownEmail);
        follow("Votre compte");
        assertThat(heading("Votre compte")).isVisible();
        press(ownEmail);
        page.getByText("Langue", new Page.GetByTextOptions().setExact(true)).click();
        press("Deutsch");
        assertThat(heading("Ihr Konto")).isVisible();
        assertThat(page.locator("html")).hasAttribute("lang", "de");
        fitsAPhone("account-de");
        page.evaluate("localStorage.setItem('vestibule-language', 'tlh')");
        page.reload();
        assertThat(heading("Votre compte")).isVisible();
    }

    @Test
    void fromAnotherMachineTheFirstAccountNeedsTheSetupCode() {
        open(new NewContextOptions().setExtraHTTPHeaders(Map.of("X-Forwarded-For", "203.0.113.9")));
        page.navigate(console);
        assertThat(heading("Create the first account")).isVisible();
        assertThat(field("Setup code")).isVisible();
        check("setup-code");
        field("Setup code").fill("0000-0000-0000-0000");
        field("Email").fill(ownEmail);
        field("Password").fill(PASSWORD);
        press("Create an account");
        assertThat(page.getByRole(AriaRole.ALERT)).isVisible();
        assertThat(page.getByRole(AriaRole.ALERT)).hasAttribute("lang", "en");
        check("setup-code-wrong");
        field("Setup code").fill(server.setupCode());
        press("Create an account");
        assertThat(heading("Projects")).isVisible();
        page.reload();
        assertThat(heading("Projects")).isVisible();
    }

    @Test
    void aNewProjectsKeysAreShownOnceAndCopied() {
        openProjects();
        follow("New project");
        field("Name").fill("Ada’s Éngines");
        assertThat(field("Slug")).hasValue("ada-s-engines");
        check("new-project");
        page.clock().install();
        field("Slug").fill("vestibule");
        press("New project");
        assertThat(page.locator("form [role=alert]")).containsText("Another project has this slug");
        page.clock().runFor(AFTER_TYPING); // what is proposed while one types must not take the answer away
        assertThat(page.locator("form [role=alert]")).isVisible();
        field("Slug").fill("engines");
        field("Name").fill("Engines of Ada");
        press("New project");
        assertThat(heading("The project was created")).isVisible();
        assertThat(server.sql().texts("SELECT slug FROM projects WHERE name = 'Engines of Ada'"))
                .containsExactly("engines");
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
