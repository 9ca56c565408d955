package dev.vestibule.oauth.client;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that a provider gave for a code (RFC 6749, 5.1).
 *
 * @param expiresAt when the access token expires, if the provider says so
 * @param scopes the scopes that were granted
 */
public record ProviderTokens(
        String accessToken,
        @Nullable String refreshToken,
        @Nullable String idToken,
        @Nullable Instant expiresAt,
        List<String> scopes) {

    /** For a sign in that exchanged no code. */
    public static final ProviderTokens NONE = new ProviderTokens("", null, null, null, List.of());

    public ProviderTokens {
        scopes = List.copyOf(scopes);
    }

    /** Leaves out the tokens, so that they never reach a log. */
    @Override
    public String toString() {
        return "ProviderTokens[expiresAt=" + expiresAt + "]";
    }
}
