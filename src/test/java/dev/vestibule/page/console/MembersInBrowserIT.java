package dev.vestibule.page.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.AriaRole;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import java.util.ArrayList;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The members of a project, and how they join it. */
class MembersInBrowserIT extends ConsoleInBrowser {
    private static final Pattern LINK = Pattern.compile("http://localhost\\S*/console/#/invitation/(inv_\\S+)");
    private static final String ADA = "ada@example.com";

    @SuppressWarnings("NullAway.Init")
    private TestMailbox mailbox;

    MembersInBrowserIT(TestDatabase database, Chromium chromium) {
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

    private void openProjectByVerified(String name, String part) {
        openProject(name, part);
        server.proveEmail(ownEmail);
    }

    private void invite(String email, String role) {
        follow("Members");
        field("Email").fill(email);
        field("Role").selectOption(role);
        press("Invite");
        assertThat(page.getByText("The invitation was sent.")).isVisible();
        assertThat(page.locator("tbody")).containsText(email);
    }

    private String link(int number) {
        var link = LINK.matcher(TestMailbox.text(mailbox.await(ADA, number)));
        assertThat(link.find()).isTrue();
        return link.group();
    }

    private static String token(String link) {
        return link.substring(link.lastIndexOf('/') + 1);
    }

    /** Accepts the invitation like a client without the console. */
    private void adaJoins() {
        server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", ADA, "password", PASSWORD, "invitationToken", token(link(1))))
                .expect(201);
    }

    private void openInAnotherBrowser(String link) {
        open(new NewContextOptions());
        page.navigate(link);
        assertThat(heading("Invitation")).isVisible();
    }

    @Test
    void anOwnerWithAnUnverifiedEmailIsToldToVerifyItFirst() {
        openProject("Engines", "members");
        field("Email").fill(ADA);
        press("Invite");
        assertThat(page.getByRole(AriaRole.ALERT))
                .hasText("Verify your own email before you invite others: “Send a code”, in your account.");
        assertThat(field("Email")).hasValue(ADA);
    }

    @Test
    void aPersonWithoutAnAccountJoinsWithTheLinkAndNoUrlContainsTheToken() {
        openProjectByVerified(HOSTILE, "members");
        invite(ADA, "viewer");
        assertThat(page.locator("tbody tr").first()).containsText("invited");
        var link = link(1);
        var requests = new ArrayList<Request>();

        open(new NewContextOptions());
        page.onRequest(requests::add);
        page.navigate(link);
        assertThat(heading("Invitation")).isVisible();
        assertThat(page).hasURL(console + "#/invitation");
        assertThat(page).hasTitle("Invitation · Vestibule console");
        check("invitation");
        field("Email").fill("mallory@example.com");
        field("Password").fill(PASSWORD);
        press("Create an account");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("This invitation is for another email address.");
        assertThat(field("Password")).hasValue(PASSWORD);
        field("Code of the invitation").fill(" " + token(link) + " ");
        field("Email").fill(ADA);
        press("Create an account");
        assertThat(heading("Projects")).isVisible();
        assertThat(page.getByText("You are now a member of the project.")).isVisible();
        follow(HOSTILE);
        assertThat(page.locator(".note").first()).containsText("You can view this project, but not change it");
        assertThat(page.locator("img")).hasCount(0);
        assertThat(requests).isNotEmpty().allSatisfy(request -> {
            assertThat(request.url()).doesNotContain(token(link));
            assertThat(request.headers().getOrDefault("referer", "")).isEmpty();
        });
        page.goBack();
        assertThat(page.url()).doesNotContain(token(link));
    }

    @Test
    void aPersonWithAnAccountSignsInAndAcceptsAndALinkWorksOnce() {
        openProjectByVerified("Engines", "members");
        invite(ADA, "viewer");
        adaJoins();
        openAnotherProject("Looms", "members");
        invite(ADA, "owner");
        var link = link(2);

        openInAnotherBrowser(link);
        press("Sign in instead");
        field("Email").fill(ADA);
        field("Password").fill(PASSWORD);
        press("Sign in");
        assertThat(page.getByText("You accept as ada@example.com.")).isVisible();
        check("invitation-accept");
        press("Accept the invitation");
        isInProject("Looms");
        assertThat(page.locator(".note")).hasCount(0);

        page.navigate(console);
        page.navigate(link);
        press("Accept the invitation");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("This invitation is no longer valid");
        assertThat(field("Code of the invitation")).isVisible();
        field("Code of the invitation").fill("../../projects");
        press("Accept the invitation");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("This invitation is no longer valid");
        press("Sign out and use another account");
        assertThat(field("Password")).isVisible();
    }

    @Test
    void anInvitationIsSentAgainChangedAndWithdrawn() {
        openProjectByVerified("Engines", "members");
        invite(ADA, "viewer");
        var first = token(link(1));
        press("Send again: " + ADA);
        assertThat(page.locator(".said p")).not().isEmpty();
        server.sql().update("UPDATE codes SET requested_at = requested_at - interval '2 minutes'");
        press("Send again: " + ADA);
        assertThat(page.getByText("The invitation was sent again. The previous one is no longer valid."))
                .isVisible();
        var second = token(link(2));
        assertThat(second).isNotEqualTo(first);

        field("Role of " + ADA).selectOption("owner");
        answerYes();
        assertThat(field("Role of " + ADA)).hasValue("owner");
        server.sql().update("UPDATE invitations SET expires_at = now() - interval '1 minute'");
        page.reload();
        assertThat(page.locator("tbody tr").first()).containsText("expired");
        check("members-expired");
        press("Withdraw the invitation of " + ADA);
        answerYes();
        assertThat(page.locator("tbody tr")).hasCount(1);
        assertThat(page.locator("tbody")).not().containsText(ADA);
    }

    @Test
    void aRefusedInvitationIsReportedAtItsField() {
        openProjectByVerified("Engines", "members");
        field("Email").fill("nobody");
        press("Invite");
        assertThat(page.locator("#invite-email-wrong")).isVisible();
        assertThat(field("Email")).hasValue("nobody");
        field("Email").fill(ownEmail);
        press("Invite");
        assertThat(page.getByRole(AriaRole.ALERT)).isVisible();
    }

    @Test
    void anOwnerHandsTheProjectOverAndLeaves() {
        openProjectByVerified("Engines", "members");
        invite(ADA, "viewer");
        adaJoins();
        page.reload();
        assertThat(page.locator("tbody tr").first()).containsText("active");
        field("Role of " + ownEmail).selectOption("viewer");
        answerYes();
        assertThat(page.locator(".said p")).not().isEmpty(); // the last owner stays one
        field("Role of " + ADA).selectOption("owner");
        answerYes();
        assertThat(field("Role of " + ADA)).hasValue("owner");
        assertThat(field("Role of " + ownEmail)).hasValue("owner");
        check("members");
        field("Role of " + ownEmail).selectOption("viewer");
        answerYes();
        assertThat(page.locator(".note").first()).containsText("You can view this project, but not change it");
        assertThat(page.locator("tbody button")).hasText(new String[] {"Leave the project"});
        assertThat(page.locator("form")).hasCount(0);
        check("members-viewer");
        press("Leave the project");
        answerYes();
        assertThat(heading("Projects")).isVisible();
        assertThat(page.getByText("There is no project yet.")).isVisible();
    }

    @Test
    void theProjectsOfAMemberShowTheirEnvironments() {
        openProjectByVerified("Engines", "members");
        page.navigate(console + "#/");
        assertThat(page.locator(".cards .tag")).hasText(new String[] {"Live"});
    }
}
