package dev.vestibule.mail;

import dev.vestibule.database.Rows;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The outbox: mails that are waiting to be sent. */
final class MailStore {
    /** Checks the quota under the lock of the address's row, so only one of two simultaneous requests is granted. */
    private static final String COUNT_REQUEST = """
            INSERT INTO email_codes AS kept (project_id, email_hash, purpose, requested_at, window_start, requests)
            VALUES ($1, $2, $3, $4, $4, 1)
            ON CONFLICT (project_id, email_hash, purpose) DO UPDATE
            SET requested_at = $4,
                guesses = 0,
                window_start = CASE WHEN kept.window_start <= $6 THEN $4 ELSE kept.window_start END,
                requests = CASE WHEN kept.window_start <= $6 THEN 1 ELSE kept.requests + 1 END
            WHERE $8 OR (kept.requested_at <= $5 AND (kept.window_start <= $6 OR kept.requests < $7))
            RETURNING project_id
            """;

    /** Counts a request as {@link #request} does, and mails nothing. */
    Future<Void> count(
            SqlClient db, ProjectId project, Buffer emailHash, CodePurpose purpose, Quota quota, Instant now) {
        return db.preparedQuery(COUNT_REQUEST)
                .execute(Tuple.from(new Object[] {
                    project.value(),
                    emailHash,
                    purpose.text(),
                    Rows.timestamp(now),
                    Rows.timestamp(quota.intervalStart()),
                    Rows.timestamp(quota.windowStart()),
                    quota.maxInWindow(),
                    quota.isIgnored()
                }))
                .mapEmpty();
    }

    private static final String REQUEST = """
            WITH granted AS (
            %s)
            INSERT INTO mails (project_id, id, purpose, email, language, created_at, next_attempt_at, from_known_network)
            SELECT project_id, $9, $3, $10, $11, $4, $4, $12 FROM granted
            """.formatted(COUNT_REQUEST);

    /**
     * A request is granted if the previous one was not after {@code intervalStart}, and there were less than the maximum in
     * the window; or in any case if the quota is ignored.
     */
    record Quota(Instant intervalStart, Instant windowStart, int maxInWindow, boolean isIgnored) {}

    /** False if the address had its quota. */
    Future<Boolean> request(
            SqlClient db,
            ProjectId project,
            UUID id,
            Buffer emailHash,
            CodePurpose purpose,
            String email,
            Language language,
            boolean isFromKnownNetwork,
            Quota quota,
            Instant now) {
        return db.preparedQuery(REQUEST)
                .execute(Tuple.from(new Object[] {
                    project.value(),
                    emailHash,
                    purpose.text(),
                    Rows.timestamp(now),
                    Rows.timestamp(quota.intervalStart()),
                    Rows.timestamp(quota.windowStart()),
                    quota.maxInWindow(),
                    quota.isIgnored(),
                    id,
                    email,
                    language.text(),
                    isFromKnownNetwork
                }))
                .map(rows -> rows.rowCount() == 1);
    }

    /** A claim is a lease: when it ends, the node that made it is considered dead, and the mail is due again. */
    private static final String CLAIM = """
            UPDATE mails SET attempts = attempts + 1, next_attempt_at = $2
            WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM mails
                WHERE next_attempt_at <= $1
                ORDER BY next_attempt_at
                LIMIT $3
                FOR UPDATE SKIP LOCKED))
            RETURNING project_id, id, purpose, email, language, from_known_network, created_at, attempts
            """;

    /** A claimed mail with a code. */
    record QueuedMail(
            ProjectId project,
            UUID id,
            CodePurpose purpose,
            String email,
            Language language,
            boolean isFromKnownNetwork,
            Instant createdAt,
            int attempts)
            implements Queued {}

    /** Claims up to {@code limit} mails of all projects that are due; nodes share the work. */
    Future<List<QueuedMail>> claim(SqlClient db, Instant now, Instant leaseEnd, int limit) {
        return db.preparedQuery(CLAIM)
                .execute(Tuple.of(Rows.timestamp(now), Rows.timestamp(leaseEnd), limit))
                .map(rows -> Rows.all(rows, MailStore::queued));
    }

    private static QueuedMail queued(Row row) {
        return new QueuedMail(
                new ProjectId(row.getUUID("project_id")),
                row.getUUID("id"),
                CodePurpose.of(row.getString("purpose")),
                row.getString("email"),
                Language.of(row.getString("language")),
                row.getBoolean("from_known_network"),
                Rows.instant(row, "created_at"),
                row.getInteger("attempts"));
    }

    private static final String POSTPONE = """
            UPDATE mails SET next_attempt_at = $3 WHERE project_id = $1 AND id = $2
            """;

    Future<Void> postpone(SqlClient db, ProjectId project, UUID mail, Instant until) {
        return db.preparedQuery(POSTPONE)
                .execute(Tuple.of(project.value(), mail, Rows.timestamp(until)))
                .mapEmpty();
    }

    private static final String REMOVE = """
            DELETE FROM mails WHERE project_id = $1 AND id = $2
            """;

    Future<Void> remove(SqlClient db, ProjectId project, UUID mail) {
        return db.preparedQuery(REMOVE).execute(Tuple.of(project.value(), mail)).mapEmpty();
    }

    private static final String REMOVE_ALL = """
            DELETE FROM mails WHERE project_id = $1 AND email = $2
            """;

    /** Removes all mails to an address. */
    Future<Void> removeAll(SqlClient db, ProjectId project, String email) {
        return db.preparedQuery(REMOVE_ALL)
                .execute(Tuple.of(project.value(), email))
                .mapEmpty();
    }

    private static final String COUNT = """
            SELECT (SELECT count(*) FROM mails) + (SELECT count(*) FROM notices)
                 + (SELECT count(*) FROM passwordless_mails WHERE next_attempt_at IS NOT NULL) AS waiting
            """;

    /** How many mails and notices wait in all projects. */
    Future<Long> count(SqlClient db) {
        return db.preparedQuery(COUNT).execute().map(rows -> Rows.single(rows, row -> row.getLong("waiting")));
    }
}
