package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.onward;
import static dev.vestibule.fixture.OauthBrowser.parameter;
import static dev.vestibule.fixture.OauthBrowser.register;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The session of a browser: when it is enough, and when the person has to sign in again. */
@ExtendWith(WithServer.class)
class SingleSignOnIT {
    private static final Map<String, String> SILENT = Map.of("prompt", "none");

    private final TestServer server;
    private final TestProject project;
    private final OauthBrowser browser;
    private final String email = TestServer.newEmail();

    SingleSignOnIT(TestServer server) {
        this.server = server;
        project = server.newProject();
        browser = new OauthBrowser(project);
        project.signUp(email);
    }

    private String spa() {
        return register(project, "spa", Map.of()).text("clientId");
    }

    private String error(String client, Map<String, String> more) {
        return parameter(onward(browser.authorize(client, more)), "error");
    }

    private static boolean isSignIn(HttpResponse<String> page) {
        return page.statusCode() == 200 && page.body().contains("name=\"password\"");
    }

    /** Somebody may find a browser that another person has left open. */
    @Test
    void anAccountThatIsChosenIsNotOneThatSignedInAgain() {
        var client = spa();
        browser.code(client, email, Map.of());
        browser.authorize(client, Map.of("prompt", "select_account"));
        var account = browser.hiddenFields().getOrDefault("account", "");
        assertThat(account).isNotEmpty();

        for (var fresh : List.of(Map.of("prompt", "login"), Map.of("max_age", "0"))) {
            assertThat(isSignIn(browser.authorize(client, fresh))).isTrue();
            var answer = browser.submit("consent", Map.of("decision", "continue", "account", account));
            assertThat(isSignIn(answer)).as(fresh.toString()).isTrue();
        }
        assertThat(parameter(onward(browser.signIn(email)), "code")).isNotEmpty();
    }

    /**
     * A browser counts once, however often its person signs in, so neither its own applications nor other browsers lose
     * a session.
     */
    @Test
    void anotherSignInInTheSameBrowserAddsNoBrowser() {
        project.asOwner("PATCH", "")
                .json(Map.of("sessionConfig", Map.of("maxConcurrentSessions", 2)))
                .expect(200);
        var client = spa();
        var first = OauthBrowser.redeem(project, client, browser.code(client, email, Map.of()), 200);
        var elsewhere =
                OauthBrowser.redeem(project, client, new OauthBrowser(project).code(client, email, Map.of()), 200);

        var again = OauthBrowser.redeem(project, client, browser.code(client, email, Map.of("prompt", "login")), 200);

        for (var tokens : List.of(first, elsewhere, again)) {
            OauthBrowser.userinfo(project, tokens.text("access_token"), 200);
        }
        var third = new OauthBrowser(project).code(client, email, Map.of());
        OauthBrowser.redeem(project, client, third, 200);
        OauthBrowser.userinfo(project, elsewhere.text("access_token"), 401);
        OauthBrowser.userinfo(project, first.text("access_token"), 200);
    }

    /** Browsers fetch pages in advance, and programs ask for their heads. */
    @Test
    void anAnswerIsOnlyForAPageThatIsOpened() {
        var client = spa();
        browser.code(client, email, Map.of());
        var query = OauthBrowser.encode(OauthBrowser.request(client, Map.of()));
        var begun = browser.get(OauthBrowser.issuerPath(project) + "/oauth/authorize?" + query);
        var page = URI.create(begun.headers().firstValue("Location").orElseThrow());
        var path = page.getRawPath() + "?" + page.getRawQuery();

        var program = ApiClient.undescribed(project.api().base());
        for (var header : Map.of("Sec-Purpose", "prefetch;prerender", "Sec-Fetch-Dest", "image")
                .entrySet()) {
            program.get(path)
                    .header("Cookie", browser.cookies())
                    .header(header.getKey(), header.getValue())
                    .expect(410);
        }
        program.call("HEAD", path).header("Cookie", browser.cookies()).expect(410);

        assertThat(parameter(onward(browser.get(path)), "code")).isNotEmpty();
    }

