package dev.vestibule.oauth.server;

import dev.vestibule.session.SessionId;
import dev.vestibule.user.UserId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a client may do: for a user, or on its own where there is none.
 *
 * @param isOffline whether it survives the expiry of the session
 * @param nonce of the authorization request, for its ID token
 * @param generation counts how often its refresh token was replaced
 */
record Grant(
        UUID id,
        String clientId,
        @Nullable UserId user,
        @Nullable SessionId session,
        boolean isOffline,
        List<String> scopes,
        List<String> resources,
        List<String> idTokenClaims,
        List<String> userinfoClaims,
        @Nullable Instant authenticatedAt,
        List<String> methods,
        @Nullable String nonce,
        @Nullable String redirectUri,
        @Nullable String codeChallenge,
        int generation,
        Instant rotatedAt,
        Instant expiresAt) {
    @Override
    public String toString() {
        return "Grant[" + id + "]";
    }
}
