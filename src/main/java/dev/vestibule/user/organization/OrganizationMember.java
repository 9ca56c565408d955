package dev.vestibule.user.organization;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.vestibule.user.UserId;
import java.time.Instant;

/** A user in an organization. The user's id also identifies the member. */
public record OrganizationMember(OrganizationId organizationId, UserId userId, String role, Instant joinedAt) {
    @JsonProperty
    UserId id() {
        return userId;
    }

    @JsonProperty
    Instant createdAt() {
        return joinedAt;
    }
}
