package dev.vestibule.oauth.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.SignedJWT;
import dev.vestibule.fixture.FakeProvider;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The providers of the catalogue that identify users by ID tokens, each with its peculiarities. */
class OpenIdProvidersIT {
    private static final String TENANT = "0d2b9d4e-6a2c-4a51-b3ad-8d0c7a6fd8f5";
    private static final String PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad";

    private final MovedEndpoints moved = new MovedEndpoints();
    private final FakeProvider server = moved.server();

    @AfterEach
    void close() {
        moved.close();
    }

    private static void assertIdentity(
            ProviderIdentity identity,
            String subject,
            @Nullable String email,
            boolean verified,
            @Nullable String name) {
        assertThat(identity.subject()).isEqualTo(subject);
        assertThat(identity.email()).isEqualTo(email);
        assertThat(identity.emailVerified()).isEqualTo(verified);
        assertThat(identity.displayName()).isEqualTo(name);
    }

    /** The client secret of a web application signs them. */
    @Test
    void linesTokensAreSignedWithTheChannelSecret() {
        var here = moved.talk("line", "tokenEndpoint", "jwksUri");
        try (var issuer = new FakeIssuer(here.clock().instant())) {
            var claims = issuer.claims()
                    .issuer("https://access.line.me")
                    .claim("picture", "https://profile.line-scdn.net/p")
                    .claim("amr", List.of("pwd"))
                    .claim("email_verified", null)
                    .build();
            var header = new JWSHeader.Builder(JWSAlgorithm.HS256);
            moved.gives(FakeIssuer.signed(
                    header, FakeIssuer.macSigner(TestProviderClient.SECRET.getBytes(StandardCharsets.UTF_8)), claims));
            var identity = here.exchange(here.to("line"));
            assertIdentity(identity, "subject-1", "ann@example.com", false, "Ann");
            assertThat(identity.avatarUrl()).isEqualTo("https://profile.line-scdn.net/p");

            moved.gives(FakeIssuer.signed(header, FakeIssuer.macSigner(new byte[32]), claims));
            assertThat(here.refusal(here.to("line"))).isEqualTo(401);
            assertThat(here.refusal(here.to("line", null, null, "short"))).isEqualTo(502);
            var key = FakeIssuer.ecKey("e");
            moved.publish(key);
            moved.gives(FakeIssuer.signed(FakeIssuer.header(JWSAlgorithm.ES256, "e"), FakeIssuer.signer(key), claims));
            assertThat(here.refusal(here.to("line"))).isEqualTo(200);
        }
    }

    private int microsoft(
            TestProviderClient here, String tenantSetting, String tid, String iss, @Nullable String keyIssuer) {
        var key = FakeIssuer.rsaKey("m");
        var jwk = new JsonObject(key.toPublicJWK().toJSONObject());
        if (keyIssuer != null) {
            jwk.put("issuer", keyIssuer);
        }
        moved.publish(jwk);
        here.clock().advance(Duration.ofHours(1));
        try (var issuer = new FakeIssuer(here.clock().instant())) {
            moved.gives(FakeIssuer.signed(
                    key, issuer.claims().issuer(iss).claim("tid", tid).build()));
        }
        return here.refusal(here.to("microsoft", null, tenantSetting));
    }

    private static String issuerOf(String tenant) {
        return "https://login.microsoftonline.com/" + tenant + "/v2.0";
    }

    @Test
    void microsoftsIssuerHoldsTheTenant() {
        var here = moved.talk("microsoft", "tokenEndpoint", "jwksUri");
        var template = issuerOf("{tenantid}");

        assertThat(microsoft(here, "common", TENANT, issuerOf(TENANT), template))
                .isEqualTo(200);
        assertThat(microsoft(here, "common", TENANT, issuerOf(TENANT), null)).isEqualTo(200);
        assertThat(microsoft(here, "common", PERSONAL, issuerOf(TENANT), null)).isEqualTo(401);
        assertThat(microsoft(here, "common", TENANT, "https://evil.example/" + TENANT + "/v2.0", null))
                .isEqualTo(401);
        assertThat(microsoft(here, "common", TENANT, issuerOf(TENANT), issuerOf(PERSONAL)))
                .isEqualTo(401);
        assertThat(microsoft(here, TENANT, TENANT, issuerOf(TENANT), template)).isEqualTo(200);
        assertThat(microsoft(here, TENANT, PERSONAL, issuerOf(PERSONAL), template))
                .isEqualTo(401);
        assertThat(microsoft(here, "consumers", PERSONAL, issuerOf(PERSONAL), template))
                .isEqualTo(200);
        assertThat(microsoft(here, "consumers", TENANT, issuerOf(TENANT), template))
                .isEqualTo(401);
        assertThat(microsoft(here, "organizations", PERSONAL, issuerOf(PERSONAL), template))
                .isEqualTo(401);
    }

