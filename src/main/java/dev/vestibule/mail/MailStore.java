package dev.vestibule.mail;

import dev.vestibule.database.Rows;
import dev.vestibule.journal.NoticeKind;
import dev.vestibule.mail.OutboxMail.QueuedMail;
import dev.vestibule.mail.OutboxMail.QueuedNotice;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
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
    /** The kinds of mails that this release can send. */
    private static final String[] KNOWN = Stream.concat(
                    Arrays.stream(CodePurpose.values()).map(CodePurpose::text),
                    Arrays.stream(NoticeKind.values()).map(NoticeKind::text))
            .toArray(String[]::new);

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
