package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route.FulfillOptions;
import com.microsoft.playwright.options.AriaRole;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The dashboard user's own account: profile, email, second factor, and the reset of a forgotten password. */
class PersonInBrowserIT extends ConsoleInBrowser {
    private static final Pattern UNDO = Pattern.compile("undo_[A-Za-z0-9_-]+");
    private static final Pattern RESET = Pattern.compile("[0-9A-Z]{5}-[0-9A-Z]{4}-[0-9A-Z]{4}");

    @SuppressWarnings("NullAway.Init")
    private TestMailbox mailbox;

    PersonInBrowserIT(TestDatabase database, Chromium chromium) {
        super(database, chromium);
    }

    @Override
    Map<String, String> settings() {
        mailbox = TestMailbox.start();
        return mailbox.settings();
    }

    @Override
    boolean isFirstRun() {
        return true;
    }

    @AfterEach
    void closeMailbox() {
        mailbox.close();
    }

    private void openAccount() {
        signIn();
        page.navigate(console + "#/account");
        assertThat(heading("Your account")).isVisible();
    }

    private Locator section(String title) {
        return page.locator("section").filter(new Locator.FilterOptions().setHas(heading(title)));
    }

    private void signIn(String email, String password) {
        field("Email").fill(email);
        field("Password").fill(password);
        press("Sign in");
    }

