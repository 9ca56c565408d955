package dev.vestibule.project.statistics;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

/** The counts, with one row for each project and hour. */
final class StatisticsStore {
    static final OldRows OLD = OldRows.by("project_statistics", "hour");

    /**
     * Several nodes add to the same rows: all lock them in the same order. A new row already has the users. Counts of a
     * project that was deleted in the meantime, or has left this database, are dropped.
     */
    private static final String ADD = """
            INSERT INTO project_statistics AS kept (project_id, hour, sign_ups, sign_ins, failed_sign_ins,
                                                    webhooks_delivered, webhooks_failed, active_users)
            SELECT counted.* FROM unnest($1::uuid[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::bigint[],
                                         $6::bigint[], $7::bigint[], $8::bytea[])
                AS counted (project_id, hour, sign_ups, sign_ins, failed_sign_ins,
                            webhooks_delivered, webhooks_failed, active_users)
            JOIN projects ON projects.id = counted.project_id
                AND projects.deleted_at IS NULL AND projects.shard IS NULL
            ORDER BY counted.project_id, counted.hour
            ON CONFLICT (project_id, hour) DO UPDATE SET
                sign_ups = kept.sign_ups + excluded.sign_ups,
                sign_ins = kept.sign_ins + excluded.sign_ins,
                failed_sign_ins = kept.failed_sign_ins + excluded.failed_sign_ins,
                webhooks_delivered = kept.webhooks_delivered + excluded.webhooks_delivered,
                webhooks_failed = kept.webhooks_failed + excluded.webhooks_failed
            RETURNING project_id, hour, sign_ups, sign_ins, failed_sign_ins,
                      webhooks_delivered, webhooks_failed, active_users
            """;

    /** Returns the updated rows, which the transaction locks, with the users they had before. */
    Future<List<HourlyCounts>> add(SqlClient transaction, List<HourlyCounts> counted) {
        return Sql.run(
                        transaction,
                        ADD,
                        projects(counted),
                        hours(counted),
                        column(counted, Counted.SIGN_UPS),
                        column(counted, Counted.SIGN_INS),
                        column(counted, Counted.FAILED_SIGN_INS),
                        column(counted, Counted.WEBHOOKS_DELIVERED),
                        column(counted, Counted.WEBHOOKS_FAILED),
                        users(counted))
                .map(rows -> Rows.all(rows, StatisticsStore::counts));
    }

    private static final String SET_USERS = """
            UPDATE project_statistics SET active_users = merged.active_users
            FROM unnest($1::uuid[], $2::timestamptz[], $3::bytea[]) AS merged (project_id, hour, active_users)
            WHERE project_statistics.project_id = merged.project_id AND project_statistics.hour = merged.hour
            """;

    Future<Void> setUsers(SqlClient transaction, List<HourlyCounts> merged) {
        return Sql.run(transaction, SET_USERS, projects(merged), hours(merged), users(merged))
                .mapEmpty();
    }

    private static UUID[] projects(List<HourlyCounts> counts) {
        return Rows.column(counts, row -> row.project().value(), UUID[]::new);
    }

    private static OffsetDateTime[] hours(List<HourlyCounts> counts) {
        return Rows.column(counts, row -> Rows.timestamp(row.hour()), OffsetDateTime[]::new);
    }

    private static Long[] column(List<HourlyCounts> counts, Counted counted) {
        return Rows.column(counts, row -> row.count(counted), Long[]::new);
    }

    private static Buffer[] users(List<HourlyCounts> counts) {
        return Rows.column(counts, row -> Buffer.buffer(row.users().toBytes()), Buffer[]::new);
    }

    private static final String OF_PROJECT = """
            SELECT project_id, hour, sign_ups, sign_ins, failed_sign_ins,
                   webhooks_delivered, webhooks_failed, active_users
            FROM project_statistics WHERE project_id = $1 AND hour >= $2
            ORDER BY hour
            """;

    /** The rows from that hour on; an hour without activity has no row. */
    Future<List<HourlyCounts>> ofProject(SqlClient db, ProjectId project, Instant from) {
        return Sql.run(db, OF_PROJECT, project, from).map(rows -> Rows.all(rows, StatisticsStore::counts));
    }

    private static HourlyCounts counts(Row row) {
        return new HourlyCounts(
                new ProjectId(row.getUUID("project_id")),
                Rows.instant(row, "hour"),
                new long[] {
                    row.getLong("sign_ups"),
                    row.getLong("sign_ins"),
                    row.getLong("failed_sign_ins"),
                    row.getLong("webhooks_delivered"),
                    row.getLong("webhooks_failed")
                },
                DistinctUsers.of(row.getBuffer("active_users").getBytes()));
    }

    private static final String COUNT_USERS = """
            SELECT coalesce(sum(users), 0)::bigint AS users FROM counts WHERE project_id = $1
            """;

    /** The exact number of users of the project, which triggers maintain. */
    Future<Long> countUsers(SqlClient db, ProjectId project) {
        return Sql.run(db, COUNT_USERS, project).map(rows -> Rows.single(rows, row -> row.getLong("users")));
    }
}
