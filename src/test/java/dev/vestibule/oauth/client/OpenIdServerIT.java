package dev.vestibule.oauth.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import dev.vestibule.oauth.provider.ProviderConnection;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.token.DefaultOAuth2TokenCallback;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Complete sign ins with a real OpenID provider, which projects name by its issuer. */
class OpenIdServerIT {
    private final MockOAuth2Server server = new MockOAuth2Server();
    private final HttpClient browser = HttpClient.newHttpClient();
    private final TestProviderClient talk = TestProviderClient.builtIn(true);

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        talk.close();
        server.shutdown();
    }

    private String issuer() {
        return server.issuerUrl("default").toString();
    }

    private ProviderConnection connection() {
        return talk.to("oidc", issuer(), null);
    }

    private void nextToken(Map<String, Object> claims, long lifetime) {
        server.enqueueCallback(new DefaultOAuth2TokenCallback("default", "subject-1", "JWT", null, claims, lifetime));
    }

    private static Map<String, String> query(URI url) {
        var values = new HashMap<String, String>();
        for (var pair : url.getRawQuery().split("&", -1)) {
            var parts = pair.split("=", 2);
            values.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return values;
    }

    /** What the provider sends the browser back with. */
    private Map<String, String> signIn(@Nullable String codeChallenge) throws IOException, InterruptedException {
        var url = talk.authorizationUrl(connection(), codeChallenge);
        var answer = browser.send(HttpRequest.newBuilder(url).build(), BodyHandlers.discarding());
        assertThat(answer.statusCode()).isEqualTo(302);
        return query(URI.create(answer.headers().firstValue("location").orElseThrow()));
    }

    private static CodeExchange exchange(Map<String, String> back, @Nullable String verifier) {
        return new CodeExchange(
                back.getOrDefault("code", ""),
                TestProviderClient.STATE,
                TestProviderClient.REDIRECT,
                verifier,
                TestProviderClient.NONCE,
                null,
                back.get("iss"),
                true,
                null);
    }

    @Test
    void aSignInIdentifiesTheUser() throws IOException, InterruptedException {
        nextToken(Map.of("email", " Ann@Example.com", "email_verified", true, "name", "Ann"), 3600);
        var back = signIn(null);

        var identity = talk.exchange(connection(), exchange(back, null));

        assertThat(back).containsEntry("state", TestProviderClient.STATE);
        assertThat(identity.provider().name()).isEqualTo("oidc");
        assertThat(identity.subject()).isEqualTo("subject-1");
        assertThat(identity.email()).isEqualTo("ann@example.com");
        assertThat(identity.emailVerified()).isTrue();
        assertThat(identity.displayName()).isEqualTo("Ann");
        assertThat(identity.tokens().accessToken()).isNotEmpty();
        assertThat(identity.tokens().expiresAt()).isNotNull();
        assertThat(identity.toString()).doesNotContain(identity.tokens().accessToken());
    }

    @Test
    void aSignInWithAChallengeNeedsItsVerifier() throws IOException, InterruptedException {
        var verifier = new CodeVerifier();
        var challenge =
                CodeChallenge.compute(CodeChallengeMethod.S256, verifier).getValue();

        var good = signIn(challenge);
        assertThat(talk.exchange(connection(), exchange(good, verifier.getValue()))
                        .subject())
                .isNotEmpty();

        var other = signIn(challenge);
        assertThat(talk.refusal(connection(), exchange(other, new CodeVerifier().getValue())))
                .isEqualTo(401);
    }

    @Test
    void anInventedCodeIsRefused() throws IOException, InterruptedException {
        signIn(null);
        assertThat(talk.refusal(connection(), TestProviderClient.code("made up")))
                .isEqualTo(401);
    }

    @Test
    void aTokenForAnotherSignInIsRefused() throws IOException, InterruptedException {
        var back = signIn(null);
        var exchange = new CodeExchange(
                back.getOrDefault("code", ""),
                TestProviderClient.STATE,
                TestProviderClient.REDIRECT,
                null,
                "another nonce",
                null,
                null,
                true,
                null);
        assertThat(talk.refusal(connection(), exchange)).isEqualTo(401);
    }

    @Test
    void aTokenForAnotherApplicationIsRefused() throws IOException, InterruptedException {
        nextToken(Map.of("aud", List.of("another-client")), 3600);
        assertThat(talk.refusal(connection(), exchange(signIn(null), null))).isEqualTo(401);
    }

    @Test
    void anExpiredTokenIsRefused() throws IOException, InterruptedException {
        nextToken(Map.of(), -120);
        assertThat(talk.refusal(connection(), exchange(signIn(null), null))).isEqualTo(401);
    }

    @Test
    void aTokenOfAnotherIssuerIsRefused() throws IOException, InterruptedException {
        nextToken(Map.of("iss", "https://login.example.com"), 3600);
        assertThat(talk.refusal(connection(), exchange(signIn(null), null))).isEqualTo(401);
    }

    @Test
    void aResponseThatNamesAnotherIssuerIsRefusedBeforeItsCodeIsSent() throws IOException, InterruptedException {
        var back = signIn(null);
        back.put("iss", "https://evil.example");
        assertThat(talk.refusal(connection(), exchange(back, null))).isEqualTo(401);
        back.put("iss", issuer());
        assertThat(talk.refusal(connection(), exchange(back, null))).isEqualTo(200);
    }

    /** As after a change of the catalogue, or in a project that was set up before this setting existed. */
    @Test
    void aMissingSettingIsABadGateway() {
        assertThat(talk.refusal(talk.to("oidc", null, null))).isEqualTo(502);
    }

    @Test
    void theScopeOpenidIsAlwaysRequested() {
        var asked = query(talk.authorizationUrl(talk.withScopes(connection(), List.of("email", "groups")), null));
        assertThat(asked).containsEntry("scope", "openid email groups");
    }

    @Test
    void theAuthorizationRequestHasAllParameters() {
        var query = query(talk.authorizationUrl(connection(), null));

        assertThat(query)
                .containsEntry("response_type", "code")
                .containsEntry("client_id", TestProviderClient.CLIENT_ID)
                .containsEntry("redirect_uri", TestProviderClient.REDIRECT.toString())
                .containsEntry("scope", "openid email profile")
                .containsEntry("state", TestProviderClient.STATE)
                .containsEntry("nonce", TestProviderClient.NONCE)
                .doesNotContainKeys("code_challenge", "code_challenge_method");
        assertThat(query(talk.authorizationUrl(connection(), "a challenge")))
                .containsEntry("code_challenge", "a challenge")
                .containsEntry("code_challenge_method", "S256");
        assertThat(query).doesNotContainKey("prompt");
        assertThat(query(talk.freshSignInUrl(connection()))).containsEntry("prompt", "login");
        assertThat(query(talk.freshSignInUrl(talk.to("github")))).containsEntry("prompt", "select_account");
    }
}
