package dev.vestibule.oauth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.FakeProvider;
import dev.vestibule.fixture.LoggedLines;
import dev.vestibule.oauth.provider.ProviderConnection;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a provider can do wrong: the result is never a hang, and never a 500. */
class ProviderFailuresIT {
    private static final String CODE = "a code that is somebody's";
    private static final String TOKEN = "an-access-token-that-is-somebodys";

    private final FakeProvider server = new FakeProvider();
    private final String[] catalogue = {
        "github:",
        "  tokenEndpoint: " + server.url() + "/token",
        "  userInfoEndpoint: " + server.url() + "/user",
        "  emailsEndpoint: " + server.url() + "/emails"
    };
    private final TestProviderClient talk = TestProviderClient.with(catalogue);
    private final LoggedLines log = new LoggedLines(ProviderConnection.class);

    @BeforeEach
    void listen() {
        server.answers("/token", new JsonObject().put("access_token", TOKEN))
                .answers("/user", new JsonObject().put("id", 7).put("name", "Ann"))
                .answers("/emails", 200, "[]");
    }

    @AfterEach
    void close() {
        log.close();
        talk.close();
        server.close();
    }

    private List<String> logged() {
        return log.about(talk.project().toString());
    }

    private int refusal() {
        return talk.refusal(connection(), TestProviderClient.code(CODE));
    }

    private int refusalByTheImpatient() {
        try (var impatient = TestProviderClient.impatient(catalogue)) {
            return impatient.refusal(impatient.to("github"), TestProviderClient.code(CODE));
        }
    }

    private ProviderConnection connection() {
        return talk.to("github");
    }