    private void enterCode(String title, String code, String button) {
        section(title).getByLabel("Code").first().fill(code);
        section(title)
                .getByRole(
                        AriaRole.BUTTON,
                        new Locator.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }

    private Authenticator setUpFactor() {
        press("Set up an authenticator app");
        assertThat(page.locator("img.qr")).isVisible();
        assertThat((Integer) page.locator("img.qr").evaluate("image => image.naturalWidth"))
                .isPositive();
        return new Authenticator(page.locator(".secret code").innerText(), Clock.systemUTC());
    }

    /** Searches all mails, since others arrive at the same time. */
    private String mailed(Pattern code) {
        Eventually.until("a mail with " + code, () -> find(code).isPresent());
        return find(code).orElseThrow();
    }

    private Optional<String> find(Pattern code) {
        return mailbox.to(ownEmail).stream()
                .map(TestMailbox::text)
                .flatMap(text -> code.matcher(text).results())
                .map(MatchResult::group)
                .findFirst();
    }

    @Test
    void theProfileIsChangedAndErrorsAreReportedAtTheirFields() {
        openAccount();
        field("Display name").fill(HOSTILE);
        field("Picture (URL)").fill("no address");
        section("Profile").getByText("Save").click();
        assertThat(page.locator("#profile-avatarUrl-wrong")).hasAttribute("lang", "en");
        assertThat(field("Display name")).hasValue(HOSTILE);
        check("profile-refused");
        field("Picture (URL)").fill("https://app.example.com/me.png");
        field("Phone").fill("+44 20 7946 0958");
        section("Profile").getByText("Save").click();
        assertThat(page.getByText("Saved.")).isVisible();
        page.reload();
        assertThat(field("Display name")).hasValue(HOSTILE);
        assertThat(field("Phone")).hasValue("+442079460958");
        assertThat(page.locator("main img")).hasCount(0);
    }

    @Test
    void theEmailIsVerifiedWithACodeAndChangedWithAnother() {
        openAccount();
        assertThat(page.getByText(ownEmail + " is not verified yet.")).isVisible();
        check("account-unverified");
        press("Send a code");
        assertThat(page.getByText("It is good for 10 minutes.")).isVisible();
        enterCode("Email", "000000", "Verify the email");
        assertThat(section("Email").getByRole(AriaRole.ALERT)).containsText("The code is wrong");
        check("email-code-wrong");
        enterCode("Email", mailbox.awaitCode(ownEmail, 2), "Verify the email");
        assertThat(page.getByText(ownEmail + " is verified.")).isVisible();

        var requests = new ArrayList<String>();
        page.onRequest(request -> {
            if (request.url().endsWith("/auth/me/email")) {
                requests.add(request.url());
            }
        });
        field("New email").fill("new@example.com");
        section("Email").getByLabel("Current password").fill("not the password");
        press("Change the email");
        assertThat(section("Email").getByRole(AriaRole.ALERT)).hasText("The current password is wrong.");
        assertThat(requests).as("a wrong password counts, so it is sent once").hasSize(1);
        section("Email").getByLabel("Current password").fill(PASSWORD);
        press("Change the email");
        enterCode("Email", mailbox.awaitCode("new@example.com"), "Verify the email");
        assertThat(page.getByText("new@example.com is verified.")).isVisible();
        assertThat(page.locator("#me")).hasAttribute("aria-label", "new@example.com");

        signOut();
        press("Forgot your password?");
        press("Undo a change to my account");
        check("undo");
        field("Code").fill("undo_nonsense");
        press("Undo a change to my account");
        assertThat(page.getByRole(AriaRole.ALERT)).isVisible();
        field("Code").fill(mailed(UNDO));
        press("Undo a change to my account");
        assertThat(page.getByText("The change was undone.")).isVisible();
    }

    @Test
    void aForgottenPasswordIsResetWithACode() {
        openAccount();
        signOut();
        signIn(ownEmail, "not the password");
        assertThat(page.getByRole(AriaRole.ALERT)).hasText("The email or the password is wrong.");
        press("Forgot your password?");
        check("forgot");
        field("Email").fill("nobody");
        press("Send a code");
        assertThat(page.locator("#forgot-email-wrong")).isVisible();
        field("Email").fill(ownEmail);
        press("Send a code");
        assertThat(page.getByText("It is good for 30 minutes.")).isVisible();
        field("Code").fill("00000-0000-0000");
        field("New password").fill("a quite different passphrase");
        press("Set the new password");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("The code is wrong");
        check("reset-wrong");
        field("Code").fill(mailed(RESET));
        press("Set the new password");
        assertThat(page.locator(".said p")).containsText("Your new password is set.");
        signIn(ownEmail, "a quite different passphrase");
        assertThat(heading("Your account")).isVisible();
    }

    @Test
    void aSecondFactorIsSetUpUsedAndRemoved() {
        openAccount();
        server.proveEmail(ownEmail);
        assertThat(page.getByText("It is off: the password alone is enough.")).isVisible();
        var app = setUpFactor();
        check("factor-setup");
        enterCode("Second factor", "000000", "Switch on");
        assertThat(section("Second factor").getByRole(AriaRole.ALERT)).containsText("The code is wrong");
        enterCode("Second factor", app.code(), "Switch on");
        assertThat(page.getByText("Save these codes now")).isVisible();
        var codes = page.locator(".secret code").innerText().split(" ", -1);
        assertThat(codes).hasSize(10);
        check("factor-codes");
        press("I have saved them");
        assertThat(page.getByText("It is on. Backup codes left: 10.")).isVisible();
        assertThat(page.locator(".secret")).hasCount(0);
        check("factor-on");

        signOut();
        signIn(ownEmail, PASSWORD);
        assertThat(heading("Second factor")).isVisible();
        check("second-factor");
        field("Code").fill("000000");
        press("Continue");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("The code is wrong");
        press("Back to the password");
        signIn(ownEmail, PASSWORD);
        field("Code").fill(codes[0]);
        press("Continue");
        assertThat(page.getByText("It is on. Backup codes left: 9.")).isVisible();

        enterCode("Second factor", codes[1], "New backup codes");
        assertThat(page.getByText("Save these codes now")).isVisible();
        var fresh = page.locator(".secret code").innerText().split(" ", -1);
        press("I have saved them");
        section("Second factor").getByLabel("Code").last().fill(fresh[0]);
        press("Switch off");
        assertThat(page.getByText("It is off: the password alone is enough.")).isVisible();
    }

    @Test
    void anActionThatNeedsARecentSignInAsksForThePasswordAndContinues() {
        openAccount();
        server.proveEmail(ownEmail);
        server.sql().update("UPDATE sessions SET authenticated_at = now() - interval '11 minutes'");
        page.reload();
        press("Set up an authenticator app");
        assertThat(heading("Confirm that it is you")).isVisible();
        check("confirm");
        page.locator("#again").getByLabel("Password").fill(PASSWORD);
        page.locator("#again")
                .getByText("Sign in", new Locator.GetByTextOptions().setExact(true))
                .click();
        assertThat(page.locator("img.qr")).isVisible();
    }

    @Test
    void refusalsAreInThePersonsLanguageAndTheServersMessagesAreMarkedAsEnglish() {
        openAccount();
        page.evaluate("localStorage.setItem('vestibule-language', 'ko')");
        server.sql().update("DELETE FROM sessions");
        page.reload();
        field("이메일").fill(ownEmail);
        field("비밀번호").fill("not the password");
        press("로그인");
        assertThat(page.getByRole(AriaRole.ALERT)).hasText("이메일 또는 비밀번호가 올바르지 않습니다.");
        assertThat(page.getByRole(AriaRole.ALERT)).not().hasAttribute("lang", "en");
        page.route(
                "**/dashboard/auth/login",
                route -> route.fulfill(new FulfillOptions()
                        .setStatus(429)
                        .setHeaders(Map.of("retry-after", "840", "content-type", "application/json"))
                        .setBody("{\"statusCode\":429,\"error\":\"Too Many Requests\",\"message\":\"Too many.\"}")));
        press("로그인");
        assertThat(page.getByRole(AriaRole.ALERT)).hasText("시도가 너무 많습니다. 14분 후에 다시 시도하세요.");
        page.unroute("**/dashboard/auth/login");
        field("이메일").fill("nobody");
        press("로그인");
        assertThat(page.locator("#sign-in-email-wrong")).hasAttribute("lang", "en");
        check("refused-ko");
    }
}
