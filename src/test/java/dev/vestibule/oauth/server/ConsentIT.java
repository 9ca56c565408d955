package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.onward;
import static dev.vestibule.fixture.OauthBrowser.parameter;
import static dev.vestibule.fixture.OauthBrowser.redeem;
import static dev.vestibule.fixture.OauthBrowser.register;
import static dev.vestibule.fixture.OauthBrowser.userinfo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What people agree to, and who can agree in their name: nobody. */
@ExtendWith(WithServer.class)
class ConsentIT {
    private static final Map<String, String> ALLOW = Map.of("decision", "allow");

    private final TestServer server;
    private final TestProject project;
    private final OauthBrowser browser;
    private final String email = TestServer.newEmail();

    ConsentIT(TestServer server) {
        this.server = server;
        project = server.newProject();
        browser = new OauthBrowser(project);
        project.signUp(email);
    }

    private String thirdParty(Map<String, ?> more) {
        var fields = new HashMap<String, Object>(Map.of("firstParty", false));
        fields.putAll(more);
        return register(project, "spa", fields).text("clientId");
    }

    private String thirdParty() {
        return thirdParty(Map.of());
    }

    private static boolean isQuestion(HttpResponse<String> page) {
        return page.body().contains("value=\"allow\"");
    }

    @Test
    void claimsThatAreAskedForByNameAreAgreedToLikeScopes() {
        var client = thirdParty();
        var claims = "{\"userinfo\":{\"email\":null},\"id_token\":{\"phone_number\":null}}";
        var sly = Map.of("scope", "openid", "claims", claims);
        browser.authorize(client, sly);
        assertThat(browser.signIn(email).body()).contains("See your email", "See your phone number");
        var code = parameter(onward(browser.submit("consent", ALLOW)), "code");
        var token = redeem(project, client, code, 200).text("access_token");
        assertThat(userinfo(project, token, 200).text("email")).isEqualTo(email);

        assertThat(parameter(onward(browser.authorize(client, Map.of("scope", "openid email"))), "code"))
                .isNotEmpty();
        var more = Map.of("scope", "openid", "claims", "{\"userinfo\":{\"name\":null}}");
        assertThat(isQuestion(browser.authorize(client, more))).isTrue();
    }

    @Test
    void aRedirectUriThatIsRemovedMeanwhileGetsNothing() {
        var client = thirdParty();
        browser.authorize(client, Map.of());
        browser.signIn(email);
        project.asOwner("PATCH", "/oauth-clients/" + client)
                .json(Map.of("redirectUris", List.of("https://app.example.com/another")))
                .expect(200);

        var answer = browser.submit("consent", ALLOW);

        assertThat(answer.statusCode()).isEqualTo(410);
        assertThat(answer.body()).doesNotContain("code=");
    }

    /** The page of an error leads there. */
    @Test
    void theAddressWithTheRequestOfAFormAsksTheSameQuestion() {
        browser.authorize(thirdParty(), Map.of());
        browser.signIn(email);
        var page = "/p/" + project.asOwner("GET", "").expect(200).text("slug") + "/";

        var again = browser.get(page + "?request=" + browser.hiddenFields().get("request"));

        assertThat(isQuestion(again)).as(again.body()).isTrue();
        assertThat(parameter(onward(browser.submit("consent", ALLOW)), "code")).isNotEmpty();
    }

    @Test
    void aProgramThatAnyOtherCanPretendToBeIsAskedAboutEveryTime() {
        for (var redirectUri : List.of("com.example.app:/callback", "http://127.0.0.1/callback")) {
            var client = register(project, "native", Map.of("firstParty", false, "redirectUris", List.of(redirectUri)))
                    .text("clientId");
            var more = Map.of("redirect_uri", redirectUri, "prompt", "login");
            browser.authorize(client, more);
            browser.signIn(email);
            assertThat(parameter(onward(browser.submit("consent", ALLOW)), "code"))
                    .isNotEmpty();

            var again = browser.authorize(client, Map.of("redirect_uri", redirectUri));
            assertThat(isQuestion(again)).as(redirectUri).isTrue();
            var silent = browser.authorize(client, Map.of("redirect_uri", redirectUri, "prompt", "none"));
            assertThat(parameter(onward(silent), "error")).isEqualTo("consent_required");
        }
    }

    @Test
    void thePageOfAnotherAccountDecidesNothing() {
        var other = TestServer.newEmail();
        project.signUp(other);
        var client = thirdParty();
        browser.authorize(client, Map.of());
        browser.signIn(email);
        var shownToFirst = browser.hiddenFields();
        browser.authorize(client, Map.of("prompt", "login"));
        browser.signIn(other);

        for (var decision : List.of("allow", "deny", "continue")) {
            var fields = new HashMap<>(shownToFirst);
            fields.put("decision", decision);
            var asked = browser.submit("consent", fields);
            assertThat(isQuestion(asked)).as(decision).isTrue();
            assertThat(asked.body()).contains(other).doesNotContain(email);
        }
    }

