package dev.vestibule.user.organization;

import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;

/**
 * An invitation of an email to become a member. Nothing in it reveals whether the email has an account, and its token
 * is in the mail alone.
 *
 * @param invitedBy the member; the API key or the dashboard user, if management has invited
 */
public record OrganizationInvitation(
        UUID id,
        OrganizationId organizationId,
        String email,
        String role,
        Status status,
        UUID invitedBy,
        Instant expiresAt,
        Instant createdAt) {
    OrganizationInvitation closedAs(Status closed) {
        return new OrganizationInvitation(id, organizationId, email, role, closed, invitedBy, expiresAt, createdAt);
    }

    /** The state of an invitation. */
    public enum Status {
        PENDING,
        ACCEPTED,
        REJECTED,
        /** Still pending, but too old to be accepted. */
        EXPIRED;

        @JsonValue
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Status of(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT));
        }
    }
}
