package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.APP;
import static dev.vestibule.fixture.OauthBrowser.issuerPath;
import static dev.vestibule.fixture.OauthBrowser.onward;
import static dev.vestibule.fixture.OauthBrowser.parameter;
import static dev.vestibule.fixture.OauthBrowser.register;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What no client sends, at the endpoints of the authorization server: always an answer that the protocol has. */
@ExtendWith(WithServer.class)
class OddInputIT {
    private static final String FORM = "application/x-www-form-urlencoded";

    /** PostgreSQL stores none of these, or UTF-8 has none. */
    private static final List<String> UNSTORABLE = List.of("\\u0000", "a\\u0000b", "\\ud800");

    private final TestProject project;
    private final OauthBrowser browser;

    OddInputIT(TestServer server) {
        project = server.newProject();
        browser = new OauthBrowser(project);
    }

    private String spa() {
        return register(project, "spa", Map.of()).text("clientId");
    }

    private Response post(String endpoint, String form, String... headers) {
        var call =
                project.api().post(issuerPath(project) + "/oauth/" + endpoint).raw(FORM, form);
        for (var i = 0; i < headers.length; i += 2) {
            call.header(headers[i], headers[i + 1]);
        }
        return call.send();
    }

    private static String basic(String credentials) {
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    private HttpResponse<String> authorize(Map<String, String> more) {
        return browser.authorize(spa(), more);
    }

    private HttpResponse<String> postAuthorize(Map<String, String> more) {
        return browser.post(issuerPath(project) + "/oauth/authorize", OauthBrowser.request(spa(), more));
    }

    @Test
    void anImpossibleClientIdIsRefused() {
        for (var id : List.of("%00", "%0A", "%F0%9F%92%A9", "", "x".repeat(5000), "../" + project.id())) {
            for (var endpoint : List.of("token", "introspect", "revoke")) {
                var form = "grant_type=refresh_token&refresh_token=x&token=x";
                assertThat(post(endpoint, form, "Authorization", basic(id + ":secret"))
                                .status())
                        .as(id)
                        .isIn(400, 401);
                assertThat(post(endpoint, form + "&client_secret=s&client_id=" + id)
                                .status())
                        .as(id)
                        .isIn(400, 401);
            }
        }
    }

    @Test
    void aMalformedBasicHeaderIsRefusedWithItsChallenge() {
        for (var header : List.of("Basic", "Basic ", "Basic !", "basic " + "A".repeat(4000), basic("no colon"))) {
            var refused = post("token", "grant_type=refresh_token&refresh_token=x", "Authorization", header);
            assertThat(refused.status()).as(header).isEqualTo(401);
            assertThat(refused.text("error")).isEqualTo("invalid_client");
        }
        assertThat(post("token", "grant_type=refresh_token", "Authorization", basic("a:b"))
                        .header("WWW-Authenticate"))
                .hasValueSatisfying(challenge -> assertThat(challenge).startsWith("Basic"));
        assertThat(post("token", "grant_type=refresh_token&client_id=a").header("WWW-Authenticate"))
                .isEmpty();
    }

    @Test
    void claimsThatNothingCanStoreAreAnErrorOfTheRequest() {
        for (var text : UNSTORABLE) {
            for (var claims : List.of(
                    "{\"id_token\":{\"sub\":{\"value\":\"" + text + "\"}}}",
                    "{\"id_token\":{\"acr\":{\"essential\":true,\"value\":\"" + text + "\"}}}",
                    "{\"id_token\":{\"acr\":{\"essential\":true,\"values\":[\"" + text + "\"]}}}")) {
                assertThat(parameter(onward(authorize(Map.of("claims", claims))), "error"))
                        .as(claims)
                        .isEqualTo("invalid_request");
            }
        }
    }

    @Test
    void claimsOfAnyShapeAreReadOrRefused() {
        for (var claims : List.of("{\"id_token\":[]}", "{\"id_token\":{\"acr\":7}}", "{\"userinfo\":{\"email\":3}}")) {
            assertThat(authorize(Map.of("claims", claims)).statusCode())
                    .as(claims)
                    .isEqualTo(200);
        }
        for (var claims : List.of("[]", "null", "1", "{", "[".repeat(1000), "{\"a\":1,\"a\":2}", "{} {}")) {
            assertThat(parameter(onward(authorize(Map.of("claims", claims))), "error"))
                    .as(claims)
                    .isEqualTo("invalid_request");
        }
    }

    @Test
    void controlCharactersReachNoHeader() {
        for (var text : List.of("a\r\nSet-Cookie: x=y", "a\u0000b", "\u2028")) {
            for (var name : List.of("state", "nonce", "scope", "login_hint", "ui_locales", "acr_values")) {
                var answer = authorize(Map.of(name, text));
                assertThat(parameter(onward(answer), "error")).as(name).isEqualTo("invalid_request");
                assertThat(answer.headers().firstValue("Location").orElseThrow())
                        .startsWith(APP + "?")
                        .matches("[!-~]+");
            }
        }
    }

    @Test
    void aRequestOf64KilobytesGetsAShortAnswer() {
        var long60k = "scope ".repeat(10_000);
        for (var name : List.of("scope", "state", "nonce", "resource", "claims", "login_hint", "unknown")) {
            var answer = postAuthorize(Map.of(name, long60k));
            assertThat(parameter(onward(answer), "error")).as(name).isEqualTo("invalid_request");
            assertThat(answer.headers().firstValue("Location").orElseThrow()).hasSizeLessThan(1000);
        }
        for (var name : List.of("client_id", "redirect_uri")) {
            var answer = browser.follow(postAuthorize(Map.of(name, "https://a.example.com/" + long60k)));
            assertThat(answer.statusCode()).as(name).isEqualTo(400);
        }
        assertThat(post("token", "grant_type=client_credentials&client_id=x&scope=" + "a+".repeat(30_000))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void moreScopesOrApisThanAnybodyHasAreRefused() {
        var scopes = "s1";
        for (var i = 2; i <= 51; i++) {
            scopes += " s" + i;
        }
        assertThat(parameter(onward(authorize(Map.of("scope", scopes))), "error"))
                .isEqualTo("invalid_scope");
        var query = OauthBrowser.encode(OauthBrowser.request(spa(), Map.of()));
        assertThat(parameter(onward(browser.authorize(query + "&resource=https://a.example.com".repeat(11))), "error"))
                .isEqualTo("invalid_request");
    }

    @Test
    void parametersWithoutAValueAreIgnored() {
        var query = OauthBrowser.encode(OauthBrowser.request(spa(), Map.of()));
        assertThat(browser.authorize(query + "&request=&request_uri=&max_age=&prompt=&claims=&resource=")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void parametersThatAreRepeatedAreRefusedEverywhere() {
        for (var endpoint : List.of("token", "introspect", "revoke")) {
            for (var name : List.of("grant_type", "client_id", "token", "scope")) {
                var refused =
                        post(endpoint, "grant_type=refresh_token&client_id=a&token=b&scope=c&" + name + "=" + "a");
                assertThat(refused.status()).isEqualTo(400);
                assertThat(refused.text("error")).as(name).isEqualTo("invalid_request");
            }
        }
    }

    @Test
    void otherMediaTypesAndMethodsAreRefused() {
        for (var endpoint : List.of("token", "introspect", "revoke")) {
            var path = issuerPath(project) + "/oauth/" + endpoint;
            project.api().post(path).json(Map.of("grant_type", "password")).expect(415);
            project.api().get(path).expect(405);
        }
    }

    @Test
    void onlyTheGrantTypesThatThereAreAreKnown() {
        var client = spa();
        for (var type : List.of("password", "implicit", "x".repeat(4000), "Authorization_Code")) {
            assertThat(post("token", "client_id=" + client + "&username=a&password=b&grant_type=" + type)
                            .text("error"))
                    .isEqualTo("unsupported_grant_type");
        }
    }

    @Test
    void theEndpointsForClientsSetNoCookieAndAreNotStored() {
        for (var endpoint : List.of("token", "introspect", "revoke", "userinfo")) {
            var answer = post(endpoint, "client_id=a&token=b", "Cookie", "sso-" + project.id() + "=" + "A".repeat(43));
            assertThat(answer.header("Set-Cookie")).isEmpty();
            assertThat(answer.header("Cache-Control")).contains("no-store");
        }
    }

    @Test
    void peopleReadErrorsOnAPage() {
        var path = "/v1/projects/" + UUID.randomUUID() + "/oauth/authorize?client_id=x";
        var asPerson = ApiClient.undescribed(project.api().base());
        var page = asPerson.get(path).header("Accept", "text/html").expect(404);
        assertThat(page.header("Content-Type")).hasValue("text/html; charset=utf-8");
        var form = asPerson.post(issuerPath(project) + "/oauth/authorize")
                .header("Accept", "text/html")
                .raw(FORM, "client_id=%zz")
                .expect(400);
        assertThat(form.header("Content-Type")).hasValue("text/html; charset=utf-8");
        project.api().get(path).expect(404).text("code");
    }

    @Test
    void thePageSpeaksTheLanguageThatTheClientNames() {
        assertThat(authorize(Map.of("ui_locales", "tlh de-CH fr")).body()).contains("<html lang=\"de\"");
        assertThat(browser.submit("sign-in", Map.of("email", "a@example.com", "password", "wrong"))
                        .body())
                .contains("<html lang=\"de\"");
        assertThat(authorize(Map.of("ui_locales", "tlh")).body()).contains("<html lang=\"en\"");
    }

    @Test
    void aSchemeThatLooksLikeAWebAddressIsRefused() {
        for (var uri : List.of("http.evil:/cb", "https.bank.example:/cb", "https.bank.example://cb")) {
            project.asOwner("POST", "/oauth-clients")
                    .json(Map.of("kind", "native", "name", "Bank", "redirectUris", List.of(uri)))
                    .expect(422);
        }
        register(project, "native", Map.of("redirectUris", List.of("httpx.example:/cb")));
    }

    @Test
    void aLoopbackAddressHasAPortThatThereIs() {
        var client = register(project, "native", Map.of("redirectUris", List.of("http://127.0.0.1/callback")))
                .text("clientId");
        for (var port : Map.of("1", true, "65535", true, "65536", false, "99999", false, "0", false, "080", false)
                .entrySet()) {
            var answer = browser.authorize(
                    client, Map.of("redirect_uri", "http://127.0.0.1:" + port.getKey() + "/callback"));
            assertThat(answer.statusCode() == 200).as(port.getKey()).isEqualTo(port.getValue());
        }
    }
}
