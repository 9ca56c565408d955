package dev.vestibule.provider;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a project has set up a provider, without the client secret; null scopes are the provider's usual ones. */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ProviderSettings(
        Provider provider,
        String clientId,
        boolean enabled,
        @Nullable List<String> scopes,
        OauthFlow oauthFlow,
        Instant createdAt,
        Instant updatedAt) {

    /** What a project wishes; without a client secret, the stored one stays. */
    public record Wish(
            String clientId,
            @Nullable String clientSecret,
            Boolean enabled,
            @Nullable List<String> scopes,
            OauthFlow oauthFlow) {

        /** Without the secret, so that it never reaches a log. */
        @Override
        public String toString() {
            return "Wish[" + clientId + "]";
        }
    }
}