    /** An administrator can write any address into a tenant's users: "email_verified" would be no proof. */
    @Test
    void microsoftsEmailIsVerifiedOnlyIfItsDomainIs() {
        var here = moved.talk("microsoft", "tokenEndpoint", "jwksUri");
        var key = FakeIssuer.rsaKey("m");
        moved.publish(key);
        try (var issuer = new FakeIssuer(here.clock().instant())) {
            var claims = issuer.claims().issuer(issuerOf(TENANT)).claim("tid", TENANT);
            moved.gives(FakeIssuer.signed(key, claims.build()));
            var connection = here.to("microsoft", null, "common");
            assertIdentity(here.exchange(connection), "subject-1", "ann@example.com", false, "Ann");
            for (Object verified : List.of(true, "1", 1)) {
                moved.gives(FakeIssuer.signed(
                        key, claims.claim("xms_edov", verified).build()));
                assertThat(here.exchange(connection).emailVerified()).isTrue();
            }
        }
        assertThat(here.authorizationUrl(here.to("microsoft", null, TENANT), null)
                        .toString())
                .startsWith("https://login.microsoftonline.com/" + TENANT + "/oauth2/v2.0/authorize?");
    }

    private static String pem(ECKey key) throws JOSEException {
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(key.toECPrivateKey().getEncoded())
                + "\n-----END PRIVATE KEY-----";
    }

    @Test
    void applesSecretIsSignedByUsAndItsNameComesWithTheBrowser() throws JOSEException, ParseException {
        var here = moved.talk("apple", "tokenEndpoint", "jwksUri");
        var ours = FakeIssuer.ecKey("ours");
        var theirs = FakeIssuer.rsaKey("theirs");
        moved.publish(theirs);
        moved.gives(appleToken(here, theirs));
        var connection = here.to("apple", null, null, pem(ours));
        var posted = "{\"name\":{\"firstName\":\"Ann\",\"lastName\":\"Lee\"},\"email\":\"eve@example.com\"}";

        var identity = here.exchange(
                connection,
                new CodeExchange(
                        "c",
                        TestProviderClient.STATE,
                        TestProviderClient.REDIRECT,
                        null,
                        TestProviderClient.NONCE,
                        null,
                        null,
                        true,
                        posted));

        assertIdentity(identity, "subject-1", "ann@example.com", true, "Ann Lee");
        var secret =
                SignedJWT.parse(server.asked("/tokenEndpoint").get(0).form().get("client_secret"));
        assertThat(secret.verify(new ECDSAVerifier(ours.toECPublicKey()))).isTrue();
        assertThat(secret.getHeader().getKeyID()).isEqualTo("ABC123DEFG");
        assertThat(secret.getHeader().getAlgorithm()).isEqualTo(JWSAlgorithm.ES256);
        assertThat(secret.getJWTClaimsSet().getIssuer()).isEqualTo("DEF123GHIJ");
        assertThat(secret.getJWTClaimsSet().getSubject()).isEqualTo(TestProviderClient.CLIENT_ID);
        assertThat(secret.getJWTClaimsSet().getAudience()).containsExactly("https://appleid.apple.com");
        assertThat(secret.getJWTClaimsSet().getExpirationTime())
                .isAfter(Date.from(here.clock().instant()));

        assertThat(here.exchange(connection, TestProviderClient.code("c")).displayName())
                .isNull();
        assertThat(secretsSent()).hasSize(1);
        here.clock().advance(Duration.ofMinutes(30));
        moved.gives(appleToken(here, theirs));
        here.exchange(connection, TestProviderClient.code("c"));
        assertThat(secretsSent()).hasSize(2);
        for (var garbage : List.of("", "null", "[]", "{\"name\":", "{\"name\":\"Ann\"}", "x".repeat(9000))) {
            var exchange = new CodeExchange(
                    "c",
                    TestProviderClient.STATE,
                    TestProviderClient.REDIRECT,
                    null,
                    TestProviderClient.NONCE,
                    null,
                    null,
                    true,
                    garbage);
            assertThat(here.refusal(connection, exchange)).isEqualTo(200);
        }
    }

