package dev.vestibule.project;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A project's settings, as every request of it needs them. */
public record Project(
        ProjectId id,
        String name,
        String slug,
        Environment environment,
        @Nullable String callbackUrl,
        List<String> allowedOrigins,
        @Nullable Duration accessTokenTtl,
        Duration refreshTokenTtl,
        int maxConcurrentSessions,
        boolean requireEmailVerification,
        @Nullable Language locale,
        Instant createdAt) {

    /** How long an access token lives: the project's own setting, or the default of the API variant that is in use. */
    public Duration accessTokenTtl(ApiVariant variant) {
        return accessTokenTtl == null ? variant.accessTokenTtl() : accessTokenTtl;
    }

    /** The language to write to a user in: the project's choice, or else what the client's header asks for. */
    public Language language(@Nullable String acceptLanguage) {
        return locale == null ? Language.accepted(acceptLanguage) : locale;
    }

    /** Whether a browser page of this origin (RFC 6454) may call; an empty list allows all. */
    public boolean allowsOrigin(String origin) {
        return allowedOrigins.isEmpty() || allowedOrigins.contains(origin);
    }
}
