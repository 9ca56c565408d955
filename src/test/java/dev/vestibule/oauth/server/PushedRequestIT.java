package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.onward;
import static dev.vestibule.fixture.OauthBrowser.parameter;
import static dev.vestibule.fixture.OauthBrowser.redeem;
import static dev.vestibule.fixture.OauthBrowser.register;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Authorization requests that clients send themselves (RFC 9126). */
@ExtendWith(WithServer.class)
class PushedRequestIT {
    private final TestServer server;
    private final TestProject project;
    private final OauthBrowser browser;
    private final String email = TestServer.newEmail();
    private final String client;

    PushedRequestIT(TestServer server) {
        this.server = server;
        project = server.newProject();
        browser = new OauthBrowser(project);
        project.signUp(email);
        client = register(project, "spa", Map.of()).text("clientId");
    }

    private Response push(Map<String, String> more, int status) {
        return OauthBrowser.post(project, "/oauth/par", OauthBrowser.request(client, more), status);
    }

    private static Map<String, String> asked(String client, String uri) {
        return Map.of("client_id", client, "request_uri", uri);
    }

    private int open(String client, String uri) {
        return browser.authorize(OauthBrowser.encode(asked(client, uri))).statusCode();
    }

    @Test
    void aPushedRequestIsTheOneThatThePersonSees() {
        var pushed = push(Map.of("ui_locales", "de"), 201);
        assertThat(pushed.text("expires_in")).isEqualTo("60");
        var uri = pushed.text("request_uri");
        assertThat(uri).startsWith("urn:ietf:params:oauth:request_uri:");

        var page = browser.authorize(OauthBrowser.encode(asked(client, uri))
                + "&state=changed&scope=phone&redirect_uri=https://evil.example.com/");
        assertThat(page.body()).contains("Anmelden");
        var back = onward(browser.signIn(email));

        assertThat(back.toString()).startsWith(OauthBrowser.APP);
        assertThat(parameter(back, "state")).isEqualTo("a state & more");
        assertThat(redeem(project, client, parameter(back, "code"), 200).text("scope"))
                .isEqualTo("openid email");
    }

    @Test
    void aPushedRequestWorksOnceForItsClientAndForAMinute() {
        var other = register(project, "spa", Map.of()).text("clientId");
        var uri = push(Map.of(), 201).text("request_uri");
        assertThat(open(client, uri)).isEqualTo(200);
        assertThat(open(client, uri)).isEqualTo(400);
        assertThat(open(other, push(Map.of(), 201).text("request_uri"))).isEqualTo(400);
        assertThat(open(client, "urn:ietf:params:oauth:request_uri:guessed")).isEqualTo(400);

        var late = push(Map.of(), 201).text("request_uri");
        server.sql()
                .update(
                        "UPDATE oauth_requests SET expires_at = expires_at - interval '60 seconds'"
                                + " WHERE project_id = ?::uuid",
                        project.id());
        assertThat(open(client, late)).isEqualTo(400);

        var elsewhere = server.newProject();
        var there = register(elsewhere, "spa", Map.of()).text("clientId");
        assertThat(new OauthBrowser(elsewhere)
                        .authorize(OauthBrowser.encode(
                                asked(there, push(Map.of(), 201).text("request_uri"))))
                        .statusCode())
                .isEqualTo(400);
    }

    /** One kind of secret must not pass for the other. */
    @Test
    void pushedRequestsAndRequestsOfThePageAreNotInterchangeable() {
        var uri = push(Map.of(), 201).text("request_uri");
        var begun = browser.get(OauthBrowser.issuerPath(project) + "/oauth/authorize?"
                + OauthBrowser.encode(OauthBrowser.request(client, Map.of())));
        var page = onward(begun);
        var secret = parameter(page, "authorization");
        for (var text : List.of(uri, uri.substring(uri.lastIndexOf(':') + 1))) {
            assertThat(browser.get(page.getRawPath() + "?authorization=" + text).statusCode())
                    .isEqualTo(410);
        }
        assertThat(open(client, "urn:ietf:params:oauth:request_uri:" + secret)).isEqualTo(400);
    }

