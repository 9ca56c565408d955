package dev.vestibule.user;

import dev.vestibule.project.ProjectId;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A user as the API returns it; nothing in it is secret. */
public record User(
        UserId id,
        ProjectId projectId,
        @Nullable String email,
        @Nullable String displayName,
        @Nullable String avatarUrl,
        @Nullable String phone,
        boolean emailVerified,
        boolean phoneVerified,
        boolean isBanned,
        @Nullable Map<String, Object> publicMetadata,
        int signInCount,
        @Nullable Instant lastSignInAt,
        Instant createdAt,
        Instant updatedAt) {}
