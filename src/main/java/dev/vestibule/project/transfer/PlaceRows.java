package dev.vestibule.project.transfer;

import dev.vestibule.database.Shard;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads and changes where a project is, in the row that one database has of it, on one JDBC connection. */
final class PlaceRows {
    /** What a database knows of its own, and the other one does not. */
    private static final List<String> OWN_COLUMNS = List.of("shard", "arrives", "leaves_until", "has_left_rows");

    private final Statements statements;
    private final Shard here;

    PlaceRows(Connection connection, Shard here) {
        this.statements = new Statements(connection);
        this.here = here;
    }

    /**
     * What a database knows of where a project is.
     *
     * @param shard another database that has it, or from which it arrives; null if it is here
     * @param hasLeftRows whether rows are being removed that an earlier move has left
     */
    record Place(@Nullable Shard shard, boolean arrives, boolean hasLeftRows, boolean isDeleted) {}

    private static final String FIND = """
            SELECT shard, arrives, has_left_rows, deleted_at IS NOT NULL FROM projects WHERE id = ?
            """;

    Optional<Place> find(UUID project) throws SQLException {
        return place(FIND, project);
    }

    private static final String LOCK = """
            SELECT shard, arrives, has_left_rows, deleted_at IS NOT NULL FROM projects WHERE id = ? FOR UPDATE
            """;

    /** As {@link #find}, and nobody else changes the row before the transaction ends. */
    Optional<Place> lock(UUID project) throws SQLException {
        return place(LOCK, project);
    }

    private Optional<Place> place(String sql, UUID project) throws SQLException {
        return statements.first(
                sql,
                row -> {
                    var shard = row.getString(1);
                    return new Place(
                            shard == null ? null : new Shard(shard),
                            row.getBoolean(2),
                            row.getBoolean(3),
                            row.getBoolean(4));
                },
                project);
    }

    private static final String HOLD = """
            UPDATE projects SET leaves_until = clock_timestamp() + ? * interval '1 millisecond'
            WHERE id = ? AND shard IS NULL AND deleted_at IS NULL
              AND (leaves_until IS NULL OR leaves_until < clock_timestamp())
            RETURNING leaves_until
            """;

    /** Begins a lease, which ends at the returned time; empty if another move has one. */
    Optional<OffsetDateTime> hold(UUID project, Duration lease) throws SQLException {
        return statements.first(HOLD, row -> row.getObject(1, OffsetDateTime.class), lease.toMillis(), project);
    }

    private static final String RENEW = """
            UPDATE projects SET leaves_until = clock_timestamp() + ? * interval '1 millisecond'
            WHERE id = ? AND shard IS NULL AND leaves_until = ? AND leaves_until > clock_timestamp()
            RETURNING leaves_until
            """;

    /** The new end of the lease that ended at this time; empty if it has ended, or is another one's by now. */
    Optional<OffsetDateTime> renew(UUID project, OffsetDateTime end, Duration lease) throws SQLException {
        return statements.first(RENEW, row -> row.getObject(1, OffsetDateTime.class), lease.toMillis(), project, end);
    }

    private static final String RELEASE = """
            UPDATE projects SET leaves_until = clock_timestamp() WHERE id = ? AND shard IS NULL AND leaves_until = ?
            """;

    /** Ends the lease now. The time stays: for a while after it, a copy elsewhere is kept for the next attempt. */
    void release(UUID project, OffsetDateTime end) throws SQLException {
        statements.update(RELEASE, project, end);
    }

    private static final String LEAVE = """
            UPDATE projects
            SET shard = ?, leaves_until = NULL, has_left_rows = true, slug = CASE WHEN ? THEN slug ELSE id::text END
            WHERE id = ? AND shard IS NULL AND leaves_until = ?
              AND leaves_until > clock_timestamp() + ? * interval '1 millisecond'
            """;

    /**
     * From the commit on, the project is there, and nowhere else; false if the lease has ended, or is about to. Only at
     * home, a row of a project that is elsewhere keeps the slug: another project may have it by now, and come here.
     */
    boolean leave(UUID project, Shard to, OffsetDateTime end, Duration rest) throws SQLException {
        return statements.update(LEAVE, to.name(), here.isHome(), project, end, rest.toMillis()) == 1;
    }

