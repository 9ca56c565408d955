package dev.vestibule.token.template;

import dev.vestibule.project.ClaimRule;
import dev.vestibule.project.ProjectId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A template as the API returns it; the lifetime is in seconds, or null to use the project's setting. */
record JwtTemplate(
        UUID id,
        ProjectId projectId,
        String name,
        boolean isDefault,
        List<ClaimRule> claims,
        @Nullable Integer allowedLifetime,
        Instant createdAt,
        Instant updatedAt) {}
