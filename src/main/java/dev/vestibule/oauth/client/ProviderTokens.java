package dev.vestibule.oauth.client;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that a provider gave for a code (RFC 6749, 5.1).
 *
 * @param expiresAt when the access token ends, where the provider says so
 * @param scopes those that were granted
 */
public record ProviderTokens(
        String accessToken,
        @Nullable String refreshToken,
        @Nullable String idToken,
        @Nullable Instant expiresAt,
        List<String> scopes) {

    public ProviderTokens {
        scopes = List.copyOf(scopes);
    }

    /** Without the tokens. */
    @Override
    public String toString() {
        return "ProviderTokens[expiresAt=" + expiresAt + "]";
    }
}
