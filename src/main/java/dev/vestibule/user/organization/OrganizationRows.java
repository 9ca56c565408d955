package dev.vestibule.user.organization;

import dev.vestibule.database.Rows;
import dev.vestibule.json.Json;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.sqlclient.Row;
import java.util.Objects;

/** The columns of an organization, and the mapping of a row to {@link Organization}. */
final class OrganizationRows {
    static final String COLUMNS = """
            organizations.id, organizations.project_id, organizations.name, organizations.slug, organizations.logo_url,
            organizations.metadata::text, organizations.max_members, organizations.member_count,
            organizations.created_by, organizations.created_at, organizations.updated_at""";

    private OrganizationRows() {}

    static Organization organization(Row row) {
        var metadata = row.getString("metadata");
        return new Organization(
                new OrganizationId(Objects.requireNonNull(row.getUUID("id"))),
                new ProjectId(row.getUUID("project_id")),
                row.getString("name"),
                row.getString("slug"),
                row.getString("logo_url"),
                metadata == null ? null : Json.storedObject(metadata),
                row.getInteger("max_members"),
                row.getInteger("member_count"),
                new UserId(row.getUUID("created_by")),
                Rows.instant(row, "created_at"),
                Rows.instant(row, "updated_at"));
    }
}