    @Test
    void aRequestBelongsToTheBrowserThatOpenedIt() {
        var client = thirdParty();
        browser.authorize(client, Map.of());
        browser.signIn(email);
        var fields = new HashMap<>(browser.hiddenFields());
        fields.putAll(ALLOW);
        var other = new OauthBrowser(project);
        other.authorize(client, Map.of());
        other.signIn(email);
        fields.put("formToken", other.hiddenFields().getOrDefault("formToken", ""));
        fields.put("account", other.hiddenFields().getOrDefault("account", ""));

        assertThat(other.submit("consent", fields).statusCode()).isEqualTo(410);
        assertThat(parameter(onward(browser.submit("consent", ALLOW)), "code")).isNotEmpty();
    }

    @Test
    void aRequestIsOverAfterTenMinutes() {
        var client = thirdParty();
        browser.authorize(client, Map.of());
        assertThat(browser.signIn(email).body()).contains("name=\"decision\"");
        var minutes = "SELECT round(extract(epoch FROM expires_at - created_at) / 60) FROM oauth_requests"
                + " WHERE project_id = ?::uuid";
        assertThat(server.sql().count(minutes, project.id())).isEqualTo(10);
        server.sql()
                .update(
                        "UPDATE oauth_requests SET expires_at = now() - interval '1 s' WHERE project_id = ?::uuid",
                        project.id());
        assertThat(browser.submit("consent", ALLOW).statusCode()).isEqualTo(410);
    }

    /** No other site can lay something over the buttons, and nobody finds the page in the browser's history. */
    @Test
    void theQuestionIsNeitherFramedNorStoredNorPassedOn() {
        browser.authorize(thirdParty(), Map.of());
        var headers = browser.signIn(email).headers();
        assertThat(headers.firstValue("Content-Security-Policy").orElse("")).contains("frame-ancestors 'none'");
        assertThat(headers.firstValue("X-Frame-Options")).hasValue("DENY");
        assertThat(headers.firstValue("Cache-Control").orElse("")).contains("no-store");
        assertThat(headers.firstValue("Referrer-Policy").orElse("")).isIn("no-referrer", "same-origin");
    }

