package dev.vestibule.project.administration;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.json.Page;
import dev.vestibule.project.Environment;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.UserCounts.Place;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds projects of everybody, except for the built-in one. */
final class AllProjectsStore {
    /** Which projects; the term is null for all. */
    record Filter(@Nullable String term, boolean isOrphan) {}

    /**
     * A project, with the emails of its first owners. It is an orphan if no account owns it.
     *
     * @param userCount null if another database has it, and does not answer
     */
    record Item(
            ProjectId id,
            String name,
            String slug,
            Environment environment,
            Instant createdAt,
            List<String> owners,
            long ownerCount,
            long memberCount,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long userCount,

            boolean isOrphan,
            @JsonIgnore Place place) {
        Item withUserCount(@Nullable Long count) {
            return new Item(
                    id, name, slug, environment, createdAt, owners, ownerCount, memberCount, count, isOrphan, place);
        }
    }

    /**
     * The parameters are the built-in project, the term, and whether only orphans are wanted. A membership whose
     * account is gone counts for nothing.
     */
    private static final String FOUND = """
            FROM projects
            WHERE deleted_at IS NULL AND id <> $1
              AND ($2::text IS NULL
                   OR strpos(search_fold(name), search_fold($2)) > 0
                   OR strpos(slug, search_fold($2)) > 0
                   OR id::text = lower($2)
                   OR id IN (SELECT memberships.project_id
                             FROM users JOIN memberships ON memberships.user_id = users.id
                             WHERE users.project_id = $1 AND users.email = lower($2)
                               AND memberships.role = 'owner'))
              AND (NOT $3::boolean OR NOT EXISTS (
                       SELECT FROM memberships JOIN users ON users.project_id = $1 AND users.id = memberships.user_id
                       WHERE memberships.project_id = projects.id AND memberships.role = 'owner'))
            """;

    private static final String LIST = """
            SELECT found.*, coalesce(team.owners, 0) AS owners, coalesce(team.members, 0) AS members,
                   coalesce(team.emails[:10], '{}') AS emails,
                   (SELECT coalesce(sum(users), 0)::bigint FROM counts WHERE project_id = found.id) AS user_count
            FROM (SELECT id, name, slug, environment, shard, created_at %s ORDER BY id DESC LIMIT $4 OFFSET $5) AS found
            LEFT JOIN LATERAL (
                SELECT count(*) AS members, count(*) FILTER (WHERE memberships.role = 'owner') AS owners,
                       array_agg(users.email ORDER BY memberships.created_at, users.id)
                           FILTER (WHERE memberships.role = 'owner' AND users.email IS NOT NULL) AS emails
                FROM memberships JOIN users ON users.project_id = $1 AND users.id = memberships.user_id
                WHERE memberships.project_id = found.id) AS team ON true
            ORDER BY found.id DESC
            """.formatted(FOUND);

    /**
     * Newest first, without the counts of projects that are in other databases; a term is part of a name or slug, an
     * id, or the email of an owner.
     */
    Future<List<Item>> list(SqlClient db, Filter filter, Page page) {
        return Sql.run(db, LIST, ProjectId.SYSTEM, filter.term(), filter.isOrphan(), page.limit(), page.offset())
                .map(rows -> Rows.all(
                        rows,
                        row -> new Item(
                                new ProjectId(row.getUUID("id")),
                                row.getString("name"),
                                row.getString("slug"),
                                Environment.of(row.getString("environment")),
                                Rows.instant(row, "created_at"),
                                List.of(row.getArrayOfStrings("emails")),
                                row.getLong("owners"),
                                row.getLong("members"),
                                row.getLong("user_count"),
                                row.getLong("owners") == 0,
                                Place.of(new ProjectId(row.getUUID("id")), row.getString("shard")))));
    }

    private static final String COUNT = """
            SELECT count(*) AS total %s
            """.formatted(FOUND);

    Future<Long> count(SqlClient db, Filter filter) {
        return Sql.run(db, COUNT, ProjectId.SYSTEM, filter.term(), filter.isOrphan())
                .map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }
}
