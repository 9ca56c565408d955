package dev.vestibule.mail;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.mail.OutboxMessage.QueuedCode;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The codes and links that were sent by mail or SMS, and how often an address or number asked for one. The key,
 * {@code subject_hash}, is a keyed hash of it. All statements lock the rows of an address in the order of their hash
 * and purpose, so that there is no deadlock.
 */
public final class CodeStore {
    private static final String OVER = """
            (expires_at IS NULL OR expires_at <= $1)
              AND NOT EXISTS (
                  SELECT FROM messages WHERE messages.project_id = codes.project_id AND messages.id = codes.message_id)
            """;

    /** Except those whose message waits to be sent. */
    static final OldRows OLD = OldRows.by("codes", "requested_at", OVER);

    /**
     * A request is granted if the previous one was not after {@code intervalStart} and there were fewer than the
     * maximum in the window, or if the quota is ignored.
     */
    public record Quota(Instant intervalStart, Instant windowStart, int maxInWindow, boolean isIgnored) {}

    /**
     * What only some requests say.
     *
     * @param user who proves that a number is the own; null for all mails, which look up nobody
     * @param signsUp whether an address without an account gets one
     */
    public record RequestDetails(
            @Nullable UserId user,
            boolean signsUp,
            boolean toHostedPage,
            @Nullable Buffer browserHash) {
        static final RequestDetails NONE = new RequestDetails(null, false, false, null);
    }

    /**
     * A mail or SMS to be sent.
     *
     * @param counted the keys that its quota is counted by, of which {@code subject} is the one of its code
     */
    public record Request(
            ProjectId project,
            UUID message,
            CodePurpose purpose,
            String recipient,
            List<Buffer> counted,
            Buffer subject,
            Language language,
            RequestDetails details) {
        @Override
        public String toString() {
            return "Request[" + message + "]";
        }
    }

    /**
     * Checks the quota under the lock of the row, so only one of two simultaneous requests is granted. The previous
     * code stays valid until the new mail is sent, but not until a new SMS is. Where a request is only counted, it
     * replaces nothing.
     */
    private static final String REQUEST = """
            WITH granted AS (
                INSERT INTO codes AS kept (project_id, subject_hash, purpose, requested_at, window_start, requests,
                                           message_id, user_id, email, signs_up, to_hosted_page, browser_hash)
                SELECT $1::uuid, subject_hash, $4::text, $9::timestamptz, $9::timestamptz, 1,
                       CASE WHEN subject_hash = $3::bytea THEN $5::uuid END, $16::uuid,
                       CASE WHEN $4 = 'magic_link' THEN $6::text END, $13::boolean, $14::boolean, $15::bytea
                FROM unnest($2::bytea[]) AS subject_hash
                ORDER BY subject_hash
                ON CONFLICT (project_id, subject_hash, purpose) DO UPDATE
                SET requested_at = $9, guesses = 0,
                    window_start = CASE WHEN kept.window_start <= $11 THEN $9 ELSE kept.window_start END,
                    requests = CASE WHEN kept.window_start <= $11 THEN 1 ELSE kept.requests + 1 END,
                    code_hash = CASE WHEN $17 = 'sms' THEN NULL ELSE kept.code_hash END,
                    expires_at = CASE WHEN $17 = 'sms' THEN NULL ELSE kept.expires_at END,
                    message_id = coalesce(excluded.message_id, kept.message_id),
                    signs_up = CASE WHEN excluded.message_id = $5 THEN $13 ELSE kept.signs_up END,
                    to_hosted_page = CASE WHEN excluded.message_id = $5 THEN $14 ELSE kept.to_hosted_page END,
                    browser_hash = CASE WHEN excluded.message_id = $5 THEN $15 ELSE kept.browser_hash END
                WHERE $8::boolean OR (kept.requested_at <= $10 AND (kept.window_start <= $11 OR kept.requests < $12))
                RETURNING project_id, subject_hash)
            INSERT INTO messages (project_id, id, queue, kind, recipient, subject_hash, user_id, language, created_at,
                                  next_attempt_at)
            SELECT project_id, $5, $17::text, $4, $6, $3, $16, $7, $9, $9 FROM granted WHERE subject_hash = $3
            """;

