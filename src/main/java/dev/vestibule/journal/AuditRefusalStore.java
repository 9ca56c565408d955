package dev.vestibule.journal;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Counts the refused attempts of each project and day, for all nodes together. */
final class AuditRefusalStore {
    /** Locks rows in the order of the ids, so that two nodes do not deadlock. */
    private static final String COUNT = """
            INSERT INTO audit_refusals AS kept (project_id, day, attempts)
            SELECT refused.project_id, $3, refused.attempts
            FROM unnest($1::uuid[], $2::bigint[]) AS refused (project_id, attempts)
            JOIN projects ON projects.id = refused.project_id AND deleted_at IS NULL AND shard IS NULL
            ORDER BY refused.project_id
            ON CONFLICT (project_id, day) DO UPDATE SET attempts = kept.attempts + excluded.attempts
            RETURNING project_id, attempts
            """;

    /**
     * Adds the attempts, and returns the new count of each project on that day; leaves out projects that are not here
     * any more.
     */
    Future<Map<ProjectId, Long>> count(SqlClient transaction, Map<ProjectId, Long> attempts, LocalDate day) {
        var projects = List.copyOf(attempts.keySet());
        return Sql.run(
                        transaction,
                        COUNT,
                        Rows.column(projects, ProjectId::value, UUID[]::new),
                        Rows.column(projects, attempts::get, Long[]::new),
                        day)
                .map(rows -> {
                    var all = new HashMap<ProjectId, Long>();
                    rows.forEach(row -> all.put(new ProjectId(row.getUUID("project_id")), row.getLong("attempts")));
                    return all;
                });
    }

    private static final String MARK_REPORTED = """
            UPDATE audit_refusals AS kept SET told = kept.attempts - $1, told_at = $2
            FROM (
                SELECT project_id, day, told FROM audit_refusals
                WHERE attempts - $1 > told AND (told_at IS NULL OR told_at <= $3 OR day < $4)
                FOR UPDATE SKIP LOCKED) AS before
            WHERE kept.project_id = before.project_id AND kept.day = before.day
            RETURNING kept.project_id, kept.day, kept.told - before.told AS count
            """;

    /** Attempts without an entry that the log has not reported yet. */
    record Unreported(ProjectId project, LocalDate day, long count) {}

    /**
     * Marks the unreported attempts as reported, and returns them: the first at once, then once an hour, and the rest
     * when the day is over.
     */
    Future<List<Unreported>> markReported(
            SqlClient transaction, long perDay, Instant now, Instant reportedBefore, LocalDate today) {
        return Sql.run(transaction, MARK_REPORTED, perDay, now, reportedBefore, today)
                .map(rows -> Rows.all(
                        rows,
                        row -> new Unreported(
                                new ProjectId(row.getUUID("project_id")),
                                row.getLocalDate("day"),
                                row.getLong("count"))));
    }

    private static final String PURGE = """
            DELETE FROM audit_refusals WHERE day < $1 AND attempts - $2 <= told
            """;

    /** Deletes the counts of past days that are fully reported. */
    Future<Void> purge(SqlClient db, LocalDate today, long perDay) {
        return Sql.run(db, PURGE, today, perDay).mapEmpty();
    }
}
