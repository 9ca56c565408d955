package dev.vestibule.project.administration;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The latest report of each node. Times of reports are the database's, so the clocks of nodes need not agree. */
final class NodeReportStore {
    private static final String PUT = """
            WITH lost AS (DELETE FROM node_reports WHERE seen_at < clock_timestamp() - interval '1 day')
            INSERT INTO node_reports (node_id, version, started_at, seen_at, hears_changes, hashes_waiting, hashes_running)
            VALUES ($1, $2, $3, clock_timestamp(), $4, $5, $6)
            ON CONFLICT (node_id) DO UPDATE
            SET seen_at = clock_timestamp(), hears_changes = $4, hashes_waiting = $5, hashes_running = $6
            """;

    Future<Void> put(
            SqlClient db,
            UUID node,
            String version,
            Instant startedAt,
            boolean hearsChanges,
            int hashesWaiting,
            int hashesRunning) {
        return Sql.run(db, PUT, node, version, startedAt, hearsChanges, hashesWaiting, hashesRunning)
                .mapEmpty();
    }

    private static final String REMOVE = """
            DELETE FROM node_reports WHERE node_id = $1
            """;

    Future<Void> remove(SqlClient db, UUID node) {
        return Sql.run(db, REMOVE, node).mapEmpty();
    }

    /** A node, with what it last said of itself; it is alive if it said that lately. */
    record NodeReport(
            UUID id,
            String version,
            Instant startedAt,
            Instant seenAt,
            boolean isAlive,
            boolean hearsChanges,
            int hashesWaiting,
            int hashesRunning) {}

    private static final String LIST = """
            SELECT *, seen_at > clock_timestamp() - interval '30 seconds' AS is_alive
            FROM node_reports
            ORDER BY started_at DESC, node_id
            LIMIT 1000
            """;

    /** The last started first. */
    Future<List<NodeReport>> list(SqlClient db) {
        return Sql.run(db, LIST)
                .map(rows -> Rows.all(
                        rows,
                        row -> new NodeReport(
                                row.getUUID("node_id"),
                                row.getString("version"),
                                Rows.instant(row, "started_at"),
                                Rows.instant(row, "seen_at"),
                                row.getBoolean("is_alive"),
                                row.getBoolean("hears_changes"),
                                row.getInteger("hashes_waiting"),
                                row.getInteger("hashes_running"))));
    }
}