    @Test
    void whatIsWrongIsSaidToTheClient() {
        assertThat(push(Map.of("redirect_uri", "https://evil.example.com/"), 400)
                        .text("error"))
                .isEqualTo("invalid_request");
        assertThat(push(Map.of("response_type", "token"), 400).text("error")).isEqualTo("unsupported_response_type");
        assertThat(push(Map.of("code_challenge", ""), 400).text("error")).isEqualTo("invalid_request");
        assertThat(push(Map.of("resource", "https://unknown.example.com/"), 400).text("error"))
                .isEqualTo("invalid_target");
        assertThat(push(Map.of("request_uri", "urn:ietf:params:oauth:request_uri:x"), 400)
                        .text("error"))
                .isEqualTo("invalid_request");
        assertThat(push(Map.of("request", "e30.e30."), 400).text("error")).isEqualTo("request_not_supported");
        assertThat(push(Map.of("client_id", "nobody"), 401).text("error")).isEqualTo("invalid_client");
    }

    @Test
    void aClientWithASecretHasToShowIt() {
        var web = register(project, "web", Map.of());
        var id = web.text("clientId");
        push(Map.of("client_id", id), 401);
        push(Map.of("client_id", id, "client_secret", "cs_guess"), 401);
        push(Map.of("client_id", id, "client_secret", web.text("clientSecret")), 201);
        var service = register(project, "service", Map.of());
        assertThat(push(
                                Map.of(
                                        "client_id",
                                        service.text("clientId"),
                                        "client_secret",
                                        service.text("clientSecret")),
                                400)
                        .text("error"))
                .isEqualTo("unauthorized_client");
    }

    @Test
    void aClientThatHasToPushIsNotBegunByABrowser() {
        project.asOwner("PATCH", "/oauth-clients/" + client)
                .json(Map.of("requirePushedRequests", true))
                .expect(200);
        assertThat(parameter(onward(browser.authorize(client, Map.of())), "error"))
                .isEqualTo("invalid_request");
        assertThat(open(client, push(Map.of(), 201).text("request_uri"))).isEqualTo(200);
    }

    @Test
    void aRedirectThatIsNoLongerTheClientsIsNotFollowed() {
        var uri = push(Map.of(), 201).text("request_uri");
        project.asOwner("PATCH", "/oauth-clients/" + client)
                .json(Map.of("redirectUris", List.of("https://app.example.com/other")))
                .expect(200);
        assertThat(open(client, uri)).isEqualTo(400);
    }

    /**
     * Whoever fills the table from one network keeps nobody else out; the server of a client asks for all its people.
     */
    @Test
    void aNetworkWithAHundredthOfAllOpenRequestsGetsNoMore() {
        var confidential = register(project, "web", Map.of());
        server.sql()
                .update(
                        "INSERT INTO oauth_requests (project_id, request_hash, client_id, parameters, network, created_at,"
                                + " expires_at)"
                                + " SELECT ?::uuid, sha256(n::text::bytea), ?, '{}', '\\x7f', now(), now() + interval '9 minutes'"
                                + " FROM generate_series(1, 1000) AS n",
                        project.id(),
                        client);

        assertThat(push(Map.of(), 503).header("Retry-After")).contains("60");
        assertThat(browser.get(OauthBrowser.issuerPath(project) + "/oauth/authorize?"
                                + OauthBrowser.encode(OauthBrowser.request(client, Map.of())))
                        .statusCode())
                .isEqualTo(503);

        var form = OauthBrowser.request(confidential.text("clientId"), Map.of());
        form.put("client_secret", confidential.text("clientSecret"));
        OauthBrowser.post(project, "/oauth/par", form, 201);
    }
}
