package dev.vestibule.token;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.ProjectKeys;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens that the project's key did not sign, after RFC 8725 and later findings in libraries. */
@ExtendWith(WithServer.class)
class ForgedAccessTokenIT {
    private final TestServer server;
    private final TestProject project;
    private final Jwt genuine;
    private final KeyPair attackers = ProjectKeys.foreign();

    ForgedAccessTokenIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.genuine = Jwt.parse(project.signUp().accessToken());
    }

    private void refused(String token) {
        server.api().get("/v1/auth/token/verify").bearer(token).expect(401);
        project.me(token).expect(401);
    }

    private JsonNode publishedKey() {
        return server.api()
                .get("/v1/projects/" + project.id() + "/.well-known/jwks.json")
                .expect(200)
                .json()
                .path("keys")
                .get(0);
    }

    @Test
    void theGenuineTokenIsValid() {
        project.me(genuine.text()).expect(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "none", "None", "NONE", "nOnE", "none ", "", "HS256", "HS512", "ES384", "ES256K", "RS256", "PS256",
                "EdDSA", "es256"
            })
    void noOtherAlgorithmIsAccepted(String algorithm) {
        var other = genuine.header("alg", algorithm);
        for (var token : List.of(other, other.header("kid", null))) {
            refused(token.text());
            refused(token.text(""));
            refused(token.signed());
            refused(token.text("AAAA"));
            refused(token.signedWith(attackers.getPrivate()));
        }
    }

    @Test
    void aMissingAlgorithmIsRefused() {
        refused(genuine.header("alg", null).text());
        refused(genuine.header("alg", null).text(""));
        refused(genuine.header("alg", List.of("none")).text(""));
        refused(genuine.header("alg", 0).text(""));
    }

    @Test
    void thePublicKeyIsNotAcceptedAsASharedSecret() {
        var jwk = publishedKey();
        PublicKey key = ProjectKeys.publicKey(jwk);
        var base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
        var pem = "-----BEGIN PUBLIC KEY-----\n" + base64 + "\n-----END PUBLIC KEY-----";
        var secrets = List.of(
                ascii(pem),
                ascii(pem + "\n"),
                ascii(base64),
                key.getEncoded(),
                ascii(jwk.toString()),
                ascii(jwk.path("x").asText()),
                Base64.getUrlDecoder().decode(jwk.path("x").asText()),
                ascii(jwk.path("kid").asText()));
        var token = genuine.header("alg", "HS256");

        for (var secret : secrets) {
            refused(token.signedWith(secret));
            refused(token.header("kid", null).signedWith(secret));
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void aSignatureByAnotherProjectsKeyIsInvalid() {
        var other = server.newProject();
        var othersToken = Jwt.parse(other.signUp().accessToken());
        var othersKey = ProjectKeys.privateKey(server, other.id());
        var othersKid = othersToken.header().path("kid").asText();

        refused(genuine.signedWith(othersKey));
        refused(genuine.header("kid", othersKid).signedWith(othersKey));
        refused(genuine.header("kid", null).signedWith(othersKey));
        refused(genuine.text(othersToken.signature()));
        refused(othersToken.claim("aud", project.id()).signedWith(othersKey));
        refused(othersToken
                .claim("aud", project.id())
                .claim("projectId", project.id())
                .signedWith(othersKey));
        refused(genuine.claim("aud", other.id()).text());
        refused(genuine.claim("aud", other.id()).signedWith(othersKey));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "unknown",
                "00000000-0000-4000-8000-000000000000",
                "../../../../dev/null",
                "/etc/passwd",
                "' OR '1'='1",
                "x' UNION SELECT public_jwk FROM signing_keys --",
                "\u0000",
                "http://localhost:1/key",
                "*"
            })
    void aKeyIdIsOnlyAName(String kid) {
        refused(genuine.header("kid", kid).text());
        refused(genuine.header("kid", kid).signedWith(attackers.getPrivate()));
        refused(genuine.header("kid", kid).header("alg", "HS256").signedWith(new byte[1]));
    }

    @Test
    void aKeyIdThatIsNotAStringIsRefused() {
        for (var kid : List.of(0, -1, true, List.of(), List.of("a"), Map.of("a", "b"))) {
            refused(genuine.header("kid", kid).text());
            refused(genuine.header("kid", kid).signedWith(attackers.getPrivate()));
        }
    }

    @Test
    void aKeyInTheTokenIsNotTrusted() {
        var point = ((ECPublicKey) attackers.getPublic()).getW();
        var kid = genuine.header().path("kid").asText();
        var jwk = Map.of(
                "kty",
                "EC",
                "crv",
                "P-256",
                "alg",
                "ES256",
                "kid",
                kid,
                "x",
                coordinate(point.getAffineX().toByteArray()),
                "y",
                coordinate(point.getAffineY().toByteArray()));

        for (var token : List.of(
                genuine.header("jwk", jwk),
                genuine.header("jwk", jwk).header("kid", null),
                genuine.header("jwk", Map.of("keys", List.of(jwk))),
                genuine.header(
                        "x5c",
                        List.of(Base64.getEncoder()
                                .encodeToString(attackers.getPublic().getEncoded()))),
                genuine.header("x5c", List.of()),
                genuine.header("crit", List.of("b64")).header("b64", false))) {
            refused(token.signedWith(attackers.getPrivate()));
        }
    }

    private static String coordinate(byte[] signed) {
        var bytes = new byte[32];
        var length = Math.min(signed.length, 32);
        System.arraycopy(signed, signed.length - length, bytes, 32 - length, length);
        return Jwt.base64url(bytes);
    }

    @Test
    void noAddressInAHeaderIsEverCalled() throws IOException {
        var calls = new AtomicInteger();
        var listener = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        listener.createContext("/", exchange -> {
            calls.incrementAndGet();
            exchange.close();
        });
        listener.start();
        try {
            var url = "http://127.0.0.1:" + listener.getAddress().getPort() + "/keys";
            for (var header : List.of("jku", "x5u", "kid", "iss")) {
                refused(genuine.header(header, url).signedWith(attackers.getPrivate()));
            }
            refused(genuine.claim("iss", url).signedWith(attackers.getPrivate()));
        } finally {
            listener.stop(0);
        }
        assertThat(calls).hasValue(0);
    }

    /** CVE-2022-21449 and its relatives: a signature of zeros, or of the group's order. */
    @Test
    void noSignatureFitsEveryMessage() {
        var order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
        var zero = "0".repeat(64);
        var one = "0".repeat(63) + "1";
        for (var r : List.of(zero, one, order)) {
            for (var s : List.of(zero, one, order)) {
                refused(genuine.text(Jwt.base64url(HexFormat.of().parseHex(r + s))));
            }
        }
        refused(genuine.text(Jwt.base64url(new byte[0])));
        refused(genuine.text(Jwt.base64url(new byte[] {0})));
        refused(genuine.text(Jwt.base64url(new byte[] {0x30, 6, 2, 1, 0, 2, 1, 0})));
        refused(genuine.text(Jwt.base64url(new byte[63])));
        refused(genuine.text(Jwt.base64url(new byte[65])));
    }

    @Test
    void anotherTokensSignatureDoesNotFit() {
        refused(genuine.text(Jwt.parse(project.signUp().accessToken()).signature()));
    }
}
