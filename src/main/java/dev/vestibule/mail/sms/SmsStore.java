package dev.vestibule.mail.sms;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Requests for codes by SMS: the messages that wait to be sent, and the codes that were sent. */
final class SmsStore {
    static final OldRows OLD = OldRows.by("sms_codes", "requested_at");

    /** Identifies a code by its purpose and a keyed hash of the number and the user. */
    record CodeKey(ProjectId project, SmsPurpose purpose, Buffer hash) {}

    /**
     * A new request replaces the last one: the old message is not sent any more, and the old code is no longer valid.
     */
    private static final String REQUEST = """
            INSERT INTO sms_codes AS kept (project_id, purpose, key_hash, user_id, message_id, requested_at, language, phone,
                                           next_attempt_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $6)
            ON CONFLICT (project_id, purpose, key_hash) DO UPDATE
            SET message_id = excluded.message_id, requested_at = excluded.requested_at, language = excluded.language,
                phone = excluded.phone, next_attempt_at = excluded.next_attempt_at,
                attempts = 0, code_hash = NULL, expires_at = NULL, tries = 0
            WHERE kept.requested_at <= $9
            """;

    /** False if there was a request after the given time. */
    Future<Boolean> request(
            SqlClient transaction,
            CodeKey key,
            @Nullable UserId user,
            UUID message,
            String phone,
            Language language,
            Instant now,
            Instant intervalStart) {
        return transaction
                .preparedQuery(REQUEST)
                .execute(Tuple.from(new Object[] {
                    key.project().value(),
                    key.purpose().text(),
                    key.hash(),
                    user == null ? null : user.value(),
                    message,
                    Rows.timestamp(now),
                    language.text(),
                    phone,
                    Rows.timestamp(intervalStart)
                }))
                .map(rows -> rows.rowCount() == 1);
    }

    /** A claim is a lease: when it ends, the node that made it is considered dead, and the SMS is due again. */
    private static final String CLAIM = """
            UPDATE sms_codes SET attempts = attempts + 1, next_attempt_at = $2
            WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM sms_codes
                WHERE next_attempt_at <= $1
                ORDER BY next_attempt_at
                LIMIT $3
                FOR UPDATE SKIP LOCKED))
            RETURNING project_id, purpose, key_hash, message_id, requested_at, language, phone, attempts
            """;

    /** A claimed SMS; {@code attempts} includes the current one. */
    record QueuedSms(CodeKey key, UUID message, String phone, Language language, Instant requestedAt, int attempts) {
        @Override
        public String toString() {
            return "QueuedSms[" + message + "]"; // a number has no place in a log
        }
    }

    /** Claims up to {@code limit} SMS of all projects that are due; nodes share the work. */
    Future<List<QueuedSms>> claim(SqlClient db, Instant now, Instant leaseEnd, int limit) {
        return db.preparedQuery(CLAIM)
                .execute(Tuple.of(Rows.timestamp(now), Rows.timestamp(leaseEnd), limit))
                .map(rows -> Rows.all(rows, SmsStore::queued));
    }

    private static QueuedSms queued(Row row) {
        return new QueuedSms(
                new CodeKey(
                        new ProjectId(row.getUUID("project_id")),
                        SmsPurpose.of(row.getString("purpose")),
                        row.getBuffer("key_hash")),
                row.getUUID("message_id"),
                Objects.requireNonNull(row.getString("phone"), "what is due has a number"),
                Language.of(row.getString("language")),
                Rows.instant(row, "requested_at"),
                row.getInteger("attempts"));
    }

    private static final String FIND_SENDER = """
            SELECT projects.name, brandings.brand_name,
                   (projects.passwordless_sign_up AND NOT projects.require_email_verification) OR EXISTS (
                       SELECT FROM users
                       WHERE users.project_id = projects.id AND users.phone = $2 AND users.phone_verified) AS has_use
            FROM projects LEFT JOIN brandings ON brandings.project_id = projects.id
            WHERE projects.id = $1 AND projects.deleted_at IS NULL AND projects.sms_enabled
            """;

    /**
     * The sender that an SMS names.
     *
     * @param hasUse whether a sign in with this number can succeed
     */
    record Sender(String projectName, String brand, boolean hasUse) {}

    /** Empty if the project was deleted, or has switched SMS off. */
    Future<Optional<Sender>> findSender(SqlClient db, ProjectId project, String phone) {
        return db.preparedQuery(FIND_SENDER)
                .execute(Tuple.of(project.value(), phone))
                .map(rows -> Rows.first(rows, SmsStore::sender));
    }

