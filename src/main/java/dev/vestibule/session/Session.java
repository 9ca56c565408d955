package dev.vestibule.session;

import dev.vestibule.user.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A session as the API shows one; nothing in it lets anybody use it. */
public record Session(
        SessionId id,
        UserId userId,
        @Nullable String userAgent,
        @Nullable String ipAddress,
        @Nullable String country,
        Instant createdAt,
        Instant lastActiveAt,
        Instant expiresAt) {}