    private static final String ARRIVE = """
            UPDATE projects SET shard = NULL, arrives = false WHERE id = ? AND arrives AND shard = ?
            """;

    /** The project is here from the commit on, if the other database has given it up. */
    void arrive(UUID project, Shard from) throws SQLException {
        statements.update(ARRIVE, project, from.name());
    }

    private static final String POINT = """
            UPDATE projects SET shard = ?, arrives = false, has_left_rows = has_left_rows OR arrives
            WHERE id = ? AND shard IS NOT NULL AND NOT (arrives AND shard = ?)
            """;

    /**
     * Says at home where the project is, unless it is at home, or arrives there from where it is. The copy of a move to
     * home that was given up is removed.
     */
    void point(UUID project, Shard to) throws SQLException {
        statements.update(POINT, to.name(), project, to.name());
    }

    private static final String READ = """
            SELECT to_jsonb(projects)::text FROM projects WHERE id = ?
            """;

    /** The project's row. */
    String read(UUID project) throws SQLException {
        return statements.first(READ, row -> row.getString(1), project).orElseThrow();
    }

    private static final String FREE_SLUG = """
            UPDATE projects SET slug = 'was-' || projects.id
            FROM jsonb_populate_record(NULL::projects, ?::jsonb) AS arriving
            WHERE projects.slug = arriving.slug AND projects.id <> arriving.id AND projects.deleted_at IS NULL
            """;

    /**
     * Takes the slug of this row from another project. Only at home a slug can be another project's: elsewhere a row
     * that has it is out of date, such as one that a failed creation has left.
     */
    void freeSlug(String row) throws SQLException {
        if (!here.isHome()) {
            statements.update(FREE_SLUG, row);
        }
    }

    private static final String WRITE = """
            INSERT INTO projects (%1$s, shard, arrives)
            SELECT %1$s, ?, true FROM jsonb_populate_record(NULL::projects, ?::jsonb)
            ON CONFLICT (id) DO UPDATE SET %2$s, shard = excluded.shard, arrives = true,
                leaves_until = NULL, has_left_rows = false
            """;

    /** The row that {@link #read} has read in another database, from which the project arrives. */
    void write(String row, List<String> columns, Shard from) throws SQLException {
        var copied =
                columns.stream().filter(column -> !OWN_COLUMNS.contains(column)).toList();
        var replaced = copied.stream()
                .filter(column -> !(here.isHome() && column.equals("slug"))) // slugs are kept at home
                .map(column -> column + " = excluded." + column)
                .collect(Collectors.joining(", "));
        statements.update(WRITE.formatted(ProjectRows.list(copied), replaced), from.name(), row);
    }

    private static final String CLOCK_AFTER = """
            SELECT clock_timestamp() FROM pg_sleep(? / 1000.0)
            """;

    /** The database's time after this wait. */
    OffsetDateTime clockAfter(Duration wait) throws SQLException {
        return statements
                .first(CLOCK_AFTER, row -> row.getObject(1, OffsetDateTime.class), wait.toMillis())
                .orElseThrow();
    }

    private static final String OLDER_TRANSACTION = """
            SELECT min(xact_start) FROM pg_stat_activity
            WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
              AND xact_start < ?
            """;

    /** When the oldest transaction of this database began that is running since before this time; empty if none is. */
    Optional<OffsetDateTime> transactionFromBefore(OffsetDateTime time) throws SQLException {
        return statements.first(OLDER_TRANSACTION, row -> row.getObject(1, OffsetDateTime.class), time);
    }

    private static final String MONTHS = """
            SELECT string_agg(right(relname, 7), ',') FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
            WHERE inhparent = 'audit_log'::regclass AND relname ~ '^audit_log_\\d{4}_\\d\\d$'
            """;

    /** The months that have a partition of the audit log, with commas between them; null if none has. */
    @Nullable
    String auditMonths() throws SQLException {
        return statements.first(MONTHS, row -> row.getString(1)).orElse(null);
    }

    private static final String MAKE_MONTHS = """
            SELECT make_audit_log_month((to_date(month, 'YYYY_MM') + time '12:00') AT TIME ZONE 'UTC')
            FROM unnest(string_to_array(?, ',')) AS month
            """;

    /** Makes the partitions of these months that are missing. */
    void makeAuditMonths(String months) throws SQLException {
        statements.first(MAKE_MONTHS, row -> months, months);
    }
}
