package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.redeem;
import static dev.vestibule.fixture.OauthBrowser.refreshForm;
import static dev.vestibule.fixture.OauthBrowser.register;
import static dev.vestibule.fixture.OauthBrowser.token;
import static dev.vestibule.fixture.OauthBrowser.userinfo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each kind of token is good for one purpose, although the same keys sign several. */
@ExtendWith(WithServer.class)
class TokensApartIT {
    private final TestServer server;
    private final TestProject project;
    private final String email = TestServer.newEmail();
    private final String client;
    private final Response tokens;
    private final Response firstParty;

    TokensApartIT(TestServer server) {
        this.server = server;
        project = server.newProject();
        project.signUp(email);
        firstParty = project.signIn(email);
        client = register(project, "spa", Map.of("idTokenAlgorithm", "ES256")).text("clientId"); // as first-party ones
        tokens = redeem(
                project,
                client,
                new OauthBrowser(project).code(client, email, Map.of("scope", "openid email offline_access")),
                200);
    }

    private List<String> ofTheAuthorizationServer() {
        return List.of(tokens.text("access_token"), tokens.text("id_token"), tokens.text("refresh_token"));
    }

    @Test
    void firstPartyRoutesTakeNoneOfTheAuthorizationServers() {
        for (var text : ofTheAuthorizationServer()) {
            project.me(text).expect(401);
            project.verify(text).expect(401);
            project.signOut(text).expect(401);
            project.api().get("/v1/auth/me/sessions").bearer(text).expect(401);
            project.refresh(text).expect(401);
            project.refreshAccessToken(text).expect(401);
            project.as(text, "GET", "/oauth-clients").expect(401);
        }
        userinfo(project, tokens.text("access_token"), 200);
    }

    @Test
    void userinfoTakesNothingButAccessTokensOfTheAuthorizationServer() {
        for (var text : List.of(
                tokens.text("id_token"),
                tokens.text("refresh_token"),
                firstParty.accessToken(),
                firstParty.refreshToken(),
                project.publishableKey(),
                project.secretKey(),
                "",
                "x")) {
            userinfo(project, text, 401);
        }
    }

    @Test
    void theTokenEndpointTakesNothingButItsOwnRefreshTokens() {
        for (var text : List.of(
                tokens.text("id_token"),
                tokens.text("access_token"),
                firstParty.accessToken(),
                firstParty.refreshToken())) {
            var form = refreshForm(client, text);
            assertThat(token(project, form, 400).text("error")).isEqualTo("invalid_grant");
        }
    }

    @Test
    void introspectionKnowsNoOtherTokensAndRevocationEndsNone() {
        var api = register(project, "api", Map.of("resource", "https://auth.example.com/v1/projects/" + project.id()));
        for (var text : List.of(firstParty.accessToken(), firstParty.refreshToken(), tokens.text("id_token"))) {
            assertThat(introspect(api, text)).isEqualTo("{\"active\":false}");
            OauthBrowser.post(project, "/oauth/revoke", Map.of("client_id", client, "token", text), 200);
        }
        project.me(firstParty.accessToken()).expect(200);
        assertThat(introspect(api, tokens.text("access_token"))).contains("\"active\":true");
    }

    private String introspect(Response caller, String text) {
        return OauthBrowser.post(
                        project,
                        "/oauth/introspect",
                        Map.of(
                                "client_id", caller.text("clientId"),
                                "client_secret", caller.text("clientSecret"),
                                "token", text),
                        200)
                .body();
    }

    @Test
    void onlyThoseWhomATokenConcernsLearnAboutIt() {
        var access = tokens.text("access_token");
        for (var stranger : List.of(
                register(project, "web", Map.of()),
                register(project, "service", Map.of()),
                register(project, "api", Map.of("resource", "https://api.example.com/")))) {
            assertThat(introspect(stranger, access)).isEqualTo("{\"active\":false}");
            OauthBrowser.post(
                    project,
                    "/oauth/revoke",
                    Map.of(
                            "client_id", stranger.text("clientId"),
                            "client_secret", stranger.text("clientSecret"),
                            "token", access),
                    200);
        }
        OauthBrowser.post(project, "/oauth/introspect", Map.of("client_id", client, "token", access), 401);
        OauthBrowser.post(project, "/oauth/introspect", Map.of("token", access), 401);
        userinfo(project, access, 200);
    }

