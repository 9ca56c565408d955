package dev.vestibule.user.organization;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A group of users of a project, as the API returns it to everybody who may see it. */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Organization(
        OrganizationId id,
        ProjectId projectId,
        String name,
        String slug,
        @Nullable String logoUrl,
        @Nullable Map<String, Object> metadata,
        int maxMembers,
        int memberCount,
        UserId createdBy,
        Instant createdAt,
        Instant updatedAt) {
    Organization withMemberCount(int count) {
        return new Organization(
                id, projectId, name, slug, logoUrl, metadata, maxMembers, count, createdBy, createdAt, updatedAt);
    }
}