    @Test
    void ofManyClicksAtOnceOneIsAnswered() {
        var client = thirdParty();
        browser.authorize(client, Map.of());
        browser.signIn(email);

        var answers = browser.submitTogether(20, "consent", ALLOW);

        assertThat(answers.stream().filter(answer -> answer.statusCode() == 200))
                .hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.statusCode() == 410))
                .hasSize(19);
    }

    @Test
    void whatAClientCallsItselfIsText() {
        var client = thirdParty(Map.of("name", "<b onclick=x>\"'Shop\"&amp;"));
        browser.authorize(client, Map.of());

        assertThat(browser.signIn(email).body())
                .contains("&lt;b onclick=x&gt;", "&amp;amp;")
                .doesNotContain("<b onclick");
    }

    @Test
    void anInvalidDecisionAgreesToNothing() {
        var client = thirdParty();
        browser.authorize(client, Map.of());
        browser.signIn(email);

        assertThat(parameter(onward(browser.submit("consent", Map.of("decision", "ALLOW"))), "error"))
                .isEqualTo("access_denied");
    }

    @Test
    void aNewApiOfTheSameUriIsAskedAboutAgain() {
        var api = Map.of("uri", "https://a.example.com/", "name", "A", "scopes", List.of(Map.of("name", "read")));
        var id = project.asOwner("POST", "/oauth-apis").json(api).expect(201).text("id");
        var client = thirdParty();
        var more = Map.of("resource", "https://a.example.com/", "scope", "read");
        browser.authorize(client, more);
        browser.signIn(email);
        browser.submit("consent", ALLOW);
        assertThat(isQuestion(browser.authorize(client, more))).isFalse();

        project.asOwner("DELETE", "/oauth-apis/" + id).expect(200);
        project.asOwner("POST", "/oauth-apis").json(api).expect(201);

        assertThat(isQuestion(browser.authorize(client, more))).isTrue();
    }

    /** Somebody else may have agreed, and the client would get a new grant without a question. */
    @Test
    void whatIsAgreedToIsForgottenWhenThePasswordIsReplacedOrTheAccountBanned() {
        var user = project.signIn(email).text("user/id");
        for (var end : List.<Runnable>of(
                () -> project.manage("PATCH", "/v1/dashboard/users/" + user)
                        .json(Map.of("password", TestProject.PASSWORD))
                        .expect(200),
                () -> {
                    project.manage("PATCH", "/v1/dashboard/users/" + user + "/ban")
                            .json(Map.of())
                            .expect(200);
                    project.manage("PATCH", "/v1/dashboard/users/" + user + "/unban")
                            .expect(200);
                })) {
            var client = thirdParty();
            browser.authorize(client, Map.of());
            browser.signIn(email);
            browser.submit("consent", ALLOW);
            assertThat(parameter(onward(browser.authorize(client, Map.of())), "code"))
                    .isNotEmpty();

            end.run();

            browser.authorize(client, Map.of());
            assertThat(isQuestion(browser.signIn(email))).isTrue();
        }
    }

    @Test
    void theHostOfAnAddressThatOnlyBrowsersUnderstandIsShown() {
        for (var odd :
                List.of("https://shop_one.example.com/callback?to={home}", "HTTPS://Shop_One.example.com/callback")) {
            var client = thirdParty(Map.of("redirectUris", List.of(odd)));
            browser.authorize(client, Map.of("redirect_uri", odd, "prompt", "login"));
            assertThat(browser.signIn(email).body()).contains("shop_one.example.com");
        }
    }

    /** Its server may take a token without a scope. */
    @Test
    void anApiIsNamedOfWhichNoScopeIsAskedFor() {
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of("uri", "https://api.example.com/", "name", "Ledger", "scopes", List.of()))
                .expect(201);
        browser.authorize(thirdParty(), Map.of("resource", "https://api.example.com/"));
        assertThat(browser.signIn(email).body()).contains("<li>Ledger</li>");
    }

    /** RFC 9700, 4.11.2. */
    @Test
    void anErrorGoesToAThirdPartyByItselfOnlyIfThePersonHasAgreedToItBefore() {
        var client = thirdParty();
        var wrong = Map.of("response_type", "token");
        assertThat(browser.authorize(client, wrong).body())
                .contains("No access", "app.example.com")
                .doesNotContain("id=\"onward\"");
        var other = new OauthBrowser(project);
        other.authorize(client, wrong);
        var stolen = browser.hiddenFields();
        stolen.put("decision", "back");
        assertThat(other.submit("consent", stolen).body()).doesNotContain("id=\"onward\"");
        assertThat(parameter(onward(browser.submit("consent", Map.of("decision", "back"))), "error"))
                .isEqualTo("unsupported_response_type");
        var form = Map.of("response_type", "token", "response_mode", "form_post");
        browser.authorize(client, form);
        assertThat(OauthBrowser.answer(browser.submit("consent", Map.of("decision", "back"))))
                .containsEntry("error", "unsupported_response_type");

        browser.authorize(client, Map.of());
        browser.signIn(email);
        browser.submit("consent", ALLOW);
        var answer = browser.authorize(client, wrong);
        assertThat(answer.statusCode()).isEqualTo(303);
        assertThat(parameter(onward(answer), "error")).isEqualTo("unsupported_response_type");

        var silent = Map.of("response_type", "token", "prompt", "none");
        assertThat(parameter(onward(new OauthBrowser(project).authorize(thirdParty(), silent)), "error"))
                .isEqualTo("unsupported_response_type");
    }

    @Test
    void oddTextOfAWrongRequestIsKeptOrLeftOut() {
        var client = thirdParty();
        for (var state : List.of("a\u0000b", "line\nbreak", "\ud83d\ude00 <b>\"'&", "")) {
            browser.authorize(client, Map.of("response_type", "token", "state", state, "ui_locales", "\u0000"));
            var answer = onward(browser.submit("consent", Map.of("decision", "back")));
            assertThat(parameter(answer, "state")).isEqualTo(state.startsWith("\ud83d") ? state : "");
            assertThat(parameter(answer, "error")).isNotEmpty();
        }
    }

    /** The application's window would lose the one that it has opened (Cross-Origin-Opener-Policy). */
    @Test
    void thePagesOfAnAuthorizationWorkInAWindowOfTheApplication() {
        var client = thirdParty();
        var pages = List.of(
                browser.authorize(client, Map.of()),
                browser.submit("sign-in", Map.of("email", email, "password", "not the password")),
                browser.signIn(email),
                browser.submit("consent", ALLOW),
                browser.authorize(client, Map.of("response_mode", "form_post")));
        assertThat(pages)
                .allSatisfy(page -> assertThat(page.headers().firstValue("Cross-Origin-Opener-Policy"))
                        .isNotEqualTo(java.util.Optional.of("same-origin")));
        var slug = project.asOwner("GET", "").expect(200).text("slug");
        for (var other : List.of("/p/" + slug + "/", "/p/" + slug + "/account/")) {
            assertThat(browser.get(other).headers().firstValue("Cross-Origin-Opener-Policy"))
                    .hasValue("same-origin");
        }
    }
}
