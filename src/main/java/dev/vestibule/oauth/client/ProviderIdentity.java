package dev.vestibule.oauth.client;

import dev.vestibule.oauth.catalogue.Provider;
import org.jspecify.annotations.Nullable;

/** A user's verified identity at a provider; email, name and avatar follow the rules of our own fields. */
public record ProviderIdentity(
        Provider provider,
        String subject,
        @Nullable String email,
        boolean emailVerified,
        @Nullable String displayName,
        @Nullable String avatarUrl,
        ProviderTokens tokens) {}
