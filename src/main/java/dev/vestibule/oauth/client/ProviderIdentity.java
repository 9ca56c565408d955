package dev.vestibule.oauth.client;

import dev.vestibule.oauth.catalogue.Provider;
import org.jspecify.annotations.Nullable;

/**
 * A user's verified identity at a provider; email, name and avatar follow the rules of our own fields. The subject is
 * one of the issuer's: another issuer may give the same subject to another person.
 */
public record ProviderIdentity(
        Provider provider,
        String issuer,
        String subject,
        @Nullable String email,
        boolean emailVerified,
        @Nullable String displayName,
        @Nullable String avatarUrl,
        ProviderTokens tokens) {}
