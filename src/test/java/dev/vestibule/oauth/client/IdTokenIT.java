package dev.vestibule.oauth.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.vestibule.oauth.jose.PublishedKey;
import dev.vestibule.oauth.provider.ProviderConnection;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.spec.RSAKeyGenParameterSpec;
import java.text.ParseException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a dishonest provider, or somebody between, could put into an ID token. */
class IdTokenIT {
    private static final RSAKey KEY = FakeIssuer.rsaKey("key-1");
    private static final RSAKey OTHER_KEY = FakeIssuer.rsaKey("key-2");

    private final TestProviderClient talk = TestProviderClient.builtIn(true);
    private final FakeIssuer issuer = new FakeIssuer(talk.clock().instant());

    IdTokenIT() {
        issuer.publish(KEY);
    }

    @AfterEach
    void close() {
        issuer.close();
        talk.close();
    }

    private ProviderConnection connection() {
        return talk.to("oidc", issuer.issuer(), null);
    }

    private int statusOf(String idToken) {
        issuer.gives(idToken);
        return talk.refusal(connection());
    }

    private JWTClaimsSet with(String name, Object value) {
        return issuer.claims().claim(name, value).build();
    }

    private JWTClaimsSet good() {
        return issuer.claims().build();
    }

    @Test
    void aValidTokenIsAccepted() {
        issuer.gives(FakeIssuer.signed(KEY, good()));
        var identity = talk.exchange(connection());
        assertThat(identity.subject()).isEqualTo("subject-1");
        assertThat(identity.email()).isEqualTo("ann@example.com");
        assertThat(identity.emailVerified()).isTrue();
    }

