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

    private final TestProject project;
    private final OauthBrowser browser;
    private final String email = TestServer.newEmail();

    ConsentIT(TestServer server) {
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
}
