package dev.vestibule.project;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings of a project; the country is of ISO 3166-1, two letters. */
public record Project(
        ProjectId id,
        String name,
        String slug,
        Environment environment,
        @Nullable String callbackUrl,
        @Nullable String passwordResetUrl,
        @Nullable String emailUndoUrl,
        List<String> allowedOrigins,
        @Nullable Duration accessTokenTtl,
        Duration refreshTokenTtl,
        Duration maxSessionLifetime,
        int maxConcurrentSessions,
        boolean requireEmailVerification,
        Duration requireRecentSignIn,
        boolean allowSelfDeletion,
        boolean securityNotices,
        FactorSettings factors,
        @Nullable Language locale,
        @Nullable String defaultCountry,
        Instant createdAt,
        List<ClaimRule> defaultClaims) {

    /** The page that takes the token of a magic link; null if the project has none. */
    public @Nullable String magicLinkPage() {
        return factors.magicLinkUrl() == null ? callbackUrl : factors.magicLinkUrl();
    }

    /** The lifetime of an access token: the project's setting, or the default of the API variant. */
    public Duration accessTokenTtl(ApiVariant variant) {
        return accessTokenTtl == null ? variant.accessTokenTtl() : accessTokenTtl;
    }

    /** How long a session lives that is never refreshed. */
    public Duration initialSessionLifetime() {
        return refreshTokenTtl.compareTo(maxSessionLifetime) < 0 ? refreshTokenTtl : maxSessionLifetime;
    }

    /** The language of mails: the project's setting, or the one that the client's header asks for. */
    public Language language(@Nullable String acceptLanguage) {
        return locale == null ? Language.ofHeader(acceptLanguage) : locale;
    }

    /** Whether pages of this origin (RFC 6454) may call the API; an empty list allows all. */
    public boolean allowsOrigin(String origin) {
        return allowedOrigins.isEmpty() || allowedOrigins.contains(origin);
    }
}
