package dev.vestibule.mail;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.journal.NoticeKind;
import dev.vestibule.mail.OutboxMessage.QueuedCode;
import dev.vestibule.mail.OutboxMessage.QueuedNotice;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The outbox: mails and SMS that are waiting to be sent. */
public final class MessageStore {
    /** The kinds of messages that this release can send. */
    private static final String[] KNOWN = Stream.concat(
                    Arrays.stream(CodePurpose.values()).map(CodePurpose::text),
                    Arrays.stream(NoticeKind.values()).map(NoticeKind::text))
            .toArray(String[]::new);

    private static final String CLAIM = """
            UPDATE messages SET attempts = attempts + 1, next_attempt_at = $2
            WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM messages
                WHERE queue = $5 AND next_attempt_at <= $1 AND kind = ANY ($4::text[])
                  AND (kind = 'invitation' OR project_id <> ALL ((SELECT projects_not_here())::uuid[]))
                ORDER BY next_attempt_at
                LIMIT $3
                FOR UPDATE SKIP LOCKED))
            RETURNING project_id, id, kind, recipient, language, subject_hash, user_id, sealed_details, created_at, attempts
            """;

    /**
     * Claims up to {@code limit} due messages of all projects; nodes share the work. A claim is a lease: when it ends,
     * its node is considered dead, and the message is due again. Kinds that only newer releases know are left to nodes
     * of those releases. Invitations to a project are at home and sent from there, wherever the project is.
     */
    public Future<List<OutboxMessage>> claim(
            SqlClient db, MessageQueue queue, Instant now, Instant leaseEnd, int limit) {
        return Sql.run(db, CLAIM, now, leaseEnd, limit, KNOWN, queue.text())
                .map(rows -> Rows.all(rows, MessageStore::queued));
    }

    private static OutboxMessage queued(Row row) {
        var project = new ProjectId(row.getUUID("project_id"));
        var id = row.getUUID("id");
        var kind = row.getString("kind");
        var recipient = row.getString("recipient");
        var language = Language.of(row.getString("language"));
        var createdAt = Rows.instant(row, "created_at");
        var attempts = row.getInteger("attempts");
        var subject = row.getBuffer("subject_hash");
        if (subject == null) {
            var user = new UserId(row.getUUID("user_id"));
            var sealed = row.getBuffer("sealed_details");
            return new QueuedNotice(
                    project, id, user, NoticeKind.of(kind), recipient, language, sealed, createdAt, attempts);
        }
        return new QueuedCode(project, id, CodePurpose.of(kind), recipient, subject, language, createdAt, attempts);
    }

    private static final String POSTPONE = """
            UPDATE messages SET next_attempt_at = $3 WHERE project_id = $1 AND id = $2
            """;

    public Future<Void> postpone(SqlClient db, OutboxMessage sent, Instant until) {
        return Sql.run(db, POSTPONE, sent.project(), sent.id(), until).mapEmpty();
    }

    private static final String REMOVE = """
            DELETE FROM messages WHERE project_id = $1 AND id = $2
            """;

    /** Also deletes the address or number. */
    public Future<Void> remove(SqlClient db, OutboxMessage sent) {
        return Sql.run(db, REMOVE, sent.project(), sent.id()).mapEmpty();
    }

    private static final String REMOVE_ALL = """
            DELETE FROM messages WHERE project_id = $1 AND recipient = $2 AND queue = 'codes'
            """;

    /** Removes all mails to an address except notices, which tell what happened to an account. */
    Future<Void> removeAll(SqlClient db, ProjectId project, String email) {
        return Sql.run(db, REMOVE_ALL, project, email).mapEmpty();
    }

    private static final String COUNT = """
            SELECT count(*) AS waiting FROM messages WHERE queue = ANY ($1)
            """;

    /** How many messages wait in all projects. */
    public Future<Long> count(SqlClient db, MessageQueue... queues) {
        return Sql.run(db, COUNT, (Object)
                        Arrays.stream(queues).map(MessageQueue::text).toArray(String[]::new))
                .map(rows -> Rows.single(rows, row -> row.getLong("waiting")));
    }
}
