package dev.vestibule.page.hosted;

import static dev.vestibule.page.hosted.HostedBrowser.allowing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithSms;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Signing in with a code by SMS on the hosted page. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostedSmsIT {
    private final WithSms sms;
    private TestProject project;
    private HostedBrowser browser;
    private String phone = "";

    HostedSmsIT(TestDatabase database) {
        sms = WithSms.start(database);
    }

    @AfterAll
    void stop() {
        sms.close();
    }

    @BeforeEach
    void fresh() {
        project = allowing(sms.newProject());
        browser = new HostedBrowser(project);
        phone = WithSms.newNumber();
    }

    private HttpResponse<String> ask() {
        browser.open(Map.of("screen", "sms-code"));
        return browser.submit("sms-code", Map.of("phone", phone));
    }

    private HttpResponse<String> enter(String code) {
        return browser.submit("enter-sms-code", Map.of("phone", phone, "code", code));
    }

    @Test
    void aCodeBySmsSignsUpAndLaterSignsIn() {
        var asked = ask();
        assertThat(asked.body())
                .contains("Enter the code", "a code is on its way by SMS", "value=\"" + phone + "\"")
                .doesNotContain("class=\"problem\"");
        var first = browser.redeem(enter(sms.awaitCode(phone, 1)), 200);
        assertThat(first.text("user/phone")).isEqualTo(phone);

        sms.passAMinute();
        ask();
        var second = browser.redeem(enter(sms.awaitCode(phone, 2)), 200);

        assertThat(second.text("user/id")).isEqualTo(first.text("user/id"));
    }

    @Test
    void aWrongCodeIsReportedAndFiveUseUpTheCode() {
        ask();
        var code = sms.awaitCode(phone, 1);
        for (int i = 0; i < 5; i++) {
            var wrong = enter(WithMail.anotherThan(code));
            assertThat(wrong.statusCode()).isEqualTo(422);
            assertThat(wrong.body()).contains("The code is wrong or too old.");
        }

        assertThat(enter(code).statusCode()).isEqualTo(422);
    }

    @Test
    void anInvalidNumberIsMarkedAndShownAsText() {
        browser.open(Map.of("screen", "sms-code"));

        var refused = browser.submit("sms-code", Map.of("phone", "12\"><script>"));

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).contains("id=\"phone-problem\"").doesNotContain("<script");
    }

    @Test
    void withoutSignUpThePageDoesNotRevealWhoseNumberItIs() {
        var known = WithSms.newNumber();
        sms.signIn(project, known);
        project.asOwner("PATCH", "").json(Map.of("passwordlessSignUp", false)).expect(200);
        sms.passAMinute();

        var unknown = withoutTokens(ask().body(), phone);
        var wrong = enter("000000");
        phone = known;

        assertThat(withoutTokens(ask().body(), phone)).isEqualTo(unknown);
        assertThat(wrong.statusCode()).isEqualTo(422);
        assertThat(wrong.body()).contains("The code is wrong or too old.");
    }

    private static String withoutTokens(String page, String phone) {
        return page.replace(phone, "PHONE")
                .replaceAll("value=\"[^\"]{40,}\"", "value")
                .replaceAll("request=[^\"]+", "request");
    }

    @Test
    void aPersonWhoSignsInWithANumberSetsUpTheRequiredFactorToo() {
        var user = project.signUp();
        sms.server().verifyEmail(user.text("user/id"));
        sms.own(project, user.accessToken(), phone);
        assertThat(enterAfterAMonth().body()).contains("Set up a second step", "class=\"key\"");
    }

    /** Signs in the user of the number when the project has required a second factor for long enough. */
    private HttpResponse<String> enterAfterAMonth() {
        sms.server()
                .sql()
                .update("UPDATE users SET created_at = created_at - interval '30 days' WHERE phone = ?", phone);
        HostedFactorIT.requireForAMonth(sms.server(), project);
        sms.passAMinute();
        ask();
        return enter(sms.awaitCode(phone, 2));
    }

    @Test
    void aPersonWithoutAnEmailSetsItUpTooAndIsAskedForItFromThenOn() {
        sms.signIn(project, phone);
        var app = new Authenticator(HostedFactorIT.secret(enterAfterAMonth()), sms.clock());
        assertThat(browser.submit("set-up-factor", Map.of("code", app.code())).body())
                .contains("Your backup codes");
        sms.passAMinute();
        browser = new HostedBrowser(project);
        ask();
        enter(sms.awaitCode(phone, 3));

        var signedIn = browser.redeem(browser.submit("second-factor", Map.of("code", app.code())), 200);
        assertThat(signedIn.text("user/phone")).isEqualTo(phone);
    }

    @Test
    void smsIsShownOnlyIfTheProjectAndTheServerHaveIt() {
        assertThat(browser.open(Map.of()).body()).contains("value=\"sms-code\"");
        assertThat(browser.open(Map.of("screen", "sms-code")).body()).contains("type=\"tel\"");

        project.asOwner("PATCH", "")
                .json(Map.of("factors", Map.of("sms", false)))
                .expect(200);

        assertThat(browser.open(Map.of()).body()).doesNotContain("value=\"sms-code\"");
        assertThat(browser.open(Map.of("screen", "sms-code")).body())
                .doesNotContain("type=\"tel\"")
                .contains("type=\"password\"");
        assertThat(ask().statusCode()).isEqualTo(404);
    }

    @Test
    void aServerThatSendsNoSmsDoesNotOfferIt(TestDatabase database) {
        try (var without = WithMail.start(database)) {
            var here = allowing(WithSms.on(without.server().newProject()));
            assertThat(new HostedBrowser(here).open(Map.of()).body()).doesNotContain("value=\"sms-code\"");
        }
    }
}
