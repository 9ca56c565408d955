package dev.vestibule.oauth.jose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.SignedJWT;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import io.vertx.core.buffer.Buffer;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A signed JWT by which a client shows that it has a key, which is in the header (RFC 9449, 4.2). */
public final class DpopProof {
    private static final JOSEObjectType TYPE = new JOSEObjectType("dpop+jwt");

    private final JWK key;
    private final JsonNode claims;

    private DpopProof(JWK key, JsonNode claims) {
        this.key = key;
        this.claims = claims;
    }

    /** Empty unless it is signed, by an algorithm that is accepted, with the public key in its header. */
    public static Optional<DpopProof> parse(String text) {
        try {
            var token = SignedJWT.parse(text); // refuses private keys
            var header = token.getHeader();
            var given = header.getJWK();
            var claims = Json.parse(Buffer.buffer(token.getPayload().toBytes()));
            if (given == null
                    || !claims.isObject()
                    || !TYPE.equals(header.getType())
                    || !SignedAssertion.ALGORITHMS.contains(
                            header.getAlgorithm().getName())) {
                return Optional.empty();
            }
            var set = JsonNodeFactory.instance.objectNode();
            set.putArray("keys").add(Json.parse(Buffer.buffer(given.toJSONString())));
            var key = PublishedKey.ofSet(set)
                    .flatMap(keys -> keys.stream().findFirst())
                    .map(PublishedKey::jwk);
            return key.isPresent() && isSigned(token, key.get())
                    ? Optional.of(new DpopProof(key.get(), claims))
                    : Optional.empty();
        } catch (ParseException | IllegalArgumentException | MalformedJsonException | JOSEException malformed) {
            return Optional.empty();
        }
    }

    private static boolean isSigned(SignedJWT token, JWK key) throws JOSEException {
        return key instanceof AsymmetricJWK asymmetric
                && token.verify(
                        new DefaultJWSVerifierFactory().createJWSVerifier(token.getHeader(), asymmetric.toPublicKey()));
    }

    /** The SHA-256 thumbprint of its key (RFC 7638), by which tokens name it. */
    public String thumbprint() {
        try {
            return key.computeThumbprint().toString();
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A claim that is a text; empty if there is none. */
    public String text(String claim) {
        var value = claims.path(claim).textValue();
        return value == null ? "" : value;
    }

    /** The URL that it is for, without its query and fragment, which do not count (RFC 9449, 4.3). */
    public String url() {
        return text("htu").split("[?#]", 2)[0];
    }

    /** Whether it was made at most so long before or after the given time. */
    public boolean isMadeWithin(Duration leeway, Instant now) {
        var at = claims.path("iat");
        return at.isNumber() && Math.abs(at.doubleValue() - now.getEpochSecond()) <= leeway.toSeconds();
    }
}
