package dev.vestibule.token;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.authentication.TokenCredentials;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.sqlclient.SqlClient;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Issues and verifies access tokens: ES256 JWTs (RFC 7519, RFC 9068 in spirit) under the project's own key. The result
 * of a signature check is cached by the exact token, since it can never change; that its key has not been revoked is
 * checked every time. Whether the session is active is not checked here.
 */
public final class AccessTokens {
    /** Who an access token is issued to, how they authenticated, and the organization that it is for, if any. */
    public record TokenSubject(
            ProjectId project,
            UserId user,
            SessionId session,
            Authentication authentication,
            @Nullable OrganizationClaims organization) {}

    /** Three parts of base64url, the last of 64 bytes: stricter than the library, which accepts other forms too. */
    private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]{85}[AQgw]");

    /** A token with a valid signature, and the key that signed it. */
    private record Verified(AccessToken token, String keyId) {}

    private final KeySets keySets;
    private final String publicUrl;
    private final Clock clock;
    private final Cache<ByteBuffer, Verified> verified;

    public AccessTokens(KeySets keySets, String publicUrl, Clock clock, int cacheSize) {
        this.keySets = keySets;
        this.publicUrl = publicUrl;
        this.clock = clock;
        this.verified = Caffeine.newBuilder()
                .maximumSize(cacheSize)
                .executor(Runnable::run) // to wake a thread of the common pool costs more than the maintenance
                .build();
    }

    /** Signs a token that is valid for the given time, in whole seconds, and holds the project's own claims too. */
    public Future<String> issue(SqlClient db, TokenSubject subject, Map<String, Object> custom, Duration ttl) {
        var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        var authentication = subject.authentication();
        var impersonator = authentication.impersonator();
        var token = new AccessToken(
                subject.project(),
                subject.user(),
                subject.session(),
                now,
                now.plus(ttl),
                impersonator == null ? authentication.at().truncatedTo(ChronoUnit.SECONDS) : null,
                authentication.methods(),
                impersonator,
                subject.organization(),
                !custom.isEmpty());
        return keySets.find(db, subject.project())
                .map(found -> found.orElseThrow(AccessTokens::deleted))
                .map(keys -> sign(keys.signer(now), token, custom));
    }

    private String sign(KeySet.Signer signer, AccessToken token, Map<String, Object> custom) {
        var text = signer.jwt().generateToken(token.claims(publicUrl, custom), signing());
        verified.put(digest(text), new Verified(token, signer.keyId()));
        return text;
    }

    /** The token's claims, or empty if it is forged, foreign, malformed or expired. */
    public Future<Optional<AccessToken>> verify(SqlClient db, String text) {
        return verify(db, text, () -> {});
    }

    /**
     * Verifies a token; calls the runnable before it checks the token for the first time, which it can prevent by
     * throwing.
     */
    public Future<Optional<AccessToken>> verify(SqlClient db, String text, Runnable beforeCheck) {
        var digest = digest(text);
        var known = verified.getIfPresent(digest);
        if (known != null) {
            return checkKey(db, known);
        }
        if (!SHAPE.matcher(text).matches()) {
            return Future.succeededFuture(Optional.empty());
        }
        var claimedProject = claimedProject(text);
        var claimedKey = AccessToken.claimedKey(text);
        if (claimedProject.isEmpty() || claimedKey.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        beforeCheck.run();
        return keySets.find(db, claimedProject.get())
                .map(keys -> keys.flatMap(found -> found.verifier(claimedKey.get())))
                .compose(key -> key.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : checkSignature(key.get(), claimedProject.get(), text))
                .map(token -> token.filter(this::isCurrent))
                .onSuccess(token ->
                        token.ifPresent(good -> verified.put(digest, new Verified(good, claimedKey.get()))));
    }

    private Future<Optional<AccessToken>> checkKey(SqlClient db, Verified known) {
        return isCurrent(known.token())
                ? keySets.contains(db, known.token().project(), known.keyId())
                        .map(valid -> valid ? Optional.of(known.token()) : Optional.empty())
                : Future.succeededFuture(Optional.empty());
    }

    /** The project that a token claims to belong to, verified or not. */
    public static Optional<ProjectId> claimedProject(String text) {
        return AccessToken.claimedProject(text);
    }

    private Future<Optional<AccessToken>> checkSignature(JWTAuth key, ProjectId project, String text) {
        return Future.succeededFuture(new TokenCredentials(text))
                .compose(key::authenticate) // which may throw, for claims of a wrong type
                .map(user -> AccessToken.read(user.attributes().getJsonObject("accessToken")))
                .map(token -> token.filter(good -> good.project().equals(project)))
                .otherwise(Optional.empty());
    }

    /** The claims already contain the times, by this server's clock. */
    private static JWTOptions signing() {
        return new JWTOptions().setAlgorithm(SigningKey.ALGORITHM).setNoTimestamp(true);
    }

    private boolean isCurrent(AccessToken token) {
        return clock.instant().isBefore(token.expiresAt());
    }

    /** Only a deleted project has no signing keys. */
    private static ApiException deleted() {
        return ApiException.of(ErrorCode.PROJECT_DELETED, "The project was deleted.");
    }

    private static ByteBuffer digest(String token) {
        return ByteBuffer.wrap(Sha256.of(token));
    }
}
