package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.issuerPath;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The requests of applications that the guide has settings for, as they send them. */
@ExtendWith(WithServer.class)
class KnownApplicationsIT {
    private static final String FORM = "application/x-www-form-urlencoded";

    private final TestProject project;
    private final String email = TestServer.newEmail();

    KnownApplicationsIT(TestServer server) {
        project = server.newProject();
        project.signUp(email);
    }

    private Response register(String redirectUri, Map<String, ?> more) {
        var fields = new java.util.HashMap<String, Object>(
                Map.of("kind", "web", "name", "Application", "redirectUris", List.of(redirectUri)));
        fields.putAll(more);
        return project.asOwner("POST", "/oauth-clients").json(fields).expect(201);
    }

    private String code(String query) {
        var browser = new OauthBrowser(project);
        browser.authorize(query);
        return OauthBrowser.parameter(OauthBrowser.onward(browser.signIn(email)), "code");
    }

    /** Go's oauth2 library tries the header first, as both do. */
    private Call token(Response client, String form) {
        var pair = client.text("clientId") + ":" + client.text("clientSecret");
        return project.api()
                .post(issuerPath(project) + "/oauth/token")
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)))
                .raw(FORM, form);
    }

    @Test
    void grafanaSignsPeopleIn() {
        var redirect = "https://grafana.example.com/login/generic_oauth";
        var client = register(redirect, Map.of());
        var code = code("access_type=online&client_id=" + client.text("clientId")
                + "&code_challenge=" + OauthBrowser.CHALLENGE + "&code_challenge_method=S256"
                + "&redirect_uri=https%3A%2F%2Fgrafana.example.com%2Flogin%2Fgeneric_oauth&response_type=code"
                + "&scope=openid+email+profile&state=c3RhdGU%3D");
        var tokens = token(
                        client,
                        "code=" + code + "&code_verifier=" + OauthBrowser.VERIFIER + "&grant_type=authorization_code"
                                + "&redirect_uri=https%3A%2F%2Fgrafana.example.com%2Flogin%2Fgeneric_oauth")
                .expect(200);
        assertThat(tokens.text("id_token")).isNotEmpty();
        assertThat(OauthBrowser.userinfo(project, tokens.text("access_token"), 200)
                        .text("email"))
                .isEqualTo(email);
    }

    @Test
    void giteaFindsTheServerAndSignsPeopleInWithoutACodeChallenge() {
        var redirect = "https://gitea.example.com/user/oauth2/vestibule/callback";
        var client = register(redirect, Map.of("requirePkce", false));
        var discovery = project.api()
                .get(issuerPath(project) + "/.well-known/openid-configuration")
                .expect(200);
        for (var endpoint : List.of("authorization_endpoint", "token_endpoint", "userinfo_endpoint", "issuer")) {
            assertThat(URI.create(discovery.text(endpoint)).isAbsolute()).isTrue();
        }
        var code = code("client_id=" + client.text("clientId")
                + "&redirect_uri=https%3A%2F%2Fgitea.example.com%2Fuser%2Foauth2%2Fvestibule%2Fcallback"
                + "&response_type=code&scope=openid+email+profile&state=6b0d84e7");
        var tokens = token(
                        client,
                        "code=" + code + "&grant_type=authorization_code"
                                + "&redirect_uri=https%3A%2F%2Fgitea.example.com%2Fuser%2Foauth2%2Fvestibule%2Fcallback")
                .expect(200);
        assertThat(OauthBrowser.userinfo(project, tokens.text("access_token"), 200)
                        .text("email"))
                .isEqualTo(email);
    }
}
