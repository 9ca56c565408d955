package dev.vestibule.mail;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.OldRows;
import dev.vestibule.database.SealedTable;
import dev.vestibule.database.Sql;
import dev.vestibule.journal.NoticeKind;
import dev.vestibule.mail.OutboxMessage.QueuedNotice;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Notices in the outbox, and their quotas. Their details are sealed: they may contain a token, and they say who was
 * where.
 */
final class NoticeStore {
    static final SealedTable SEALED = SealedTable.of("messages", List.of("id"), List.of("sealed_details"));

    static final OldRows OLD_QUOTAS = OldRows.by("notice_quotas", "queued_at");

    private final Sealer sealer;

    NoticeStore(Sealer sealer) {
        this.sealer = sealer;
    }

    /** Checks the quota under the lock of the row, so that only one of two nodes queues a notice. */
    private static final String QUEUE = """
            WITH granted AS (
                INSERT INTO notice_quotas AS kept (project_id, user_id, kind, queued_at)
                SELECT id, $2, $3, $4 FROM projects WHERE id = $1 AND security_notices
                ON CONFLICT (project_id, user_id, kind) DO UPDATE SET queued_at = $4
                WHERE kept.queued_at <= $5 OR NOT $6
                RETURNING project_id)
            INSERT INTO messages (project_id, id, user_id, queue, kind, recipient, language, sealed_details, created_at,
                                  next_attempt_at)
            SELECT project_id, $7, $2, 'notices', $3, $8, coalesce((SELECT locale FROM projects WHERE id = $1), $9), $10, $4, $4
            FROM granted
            """;

    /** False if the project wants no notices, or the account got one of this kind after {@code quotaStart}. */
    Future<Boolean> queue(
            SqlClient db,
            User user,
            NoticeKind kind,
            Notice notice,
            Language language,
            Instant now,
            Instant quotaStart) {
        var project = user.projectId();
        var id = UuidCreator.getTimeOrderedEpoch();
        return Sql.run(
                        db,
                        QUEUE,
                        project,
                        user.id(),
                        kind.text(),
                        now,
                        quotaStart,
                        kind.isLimited(),
                        id,
                        user.email(),
                        language.text(),
                        Buffer.buffer(sealer.seal(notice.encode(), context(project, id))))
                .map(rows -> rows.rowCount() == 1);
    }

    /** Binds the details to their row, so that they do not open in another one. */
    static byte[] context(ProjectId project, UUID id) {
        return ("notices " + project + " " + id).getBytes(StandardCharsets.UTF_8);
    }

    Notice open(QueuedNotice queued) {
        var context = context(queued.project(), queued.id());
        return Notice.decode(sealer.open(queued.sealed().getBytes(), context));
    }
}
