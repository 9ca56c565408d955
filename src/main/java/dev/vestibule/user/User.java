package dev.vestibule.user;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.vestibule.project.ProjectId;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A user as the API returns it to everybody who may see the user; nothing in it is secret. {@link ManagedUser} shows more,
 * such as the external id, which is here only so that each statement need not return it twice.
 */
public record User(
        UserId id,
        ProjectId projectId,
        @Nullable String email,
        @Nullable String displayName,
        @Nullable String avatarUrl,
        @Nullable String phone,
        @JsonIgnore @Nullable String externalId,
        boolean emailVerified,
        boolean phoneVerified,
        boolean isBanned,
        @Nullable Map<String, Object> publicMetadata,
        int signInCount,
        @Nullable Instant lastSignInAt,
        Instant createdAt,
        Instant updatedAt) {}