    /** Queues the message; false if the address has used up its quota. */
    public Future<Boolean> request(SqlClient db, Request asked, Quota quota, Instant now) {
        var user = asked.details().user();
        return Sql.run(
                        db,
                        REQUEST,
                        asked.project(),
                        asked.counted().toArray(Buffer[]::new),
                        asked.subject(),
                        asked.purpose().text(),
                        asked.message(),
                        asked.recipient(),
                        asked.language().text(),
                        quota.isIgnored(),
                        now,
                        quota.intervalStart(),
                        quota.windowStart(),
                        quota.maxInWindow(),
                        asked.details().signsUp(),
                        asked.details().toHostedPage(),
                        asked.details().browserHash(),
                        user,
                        asked.purpose().queue().text())
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String FIND_PAGE = """
            SELECT signs_up, CASE
                WHEN to_hosted_page THEN $4 || slug || '/link'
                ELSE coalesce(magic_link_url, callback_url)
            END AS page
            FROM codes AS asked JOIN projects ON projects.id = asked.project_id
            WHERE asked.project_id = $1 AND asked.subject_hash = $2 AND asked.message_id = $3
              AND deleted_at IS NULL AND passwordless_enabled
            """;

    /** Where the link of a mail leads, if it has a page, and whether it signs up an address without an account. */
    record LinkPage(@Nullable String url, boolean signsUp) {}

    /**
     * Empty if the request was replaced, or the project no longer allows sign ins without a password;
     * {@code hostedPages} is the URL prefix before the slug of a hosted page.
     */
    Future<Optional<LinkPage>> findPage(SqlClient db, QueuedCode mail, String hostedPages) {
        return Sql.run(db, FIND_PAGE, mail.project(), mail.subject(), mail.id(), hostedPages)
                .map(rows -> Rows.first(rows, row -> new LinkPage(row.getString("page"), row.getBoolean("signs_up"))));
    }

    /**
     * Guesses since the request count for the new code too: so a try of any code is also one of the guesses that the
     * account's budget counts, which must not tell whether a code was sent. Codes that known networks asked for have
     * tries of their own. A user who is being deleted gets no code. Of several messages that name no user, for a sign
     * in or by SMS, only the one that was requested last gets a code.
     */
    private static final String SEND = """
            UPDATE codes
            SET user_id = coalesce($6, user_id), code_hash = $7, expires_at = $8, code_signs_up = signs_up,
                tries = CASE WHEN $5 THEN 0 ELSE guesses END
            WHERE project_id = $1 AND subject_hash = $2 AND purpose = $3
              AND CASE WHEN $6::uuid IS NULL THEN message_id = $4
                  ELSE EXISTS (SELECT FROM users WHERE project_id = $1 AND id = $6 FOR KEY SHARE) END
            """;

    /**
     * Stores the code that the message is about to bring; false if none is needed any more. The user is null for a sign
     * in and an SMS.
     */
    public Future<Boolean> send(
            SqlClient db,
            QueuedCode message,
            boolean isFromKnownNetwork,
            @Nullable UserId user,
            Buffer codeHash,
            Instant expiresAt) {
        return Sql.run(
                        db,
                        SEND,
                        message.project(),
                        message.subject(),
                        message.purpose().text(),
                        message.id(),
                        isFromKnownNetwork,
                        user,
                        codeHash,
                        expiresAt)
                .map(rows -> rows.rowCount() == 1);
    }

    /**
     * The code or link that was sent last, and the attempts to use it, including the current one.
     *
     * @param email null if it is not of a link: a request with a code names the address
     * @param user to whom it was sent; null for a sign in, where the address may have no account
     * @param guesses since a mail was requested, whether or not one was sent
     */
    public record SentCode(
            @Nullable String email,
            @Nullable UserId user,
            boolean signsUp,
            @Nullable Buffer browserHash,
            @Nullable Buffer codeHash,
            @Nullable Instant expiresAt,
            boolean isOfKnownNetworks,
            int tries,
            int guesses) {
        @Override
        public String toString() {
            return "SentCode[" + tries + "]";
        }
    }

    /**
     * Also counts if there is no code: it updates the row of every address that asked for a mail, so that the time of a
     * response does not reveal which of them has an account. Strangers do not count for what known networks asked for.
     */
    private static final String COUNT_TRY = """
            UPDATE codes
            SET tries = tries + CASE WHEN $5 OR subject_hash = $2 THEN 1 ELSE 0 END, guesses = guesses + 1
            FROM (
                SELECT subject_hash AS locked_hash FROM codes
                WHERE project_id = $1 AND subject_hash IN ($2, $3) AND purpose = $4
                ORDER BY subject_hash
                FOR UPDATE) AS locked
            WHERE project_id = $1 AND subject_hash = locked_hash AND purpose = $4
            RETURNING email, user_id, code_signs_up, browser_hash, code_hash, expires_at,
                      subject_hash = $3 AS is_of_known_networks, tries, guesses
            """;

    /** Empty if nobody asked for a mail to this address; up to two where both known networks and others did. */
    public Future<List<SentCode>> countTry(
            SqlClient transaction,
            ProjectId project,
            AddressKeys address,
            CodePurpose purpose,
            boolean isByKnownNetwork) {
        return Sql.run(
                        transaction,
                        COUNT_TRY,
                        project,
                        address.ofAnyone(),
                        address.ofKnownNetworks(),
                        purpose.text(),
                        isByKnownNetwork)
                .map(rows -> Rows.all(rows, CodeStore::sentCode));
    }

    private static final String FIND_LINK = """
            SELECT email, user_id, code_signs_up, browser_hash, code_hash, expires_at, false AS is_of_known_networks,
                   tries, guesses
            FROM codes WHERE project_id = $1 AND code_hash = $2 AND purpose = 'magic_link'
            """;

    Future<Optional<SentCode>> findLink(SqlClient db, ProjectId project, Buffer codeHash) {
        return Sql.run(db, FIND_LINK, project, codeHash).map(rows -> Rows.first(rows, CodeStore::sentCode));
    }

    private static SentCode sentCode(Row row) {
        @Nullable UUID user = row.getUUID("user_id");
        return new SentCode(
                row.getString("email"),
                user == null ? null : new UserId(user),
                row.getBoolean("code_signs_up"),
                row.getBuffer("browser_hash"),
                row.getBuffer("code_hash"),
                Rows.optionalInstant(row, "expires_at"),
                row.getBoolean("is_of_known_networks"),
                row.getInteger("tries"),
                row.getInteger("guesses"));
    }

    /**
     * A mail of a sign in or an SMS that waits is not sent any more. Materialized, since a row that this statement has
     * changed cannot be locked once more.
     */
    private static final String END = """
            WITH locked AS MATERIALIZED (
                SELECT subject_hash, purpose, bool_or(code_hash = $4) OVER () AS has_it
                FROM (
                    SELECT subject_hash, purpose, code_hash FROM codes
                    WHERE project_id = $1 AND subject_hash = ANY ($2) AND purpose = ANY ($3)
                    ORDER BY subject_hash, purpose
                    FOR UPDATE) AS rows_of_address)
            UPDATE codes
            SET user_id = CASE WHEN codes.purpose = 'sms_phone' THEN user_id END, code_hash = NULL, expires_at = NULL,
                message_id = CASE WHEN codes.purpose IN ('email_otp', 'magic_link', 'sms_sign_in', 'sms_phone') THEN NULL
                                  ELSE message_id END
            FROM locked
            WHERE project_id = $1 AND codes.subject_hash = locked.subject_hash AND codes.purpose = locked.purpose
              AND ($4::bytea IS NULL OR has_it)
            """;

    /** Invalidates the codes with these keys and purposes; the quota stays. */
    public Future<Void> end(SqlClient db, ProjectId project, Collection<CodePurpose> purposes, Buffer... address) {
        return end(db, project, purposes, address, null).mapEmpty();
    }

    /** Invalidates them only if this one is still among them, so that of two requests with it only one succeeds. */
    Future<Boolean> end(
            SqlClient db,
            ProjectId project,
            Collection<CodePurpose> purposes,
            Buffer[] address,
            @Nullable Buffer codeHash) {
        return Sql.run(
                        db,
                        END,
                        project,
                        address,
                        purposes.stream().map(CodePurpose::text).toArray(String[]::new),
                        codeHash)
                .map(rows -> rows.rowCount() > 0);
    }

    private static final String REMOVE = """
            DELETE FROM codes WHERE project_id = $1 AND subject_hash = ANY ($2)
            """;

    Future<Void> remove(SqlClient db, ProjectId project, AddressKeys address) {
        return Sql.run(db, REMOVE, project, (Object) address.both()).mapEmpty();
    }
}
