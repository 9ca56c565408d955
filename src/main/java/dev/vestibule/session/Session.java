package dev.vestibule.session;

import dev.vestibule.user.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A session as the API returns it; nothing in it is secret. */
public record Session(
        SessionId id,
        UserId userId,
        @Nullable String userAgent,
        @Nullable String ipAddress,
        @Nullable String country,
        Instant createdAt,
        Instant lastActiveAt,
        Instant expiresAt) {}
