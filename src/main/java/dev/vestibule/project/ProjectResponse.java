package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A project as the API returns it to a member, whose own role it tells. */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ProjectResponse(
        ProjectId id,
        String name,
        String slug,
        Environment environment,
        String role,
        @Nullable String callbackUrl,
        @Nullable String passwordResetUrl,
        @Nullable String emailUndoUrl,
        List<String> allowedOrigins,
        SessionConfig sessionConfig,
        boolean requireEmailVerification,
        long requireRecentSignIn,
        boolean allowSelfDeletion,
        boolean securityNotices,
        @JsonUnwrapped FactorSettingsResponse factorSettings,
        @Nullable Language locale,
        @Nullable String defaultCountry,
        Instant createdAt) {

    /** Lifetimes in seconds; {@code accessTokenTtl} is null if the project has not set it. */
    record SessionConfig(
            @Nullable Long accessTokenTtl, long refreshTokenTtl, long maxLifetime, int maxConcurrentSessions) {}

    static ProjectResponse of(Project project, String role) {
        return new ProjectResponse(
                project.id(),
                project.name(),
                project.slug(),
                project.environment(),
                role,
                project.callbackUrl(),
                project.passwordResetUrl(),
                project.emailUndoUrl(),
                project.allowedOrigins(),
                new SessionConfig(
                        seconds(project.accessTokenTtl()),
                        project.refreshTokenTtl().toSeconds(),
                        project.maxSessionLifetime().toSeconds(),
                        project.maxConcurrentSessions()),
                project.requireEmailVerification(),
                project.requireRecentSignIn().toSeconds(),
                project.allowSelfDeletion(),
                project.securityNotices(),
                FactorSettingsResponse.of(project.factors()),
                project.locale(),
                project.defaultCountry(),
                project.createdAt());
    }

    private static @Nullable Long seconds(@Nullable Duration duration) {
        return duration == null ? null : duration.toSeconds();
    }
}
