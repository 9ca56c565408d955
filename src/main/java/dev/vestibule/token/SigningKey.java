package dev.vestibule.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/**
 * A P-256 key pair for ES256 or an RSA one for RS256 (RFC 7518), with both halves as JSON Web Keys (RFC 7517). The
 * private one must not leave the server.
 *
 * @param privateJwk empty if the key is retired: it signs no more, and all access tokens of it have expired
 */
record SigningKey(String id, JsonObject publicJwk, Optional<JsonObject> privateJwk, Instant createdAt) {
    /** The JWS algorithm of access tokens (RFC 7518). */
    static final String ALGORITHM = "ES256";

    /** The JWS algorithm that every OpenID Connect client must accept. */
    static final String RSA_ALGORITHM = "RS256";

    private static final int RSA_BITS = 2048;

    private static final int COORDINATE_BYTES = 32;

    static SigningKey generate(Instant now) {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            var pair = generator.generateKeyPair();
            var point = ((ECPublicKey) pair.getPublic()).getW();
            var id = UUID.randomUUID().toString();
            var publicJwk = new JsonObject()
                    .put("kty", "EC")
                    .put("crv", "P-256")
                    .put("use", "sig")
                    .put("alg", ALGORITHM)
                    .put("kid", id)
                    .put("x", base64url(point.getAffineX()))
                    .put("y", base64url(point.getAffineY()));
            var privateJwk = publicJwk.copy().put("d", base64url(((ECPrivateKey) pair.getPrivate()).getS()));
            return new SigningKey(id, publicJwk, Optional.of(privateJwk), now);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has P-256", impossible);
        }
    }

    /** Takes some hundred milliseconds. */
    static SigningKey generateRsa(Instant now) {
        try {
            var id = UUID.randomUUID().toString();
            var key = new RSAKeyGenerator(RSA_BITS)
                    .keyID(id)
                    .keyUse(KeyUse.SIGNATURE)
                    .algorithm(JWSAlgorithm.RS256)
                    .generate();
            return new SigningKey(
                    id,
                    new JsonObject(key.toPublicJWK().toJSONObject()),
                    Optional.of(new JsonObject(key.toJSONObject())),
                    now);
        } catch (JOSEException impossible) {
            throw new IllegalStateException("every Java platform has RSA", impossible);
        }
    }

    String algorithm() {
        return publicJwk.getString("alg");
    }

    /** RFC 7518, 6.2.1.2: coordinates always have their full size. */
    private static String base64url(BigInteger coordinate) {
        var signed = coordinate.toByteArray();
        var bytes = new byte[COORDINATE_BYTES];
        var length = Math.min(signed.length, COORDINATE_BYTES);
        System.arraycopy(signed, signed.length - length, bytes, COORDINATE_BYTES - length, length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public String toString() {
        return "SigningKey[" + id + "]";
    }
}
