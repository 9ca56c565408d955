package dev.vestibule.project;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a project, in the order of the response. Each is declared once, here or in a nested record. Lifetimes
 * are in whole seconds.
 *
 * @param defaultCountry an ISO 3166-1 code of two letters
 * @param defaultClaims the claims of the template for new tokens; not a setting, but loaded with the settings
 */
public record Project(
        @ProjectSetting(column = "id", fixed = true) ProjectId id,

        @ProjectSetting(column = "name", rule = TextRule.NAME, harmless = true)
        String name,

        @ProjectSetting(column = "slug", rule = TextRule.SLUG)
        String slug,

        @ProjectSetting(column = "environment", fixed = true)
        Environment environment,

        @ProjectSetting(column = "callback_url", rule = TextRule.WEB_URL) @Nullable
        String callbackUrl,

        @ProjectSetting(column = "password_reset_url", rule = TextRule.WEB_URL) @Nullable
        String passwordResetUrl,

        @ProjectSetting(column = "email_undo_url", rule = TextRule.WEB_URL) @Nullable
        String emailUndoUrl,

        @ProjectSetting(column = "allowed_origins", rule = TextRule.ORIGIN, max = 100)
        List<String> allowedOrigins,

        @ProjectSetting(
                column = "access_token_ttl_seconds",
                field = "sessionConfig.accessTokenTtl",
                min = 60,
                max = 86_400,
                harmless = true)
        @Nullable
        Duration accessTokenTtl,

        @ProjectSetting(
                column = "refresh_token_ttl_seconds",
                field = "sessionConfig.refreshTokenTtl",
                min = 300,
                max = 31_536_000,
                harmless = true)
        Duration refreshTokenTtl,

        @ProjectSetting(
                column = "max_session_lifetime_seconds",
                field = "sessionConfig.maxLifetime",
                min = 300,
                max = 31_536_000,
                harmless = true)
        Duration maxSessionLifetime,

        @ProjectSetting(
                column = "max_concurrent_sessions",
                field = "sessionConfig.maxConcurrentSessions",
                min = 1,
                max = 100,
                harmless = true)
        int maxConcurrentSessions,

        @ProjectSetting(column = Project.REQUIRE_EMAIL_VERIFICATION)
        boolean requireEmailVerification,

        @ProjectSetting(column = "require_recent_sign_in_seconds", max = 31_536_000)
        Duration requireRecentSignIn,

        @ProjectSetting(column = "allow_self_deletion", harmless = true)
        boolean allowSelfDeletion,

        @ProjectSetting(column = "security_notices") boolean securityNotices,

        @ProjectSetting(column = "dynamic_registration") boolean dynamicRegistration,

        @ProjectSetting(column = "client_metadata_documents")
        boolean clientMetadataDocuments,

        FactorSettings factors,
        BotSettings bots,
        OrganizationSettings organizations,

        @ProjectSetting(column = "locale", harmless = true) @Nullable
        Language locale,

        @ProjectSetting(column = "default_country", rule = TextRule.COUNTRY, harmless = true) @Nullable
        String defaultCountry,

        @ProjectSetting(column = "created_at", fixed = true) Instant createdAt,
        List<ClaimRule> defaultClaims) {
    static final String REQUIRE_EMAIL_VERIFICATION = "require_email_verification";

    /** The page that receives the token of a magic link; null if the project has none. */
    public @Nullable String magicLinkPage() {
        return factors.magicLinkUrl() == null ? callbackUrl : factors.magicLinkUrl();
    }

    /** The lifetime of an access token: the project's setting, or the default of the API variant. */
    public Duration accessTokenTtl(ApiVariant variant) {
        return accessTokenTtl == null ? variant.accessTokenTtl() : accessTokenTtl;
    }

    /** How long a session lasts if it is never refreshed. */
    public Duration initialSessionLifetime() {
        return refreshTokenTtl.compareTo(maxSessionLifetime) < 0 ? refreshTokenTtl : maxSessionLifetime;
    }

    /** The language of mails: the project's setting, or the best match for the client's header. */
    public Language language(@Nullable String acceptLanguage) {
        return locale == null ? Language.ofHeader(acceptLanguage) : locale;
    }

    /** Whether pages of this origin (RFC 6454) can call the API; an empty list allows all. */
    public boolean allowsOrigin(String origin) {
        return allowedOrigins.isEmpty() || allowedOrigins.contains(origin);
    }
}
