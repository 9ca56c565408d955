package dev.vestibule.token;

import io.vertx.core.Vertx;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A project's keys: all of them verify, one signs. A new key is published for a while before it signs, so that clients
 * that cache the set (RFC 7517) know it when the first token comes. An old key stays until its last token has expired,
 * unless it is revoked; a retired one verifies only ID tokens after that, which clients bring as hints.
 */
final class KeySet {
    /** How long clients may cache a published set. */
    static final Duration JWKS_MAX_AGE = Duration.ofMinutes(5);

    /** How long a key is published before it signs. */
    static final Duration PUBLISHED_BEFORE_SIGNING = JWKS_MAX_AGE.multipliedBy(2);

    /** A key that can sign, and the id by which tokens name it. */
    record Signer(String keyId, Instant createdAt, JWTAuth jwt) {}

    private final List<Signer> newestFirst;
    private final List<SigningKey> all;
    private final Map<String, SigningKey> retired;
    private final Map<String, JWTAuth> verifiers;
    private final Map<String, Object> published;

    KeySet(Vertx vertx, List<SigningKey> keysNewestFirst) {
        this.all = keysNewestFirst.stream()
                .filter(key -> key.privateJwk().isPresent())
                .toList();
        this.retired = keysNewestFirst.stream()
                .filter(key -> key.privateJwk().isEmpty())
                .collect(Collectors.toUnmodifiableMap(SigningKey::id, key -> key));
        this.newestFirst = all.stream()
                .filter(key -> key.algorithm().equals(SigningKey.ALGORITHM))
                .map(key -> new Signer(
                        key.id(),
                        key.createdAt(),
                        JWTAuth.create(
                                vertx,
                                new JWTAuthOptions().addJwk(key.privateJwk().orElseThrow()))))
                .toList();
        this.verifiers =
                all.stream().collect(Collectors.toUnmodifiableMap(SigningKey::id, key -> verifier(vertx, key)));
        this.published =
                Map.of("keys", all.stream().map(key -> key.publicJwk().getMap()).toList());
    }

    private static JWTAuth verifier(Vertx vertx, SigningKey key) {
        return JWTAuth.create(
                vertx,
                new JWTAuthOptions().addJwk(key.publicJwk()).setJWTOptions(new JWTOptions().setIgnoreExpiration(true)));
    }

    /** Whether it has the key, retired or not. */
    boolean contains(String keyId) {
        return verifiers.containsKey(keyId) || retired.containsKey(keyId);
    }

    /**
     * Checks only signatures: the caller checks the claims. Empty if the project does not have the key, or no longer
     * has it.
     */
    Optional<JWTAuth> verifier(String keyId) {
        return Optional.ofNullable(verifiers.get(keyId));
    }

    /** When a key starts to sign if there is an older one. */
    static Instant signsFrom(Instant createdAt) {
        return createdAt.plus(PUBLISHED_BEFORE_SIGNING);
    }

    /** The newest key that was published long enough ago, or the oldest of all. */
    Signer signer(Instant now) {
        var publishedBefore = now.minus(PUBLISHED_BEFORE_SIGNING);
        return newestFirst.stream()
                .filter(key -> !key.createdAt().isAfter(publishedBefore))
                .findFirst()
                .orElse(newestFirst.get(newestFirst.size() - 1));
    }

    /** Like {@link #signer}, but for another library and any algorithm; empty if the project has no such key yet. */
    Optional<SigningKey> signingKey(String algorithm, Instant now) {
        var publishedBefore = now.minus(PUBLISHED_BEFORE_SIGNING);
        var keys = all.stream().filter(key -> key.algorithm().equals(algorithm)).toList();
        return keys.stream()
                .filter(key -> !key.createdAt().isAfter(publishedBefore))
                .findFirst()
                .or(() -> keys.stream().reduce((newer, older) -> older));
    }

    /** When the newest RSA key was made; there must be one. */
    Instant newestRsa() {
        return all.stream()
                .filter(key -> key.algorithm().equals(SigningKey.RSA_ALGORITHM))
                .findFirst()
                .orElseThrow()
                .createdAt();
    }

    /** The public key with this id. */
    Optional<SigningKey> key(String keyId) {
        return all.stream().filter(key -> key.id().equals(keyId)).findFirst();
    }

    /** Like {@link #key}, but may be retired. */
    Optional<SigningKey> keyOrRetired(String keyId) {
        return key(keyId).or(() -> Optional.ofNullable(retired.get(keyId)));
    }

    /** The public keys as a JSON Web Key Set. */
    Map<String, Object> published() {
        return published;
    }
}
