package dev.vestibule.oauth.client;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.opts.AllowWeakRSAKey;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.vestibule.fixture.FakeProvider;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAKeyGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An OpenID provider that is dishonest on demand. */
final class FakeIssuer implements AutoCloseable {
    private final FakeProvider server = new FakeProvider();
    private final Instant now;

    FakeIssuer(Instant now) {
        this.now = now;
        discovery(document());
    }

    FakeProvider server() {
        return server;
    }

    String issuer() {
        return server.url().toString();
    }

    JsonObject document() {
        return new JsonObject()
                .put("issuer", issuer())
                .put("authorization_endpoint", issuer() + "/authorize")
                .put("token_endpoint", issuer() + "/token")
                .put("userinfo_endpoint", issuer() + "/userinfo")
                .put("jwks_uri", issuer() + "/jwks");
    }

    void discovery(JsonObject document) {
        server.answers("/.well-known/openid-configuration", document);
    }

    void publish(JWK... keys) {
        server.answers("/jwks", keySet(keys));
    }

    static JsonObject keySet(JWK... keys) {
        var set = new JsonArray();
        for (var key : keys) {
            set.add(new JsonObject(key.toPublicJWK().toJSONObject()));
        }
        return new JsonObject().put("keys", set);
    }

    void gives(String idToken) {
        server.answers(
                "/token",
                new JsonObject()
                        .put("access_token", "an access token")
                        .put("token_type", "Bearer")
                        .put("id_token", idToken));
    }

    /** The claims of a good token. */
    JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(issuer())
                .subject("subject-1")
                .audience(TestProviderClient.CLIENT_ID)
                .claim("iat", now.getEpochSecond())
                .claim("exp", now.getEpochSecond() + 300)
                .claim("nonce", TestProviderClient.NONCE)
                .claim("email", "ann@example.com")
                .claim("email_verified", true)
                .claim("name", "Ann");
    }

    static RSAKey rsaKey(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A key of a length or with an exponent that no honest issuer has. */
    static RSAKey oddKey(String id, int bits, BigInteger exponent) {
        try {
            var generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(new RSAKeyGenParameterSpec(bits, exponent));
            var pair = generator.generateKeyPair();
            return new RSAKey.Builder((RSAPublicKey) pair.getPublic())
                    .privateKey(pair.getPrivate())
                    .keyID(id)
                    .build();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static JWSSigner weakSigner(RSAKey key) {
        try {
            return new RSASSASigner(key.toPrivateKey(), Set.of(AllowWeakRSAKey.getInstance()));
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static ECKey ecKey(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static String signed(JWSHeader.Builder header, JWSSigner signer, JWTClaimsSet claims) {
        try {
            var token = new SignedJWT(header.build(), claims);
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static String signed(RSAKey key, JWTClaimsSet claims) {
        return signed(header(JWSAlgorithm.RS256, key.getKeyID()), signer(key), claims);
    }

    static JWSHeader.Builder header(JWSAlgorithm algorithm, String keyId) {
        return new JWSHeader.Builder(algorithm).type(JOSEObjectType.JWT).keyID(keyId);
    }

    static JWSSigner signer(JWK key) {
        try {
            return key instanceof ECKey ec ? new ECDSASigner(ec) : new RSASSASigner(key.toRSAKey());
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static JWSSigner macSigner(byte[] secret) {
        try {
            return new MACSigner(secret);
        } catch (JOSEException tooShort) {
            throw new IllegalStateException(tooShort);
        }
    }

    /** What a test changes in the claims of a valid token. */
    static List<Map.Entry<String, Object>> changes(Object... namesAndValues) {
        var changes = new ArrayList<Map.Entry<String, Object>>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            changes.add(Map.entry((String) namesAndValues[i], namesAndValues[i + 1]));
        }
        return changes;
    }

    @Override
    public void close() {
        server.close();
    }
}
