package dev.vestibule.user.organization.directory;

import com.fasterxml.jackson.annotation.JsonInclude;
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
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Directory(
        UUID id,
        OrganizationId organizationId,
        String name,
        boolean enabled,
        Map<String, String> groupRoles,
        List<Token> tokens,
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

    Directory withTokens(List<Token> valid) {
        return new Directory(id, organizationId, name, enabled, groupRoles, valid, createdAt, updatedAt);
    }
}
