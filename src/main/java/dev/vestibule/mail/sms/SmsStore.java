package dev.vestibule.mail.sms;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.mail.MessageKind;
import dev.vestibule.mail.MessageTextStore;
import dev.vestibule.mail.OutboxMessage.QueuedCode;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What sending an SMS and using its code need to know. */
final class SmsStore {
    private static final String FIND_SENDER = """
            SELECT projects.name, brandings.brand_name, message_texts.texts,
                   coalesce(
                       (SELECT bool_or(NOT users.is_banned) FROM users
                        WHERE users.project_id = projects.id AND users.phone = $2 AND users.phone_verified),
                       projects.passwordless_sign_up AND NOT projects.require_email_verification) AS has_use
            FROM projects LEFT JOIN brandings ON brandings.project_id = projects.id
            LEFT JOIN message_texts ON message_texts.project_id = projects.id
                AND message_texts.message = $3 AND message_texts.language = $4
            WHERE projects.id = $1 AND projects.deleted_at IS NULL AND projects.sms_enabled
            """;

    /**
     * The sender that an SMS names.
     *
     * @param texts those that the project has written
     * @param hasUse whether a sign in with this number can succeed
     */
    record Sender(String projectName, String brand, Map<String, String> texts, boolean hasUse) {}

    /** Empty if the project was deleted, or has switched SMS off. */
    Future<Optional<Sender>> findSender(SqlClient db, QueuedCode queued) {
        return Sql.run(
                        db,
                        FIND_SENDER,
                        queued.project(),
                        queued.recipient(),
                        MessageKind.SMS.key(),
                        queued.language().text())
                .map(rows -> Rows.first(rows, SmsStore::sender));
    }

    private static Sender sender(Row row) {
        var name = row.getString("name");
        return new Sender(
                name,
                Objects.requireNonNullElse(row.getString("brand_name"), name),
                MessageTextStore.texts(row, "texts"),
                row.getBoolean("has_use"));
    }

    private static final String LOCK_NUMBER = """
            SELECT pg_advisory_xact_lock(hashtextextended($1::text || $2::text, 0))::text
            """;

    /** Until the transaction ends, no other transaction can verify the number. */
    Future<Void> lockNumber(SqlClient transaction, ProjectId project, String phone) {
        return Sql.run(transaction, LOCK_NUMBER, project.value().toString(), phone)
                .mapEmpty();
    }
}