    @Test
    void theChosenAccountIsAskedForItsConsentOnce() {
        var client = register(project, "spa", Map.of("firstParty", false)).text("clientId");
        browser.code(spa(), email, Map.of());
        browser.authorize(client, Map.of("prompt", "select_account"));

        assertThat(browser.submit("consent", Map.of("decision", "continue")).body())
                .contains("value=\"allow\"");
        assertThat(parameter(onward(browser.submit("consent", Map.of("decision", "allow"))), "code"))
                .isNotEmpty();
    }

    @Test
    void aCookieThatWasThereBeforeTheSignInIsWorthNothingAfterwards() {
        var attacker = new OauthBrowser(project);
        var other = TestServer.newEmail();
        project.signUp(other);
        attacker.code(spa(), other, Map.of());
        var name = "__Host-sso-" + project.id();
        var fixed = attacker.cookie(name);
        browser.putCookie(name, fixed);
        browser.authorize(spa(), Map.of("prompt", "login"));
        browser.signIn(email);

        assertThat(browser.cookie(name)).isNotEqualTo(fixed);
        attacker.putCookie(name, fixed);
        assertThat(parameter(onward(attacker.authorize(spa(), SILENT)), "error"))
                .isEqualTo("login_required");
    }

    @Test
    void aCookieOfAnotherProjectOrWithoutTheRightShapeIsIgnored() {
        browser.code(spa(), email, Map.of());
        var cookie = browser.cookie("__Host-sso-");
        var elsewhere = server.newProject();
        var there = new OauthBrowser(elsewhere);
        var client = register(elsewhere, "spa", Map.of()).text("clientId");
        for (var text : List.of(cookie, cookie + "A", "%00", "", "x".repeat(4000))) {
            there.putCookie("__Host-sso-" + elsewhere.id(), text);
            assertThat(parameter(onward(there.authorize(client, SILENT)), "error"))
                    .isEqualTo("login_required");
        }
    }

    @Test
    void theCookieIsTheServersAlone() {
        browser.authorize(spa(), Map.of());
        assertThat(browser.signIn(email).headers().allValues("Set-Cookie"))
                .filteredOn(cookie -> cookie.startsWith("__Host-sso-" + project.id() + "="))
                .singleElement()
                .asString()
                .contains("Path=/", "HTTPOnly", "Secure", "SameSite=Lax")
                .doesNotContain("Domain");
    }

    @Test
    void whatEndsTheSessionEndsTheBrowsersSignIn() {
        var client = spa();
        browser.code(client, email, Map.of());
        assertThat(error(client, SILENT)).isEmpty();
        var user = project.signIn(email).text("user/id");
        project.manage("DELETE", "/v1/dashboard/users/" + user + "/sessions").expect(200);
        assertThat(error(client, SILENT)).isEqualTo("login_required");

        browser.code(client, email, Map.of());
        assertThat(error(client, SILENT)).isEmpty();
        project.manage("PATCH", "/v1/dashboard/users/" + user + "/ban")
                .json(Map.of())
                .expect(200);
        assertThat(error(client, SILENT)).isEqualTo("login_required");
        project.manage("PATCH", "/v1/dashboard/users/" + user + "/unban").expect(200);
        assertThat(error(client, SILENT)).isEqualTo("login_required");
    }

    @Test
    void anotherUserThanTheHintedOneIsNotTaken() {
        var client = spa();
        browser.code(client, email, Map.of());
        var other = project.signUp().text("user/id");
        var wants = Map.of("claims", "{\"id_token\":{\"sub\":{\"value\":\"" + other + "\"}}}");
        assertThat(isSignIn(browser.authorize(client, wants))).isTrue();
        assertThat(parameter(onward(browser.signIn(email)), "error")).isEqualTo("login_required");
    }