    @Test
    void theFakeProviderSignsIn() {
        assertThat(refusal()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/token", "/user", "/emails"})
    void aHangingProviderTimesOut(String path) {
        server.answers(path, request -> {}); // and never answers
        assertThat(refusalByTheImpatient()).isEqualTo(502);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/token", "/user"})
    void anIncompleteResponseTimesOut(String path) {
        server.answers(path, request -> {
            var response = request.response().setChunked(true);
            response.write("{");
        });
        assertThat(refusalByTheImpatient()).isEqualTo(502);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/token", "/user", "/emails"})
    void aHugeResponseIsRefused(String path) {
        server.answers(path, 200, "[\"" + "x".repeat(1_000_000) + "\"]");
        assertThat(refusal()).isEqualTo(502);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "not json", "<html>", "null", "[]", "\"text\"", "{\"a\":", "{\"a\":1,\"a\":2}", "{}"})
    void malformedJsonIsRefused(String garbage) {
        server.answers("/token", 200, garbage);
        assertThat(refusal()).isEqualTo(502);
        server.answers("/token", new JsonObject().put("access_token", TOKEN)).answers("/user", 200, garbage);
        assertThat(refusal()).isEqualTo(502);
    }

    @ParameterizedTest
    @CsvSource({
        "400, invalid_grant, 401",
        "401, invalid_grant, 401",
        "400, invalid_request, 401",
        "400, something_of_its_own, 401",
        "400, invalid_client, 502",
        "401, invalid_client, 502",
        "401, something_of_its_own, 502",
        "400, unauthorized_client, 502",
        "400, redirect_uri_mismatch, 502",
        "429, slow_down, 502",
        "500, server_error, 502",
        "503, temporarily_unavailable, 502"
    })
    void theStatusTellsWhetherTheClientOrTheServerFailed(int status, String error, int expected) {
        server.answers("/token", status, new JsonObject().put("error", error).encode());
        assertThat(refusal()).isEqualTo(expected);
    }

    @Test
    void anErrorObjectIsAnErrorToo() {
        server.answers("/token", 400, "{\"error\":{\"message\":\"Invalid verification code\",\"code\":100}}");
        assertThat(refusal()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 302, 401, 403, 404, 500})
    void aFailedUserInfoRequestIsRefused(int status) {
        server.answers("/user", status, "{\"id\":7}");
        assertThat(refusal()).isEqualTo(502);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "true", "1.5", "{}", "\"\"", "\"a\\u0000b\"", "\"\\ud800\""})
    void aMalformedSubjectIsRefused(String subject) {
        server.answers("/user", 200, "{\"id\":" + subject + "}");
        assertThat(refusal()).isEqualTo(502);
    }

    @Test
    void aSubjectHasALengthLimit() {
        server.answers("/user", 200, "{\"id\":\"" + "x".repeat(256) + "\"}");
        assertThat(refusal()).isEqualTo(502);
    }

    @Test
    void invalidClaimsAreIgnored() {
        server.answers(
                        "/user",
                        200,
                        "{\"id\":7,\"name\":\" \\u0000A\\ud83d\\ude00\\ud800\\u2028" + "é".repeat(200)
                                + "\",\"avatar_url\":\"javascript:alert(1)\"}")
                .answers("/emails", 200, "[{\"email\":\"no email\",\"primary\":true,\"verified\":true}]");
        var identity = talk.exchange(connection());
        assertThat(identity.email()).isNull();
        assertThat(identity.emailVerified()).isFalse();
        assertThat(identity.avatarUrl()).isNull();
        assertThat(identity.displayName()).isEqualTo("A😀 " + "é".repeat(97));
    }

    @Test
    void anUnreachableProviderIsABadGateway() {
        server.close();
        assertThat(refusal()).isEqualTo(502);
        assertThat(logged())
                .singleElement()
                .satisfies(line -> assertThat(line).contains("github of project", "does not answer"));
    }

    @Test
    void aCodeIsNotSentAgainIfItMayHaveArrived() {
        server.answers("/token", request -> request.connection().close());
        assertThat(refusal()).isEqualTo(502);
        assertThat(server.asked("/token")).hasSize(1);
    }

    @Test
    void nothingThatAProviderSendsIsLogged() {
        server.answers("/token", 400, "{\"error\":\"x-secret-error\",\"error_description\":\"x-secret-text\"}");
        refusal();
        server.answers("/token", new JsonObject().put("access_token", TOKEN)).answers("/user", 500, "x-secret-body");
        refusal();
        server.answers("/token", 401, "{\"error\":\"invalid_client\",\"error_description\":\"x-secret-text\"}");
        refusal();
        assertThat(logged()).hasSize(3);
        assertThat(log.text()).doesNotContain("x-secret", CODE, TOKEN, TestProviderClient.SECRET);
    }

    /** A project's owner names the issuer: it must not lead into the operator's network. */
    @Test
    void anIssuerAtAPrivateAddressGetsNoRequest() throws IOException {
        try (var listener = new ServerSocket(0)) {
            var issuer = "http://localhost:" + listener.getLocalPort();
            assertThat(talk.refusal(talk.to("oidc", issuer, null))).isEqualTo(502);
        }
        assertThat(talk.refusal(talk.to("oidc", "http://169.254.169.254", null)))
                .isEqualTo(502);
        assertThat(logged()).hasSize(2).allSatisfy(line -> assertThat(line).contains("not a public address"));
    }

    @Test
    void aWrongDiscoveryDocumentIsRefused() {
        try (var issuer = new FakeIssuer(talk.clock().instant());
                var developer = TestProviderClient.builtIn(true)) {
            for (var wrong : new JsonObject[] {
                issuer.document().put("issuer", issuer.issuer() + "/"),
                issuer.document().put("issuer", "https://login.example.com"),
                issuer.document().putNull("issuer"),
                issuer.document().putNull("token_endpoint"),
                issuer.document().put("token_endpoint", "javascript:alert(1)"),
                issuer.document().put("authorization_endpoint", "//evil.example"),
                issuer.document().put("jwks_uri", "file:///etc/passwd")
            }) {
                issuer.discovery(wrong);
                assertThat(developer.refusal(developer.to("oidc", issuer.issuer(), null)))
                        .isEqualTo(502);
            }
            issuer.server().answers("/.well-known/openid-configuration", 404, "{}");
            assertThat(developer.refusal(developer.to("oidc", issuer.issuer(), null)))
                    .isEqualTo(502);
        }
    }

    @Test
    void aFailedLoadIsNotCached() {
        try (var issuer = new FakeIssuer(talk.clock().instant());
                var developer = TestProviderClient.builtIn(true)) {
            var key = FakeIssuer.rsaKey("k");
            issuer.gives(FakeIssuer.signed(key, issuer.claims().build()));
            issuer.server().answers("/jwks", 500, "{}");
            var connection = developer.to("oidc", issuer.issuer(), null);
            assertThat(developer.refusal(connection)).isEqualTo(502);
            issuer.publish(key);
            assertThat(developer.refusal(connection)).isEqualTo(200);
        }
    }

    /** Each response is in time, but together they take longer than a sign in may. */
    @Test
    void allResponsesTogetherHaveATimeLimit() {
        try (var issuer = new FakeIssuer(talk.clock().instant())) {
            var key = FakeIssuer.rsaKey("k");
            var idToken = FakeIssuer.signed(key, issuer.claims().build());
            answersLate(issuer, "/.well-known/openid-configuration", issuer.document());
            answersLate(
                    issuer,
                    "/token",
                    new JsonObject().put("access_token", TOKEN).put("id_token", idToken));
            answersLate(issuer, "/jwks", FakeIssuer.keySet(key));

            var google = "google: {issuer: '" + issuer.issuer() + "'}";
            try (var patient = TestProviderClient.with(google);
                    var impatient = TestProviderClient.impatient(google)) {
                assertThat(patient.refusal(patient.to("google"))).isEqualTo(200);
                assertThat(impatient.refusal(impatient.to("google"))).isEqualTo(502);
            }
        }
    }

    private static void answersLate(FakeIssuer issuer, String path, JsonObject body) {
        issuer.server()
                .answers(
                        path,
                        request -> Vertx.currentContext()
                                .owner()
                                .setTimer(800, later -> request.response().end(body.toBuffer())));
    }
}
