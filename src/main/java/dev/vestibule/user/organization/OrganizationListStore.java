package dev.vestibule.user.organization;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.json.Page;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.SearchTerm;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists a project's organizations, newest first. Each statement is written so that only one index can serve it, as
 * those of users are, and reads the rows of one page.
 */
final class OrganizationListStore {
    private static final String TERM = """
            SELECT term, (
                SELECT count(*) FROM (
                    SELECT search_text FROM organizations WHERE project_id = $1
                    ORDER BY created_at DESC, id DESC LIMIT 1000) AS newest
                WHERE strpos(search_text, term) > 0) AS matches
            FROM (SELECT search_fold($2) AS term OFFSET 0) AS folded
            """;

    /** Folds a term, and counts it among the newest organizations. */
    Future<SearchTerm> term(SqlClient db, ProjectId project, String term) {
        return Sql.run(db, TERM, project, term)
                .map(rows -> Rows.single(rows, row -> new SearchTerm(row.getString("term"), row.getLong("matches"))));
    }

    private static final String PAGE = """
            SELECT %s
            FROM (
                SELECT created_at, id FROM organizations
                WHERE project_id = $1 AND ($2::text IS NULL OR strpos(search_text, $2) > 0)
                ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4) AS page
            CROSS JOIN LATERAL (
                SELECT * FROM organizations WHERE project_id = $1 AND id = page.id
                OFFSET 0) AS organizations
            ORDER BY page.created_at DESC, page.id DESC
            """.formatted(OrganizationRows.COLUMNS);

    /** All, or with a case-folded term those whose slug or name has it. */
    Future<List<Organization>> page(SqlClient db, ProjectId project, @Nullable String term, Page page) {
        return Sql.run(db, PAGE, project, term, page.limit(), page.offset())
                .map(rows -> Rows.all(rows, OrganizationRows::organization));
    }

    private static final String COUNT = """
            SELECT count(*) AS total FROM (
                SELECT FROM organizations
                WHERE project_id = $1 AND ($2::text IS NULL OR strpos(search_text, $2) > 0)
                ORDER BY created_at DESC, id DESC LIMIT $3::bigint) AS matches
            """;

    /** How many there are on all pages; reads the index of all organizations. */
    Future<Long> count(SqlClient db, ProjectId project, @Nullable String term) {
        return Sql.run(db, COUNT, project, term, Long.MAX_VALUE)
                .map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static final String FIND = """
            WITH found AS MATERIALIZED (
                SELECT created_at, id FROM organizations
                WHERE search_grams(project_id, search_text) @> search_probe($1, $2)
                  AND project_id IS NOT DISTINCT FROM $1 AND strpos(search_text, $2) > 0)
            SELECT counted.total, %s
            FROM (SELECT count(*) AS total FROM found) AS counted
            LEFT JOIN (SELECT * FROM found ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4) AS page ON true
            LEFT JOIN LATERAL (
                SELECT * FROM organizations WHERE project_id = $1 AND id = page.id
                OFFSET 0) AS organizations ON true
            ORDER BY page.created_at DESC, page.id DESC
            """.formatted(OrganizationRows.COLUMNS);

    /** Organizations, and how many there are on all pages. */
    record Found(List<Organization> organizations, long total) {}

    /** Finds organizations whose slug or name contains a case-folded term, with the trigram index. */
    Future<Found> find(SqlClient db, ProjectId project, String term, Page page) {
        return Sql.run(db, FIND, project, term, page.limit(), page.offset()).map(OrganizationListStore::found);
    }

    private static Found found(RowSet<Row> rows) {
        var hasAny = rows.iterator().next().getUUID("id") != null;
        return new Found(
                hasAny ? Rows.all(rows, OrganizationRows::organization) : List.of(),
                Rows.first(rows, row -> row.getLong("total")).orElseThrow());
    }
}
