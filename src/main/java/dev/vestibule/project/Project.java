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
        Instant createdAt) {

    /** How long an access token lives: the project's own setting, or the default of the API variant that is in use. */
    public Duration accessTokenTtl(ApiVariant variant) {
        return accessTokenTtl == null ? variant.accessTokenTtl() : accessTokenTtl;
    }

    /** Whether a browser page of this origin (RFC 6454) may call; an empty list allows all. */
    public boolean allowsOrigin(String origin) {
        return allowedOrigins.isEmpty() || allowedOrigins.contains(origin);
    }
}
