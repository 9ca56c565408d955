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
 * @param isOffline whether it survives a session that expires, or makes room for another
 * @param nonce of the authorization request, for its ID token
 * @param keyThumbprint of the key that the code, and then the refresh token of a public client, is bound to (RFC 9449)
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
        @Nullable String keyThumbprint,
        int generation,
        Instant rotatedAt,
        Instant expiresAt) {
    /** The APIs that it is for, among these. */
    List<Resource> among(List<Resource> all) {
        return all.stream()
                .filter(resource -> resources.contains(resource.uri()))
                .toList();
    }

    @Override
    public String toString() {
        return "Grant[" + id + "]";
    }
}
