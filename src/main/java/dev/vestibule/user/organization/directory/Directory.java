package dev.vestibule.user.organization.directory;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.user.organization.OrganizationId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A directory of an organization.
 *
 * @param groupRoles the role of the members of a group, by the group's name
 * @param tokens those that are valid, the oldest first
 * @param userCount how many users it has provisioned, active or not
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Directory(
        UUID id,
        OrganizationId organizationId,
        String name,
        boolean enabled,
        Map<String, String> groupRoles,
        List<Token> tokens,
        long userCount,
        long groupCount,
        Instant createdAt,
        Instant updatedAt) {
    /**
     * A token, without its text.
     *
     * @param ending its last characters
     * @param lastUsedAt the hour in which it was last used
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Token(
            UUID id,
            String ending,
            Instant createdAt,
            @Nullable Instant lastUsedAt) {}

    /** One that no request has reached yet. */
    static Directory begun(
            UUID id, OrganizationId organizationId, String name, Map<String, String> groupRoles, Instant now) {
        return new Directory(id, organizationId, name, true, groupRoles, List.of(), 0, 0, now, now);
    }

    /** A 403 if the directory is switched off. */
    public Directory requireEnabled() {
        if (!enabled) {
            throw ApiException.of(ErrorCode.CREDENTIAL_NOT_ALLOWED, "This directory is switched off.");
        }
        return this;
    }

    Directory with(List<Token> valid, long users, long groups) {
        return new Directory(id, organizationId, name, enabled, groupRoles, valid, users, groups, createdAt, updatedAt);
    }
}
