package dev.vestibule.token.revocation;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sessions and grants that ended before their tokens did; triggers add the rows. */
final class RevocationStore {
    static final OldRows EXPIRED = OldRows.by("revocations", "expires_at");

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** The session or grant that has ended, and the time in seconds after which none of its tokens is valid anyway. */
    record Revocation(UUID id, long exp) {}

    /** A part of the feed, and where the next part begins. */
    record Page(List<Revocation> revocations, String cursor, boolean hasMore) {}

    /**
     * A transaction that the snapshot did not see either began after it or was in progress at the time, as in the
     * change feed. The two are in the order of their numbers, and each is read in the order of the index. Rows that
     * became visible after the first page wait for the snapshot of the next cursor. The outer join gives one row if
     * there is nothing.
     */
    private static final String READ = """
            WITH now AS (
                SELECT pg_current_snapshot() AS snapshot,
                       CASE WHEN pg_is_in_recovery() THEN ''
                           ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) || '-'
                               || extract(epoch FROM pg_postmaster_start_time())::bigint
                       END AS server),
            place AS MATERIALIZED (
                SELECT server,
                       CASE WHEN follows THEN $3::text::pg_snapshot ELSE '1:1:' END AS seen,
                       CASE WHEN follows THEN coalesce($4::text::pg_snapshot, snapshot) ELSE snapshot END AS visible,
                       CASE WHEN follows THEN coalesce($5::text::xid8, '0') ELSE '0' END AS after_transaction,
                       CASE WHEN follows THEN coalesce($6::text::uuid, '00000000-0000-0000-0000-000000000000')
                           ELSE '00000000-0000-0000-0000-000000000000' END AS after_id
                FROM now, LATERAL (
                    SELECT server = $2
                        AND pg_snapshot_xmax(snapshot) >= pg_snapshot_xmax($3::text::pg_snapshot)
                        AND pg_snapshot_xmax(snapshot)
                            >= pg_snapshot_xmax(coalesce($4::text::pg_snapshot, snapshot)) AS follows) AS compared)
            SELECT place.server, place.seen::text AS seen, place.visible::text AS visible,
                   found.transaction_id::text AS transaction_id, found.id, found.expires_at
            FROM place LEFT JOIN LATERAL (
                (SELECT transaction_id, id, expires_at FROM revocations
                 WHERE project_id = $1 AND transaction_id = ANY (ARRAY(SELECT pg_snapshot_xip(place.seen)))
                   AND (transaction_id, id) > (place.after_transaction, place.after_id)
                   AND pg_visible_in_snapshot(transaction_id, place.visible) AND expires_at > $7
                 ORDER BY transaction_id, id
                 LIMIT $8)
                UNION ALL
                (SELECT transaction_id, id, expires_at FROM revocations
                 WHERE project_id = $1 AND transaction_id >= pg_snapshot_xmax(place.seen)
                   AND (transaction_id, id) > (place.after_transaction, place.after_id)
                   AND pg_visible_in_snapshot(transaction_id, place.visible) AND expires_at > $7
                 ORDER BY transaction_id, id
                 LIMIT $8)
                ORDER BY transaction_id, id
                LIMIT $8) AS found ON true
            """;

    /** The next revocations after the cursor, in the order of their transactions. */
    Future<Page> read(SqlClient db, ProjectId project, RevocationCursor after, int limit, Instant now) {
        var pages = after.pages();
        return Sql.run(
                        db,
                        READ,
                        project,
                        after.server(),
                        after.seen(),
                        pages == null ? null : pages.snapshot(),
                        pages == null ? null : pages.transaction(),
                        pages == null ? null : pages.id(),
                        now,
                        limit + 1)
                .map(rows -> page(rows, limit));
    }

    private static Page page(RowSet<Row> rows, int limit) {
        var all = Rows.all(rows, row -> row);
        var place = all.get(0);
        if (place.getString("server").isEmpty()) {
            throw ApiException.of(ErrorCode.UNAVAILABLE, "The database is a standby.", RETRY_AFTER);
        }
        var found = all.stream().filter(row -> row.getUUID("id") != null).toList();
        var hasMore = found.size() > limit;
        var told = hasMore ? found.subList(0, limit) : found;
        return new Page(
                told.stream().map(RevocationStore::revocation).toList(),
                cursor(place, hasMore ? told.get(limit - 1) : null).text(),
                hasMore);
    }

    private static RevocationCursor cursor(Row place, @Nullable Row last) {
        var server = place.getString("server");
        var visible = place.getString("visible");
        return last == null
                ? new RevocationCursor(server, visible, null)
                : new RevocationCursor(
                        server,
                        place.getString("seen"),
                        new RevocationCursor.Pages(
                                visible,
                                last.getString("transaction_id"),
                                last.getUUID("id").toString()));
    }

    private static Revocation revocation(Row row) {
        return new Revocation(row.getUUID("id"), Rows.instant(row, "expires_at").getEpochSecond());
    }
}