    @Test
    void anAssuranceThatIsEssentialAndNotReachedIsAnErrorAndAWishIsNot() {
        var client = spa();
        browser.code(client, email, Map.of());
        var essential = Map.of("claims", "{\"id_token\":{\"acr\":{\"essential\":true,\"values\":[\"aal2\"]}}}");
        assertThat(error(client, SILENT)).isEmpty();
        assertThat(error(client, Map.of("prompt", "none", "acr_values", "aal2")))
                .isEmpty();
        var silent = new HashMap<>(essential);
        silent.putAll(SILENT);
        assertThat(error(client, silent)).isEqualTo("unmet_authentication_requirements");
        assertThat(isSignIn(browser.authorize(client, essential))).isTrue();
        assertThat(parameter(onward(browser.signIn(email)), "error")).isEqualTo("unmet_authentication_requirements");
    }

    /** Who has signed in with less, such as by a provider, is asked for the factor that the account has. */
    @Test
    void aWishForTwoFactorsIsHeardWhereTheAccountHasASecondOne() {
        var client = spa();
        browser.code(client, email, Map.of());
        project.asOwner("PATCH", "")
                .json(Map.of("passkeyRpId", "example.com", "factors", Map.of("passkeys", true)))
                .expect(200);
        var wish = Map.of("acr_values", "aal2");
        var claim = Map.of("acr_values", "aal2", "claims", "{\"id_token\":{\"acr\":{\"essential\":true}}}");
        for (var factor : List.of("totp", "passkey example.com")) {
            server.sql()
                    .update(
                            "UPDATE users SET second_factors = ARRAY['held', ?] WHERE project_id = ?::uuid",
                            factor,
                            project.id());
            assertThat(isSignIn(browser.authorize(client, wish))).as(factor).isTrue();
            assertThat(isSignIn(browser.authorize(client, claim))).as(factor).isTrue();
        }
        server.sql().update("UPDATE users SET second_factors = '{}' WHERE project_id = ?::uuid", project.id());
        assertThat(error(client, claim)).isEmpty();
    }

    /** A person who uses the browser once a week stays signed in, and has to sign in again after a month. */
    @Test
    void aBrowserIsForgottenAfterSevenDaysWithoutUseAndAfterThirtyDays() {
        var client = spa();
        browser.code(client, email, Map.of());
        var ends = "SELECT count(*) FROM browser_sessions WHERE project_id = ?::uuid"
                + " AND expires_at BETWEEN now() + interval '%s' AND now() + interval '%s'";
        assertThat(server.sql().count(ends.formatted("7 days -1 minute", "7 days 1 minute"), project.id()))
                .isEqualTo(1);
        var age = "UPDATE browser_sessions SET created_at = now() - interval '%s', expires_at = now() + interval '%s'"
                + " WHERE project_id = ?::uuid";
        server.sql().update(age.formatted("29 days", "1 hour"), project.id());
        assertThat(error(client, SILENT)).isEmpty();
        assertThat(server.sql().count(ends.formatted("23 hours", "25 hours"), project.id()))
                .isEqualTo(1);
        server.sql().update(age.formatted("29 days", "0"), project.id());
        assertThat(error(client, SILENT)).isEqualTo("login_required");
    }

    @Test
    void promptCreateShowsTheSignUp() {
        assertThat(browser.authorize(spa(), Map.of("prompt", "create")).body())
                .contains("Create an account", "autocomplete=\"new-password\"");
    }

    @Test
    void aSecondFactorThatIsRequiredMeanwhileIsAskedFor() {
        var client = spa();
        browser.code(client, email, Map.of());
        project.asOwner("PATCH", "").json(Map.of("requireMfa", "required")).expect(200);
        assertThat(error(client, SILENT)).as("in the grace period").isEmpty();
        for (var update : List.of(
                "UPDATE projects SET mfa_required_since = mfa_required_since - interval '8 days' WHERE id = ?::uuid",
                "UPDATE users SET created_at = created_at - interval '8 days' WHERE project_id = ?::uuid")) {
            server.sql().update(update, project.id());
        }
        project.asOwner("PATCH", "").json(Map.of("requireMfa", "required")).expect(200); // read again

        assertThat(error(client, SILENT)).isEqualTo("login_required");
        browser.authorize(client, Map.of());
        assertThat(browser.signIn(email).body()).doesNotContain("code=");
    }
}
