package dev.vestibule.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.vestibule.user.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A session as the API returns it; nothing in it is secret.
 *
 * @param impersonatedBy the dashboard user who acts as the session's user; null in the user's own sessions
 */
public record Session(
        SessionId id,
        UserId userId,
        @Nullable String userAgent,
        @Nullable String ipAddress,
        @Nullable String country,
        Instant createdAt,
        Instant lastActiveAt,
        Instant expiresAt,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable UserId impersonatedBy) {

    private static final String IMPERSONATION = "Impersonation by the application's team";

    /** A few words for the device, by which people recognise it; null if it has not named itself. */
    @JsonProperty
    public @Nullable String deviceName() {
        if (isImpersonated()) {
            return IMPERSONATION;
        }
        return userAgent == null ? null : DeviceName.of(userAgent);
    }

    /** Whether someone else opened it in the user's name. */
    boolean isImpersonated() {
        return impersonatedBy != null;
    }

    /** The session without its place and device. */
    Session withoutDevice() {
        return new Session(id, userId, null, null, null, createdAt, lastActiveAt, expiresAt, impersonatedBy);
    }
}
