package dev.vestibule.project.member;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.user.UserId;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A dashboard user who is a member of a project, or an invited address. The id is that of the user, or of the
 * invitation until it is accepted; {@code createdAt} is the time of the first invitation, or of the acceptance.
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Member(
        UUID id,
        Status status,
        @Nullable UserId userId,
        @Nullable String email,
        @Nullable String displayName,
        Role role,
        Instant createdAt,
        @Nullable Instant expiresAt) {
    /** Only an active member has access to the project. */
    public enum Status {
        INVITED,
        /** Invited, but the invitation has expired. */
        EXPIRED,
        ACTIVE;

        @JsonValue
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Member active(
            UserId user, @Nullable String email, @Nullable String displayName, Role role, Instant createdAt) {
        return new Member(user.value(), Status.ACTIVE, user, email, displayName, role, createdAt, null);
    }

    /** Nothing in it reveals whether the address has an account. */
    static Member invited(UUID id, String email, Role role, Instant createdAt, Instant expiresAt, Instant now) {
        var status = expiresAt.isAfter(now) ? Status.INVITED : Status.EXPIRED;
        return new Member(id, status, null, email, null, role, createdAt, expiresAt);
    }

    Member withRole(Role newRole) {
        return new Member(id, status, userId, email, displayName, newRole, createdAt, expiresAt);
    }
}