    @Test
    void aChangedTokenIsRefused() {
        var access = Jwt.parse(tokens.text("access_token"));
        for (var changed : List.of(
                access.claim("scope", "openid phone"),
                access.claim("exp", 4_000_000_000L),
                access.claim("iss", "https://auth.example.com/v1/projects/x"),
                access.header("alg", "none"),
                access.header("alg", "RS256"),
                access.header("typ", "JWT"),
                access.header("kid", null),
                access.header("kid", "%00"))) {
            userinfo(project, changed.text(), 401);
            userinfo(project, changed.text(""), 401);
        }
    }

    @Test
    void anIdTokenHintIsAnIdTokenOfThisProject() {
        var elsewhere = server.newProject();
        var there = register(elsewhere, "spa", Map.of()).text("clientId");
        elsewhere.signUp(email);
        var foreign = redeem(elsewhere, there, new OauthBrowser(elsewhere).code(there, email, Map.of()), 200)
                .text("id_token");
        for (var text : List.of(foreign, tokens.text("access_token"), "x", "e30.e30.")) {
            var answer = new OauthBrowser(project).authorize(client, Map.of("id_token_hint", text));
            assertThat(OauthBrowser.parameter(OauthBrowser.onward(answer), "error"))
                    .isEqualTo("invalid_request");
        }
    }

    /** The guards' test holds roles and foreign projects; this one holds ids of another project of the same owner. */
    @Test
    void whatBelongsToAnotherProjectIsNotFound() {
        var other = server.newProject(project.owner(), "Another");
        var web = register(other, "web", Map.of());
        var id = "/oauth-clients/" + web.text("clientId");
        var api =
                new HashMap<String, Object>(Map.of("uri", "https://a.example.com/", "name", "A", "scopes", List.of()));
        var apiId = "/oauth-apis/"
                + other.asOwner("POST", "/oauth-apis").json(api).expect(201).text("id");
        project.asOwner("GET", id).expect(404);
        project.asOwner("PATCH", id).json(Map.of("name", "Mine")).expect(404);
        project.asOwner("POST", id + "/secrets").expect(404);
        project.asOwner("DELETE", id + "/secrets/" + web.text("secrets/0/id")).expect(404);
        project.asOwner("DELETE", id).expect(404);
        project.asOwner("PUT", apiId).json(api).expect(404);
        project.asOwner("DELETE", apiId).expect(404);
        var neighbour = register(other, "web", Map.of());
        other.asOwner("DELETE", "/oauth-clients/" + neighbour.text("clientId") + "/secrets/" + web.text("secrets/0/id"))
                .expect(404);
        for (var odd : List.of("%00", "https:%2F%2Fa.example.com%2F", "null", "-1")) {
            project.asOwner("GET", "/oauth-clients/" + odd).expect(404);
            project.asOwner("DELETE", "/oauth-apis/" + odd).expect(404);
        }
        assertThat(other.asOwner("GET", id).expect(200).text("name")).isEqualTo("Shop");
    }

    @Test
    void aListShowsNoSecrets() {
        var web = register(project, "web", Map.of());
        for (var path : List.of("/oauth-clients", "/oauth-clients/" + web.text("clientId"))) {
            assertThat(project.as(server.newMember(project, "viewer"), "GET", path)
                            .expect(200)
                            .body())
                    .doesNotContain(web.text("clientSecret"));
        }
    }

    /** Its type in the header is that of ID tokens, and its keys too. */
    @Test
    void aFirstPartyTokenIsNoHintOfWhoIsSignedIn() {
        var browser = new OauthBrowser(project);
        browser.code(client, email, Map.of());
        var hint = firstParty.accessToken();
        assertThat(OauthBrowser.parameter(
                        OauthBrowser.onward(browser.authorize(client, Map.of("prompt", "none", "id_token_hint", hint))),
                        "error"))
                .isEqualTo("invalid_request");
        assertThat(browser.get(OauthBrowser.issuerPath(project) + "/oauth/logout?id_token_hint=" + hint)
                        .headers()
                        .firstValue("Location")
                        .orElseThrow())
                .contains("problem=id_token_hint");
    }
}
