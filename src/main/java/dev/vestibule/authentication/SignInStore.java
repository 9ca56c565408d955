package dev.vestibule.authentication;

import dev.vestibule.crypto.foreign.HashCost;
import dev.vestibule.crypto.foreign.HashMemory;
import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.journal.AuditEntry;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.Account;
import dev.vestibule.user.UserRows;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The account that a password sign in is for, and the failed sign ins of its email. */
public final class SignInStore {
    static final OldRows OLD_NETWORKS = OldRows.by("sign_in_networks", "seen_at");

    /** What is known about an email: its account, if there is one, and its lock, if it is or was locked. */
    public record SignInLookup(
            Optional<Account> account,
            @Nullable Instant lockedUntil,
            @Nullable HashCost costliestImport) {}

    /** The keys under which failed sign ins are counted: an email, and that email in one network. */
    public record FailureKeys(Buffer email, Buffer network) {}

    /**
     * The lock applies to a network from which the account recently signed in only after it has used up its own tries.
     */
    private static final String FIND = """
            SELECT %s,
                   CASE WHEN known.network_hash IS NULL OR own.failures >= $6 THEN failures.locked_until END
                       AS locked_until,
                   dearest.kind AS dearest_kind, dearest.usual_micros AS dearest_usual_micros,
                   dearest.heap_kib AS dearest_heap_kib, dearest.native_kib AS dearest_native_kib
            FROM (SELECT) AS always
            LEFT JOIN dearest_imports AS dearest ON dearest.project_id = $1
            LEFT JOIN users ON users.project_id = $1 AND users.email = $2
            LEFT JOIN sign_in_failures AS failures ON failures.project_id = $1 AND failures.email_hash = $3
            LEFT JOIN sign_in_networks AS known ON known.project_id = $1 AND known.user_id = users.id
                  AND known.network_hash = $4 AND known.seen_at > $5
            LEFT JOIN sign_in_failures_by_network AS own ON own.project_id = $1 AND own.email_hash = $3
                  AND own.network_hash = $4 AND own.window_start = failures.window_start
            """.formatted(UserRows.ACCOUNT_COLUMNS);

    Future<SignInLookup> find(
            SqlClient db, ProjectId project, String email, FailureKeys keys, Instant knownSince, int tries) {
        return Sql.run(db, FIND, project, email, keys.email(), keys.network(), knownSince, tries)
                .map(rows -> Rows.single(rows, SignInStore::lookup));
    }

    private static SignInLookup lookup(Row row) {
        Optional<Account> account = row.getUUID("id") == null ? Optional.empty() : Optional.of(UserRows.account(row));
        return new SignInLookup(account, Rows.optionalInstant(row, "locked_until"), costliestImport(row));
    }

    private static @Nullable HashCost costliestImport(Row row) {
        var kind = row.getString("dearest_kind");
        return kind == null
                ? null
                : new HashCost(
                        kind,
                        row.getLong("dearest_usual_micros"),
                        new HashMemory(row.getLong("dearest_heap_kib"), row.getLong("dearest_native_kib")));
    }

    /**
     * Counts twice: for the email, and for the email in this network. Both have one window, which does not end while
     * the lock holds, so a network never has more failures than the email. So the count of the email alone decides the
     * response to a wrong password, which then does not reveal from where an account, if there is one, signed in.
     */
    private static final String COUNT_FAILURE = """
            WITH counted AS (
                INSERT INTO sign_in_failures AS counted
                    (project_id, email_hash, failures, window_start, locked_until, locked_by)
                VALUES ($1, $2, 1, $3, CASE WHEN $5 <= 1 THEN $6::timestamptz END, CASE WHEN $5 <= 1 THEN $8::uuid END)
                ON CONFLICT (project_id, email_hash) DO UPDATE
                SET failures = CASE
                        WHEN counted.locked_until > $3 OR counted.window_start > $4 THEN counted.failures + 1
                        ELSE 1 END,
                    window_start = CASE
                        WHEN counted.locked_until > $3 OR counted.window_start > $4 THEN counted.window_start
                        ELSE $3 END,
                    locked_until = CASE
                        WHEN counted.locked_until > $3 THEN counted.locked_until
                        WHEN counted.window_start <= $4 THEN excluded.locked_until
                        WHEN counted.failures + 1 >= $5 THEN $6
                        ELSE counted.locked_until END,
                    locked_by = CASE
                        WHEN counted.locked_until > $3 THEN counted.locked_by
                        WHEN counted.window_start <= $4 THEN excluded.locked_by
                        WHEN counted.failures + 1 >= $5 THEN $8
                        ELSE counted.locked_by END
                RETURNING failures, window_start, locked_until, locked_by),
            own AS (
                INSERT INTO sign_in_failures_by_network AS own
                    (project_id, email_hash, network_hash, failures, window_start)
                SELECT $1, $2, $7, 1, window_start FROM counted
                ON CONFLICT (project_id, email_hash, network_hash) DO UPDATE
                SET failures = CASE WHEN own.window_start = excluded.window_start THEN own.failures + 1 ELSE 1 END,
                    window_start = excluded.window_start),
            audited AS (
                INSERT INTO audit_log (project_id, created_at, id, actor_type, event, target_type, target_id, metadata,
                                       ip_address, user_agent)
                SELECT $1, $3, $8, $9::text, 'auth.account.locked', $10::text, $11::uuid, $12::text::jsonb,
                       $13::text, $14::text
                FROM counted WHERE locked_by = $8)
            SELECT failures, locked_until, coalesce(locked_until = $6, false) AS begins_lock FROM counted
            """;

