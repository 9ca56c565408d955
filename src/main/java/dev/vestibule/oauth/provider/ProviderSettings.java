package dev.vestibule.oauth.provider;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.oauth.catalogue.Provider;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a project has set up a provider, without the client secret; null scopes are the provider's usual ones, and the
 * issuer and what follows it is null where the provider needs none of it.
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ProviderSettings(
        Provider provider,
        String clientId,
        boolean enabled,
        @Nullable List<String> scopes,
        OauthFlow oauthFlow,
        @Nullable String issuer,
        @Nullable String tenant,
        @Nullable String teamId,
        @Nullable String keyId,
        boolean storeTokens,
        Instant createdAt,
        Instant updatedAt) {

    /** What a project wishes; without a client secret, the stored one stays, for the same issuer. */
    public record SetProviderRequest(
            String clientId,
            @Nullable String clientSecret,
            Boolean enabled,
            @Nullable List<String> scopes,
            OauthFlow oauthFlow,
            @Nullable String issuer,
            @Nullable String tenant,
            @Nullable String teamId,
            @Nullable String keyId,
            Boolean storeTokens) {

        /** Without the secret, so that it never reaches a log. */
        @Override
        public String toString() {
            return "SetProviderRequest[" + clientId + "]";
        }
    }
}