    @Test
    void aTokenWithoutSignatureIsRefused() {
        assertThat(statusOf(new PlainJWT(good()).serialize())).isEqualTo(401);
        var signed = FakeIssuer.signed(KEY, good());
        assertThat(statusOf(signed.substring(0, signed.lastIndexOf('.') + 1))).isEqualTo(401);
        var none = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8));
        assertThat(statusOf(none + signed.substring(signed.indexOf('.')))).isEqualTo(401);
    }

    /** The classic attack: the public key, which everybody knows, as the secret of a MAC. */
    @Test
    void aMacWithAPublishedKeyIsRefused() throws Exception {
        var der = KEY.toRSAPublicKey().getEncoded();
        var pem = "-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder().encodeToString(der)
                + "\n-----END PUBLIC KEY-----\n";
        for (var secret : List.of(
                der,
                pem.getBytes(StandardCharsets.UTF_8),
                KEY.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8))) {
            assertThat(statusOf(FakeIssuer.signed(
                            FakeIssuer.header(JWSAlgorithm.HS256, "key-1"), FakeIssuer.macSigner(secret), good())))
                    .isEqualTo(401);
        }
    }

    /** Even if the discovery document allows it: knowing our secret does not make anybody an issuer. */
    @Test
    void aMacWithTheClientSecretIsRefusedUnlessTheCatalogueSaysSo() {
        issuer.discovery(issuer.document()
                .put(
                        "id_token_signing_alg_values_supported",
                        new JsonArray().add("HS256").add("none")));
        assertThat(statusOf(FakeIssuer.signed(
                        FakeIssuer.header(JWSAlgorithm.HS256, "key-1"),
                        FakeIssuer.macSigner(TestProviderClient.SECRET.getBytes(StandardCharsets.UTF_8)),
                        good())))
                .isEqualTo(401);
    }

    @Test
    void onlyAlgorithmsThatTheIssuerNamesAreAccepted() {
        var other = FakeIssuer.signed(FakeIssuer.header(JWSAlgorithm.RS512, "key-1"), FakeIssuer.signer(KEY), good());
        assertThat(statusOf(other)).isEqualTo(401);
        var ec = FakeIssuer.ecKey("key-3");
        issuer.publish(KEY, ec);
        assertThat(statusOf(FakeIssuer.signed(
                        FakeIssuer.header(JWSAlgorithm.ES256, "key-3"), FakeIssuer.signer(ec), good())))
                .isEqualTo(401);
    }

    @Test
    void anIssuerCanSignWithEllipticCurves() {
        var ec = FakeIssuer.ecKey("key-3");
        issuer.publish(ec);
        issuer.discovery(issuer.document().put("id_token_signing_alg_values_supported", new JsonArray().add("ES256")));
        assertThat(statusOf(FakeIssuer.signed(
                        FakeIssuer.header(JWSAlgorithm.ES256, "key-3"), FakeIssuer.signer(ec), good())))
                .isEqualTo(200);
    }

    @Test
    void aSignatureByAnotherKeyIsRefused() {
        var byAnother =
                FakeIssuer.signed(FakeIssuer.header(JWSAlgorithm.RS256, "key-1"), FakeIssuer.signer(OTHER_KEY), good());
        assertThat(statusOf(byAnother)).isEqualTo(401);
        assertThat(statusOf(FakeIssuer.signed(OTHER_KEY, good()))).isEqualTo(401);
        var withItsKey = FakeIssuer.header(JWSAlgorithm.RS256, "key-1").jwk(OTHER_KEY.toPublicJWK());
        assertThat(statusOf(FakeIssuer.signed(withItsKey, FakeIssuer.signer(OTHER_KEY), good())))
                .isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "../../etc/passwd", "key-1' OR '1'='1", "KEY-1"})
    void aHostileKeyIdIsOnlyCompared(String keyId) {
        assertThat(statusOf(FakeIssuer.signed(
                        FakeIssuer.header(JWSAlgorithm.RS256, keyId), FakeIssuer.signer(KEY), good())))
                .isEqualTo(401);
    }

    @Test
    void withoutAKeyIdThePublishedKeysAreTried() {
        var header = new JWSHeader.Builder(JWSAlgorithm.RS256);
        issuer.publish(OTHER_KEY, KEY);
        assertThat(statusOf(FakeIssuer.signed(header, FakeIssuer.signer(KEY), good())))
                .isEqualTo(200);
    }

    /** A short key proves little, and one with a large exponent keeps the verifier busy. */
    @Test
    void unreasonableKeysAreIgnored() {
        for (var key : List.of(
                FakeIssuer.oddKey("odd", 1024, RSAKeyGenParameterSpec.F4),
                FakeIssuer.oddKey("odd", 2048, BigInteger.TWO.pow(256).add(BigInteger.ONE)))) {
            issuer.publish(key);
            talk.clock().advance(Duration.ofHours(1));
            assertThat(statusOf(FakeIssuer.signed(
                            FakeIssuer.header(JWSAlgorithm.RS256, "odd"),
                            FakeIssuer.weakSigner(key),
                            issuer.claims().claim("exp", 4_000_000_000L).build())))
                    .isEqualTo(401);
        }
    }

    @Test
    void keysOfUnknownTypesAreIgnored() {
        issuer.server()
                .answers(
                        "/jwks",
                        new JsonObject()
                                .put(
                                        "keys",
                                        new JsonArray()
                                                .add("key")
                                                .addNull()
                                                .add(new JsonObject().put("kty", "unheard of"))
                                                .add(new JsonObject(KEY.toPublicJWK()
                                                                .toJSONObject())
                                                        .put("x5c", new JsonArray().add("AQAB")))));
        assertThat(statusOf(FakeIssuer.signed(KEY, good()))).isEqualTo(200);
    }

    @Test
    void aKeySetLongerThanAnyNeedsIsRefused() {
        var set = FakeIssuer.keySet(KEY);
        issuer.server().answers("/jwks", set.put("padding", "x".repeat(PublishedKey.MAX_SET_BYTES)));
        assertThat(statusOf(FakeIssuer.signed(KEY, good()))).isEqualTo(502);
        issuer.publish(KEY);
        assertThat(statusOf(FakeIssuer.signed(KEY, good()))).isEqualTo(200);
    }

    @Test
    void aTokenOfAnotherTypeIsRefused() {
        var header = FakeIssuer.header(JWSAlgorithm.RS256, "key-1").type(new JOSEObjectType("at+jwt"));
        assertThat(statusOf(FakeIssuer.signed(header, FakeIssuer.signer(KEY), good())))
                .isEqualTo(401);
    }

    @Test
    void aChangedTokenIsRefused() throws ParseException {
        var signed = FakeIssuer.signed(KEY, good()).split("\\.", -1);
        var claims = with("sub", "subject-2").toString().getBytes(StandardCharsets.UTF_8);
        var changed = Base64.getUrlEncoder().withoutPadding().encodeToString(claims);
        assertThat(statusOf(signed[0] + "." + changed + "." + signed[2])).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no token", "a.b.c", "..", "e30.e30.e30", "{}", "e30.bnVsbA.e30"})
    void aMalformedTokenIsRefused(String text) {
        assertThat(statusOf(text.replace(' ', '_'))).isEqualTo(401);
    }

    @Test
    void rotatedKeysAreFetchedAgainButNotAtEverySignIn() {
        assertThat(statusOf(FakeIssuer.signed(KEY, good()))).isEqualTo(200);
        issuer.publish(OTHER_KEY);
        assertThat(statusOf(FakeIssuer.signed(OTHER_KEY, good()))).isEqualTo(200);
        assertThat(issuer.server().asked("/jwks")).hasSize(2);

        var unpublished = FakeIssuer.rsaKey("key-9");
        for (int i = 0; i < 5; i++) {
            assertThat(statusOf(FakeIssuer.signed(unpublished, good()))).isEqualTo(401);
        }
        assertThat(issuer.server().asked("/jwks")).hasSize(2);
        talk.clock().advance(Duration.ofSeconds(10));
        assertThat(statusOf(FakeIssuer.signed(unpublished, good()))).isEqualTo(401);
        assertThat(issuer.server().asked("/jwks")).hasSize(3);
    }

    @Test
    void concurrentSignInsShareOneFetchOfMetadata() {
        issuer.gives(FakeIssuer.signed(KEY, good()));
        var all = IntStream.range(0, 20).mapToObj(i -> talk.begin(connection())).toList();
        assertThat(Future.all(all).await().size()).isEqualTo(20);

        assertThat(issuer.server().asked("/.well-known/openid-configuration")).hasSize(1);
        assertThat(issuer.server().asked("/jwks")).hasSize(1);
        talk.clock().advance(Duration.ofHours(1));
        talk.authorizationUrl(connection(), null);
        assertThat(issuer.server().asked("/.well-known/openid-configuration")).hasSize(2);
    }
}