    private static String appleToken(TestProviderClient here, RSAKey key) {
        try (var issuer = new FakeIssuer(here.clock().instant())) {
            return FakeIssuer.signed(
                    key,
                    issuer.claims()
                            .issuer("https://appleid.apple.com")
                            .claim("name", null)
                            .claim("email_verified", "true")
                            .claim("is_private_email", "true")
                            .build());
        }
    }

    private List<String> secretsSent() {
        return server.asked("/tokenEndpoint").stream()
                .map(asked -> asked.form().getOrDefault("client_secret", ""))
                .distinct()
                .toList();
    }

    @Test
    void appleRespondsWithAFormIfNameOrEmailAreRequested() {
        var here = moved.talk("apple", "tokenEndpoint");
        assertThat(here.authorizationUrl(here.to("apple"), null).getRawQuery())
                .contains("response_mode=form_post", "scope=name%20email");
    }

    @Test
    void googleIsAnOpenIdProvider() {
        try (var here = TestProviderClient.with("google: {issuer: '" + server.url() + "'}")) {
            var key = FakeIssuer.rsaKey("g");
            server.answers(
                            "/.well-known/openid-configuration",
                            new JsonObject()
                                    .put("issuer", server.url().toString())
                                    .put("authorization_endpoint", server.url() + "/o/oauth2/v2/auth")
                                    .put("token_endpoint", server.url() + "/tokenEndpoint")
                                    .put("userinfo_endpoint", server.url() + "/v1/userinfo")
                                    .put("jwks_uri", server.url() + "/certs")
                                    .put(
                                            "token_endpoint_auth_methods_supported",
                                            new JsonArray().add("client_secret_post"))
                                    .put(
                                            "code_challenge_methods_supported",
                                            new JsonArray().add("plain").add("S256"))
                                    .put("authorization_response_iss_parameter_supported", true))
                    .answers(
                            "/certs",
                            new JsonObject()
                                    .put(
                                            "keys",
                                            new JsonArray()
                                                    .add(new JsonObject(
                                                            key.toPublicJWK().toJSONObject()))));
            try (var issuer = new FakeIssuer(here.clock().instant())) {
                moved.gives(FakeIssuer.signed(
                        key,
                        issuer.claims()
                                .issuer(server.url().toString())
                                .claim("azp", TestProviderClient.CLIENT_ID)
                                .claim("hd", "example.com")
                                .claim("picture", "https://lh3.googleusercontent.com/a")
                                .build()));
            }
            var connection = here.to("google");
            assertThat(here.refusal(connection))
                    .as("a response that does not name its issuer")
                    .isEqualTo(401);
            var identity = here.exchange(
                    connection,
                    new CodeExchange(
                            "c",
                            TestProviderClient.STATE,
                            TestProviderClient.REDIRECT,
                            "v",
                            TestProviderClient.NONCE,
                            null,
                            server.url().toString(),
                            true,
                            null));
            assertIdentity(identity, "subject-1", "ann@example.com", true, "Ann");
            assertThat(identity.avatarUrl()).isEqualTo("https://lh3.googleusercontent.com/a");
            assertThat(server.asked("/tokenEndpoint").get(0).form())
                    .containsEntry("client_secret", TestProviderClient.SECRET)
                    .containsEntry("code_verifier", "v");
            assertThat(here.authorizationUrl(connection, "abc").getRawQuery()).contains("code_challenge=abc");
        }
    }
}
