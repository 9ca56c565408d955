package dev.vestibule.oauth.provider;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.oauth.catalogue.Provider;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A project's settings of a provider, without the client secret. Null scopes mean the provider's defaults; issuer,
 * tenant, team id and key id are null if the provider does not use them. Native client ids are the apps whose users
 * sign in with an ID token of their device.
 *
 * @param name what people read on its button; null for the catalogue's
 * @param icon beside it, as a data URL; null for the mark of the hosted page
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ProviderSettings(
        Provider provider,
        @Nullable String name,
        @Nullable String icon,
        String clientId,
        boolean enabled,
        @Nullable List<String> scopes,
        OauthFlow oauthFlow,
        @Nullable String issuer,
        @Nullable String tenant,
        @Nullable String teamId,
        @Nullable String keyId,
        boolean storeTokens,
        List<String> nativeClientIds,
        Instant createdAt,
        Instant updatedAt) {

    /** The name that people know the provider by. */
    public String title() {
        return name == null ? provider.title() : name;
    }

    /** The requested settings; without a client secret, the stored one is kept if the issuer stays the same. */
    public record SetProviderRequest(
            @Nullable String name,
            @Nullable String icon,
            String clientId,
            @Nullable String clientSecret,
            Boolean enabled,
            @Nullable List<String> scopes,
            OauthFlow oauthFlow,
            @Nullable String issuer,
            @Nullable String tenant,
            @Nullable String teamId,
            @Nullable String keyId,
            Boolean storeTokens,
            List<String> nativeClientIds) {

        /** Leaves out the secret, so that it never reaches a log. */
        @Override
        public String toString() {
            return "SetProviderRequest[" + clientId + "]";
        }
    }
}