    /** The failures of an email after one more, and whether that one began a lock. */
    record Count(int failures, @Nullable Instant lockedUntil, boolean beginsLock) {}

    /**
     * Counts one more failure; the one that reaches the limit within the window locks the email until then, and only
     * that one writes the entry.
     */
    Future<Count> countFailure(
            SqlClient db,
            ProjectId project,
            FailureKeys keys,
            Instant now,
            Instant windowStart,
            int limit,
            Instant lockUntil,
            Optional<AuditEntry> lock) {
        var entry = lock.orElse(null);
        return Sql.run(
                        db,
                        COUNT_FAILURE,
                        project,
                        keys.email(),
                        now,
                        windowStart,
                        limit,
                        lockUntil,
                        keys.network(),
                        entry == null ? null : entry.id(),
                        entry == null ? null : entry.actor().type().text(),
                        entry == null ? null : entry.target().type(),
                        entry == null ? null : entry.target().id(),
                        entry == null ? null : entry.metadata(),
                        entry == null ? null : entry.actor().ipAddress(),
                        entry == null ? null : entry.actor().userAgent())
                .map(rows -> Rows.single(rows, SignInStore::count));
    }

    private static Count count(Row row) {
        return new Count(
                row.getInteger("failures"), Rows.optionalInstant(row, "locked_until"), row.getBoolean("begins_lock"));
    }

    private static final String LOCKED_UNTIL = """
            SELECT email_hash, locked_until FROM sign_in_failures
            WHERE project_id = $1 AND email_hash = ANY($2) AND locked_until IS NOT NULL
            """;

    /** When each lock ends or ended, by the hash of the email. Emails that were not locked recently are left out. */
    Future<Map<Buffer, Instant>> lockedUntil(SqlClient db, ProjectId project, Set<Buffer> emailHashes) {
        return Sql.run(db, LOCKED_UNTIL, project, emailHashes.toArray(Buffer[]::new))
                .map(rows -> {
                    var found = new HashMap<Buffer, Instant>();
                    rows.forEach(row -> found.put(row.getBuffer("email_hash"), Rows.instant(row, "locked_until")));
                    return found;
                });
    }

    private static final String DELETE_FAILURES = """
            DELETE FROM sign_in_failures WHERE project_id = $1 AND email_hash = $2
            """;

    Future<Void> deleteFailures(SqlClient db, ProjectId project, Buffer emailHash) {
        return Sql.run(db, DELETE_FAILURES, project, emailHash).mapEmpty();
    }

    private static final String PURGE_FAILURES = """
            DELETE FROM sign_in_failures WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM sign_in_failures
                WHERE window_start <= $1 AND (locked_until IS NULL OR locked_until <= $2)
                ORDER BY window_start
                LIMIT $3
                FOR UPDATE SKIP LOCKED))
            """;

    /** Deletes up to {@code limit} failures of all projects that are outside the window, and returns how many. */
    Future<Integer> purgeFailures(SqlClient db, Instant windowStart, Instant now, int limit) {
        return Sql.run(db, PURGE_FAILURES, windowStart, now, limit).map(rows -> rows.rowCount());
    }
}
