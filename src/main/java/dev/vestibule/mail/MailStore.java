package dev.vestibule.mail;

import dev.vestibule.database.Rows;
import dev.vestibule.journal.NoticeKind;
import dev.vestibule.mail.OutboxMail.QueuedMail;
import dev.vestibule.mail.OutboxMail.QueuedNotice;
import dev.vestibule.mail.OutboxMail.QueuedSignIn;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** The outbox: mails that are waiting to be sent. */
final class MailStore {
    private static final List<String> SIGN_INS =
            Arrays.stream(PasswordlessKind.values()).map(PasswordlessKind::text).toList();

    /** The kinds of mails that this release can send. */
    private static final String[] KNOWN = Stream.of(
                    SIGN_INS.stream(),
                    Arrays.stream(CodePurpose.values()).map(CodePurpose::text),
                    Arrays.stream(NoticeKind.values()).map(NoticeKind::text))
            .flatMap(kinds -> kinds)
            .toArray(String[]::new);

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

    /** Counts a request like {@link #request}, but queues no mail. */
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
            INSERT INTO mails (project_id, id, kind, email, language, created_at, next_attempt_at, from_known_network)
            SELECT project_id, $9, $3, $10, $11, $4, $4, $12 FROM granted
            """.formatted(COUNT_REQUEST);

    /**
     * A request is granted if the previous one was not after {@code intervalStart} and there were fewer than the
     * maximum in the window, or if the quota is ignored.
     */
    record Quota(Instant intervalStart, Instant windowStart, int maxInWindow, boolean isIgnored) {}

    /** A mail to be written, with the hash that its quota is counted by. */
    record Request(
            ProjectId project,
            UUID id,
            Buffer emailHash,
            CodePurpose purpose,
            String email,
            Language language,
            boolean isFromKnownNetwork) {
        @Override
        public String toString() {
            return "Request[" + id + "]";
        }
    }

    /** False if the address has used up its quota. */
    Future<Boolean> request(SqlClient db, Request request, Quota quota, Instant now) {
        return db.preparedQuery(REQUEST)
                .execute(Tuple.from(new Object[] {
                    request.project().value(),
                    request.emailHash(),
                    request.purpose().text(),
                    Rows.timestamp(now),
                    Rows.timestamp(quota.intervalStart()),
                    Rows.timestamp(quota.windowStart()),
                    quota.maxInWindow(),
                    quota.isIgnored(),
                    request.id(),
                    request.email(),
                    request.language().text(),
                    request.isFromKnownNetwork()
                }))
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String CLAIM = """
            UPDATE mails SET attempts = attempts + 1, next_attempt_at = $2
            WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM mails
                WHERE next_attempt_at <= $1 AND kind = ANY ($4::text[]) AND user_id IS NULL
                ORDER BY next_attempt_at
                LIMIT $3
                FOR UPDATE SKIP LOCKED))
            RETURNING project_id, id, kind, email, language, from_known_network, user_id, sealed_details, created_at,
                      attempts
            """;

    /**
     * Claims up to {@code limit} due mails of all projects, but no notices; nodes share the work. A claim is a lease:
     * when it ends, its node is considered dead, and the mail is due again. Kinds that only newer releases know are
     * left to nodes of those releases.
     */
    Future<List<OutboxMail>> claim(SqlClient db, Instant now, Instant leaseEnd, int limit) {
        return db.preparedQuery(CLAIM)
                .execute(Tuple.of(Rows.timestamp(now), Rows.timestamp(leaseEnd), limit, KNOWN))
                .map(rows -> Rows.all(rows, MailStore::queued));
    }

    private static final String CLAIM_NOTICES = """
            UPDATE mails SET attempts = attempts + 1, next_attempt_at = $2
            WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM mails
                WHERE next_attempt_at <= $1 AND kind = ANY ($4::text[]) AND user_id IS NOT NULL
                ORDER BY next_attempt_at
                LIMIT $3
                FOR UPDATE SKIP LOCKED))
            RETURNING project_id, id, kind, email, language, from_known_network, user_id, sealed_details, created_at,
                      attempts
            """;

    /** Claims notices like {@link #claim} does other mails. */
    Future<List<OutboxMail>> claimNotices(SqlClient db, Instant now, Instant leaseEnd, int limit) {
        return db.preparedQuery(CLAIM_NOTICES)
                .execute(Tuple.of(Rows.timestamp(now), Rows.timestamp(leaseEnd), limit, KNOWN))
                .map(rows -> Rows.all(rows, MailStore::queued));
    }

    private static OutboxMail queued(Row row) {
        var project = new ProjectId(row.getUUID("project_id"));
        var id = row.getUUID("id");
        var user = row.getUUID("user_id");
        var kind = row.getString("kind");
        var email = row.getString("email");
        var language = Language.of(row.getString("language"));
        var createdAt = Rows.instant(row, "created_at");
        var attempts = row.getInteger("attempts");
        if (user != null) {
            var sealed = row.getBuffer("sealed_details");
            return new QueuedNotice(
                    project, id, new UserId(user), NoticeKind.of(kind), email, language, sealed, createdAt, attempts);
        }
        if (SIGN_INS.contains(kind)) {
            return new QueuedSignIn(project, id, PasswordlessKind.of(kind), email, language, createdAt, attempts);
        }
        var isFromKnownNetwork = row.getBoolean("from_known_network");
        return new QueuedMail(
                project, id, CodePurpose.of(kind), email, language, isFromKnownNetwork, createdAt, attempts);
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
            DELETE FROM mails WHERE project_id = $1 AND email = $2 AND user_id IS NULL
            """;

    /** Removes all mails to an address except notices, which tell what happened to an account. */
    Future<Void> removeAll(SqlClient db, ProjectId project, String email) {
        return db.preparedQuery(REMOVE_ALL)
                .execute(Tuple.of(project.value(), email))
                .mapEmpty();
    }

    private static final String COUNT = """
            SELECT count(*) AS waiting FROM mails
            """;

    /** How many mails wait in all projects. */
    Future<Long> count(SqlClient db) {
        return db.preparedQuery(COUNT).execute().map(rows -> Rows.single(rows, row -> row.getLong("waiting")));
    }
}
