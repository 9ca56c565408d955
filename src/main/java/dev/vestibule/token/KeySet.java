package dev.vestibule.token;

import io.vertx.core.Vertx;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A project's keys: all of them verify, one signs. A new key is published for a while before it signs, so that clients
 * that cache the set (RFC 7517) know it when the first token comes. An old key stays until its last token has expired.
 */
final class KeySet {
    /** How long clients may cache a published set. */
    static final Duration JWKS_MAX_AGE = Duration.ofMinutes(5);

    /** How long a key is published before it signs. */
    static final Duration PUBLISHED_BEFORE_SIGNING = JWKS_MAX_AGE.multipliedBy(2);

    private record Signer(Instant createdAt, JWTAuth jwt) {}

    private final List<Signer> newestFirst;
    private final JWTAuth verifier;
    private final Map<String, Object> published;

    KeySet(Vertx vertx, List<SigningKey> keysNewestFirst) {
        var verification = new JWTAuthOptions().setJWTOptions(new JWTOptions().setIgnoreExpiration(true));
        var keys = new ArrayList<Map<String, Object>>();
        for (var key : keysNewestFirst) {
            verification.addJwk(key.publicJwk());
            keys.add(key.publicJwk().getMap());
        }
        this.verifier = JWTAuth.create(vertx, verification);
        this.published = Map.of("keys", keys);
        this.newestFirst = keysNewestFirst.stream()
                .map(key -> new Signer(
                        key.createdAt(), JWTAuth.create(vertx, new JWTAuthOptions().addJwk(key.privateJwk()))))
                .toList();
    }

    /** Checks signatures alone: the caller checks the claims. */
    JWTAuth verifier() {
        return verifier;
    }

    /** The newest key that was published long enough ago, or the oldest of all. */
    JWTAuth signer(Instant now) {
        var publishedBefore = now.minus(PUBLISHED_BEFORE_SIGNING);
        return newestFirst.stream()
                .filter(key -> !key.createdAt().isAfter(publishedBefore))
                .findFirst()
                .orElse(newestFirst.get(newestFirst.size() - 1))
                .jwt();
    }

    /** The public keys as a JSON Web Key Set. */
    Map<String, Object> published() {
        return published;
    }
}