    private static Sender sender(Row row) {
        var name = row.getString("name");
        return new Sender(
                name, Objects.requireNonNullElse(row.getString("brand_name"), name), row.getBoolean("has_use"));
    }

    private static final String SET_CODE = """
            UPDATE sms_codes SET code_hash = $5, expires_at = $6
            WHERE project_id = $1 AND purpose = $2 AND key_hash = $3 AND message_id = $4 AND phone IS NOT NULL
            """;

    /**
     * False if the message must not be sent any more: another one was requested since, or the code was already used.
     */
    Future<Boolean> setCode(SqlClient db, QueuedSms queued, Buffer codeHash, Instant expiresAt) {
        return db.preparedQuery(SET_CODE)
                .execute(Tuple.from(new Object[] {
                    queued.key().project().value(),
                    queued.key().purpose().text(),
                    queued.key().hash(),
                    queued.message(),
                    codeHash,
                    Rows.timestamp(expiresAt)
                }))
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String POSTPONE = """
            UPDATE sms_codes SET next_attempt_at = $5
            WHERE project_id = $1 AND purpose = $2 AND key_hash = $3 AND message_id = $4 AND phone IS NOT NULL
            """;

    Future<Void> postpone(SqlClient db, QueuedSms queued, Instant until) {
        return db.preparedQuery(POSTPONE)
                .execute(Tuple.of(
                        queued.key().project().value(),
                        queued.key().purpose().text(),
                        queued.key().hash(),
                        queued.message(),
                        Rows.timestamp(until)))
                .mapEmpty();
    }

    private static final String DONE = """
            UPDATE sms_codes SET phone = NULL, next_attempt_at = NULL
            WHERE project_id = $1 AND purpose = $2 AND key_hash = $3 AND message_id = $4
            """;

    /** Ends a message that was sent or given up, and deletes the number. */
    Future<Void> done(SqlClient db, QueuedSms queued) {
        return db.preparedQuery(DONE)
                .execute(Tuple.of(
                        queued.key().project().value(),
                        queued.key().purpose().text(),
                        queued.key().hash(),
                        queued.message()))
                .mapEmpty();
    }

    /** The lock of the row serializes attempts. */
    private static final String COUNT_TRY = """
            UPDATE sms_codes SET tries = tries + 1
            WHERE project_id = $1 AND purpose = $2 AND key_hash = $3
            RETURNING code_hash, expires_at, tries
            """;

    /** A request and its code, if it was sent; {@code tries} includes the current attempt. */
    record Requested(@Nullable Buffer codeHash, @Nullable Instant expiresAt, int tries) {}

    /** Empty if nobody requested a code. */
    Future<Optional<Requested>> countTry(SqlClient transaction, CodeKey key) {
        return transaction
                .preparedQuery(COUNT_TRY)
                .execute(Tuple.of(key.project().value(), key.purpose().text(), key.hash()))
                .map(rows -> Rows.first(
                        rows,
                        row -> new Requested(
                                row.getBuffer("code_hash"),
                                Rows.optionalInstant(row, "expires_at"),
                                row.getInteger("tries"))));
    }

    /** Also stops the message: sending it once more would make its code valid again. */
    private static final String USE = """
            UPDATE sms_codes SET code_hash = NULL, expires_at = NULL, phone = NULL, next_attempt_at = NULL
            WHERE project_id = $1 AND purpose = $2 AND key_hash = $3
            """;

    Future<Void> use(SqlClient transaction, CodeKey key) {
        return transaction
                .preparedQuery(USE)
                .execute(Tuple.of(key.project().value(), key.purpose().text(), key.hash()))
                .mapEmpty();
    }

    private static final String LOCK_NUMBER = """
            SELECT pg_advisory_xact_lock(hashtextextended($1::text || $2::text, 0))::text
            """;

    /** Until the transaction ends, no other transaction can verify the number. */
    Future<Void> lockNumber(SqlClient transaction, ProjectId project, String phone) {
        return transaction
                .preparedQuery(LOCK_NUMBER)
                .execute(Tuple.of(project.value().toString(), phone))
                .mapEmpty();
    }

    private static final String COUNT = """
            SELECT count(*) AS waiting FROM sms_codes WHERE next_attempt_at IS NOT NULL
            """;

    /** How many SMS wait in all projects. */
    Future<Long> count(SqlClient db) {
        return db.preparedQuery(COUNT).execute().map(rows -> Rows.single(rows, row -> row.getLong("waiting")));
    }
}
