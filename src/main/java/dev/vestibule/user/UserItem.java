package dev.vestibule.user;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A user in a list. */
record UserItem(
        UserId id,
        @Nullable String email,
        @Nullable String displayName,
        @Nullable String avatarUrl,
        boolean isBanned,
        int signInCount,
        @Nullable Instant lastSignInAt,
        Instant createdAt) {
    static UserItem of(User user) {
        return new UserItem(
                user.id(),
                user.email(),
                user.displayName(),
                user.avatarUrl(),
                user.isBanned(),
                user.signInCount(),
                user.lastSignInAt(),
                user.createdAt());
    }
}
