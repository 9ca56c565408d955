package dev.vestibule.oauth.jose;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.DefaultJOSEProcessor;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.SignedJWT;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import io.vertx.core.buffer.Buffer;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A signed JWT by which somebody says who they are (RFC 7523, 3), read before it is known whose keys have signed it.
 * Its claims prove nothing until {@link #isSignedBy} is true.
 */
public final class SignedAssertion {
    /** All with a public key: a shared secret proves nothing that its other holder could not have made. */
    public static final List<String> ALGORITHMS =
            List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

    /** How far the clocks of others may differ from ours. */
    private static final Duration LEEWAY = Duration.ofSeconds(60);

    private static final double MAX_SECONDS = 1e12;

    /** A JWT of another type, such as an ID token of the same issuer, must not be taken for an assertion. */
    private static final JOSEObjectType NAMED_TYPE = new JOSEObjectType("client-authentication+jwt");

    private final SignedJWT token;
    private final JsonNode claims;

    private SignedAssertion(SignedJWT token, JsonNode claims) {
        this.token = token;
        this.claims = claims;
    }

    /** Empty for a text that is no JWT, is unsigned or encrypted, or signed by an algorithm that is not accepted. */
    public static Optional<SignedAssertion> parse(String text) {
        try {
            var token = SignedJWT.parse(text);
            var claims = Json.parse(Buffer.buffer(token.getPayload().toBytes()));
            return claims.isObject()
                            && ALGORITHMS.contains(
                                    token.getHeader().getAlgorithm().getName())
                    ? Optional.of(new SignedAssertion(token, claims))
                    : Optional.empty();
        } catch (ParseException | IllegalArgumentException | MalformedJsonException malformed) {
            return Optional.empty();
        }
    }

    /** The id of the key, as the header says. */
    public @Nullable String keyId() {
        return token.getHeader().getKeyID();
    }

    public JsonNode claims() {
        return claims;
    }

    /** A claim that is a text; empty if there is none. */
    public String text(String claim) {
        return claims.path(claim).asText("");
    }

    /** Whether one of the keys has signed it. */
    public boolean isSignedBy(List<PublishedKey> keys) {
        List<JWK> all = keys.stream()
                .filter(key -> key.isFor(text("iss"), text("tid")))
                .map(PublishedKey::jwk)
                .toList();
        var processor = new DefaultJOSEProcessor<SecurityContext>();
        processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, NAMED_TYPE, null));
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(
                token.getHeader().getAlgorithm(), new ImmutableJWKSet<>(new JWKSet(all))));
        try {
            processor.process(token, null);
            return true;
        } catch (BadJOSEException | JOSEException wrong) {
            return false;
        }
    }

    /** Whether it is for us alone: one that is for others too could be sent on by them (RFC 7523, 3). */
    public boolean isFor(Set<String> ours) {
        var audience = claims.path("aud");
        if (!audience.isArray()) {
            return audience.isTextual() && ours.contains(audience.textValue());
        }
        for (var one : audience) {
            if (!one.isTextual() || !ours.contains(one.textValue())) {
                return false;
            }
        }
        return !audience.isEmpty();
    }

    /**
     * Until when it must be remembered that it was used; empty if it has expired, is not valid yet, or is valid for
     * longer than the given time from now.
     */
    public Optional<Instant> currentUntil(Instant now, Duration longest) {
        var expiry = time("exp");
        var isCurrent = expiry.isPresent()
                && now.isBefore(expiry.get().plus(LEEWAY))
                && !expiry.get().isAfter(now.plus(longest).plus(LEEWAY))
                && hasBegun("nbf", now)
                && hasBegun("iat", now);
        return isCurrent ? expiry.map(end -> end.plus(LEEWAY)) : Optional.empty();
    }

    private boolean hasBegun(String claim, Instant now) {
        return !claims.has(claim)
                || time(claim).filter(at -> !at.isAfter(now.plus(LEEWAY))).isPresent();
    }

    /** A NumericDate (RFC 7519, 2), which may have a fraction. */
    private Optional<Instant> time(String claim) {
        var time = claims.path(claim);
        return time.isNumber() && time.doubleValue() > 0 && time.doubleValue() < MAX_SECONDS
                ? Optional.of(Instant.ofEpochSecond(time.longValue()))
                : Optional.empty();
    }
}
