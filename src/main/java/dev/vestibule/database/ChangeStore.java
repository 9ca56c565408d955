package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The tables of changes and revocations. They are read by snapshots, so that a transaction that commits late is not
 * missed.
 */
final class ChangeStore {
    /** A reader that falls further behind than this may miss rows. */
    static final int MINUTES_KEPT = 10;

    /** If more projects have changed since the last reading, one extra is read to show that. */
    static final int MAX_READ = 1000;

    private static final String ADD = """
            INSERT INTO project_changes (project_id, transaction_id) VALUES ($1, pg_current_xact_id())
            ON CONFLICT (project_id, transaction_id) DO NOTHING
            """;

    Future<Void> add(SqlClient transaction, UUID project) {
        return Sql.run(transaction, ADD, project).mapEmpty();
    }

    /**
     * What one statement saw.
     *
     * @param server identifies this run of the server that answered; empty if it is a standby. Two readings with the
     *     same value saw the same server, without a failover, restart, crash or restored copy in between
     * @param at the time by that server's clock
     * @param followsLast whether the snapshot can be a later one of the same server than the given one
     * @param changed the projects that changed since then: at most {@link #MAX_READ} and one more
     * @param revoked the projects of which tokens were revoked since then: likewise
     * @param leaving all the projects that a move copies now
     */
    record Reading(
            String server,
            Instant at,
            String snapshot,
            boolean followsLast,
            List<UUID> changed,
            List<UUID> revoked,
            List<UUID> leaving) {}

    /**
     * A transaction that the last snapshot did not see either began after it (from its xmax on) or was in progress at
     * the time (in its xip). With these conditions, rather than everything from its xmin on, a transaction that lasts
     * for hours costs nothing. Everything is in one statement, since the next one may run on another connection, to
     * another server.
     *
     * <p>PostgreSQL keeps its start time when it restarts after a crash of one of its processes, and may then give the
     * number of a lost transaction to a new one, which the last snapshot would hide. No session survives such a crash;
     * through a pooler, where the next statement may run in another session, the statistics tell: it resets them.
     */
    private static final String READ = """
            SELECT CASE WHEN pg_is_in_recovery() THEN ''
                       ELSE concat_ws(' ', pg_postmaster_start_time(), inet_server_addr(), inet_server_port(),
                           coalesce(current_setting('vestibule.session', true),
                               (SELECT stats_reset::text FROM pg_stat_bgwriter)))
                   END AS server,
                   clock_timestamp() AS at,
                   pg_current_snapshot()::text AS snapshot,
                   coalesce(pg_snapshot_xmax(pg_current_snapshot()) >= pg_snapshot_xmax($1::text::pg_snapshot), false)
                       AS follows_last,
                   ARRAY(
                       SELECT project_id FROM project_changes
                       WHERE transaction_id >= pg_snapshot_xmax($1::text::pg_snapshot)
                       UNION ALL
                       SELECT project_id FROM project_changes
                       WHERE transaction_id = ANY (ARRAY(SELECT pg_snapshot_xip($1::text::pg_snapshot)))
                       LIMIT $2) AS changed,
                   ARRAY(
                       (SELECT project_id FROM revocations
                        WHERE transaction_id >= pg_snapshot_xmax($1::text::pg_snapshot)
                        ORDER BY transaction_id
                        LIMIT $2)
                       UNION ALL
                       (SELECT project_id FROM revocations
                        WHERE transaction_id = ANY (ARRAY(SELECT pg_snapshot_xip($1::text::pg_snapshot)))
                        ORDER BY transaction_id
                        LIMIT $2)) AS revoked,
                   ARRAY(
                       SELECT id FROM projects
                       WHERE (leaves_until IS NOT NULL OR arrives OR has_left_rows)
                         AND leaves_until > clock_timestamp()) AS leaving
            """;

    /** What changed since the given snapshot, which an earlier reading returned; nothing if there was none. */
    Future<Reading> read(SqlClient db, @Nullable String since) {
        return Sql.run(db, READ, since, MAX_READ + 1).map(rows -> Rows.single(rows, ChangeStore::reading));
    }

    private static Reading reading(Row row) {
        return new Reading(
                row.getString("server"),
                Rows.instant(row, "at"),
                row.getString("snapshot"),
                row.getBoolean("follows_last"),
                List.of(row.getArrayOfUUIDs("changed")),
                List.of(row.getArrayOfUUIDs("revoked")),
                List.of(row.getArrayOfUUIDs("leaving")));
    }

    /**
     * Uses the snapshot as well as the time, because a row can become visible long after its time: a commit may wait
     * for a standby.
     */
    private static final String PURGE = """
            WITH purged AS (
                DELETE FROM project_changes
                WHERE pg_visible_in_snapshot(transaction_id, $1::text::pg_snapshot)
                  AND changed_at < now() - make_interval(mins => $2))
            SELECT pg_current_snapshot()::text AS snapshot
            """;

    /**
     * Removes old changes that were visible in the given snapshot, which the last purge returned; none if there was
     * none.
     */
    Future<String> purge(SqlClient db, @Nullable String lastPurge) {
        return Sql.run(db, PURGE, lastPurge, MINUTES_KEPT)
                .map(rows -> Rows.single(rows, row -> row.getString("snapshot")));
    }

    private static final String RENUMBER = """
            WITH forgotten AS (
                DELETE FROM project_changes WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM project_changes
                    WHERE transaction_id >= pg_snapshot_xmax(pg_current_snapshot())
                    ORDER BY project_id, transaction_id
                    FOR UPDATE))),
            copied AS (
                DELETE FROM revocations WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM revocations
                    WHERE transaction_id >= pg_snapshot_xmax(pg_current_snapshot())
                    ORDER BY project_id, transaction_id, id
                    FOR UPDATE))
                RETURNING project_id, id, expires_at)
            INSERT INTO revocations (project_id, id, expires_at)
            SELECT project_id, id, max(expires_at) FROM copied GROUP BY project_id, id
            """;

    /**
     * Adapts rows that were copied from another server, by a restore or by PostgreSQL's own tools. A transaction that
     * this snapshot sees has a lower number than its end, so any other number is one of the other server. It would
     * count as one to come: no reader of revocations would see the row, and each heartbeat would read it again. So
     * revocations are written again by this transaction, and changes, which concern no cache here, are removed. Nodes
     * that start together lock the rows in the same order, and the second one finds them gone.
     */
    Future<Void> renumber(SqlClient db) {
        return Sql.run(db, RENUMBER).mapEmpty();
    }
}
