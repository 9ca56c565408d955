package dev.vestibule.user.organization;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.database.SqlFailures;
import dev.vestibule.json.Change;
import dev.vestibule.json.Json;
import dev.vestibule.json.Page;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The organizations of a project. */
final class OrganizationStore {
    private static final String INSERT = """
            INSERT INTO organizations (project_id, id, name, slug, logo_url, metadata, max_members, member_count,
                                       created_by, search_text, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6::text::jsonb, $7, 0, $8, search_text($4, $3), $9, $9)
            ON CONFLICT (project_id, slug) DO NOTHING
            RETURNING %s
            """.formatted(OrganizationRows.COLUMNS);

    /** Inserts an organization without members; empty if another one has the slug. */
    Future<Optional<Organization>> insert(
            SqlClient transaction,
            ProjectId project,
            OrganizationFields.New given,
            String slug,
            int maxMembers,
            UserId creator,
            Instant now) {
        return Sql.run(
                        transaction,
                        INSERT,
                        project,
                        OrganizationId.next(),
                        given.name(),
                        slug,
                        given.logoUrl(),
                        json(given.metadata()),
                        maxMembers,
                        creator,
                        now)
                .map(rows -> Rows.first(rows, OrganizationRows::organization));
    }

    private static @Nullable String json(@Nullable Map<String, Object> metadata) {
        return metadata == null ? null : Json.encode(metadata).toString();
    }

    private static final String COUNT_CREATED_BY = """
            SELECT count(*) AS total FROM organizations WHERE project_id = $1 AND created_by = $2
            """;

    /** How many organizations exist that the user has created. */
    Future<Long> countCreatedBy(SqlClient db, ProjectId project, UserId creator) {
        return Sql.run(db, COUNT_CREATED_BY, project, creator)
                .map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static final String FIND = """
            SELECT %s FROM organizations WHERE project_id = $1 AND id = $2
            """.formatted(OrganizationRows.COLUMNS);

    Future<Optional<Organization>> find(SqlClient db, ProjectId project, OrganizationId id) {
        return Sql.run(db, FIND, project, id).map(rows -> Rows.first(rows, OrganizationRows::organization));
    }

    private static final String LOCK = """
            SELECT %s FROM organizations WHERE project_id = $1 AND id = $2 FOR UPDATE
            """.formatted(OrganizationRows.COLUMNS);

    /** Locks the organization until the transaction ends; the transaction must already hold the locks of its users. */
    Future<Optional<Organization>> lock(SqlClient transaction, ProjectId project, OrganizationId id) {
        return Sql.run(transaction, LOCK, project, id).map(rows -> Rows.first(rows, OrganizationRows::organization));
    }

    private static final String LOCK_ALL_OF = """
            SELECT %s FROM organizations
            WHERE project_id = $1 AND id = ANY (ARRAY(
                SELECT organization_id FROM organization_members WHERE project_id = $1 AND user_id = $2))
            ORDER BY id
            FOR UPDATE
            """.formatted(OrganizationRows.COLUMNS);

    /** Locks all organizations of a user in the order of their ids, so that two transactions cannot deadlock. */
    Future<List<Organization>> lockAllOf(SqlClient transaction, ProjectId project, UserId user) {
        return Sql.run(transaction, LOCK_ALL_OF, project, user)
                .map(rows -> Rows.all(rows, OrganizationRows::organization));
    }

    /** An organization, and a user's role in it. */
    record OfUser(Organization organization, String role) {}

    private static final String LIST_OF = """
            SELECT %s, organization_members.role
            FROM (
                SELECT * FROM organization_members
                WHERE project_id = $1 AND user_id = $2
                ORDER BY created_at DESC, organization_id DESC
                LIMIT $3 OFFSET $4) AS organization_members
            CROSS JOIN LATERAL (
                SELECT * FROM organizations WHERE project_id = $1 AND id = organization_members.organization_id
                OFFSET 0) AS organizations
            ORDER BY organization_members.created_at DESC, organization_members.organization_id DESC
            """.formatted(OrganizationRows.COLUMNS);

    /** The organizations that the user is a member of; the last one joined is first. */
    Future<List<OfUser>> listOf(SqlClient db, ProjectId project, UserId user, Page page) {
        return Sql.run(db, LIST_OF, project, user, page.limit(), page.offset())
                .map(rows ->
                        Rows.all(rows, row -> new OfUser(OrganizationRows.organization(row), row.getString("role"))));
    }

    private static final String COUNT_OF = """
            SELECT count(*) AS total FROM organization_members WHERE project_id = $1 AND user_id = $2
            """;

    Future<Long> countOf(SqlClient db, ProjectId project, UserId user) {
        return Sql.run(db, COUNT_OF, project, user).map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static final String UPDATE = """
            UPDATE organizations
            SET name = coalesce($3, name),
                slug = coalesce($4, slug),
                logo_url = CASE WHEN $5 THEN $6 ELSE logo_url END,
                metadata = CASE WHEN $7 THEN $8::text::jsonb ELSE metadata END,
                max_members = coalesce($9, max_members),
                search_text = search_text(coalesce($4, slug), coalesce($3, name)),
                updated_at = $10
            WHERE project_id = $1 AND id = $2
            RETURNING %s
            """.formatted(OrganizationRows.COLUMNS);

    /** The transaction holds the organization's lock. A 409 if another one has the new slug. */
    Future<Organization> update(
            SqlClient transaction, Organization before, OrganizationFields.Changes changes, Instant now) {
        return Sql.run(
                        transaction,
                        UPDATE,
                        before.projectId(),
                        before.id(),
                        changes.name().value(),
                        changes.slug().value(),
                        changes.logoUrl().isMade(),
                        changes.logoUrl().value(),
                        changes.metadata().isMade(),
                        json(value(changes.metadata())),
                        changes.maxMembers().value(),
                        now)
                .recover(failure -> Future.failedFuture(
                        SqlFailures.isDuplicate(failure) ? OrganizationErrors.slugTaken() : failure))
                .map(rows -> Rows.single(rows, OrganizationRows::organization));
    }

    private static <T> @Nullable T value(Change<T> change) {
        return change.value();
    }

    private static final String DELETE = """
            DELETE FROM organizations WHERE project_id = $1 AND id = $2
            """;

    /** Deletes it with all that belongs to it; the transaction holds its lock. */
    Future<Void> delete(SqlClient transaction, Organization organization) {
        return Sql.run(transaction, DELETE, organization.projectId(), organization.id())
                .mapEmpty();
    }
}
