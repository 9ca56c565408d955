package dev.vestibule.user;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A user as a list shows one. */
record UserItem(
        UserId id,
        @Nullable String email,
        @Nullable String displayName,
        @Nullable String avatarUrl,
        boolean isBanned,
        int signInCount,
        @Nullable Instant lastSignInAt,
        Instant createdAt) {}
