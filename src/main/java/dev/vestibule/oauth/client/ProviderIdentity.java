package dev.vestibule.oauth.client;

import dev.vestibule.oauth.catalogue.Provider;
import org.jspecify.annotations.Nullable;

/** Who a user is at a provider, as it has proven; email, name and avatar in the form that we keep ours in. */
public record ProviderIdentity(
        Provider provider,
        String subject,
        @Nullable String email,
        boolean emailVerified,
        @Nullable String displayName,
        @Nullable String avatarUrl,
        ProviderTokens tokens) {}
