package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.APP;
import static dev.vestibule.fixture.OauthBrowser.issuerPath;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.oauth2.sdk.client.ClientReadRequest;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.openid.connect.sdk.rp.OIDCClientInformationResponse;
import com.nimbusds.openid.connect.sdk.rp.OIDCClientMetadata;
import com.nimbusds.openid.connect.sdk.rp.OIDCClientRegistrationRequest;
import com.nimbusds.openid.connect.sdk.rp.OIDCClientRegistrationResponseParser;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that register themselves (RFC 7591, RFC 7592). */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RegistrationIT {
    private static final Map<String, String> KEY = Map.of(
            "kty",
            "EC",
            "crv",
            "P-256",
            "x",
            "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "y",
            "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0");

    private final TestServer server;
    private TestProject project;
    private final String email = TestServer.newEmail();

    RegistrationIT(TestDatabase database) {
        server = TestServer.start(
                database,
                Map.of(
                        "VESTIBULE_OAUTH_MAX_REGISTERED",
                        "10",
                        "VESTIBULE_LIMITS_REGISTRATIONS_PER_DAY",
                        "12",
                        "VESTIBULE_SESSIONS_SWEEP_SECONDS",
                        "1"));
        newProject();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void newProject() {
        project = server.newProject();
        project.signUp(email);
        allow(project, true);
    }

    private static void allow(TestProject in, boolean isAllowed) {
        in.asOwner("PATCH", "").json(Map.of("dynamicRegistration", isAllowed)).expect(200);
    }

    private static Call register(TestProject in, Map<String, ?> more) {
        var metadata = new HashMap<String, Object>(
                Map.of("client_name", "Desktop", "redirect_uris", List.of(APP), "token_endpoint_auth_method", "none"));
        metadata.putAll(more);
        return in.api().post(issuerPath(in) + "/oauth/register").json(metadata);
    }

    private Response register() {
        return register(project, Map.of()).expect(201);
    }

    private static Call manage(TestProject in, String method, String client, String token) {
        return in.api()
                .call(method, issuerPath(in) + "/oauth/register/" + client)
                .bearer(token);
    }

    private Call manage(String method, Response client) {
        return manage(project, method, client.text("client_id"), client.text("registration_access_token"));
    }

    private String refusal(Map<String, ?> more) {
        return register(project, more).expect(400).text("error");
    }

    @Test
    void aClientRegistersItselfAndPeopleSignInAfterTheyAgree() {
        var client = register();
        assertThat(client.text("registration_client_uri")).endsWith("/oauth/register/" + client.text("client_id"));
        assertThat(client.json().has("client_secret")).isFalse();
        assertThat(client.header("Cache-Control")).contains("no-store");

        var browser = new OauthBrowser(project);
        browser.authorize(client.text("client_id"), Map.of());
        assertThat(browser.signIn(email).body()).contains("Desktop", "asks for access");
        var code = OauthBrowser.parameter(
                OauthBrowser.onward(browser.submit("consent", Map.of("decision", "allow"))), "code");
        OauthBrowser.redeem(project, client.text("client_id"), code, 200);
    }

    @Test
    void aClientThatKeepsASecretGetsOne() {
        for (var method : List.of("client_secret_basic", "client_secret_post")) {
            var client = register(project, Map.of("token_endpoint_auth_method", method))
                    .expect(201);
            assertThat(client.json().path("client_secret_expires_at").asInt(-1)).isZero();
            var form = new HashMap<>(Map.of(
                    "client_id", client.text("client_id"),
                    "grant_type", "refresh_token",
                    "refresh_token", "x"));
            OauthBrowser.token(project, form, 401);
            form.put("client_secret", client.text("client_secret"));
            OauthBrowser.token(project, form, method.endsWith("post") ? 400 : 401);
            assertThat(manage("GET", client).expect(200).json().has("client_secret"))
                    .isFalse();
        }
    }

    @Test
    void nothingIsThereUnlessTheProjectAllowsIt() {
        var client = register();
        assertThat(metadata().has("registration_endpoint")).isTrue();
        allow(project, false);
        register(project, Map.of()).expect(404);
        manage("GET", client).expect(404);
        assertThat(metadata().has("registration_endpoint")).isFalse();
    }

    private com.fasterxml.jackson.databind.JsonNode metadata() {
        return project.api()
                .get(issuerPath(project) + "/.well-known/openid-configuration")
                .expect(200)
                .json();
    }

    @Test
    void whatIsWrongIsSaidInTheFormOfTheSpecification() {
        for (var uri : List.of(
                "javascript:alert(1)",
                "http://app.example.com/",
                "https://user@app.example.com/",
                "https://app.example.com/#fragment",
                "//app.example.com/",
                "data:text/html,x",
                "",
                "https://app.example.com/" + "x".repeat(600))) {
            assertThat(refusal(Map.of("redirect_uris", List.of(uri)))).as(uri).isEqualTo("invalid_redirect_uri");
        }
        assertThat(refusal(Map.of("redirect_uris", List.of()))).isEqualTo("invalid_redirect_uri");
        assertThat(refusal(Map.of("redirect_uris", "text"))).isEqualTo("invalid_redirect_uri");
        assertThat(refusal(Map.of("redirect_uris", java.util.Collections.nCopies(21, APP))))
                .isEqualTo("invalid_redirect_uri");
        for (Map<String, ?> wrong : List.<Map<String, ?>>of(
                Map.of("token_endpoint_auth_method", "client_secret_jwt"),
                Map.of("response_types", List.of("token")),
                Map.of("client_name", "a\u0000b"),
                Map.of("client_name", "x".repeat(101)),
                Map.of("token_endpoint_auth_method", "private_key_jwt"),
                Map.of("token_endpoint_auth_method", "private_key_jwt", "jwks", Map.of("keys", List.of())),
                Map.of(
                        "token_endpoint_auth_method",
                        "private_key_jwt",
                        "jwks",
                        Map.of("keys", List.of(Map.of("kty", "EC", "d", "secret")))),
                Map.of(
                        "token_endpoint_auth_method",
                        "private_key_jwt",
                        "jwks",
                        Map.of("keys", List.of(KEY), "note", "a\u0000b")),
                Map.of(
                        "token_endpoint_auth_method",
                        "private_key_jwt",
                        "jwks",
                        Map.of("keys", List.of(KEY), "note", "x".repeat(10_000))),
                Map.of("token_endpoint_auth_method", "private_key_jwt", "jwks_uri", "https://127.0.0.1/keys"),
                Map.of("token_endpoint_auth_method", "private_key_jwt", "jwks_uri", "http://keys.example.com/"))) {
            assertThat(refusal(wrong)).as("%s", wrong).isEqualTo("invalid_client_metadata");
        }
    }

    @Test
    void whatIsUnknownIsIgnored() {
        var client = register(
                        project,
                        Map.of(
                                "software_id", UUID.randomUUID().toString(),
                                "contacts", List.of("a@example.com"),
                                "firstParty", true,
                                "grant_types", List.of("authorization_code", "implicit", "client_credentials"),
                                "scope", "openid"))
                .expect(201);
        assertThat(client.json().path("grant_types").toString())
                .isEqualTo("[\"authorization_code\",\"refresh_token\"]");
        assertThat(client.json().has("firstParty")).isFalse();
        var shown = project.asOwner("GET", "/oauth-clients/" + client.text("client_id"))
                .expect(200);
        assertThat(shown.json().path("firstParty").asBoolean(true)).isFalse();
        assertThat(shown.json().path("registeredItself").asBoolean()).isTrue();
    }

    @Test
    void aNameWithMarkupIsText() {
        var client = register(project, Map.of("client_name", "<b>Bank</b>")).expect(201);
        var browser = new OauthBrowser(project);
        browser.authorize(client.text("client_id"), Map.of());
        assertThat(browser.signIn(email).body()).contains("&lt;b&gt;Bank").doesNotContain("<b>Bank");
    }

    @Test
    void aClientManagesItself() {
        var client = register();
        var next = new HashMap<String, Object>(Map.of(
                "client_id",
                client.text("client_id"),
                "client_name",
                "Renamed",
                "redirect_uris",
                List.of("http://127.0.0.1/callback"),
                "token_endpoint_auth_method",
                "none"));
        assertThat(manage("PUT", client).json(next).expect(200).text("client_name"))
                .isEqualTo("Renamed");
        var read = manage("GET", client).expect(200);
        assertThat(read.text("client_name")).isEqualTo("Renamed");
        assertThat(read.text("registration_access_token")).isEqualTo(client.text("registration_access_token"));

        next.put("client_id", UUID.randomUUID().toString());
        assertThat(manage("PUT", client).json(next).expect(400).text("error")).isEqualTo("invalid_client_metadata");
        next.put("client_id", client.text("client_id"));
        next.put("token_endpoint_auth_method", "client_secret_basic");
        assertThat(manage("PUT", client).json(next).expect(400).text("error")).isEqualTo("invalid_client_metadata");

        manage("DELETE", client).expect(204);
        manage("GET", client).expect(401);
        assertThat(new OauthBrowser(project)
                        .authorize(client.text("client_id"), Map.of())
                        .statusCode())
                .isEqualTo(400);
    }

    /** Whoever has stolen its token must not get the accounts of those who have agreed to something else. */
    @Test
    void aClientThatLeadsElsewhereIsAskedAboutAgain() {
        var client = register();
        var id = client.text("client_id");
        var browser = new OauthBrowser(project);
        browser.authorize(id, Map.of());
        browser.signIn(email);
        browser.submit("consent", Map.of("decision", "allow"));
        var next = new HashMap<String, Object>(
                Map.of("client_id", id, "client_name", "Renamed", "redirect_uris", List.of(APP)));
        manage("PUT", client).json(next).expect(200);
        assertThat(browser.authorize(id, Map.of()).statusCode()).as("as before").isEqualTo(303);

        var elsewhere = "https://elsewhere.example.com/";
        next.put("redirect_uris", List.of(APP, elsewhere));
        manage("PUT", client).json(next).expect(200);

        assertThat(browser.authorize(id, Map.of("redirect_uri", elsewhere)).body())
                .contains("elsewhere.example.com", "value=\"allow\"");
    }

    @Test
    void onlyItsOwnTokenManagesAClient() {
        var client = register();
        var other = register();
        var id = client.text("client_id");
        for (var token : List.of("x", other.text("registration_access_token"), project.secretKey(), project.owner())) {
            for (var method : List.of("GET", "DELETE")) {
                manage(project, method, id, token).expect(401);
            }
        }
        manage(project, "GET", UUID.randomUUID().toString(), client.text("registration_access_token"))
                .expect(401);
        manage(project, "GET", "not-a-uuid", client.text("registration_access_token"))
                .expect(401);
        project.api().get(issuerPath(project) + "/oauth/register/" + id).expect(401);

        var there = server.newProject();
        allow(there, true);
        manage(there, "GET", id, client.text("registration_access_token")).expect(401);

        var owned = OauthBrowser.register(project, "spa", Map.of());
        manage(project, "GET", owned.text("clientId"), client.text("registration_access_token"))
                .expect(401);
        manage("GET", client).expect(200);
    }

    @Test
    void anOwnerDeletesAClientThatRegisteredItself() {
        var client = register();
        project.asOwner("DELETE", "/oauth-clients/" + client.text("client_id")).expect(200);
        manage("GET", client).expect(401);
    }

    @Test
    void aProjectHasOnlySoManyOfThemAndANetworkRegistersOnlySoManyADay() {
        var answers = Parallel.send(30, i -> register(project, Map.of()));
        assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(10);
        assertThat(answers.stream().filter(answer -> answer.status() == 429)).hasSize(18);
        assertThat(answers.stream().filter(answer -> answer.status() == 400).map(answer -> answer.text("error")))
                .containsExactly("temporarily_unavailable", "temporarily_unavailable");
    }

    @Test
    void aUserWhoIsReplacedAndDeletedAtOnceIsGoneInTheEnd() {
        var client = register();
        var body = Map.of(
                "client_id", client.text("client_id"),
                "redirect_uris", List.of(APP),
                "token_endpoint_auth_method", "none");
        var answers = Parallel.send(
                20,
                i -> i == 10 ? manage("DELETE", client) : manage("PUT", client).json(body));
        assertThat(answers).allMatch(answer -> List.of(200, 204, 401).contains(answer.status()));
        manage("GET", client).expect(401);
        project.asOwner("GET", "/oauth-clients/" + client.text("client_id")).expect(404);
    }

    @Test
    void oddBodiesAreRefused() {
        var path = issuerPath(project) + "/oauth/register";
        for (var body : List.of(
                "[]",
                "null",
                "{\"redirect_uris\":[\"" + APP + "\"],\"redirect_uris\":[]}",
                "{\"a\":".repeat(2000) + "1" + "}".repeat(2000),
                "{\"redirect_uris\":[\"" + APP + "\"]")) {
            assertThat(project.api()
                            .post(path)
                            .raw("application/json", body)
                            .send()
                            .status())
                    .as(body.substring(0, Math.min(40, body.length())))
                    .isBetween(400, 422);
        }
    }

    @Test
    void aClientThatNobodySignsInToIsForgottenAfterThirtyDays() {
        var unused = register();
        var used = register();
        age(used, 29);
        new OauthBrowser(project).authorize(used.text("client_id"), Map.of());
        age(used, 29);
        age(unused, 30);
        Eventually.until(
                "maintenance forgets it", () -> manage("GET", unused).send().status() == 401);
        manage("GET", used).expect(200);
    }

    private void age(Response client, int days) {
        server.sql()
                .update(
                        "UPDATE oauth_clients SET used_at = used_at - make_interval(days => " + days + ") WHERE id = ?",
                        client.text("client_id"));
    }

    @Test
    void theRegistrationOfNimbusWorks() throws Exception {
        var endpoint = URI.create(project.api().base() + issuerPath(project) + "/oauth/register");
        var metadata = new OIDCClientMetadata();
        metadata.setRedirectionURI(URI.create(APP));
        metadata.setName("Nimbus");
        var sent = new OIDCClientRegistrationRequest(endpoint, metadata, null)
                .toHTTPRequest()
                .send();
        var answer = (OIDCClientInformationResponse) OIDCClientRegistrationResponseParser.parse(sent);
        var client = answer.getOIDCClientInformation();
        assertThat(client.getSecret().getValue()).startsWith("cs_");
        HTTPRequest read = new ClientReadRequest(
                        URI.create(endpoint + "/" + client.getID().getValue()), client.getRegistrationAccessToken())
                .toHTTPRequest();
        assertThat(read.send().getStatusCode()).isEqualTo(200);
    }

    /**
     * A right-to-left override would reorder the words of the consent page, and what is invisible looks like nothing.
     */
    @Test
    void aNameWithInvisibleFormattingIsRefused() {
        for (var point : List.of(0x202E, 0x202D, 0x2066, 0x2069, 0x200F, 0x061C, 0x200B, 0xFEFF, 0xE0041)) {
            assertThat(refusal(Map.of("client_name", "Shop" + Character.toString(point) + "elgooG")))
                    .as(Integer.toHexString(point))
                    .isEqualTo("invalid_client_metadata");
        }
        register(project, Map.of("client_name", "Магазин 가게 متجر 🛒")).expect(201);
    }

    @Test
    void anIdThatNoClientHasIsTreatedLikeAWrongToken() {
        for (var id : List.of("%00", "%FF", "x".repeat(3000), "https%3A%2F%2Fapp.example.com")) {
            manage(project, "GET", id, "rt_x").expect(401);
        }
    }
}
