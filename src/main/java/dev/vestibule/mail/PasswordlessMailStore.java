package dev.vestibule.mail;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.mail.CodeTries.Count;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of {@code passwordless_mails}: the requests of an address, and the code or link that was sent last. */
final class PasswordlessMailStore {
    private static final String OVER = """
            (expires_at IS NULL OR expires_at <= $1)
              AND NOT EXISTS (
                  SELECT FROM mails
                  WHERE mails.project_id = passwordless_mails.project_id AND mails.id = passwordless_mails.id)
            """;

    /** Without those that wait to be sent. */
    static final OldRows OLD = OldRows.by("passwordless_mails", "requested_at", OVER);

    /** A request for a mail; it has the address twice, as the key and for the mail. */
    record MailRequest(
            ProjectId project,
            Buffer emailHash,
            PasswordlessKind kind,
            String email,
            UUID id,
            Language language,
            boolean signsUp,
            @Nullable Buffer browserHash,
            boolean toHostedPage,
            boolean isMailed) {
        /** A copy of this request with its own row; if it is not mailed, it is only counted. */
        MailRequest as(UUID newId, Buffer key, boolean mailed) {
            return new MailRequest(
                    project, key, kind, email, newId, language, signsUp, browserHash, toHostedPage, mailed);
        }

        @Override
        public String toString() {
            return "MailRequest[" + project + ", " + kind + "]";
        }
    }

    /**
     * The previous code or link stays valid until the new mail is sent. Checks the quota under the lock of the row. A
     * request that is not mailed only counts, and replaces nothing.
     */
    private static final String REQUEST = """
            WITH granted AS (
                INSERT INTO passwordless_mails AS kept (project_id, email_hash, kind, email, id, signs_up, browser_hash,
                                                        requested_at, window_start, requests, to_hosted_page)
                VALUES ($1, $2, $3, $4, $5, $7, $8, $9, $9, 1, $13)
                ON CONFLICT (project_id, email_hash, kind) DO UPDATE
                SET id = CASE WHEN $14 THEN $5 ELSE kept.id END,
                    signs_up = CASE WHEN $14 THEN $7 ELSE kept.signs_up END,
                    browser_hash = CASE WHEN $14 THEN $8 ELSE kept.browser_hash END,
                    requested_at = $9, guesses = 0,
                    window_start = CASE WHEN kept.window_start <= $11 THEN $9 ELSE kept.window_start END,
                    requests = CASE WHEN kept.window_start <= $11 THEN 1 ELSE kept.requests + 1 END,
                    to_hosted_page = CASE WHEN $14 THEN $13 ELSE kept.to_hosted_page END
                WHERE kept.requested_at <= $10 AND (kept.window_start <= $11 OR kept.requests < $12)
                RETURNING project_id)
            INSERT INTO mails (project_id, id, kind, email, language, created_at, next_attempt_at)
            SELECT project_id, $5, $3, $4, $6, $9, $9 FROM granted WHERE $14
            """;

    /** Does nothing if the address has used up its quota. */
    Future<Void> request(SqlClient db, MailRequest asked, MailStore.Quota quota, Instant now) {
        return db.preparedQuery(REQUEST)
                .execute(Tuple.from(new @Nullable Object[] {
                    asked.project().value(),
                    asked.emailHash(),
                    asked.kind().text(),
                    asked.email(),
                    asked.id(),
                    asked.language().text(),
                    asked.signsUp(),
                    asked.browserHash(),
                    Rows.timestamp(now),
                    Rows.timestamp(quota.intervalStart()),
                    Rows.timestamp(quota.windowStart()),
                    quota.maxInWindow(),
                    asked.toHostedPage(),
                    asked.isMailed()
                }))
                .mapEmpty();
    }

    private static final String FIND_PAGE = """
            SELECT signs_up, CASE
                WHEN to_hosted_page THEN $3 || slug || '/link'
                ELSE coalesce(magic_link_url, callback_url)
            END AS page
            FROM passwordless_mails AS asked JOIN projects ON projects.id = asked.project_id
            WHERE asked.project_id = $1 AND asked.id = $2 AND deleted_at IS NULL AND passwordless_enabled
            """;

    /** Where the link of a mail leads, if it has a page, and whether it signs up an address without an account. */
    record LinkPage(@Nullable String url, boolean signsUp) {}

    /**
     * Empty if the request was replaced, or the project no longer allows sign ins without a password; {@code
     * hostedPages} is the URL prefix before the slug of a hosted page.
     */
    Future<Optional<LinkPage>> findPage(SqlClient db, ProjectId project, UUID mail, String hostedPages) {
        return db.preparedQuery(FIND_PAGE)
                .execute(Tuple.of(project.value(), mail, hostedPages))
                .map(rows -> Rows.first(rows, row -> new LinkPage(row.getString("page"), row.getBoolean("signs_up"))));
    }

    /**
     * Guesses since the request also count for the new code, as for other codes, except if a known network requested
     * it.
     */
    private static final String PUT_SECRET = """
            UPDATE passwordless_mails
            SET secret_hash = $3, expires_at = $4, tries = CASE WHEN email_hash = $5 THEN 0 ELSE guesses END
            WHERE project_id = $1 AND id = $2
            """;

    /** False if the request was replaced, or the rows of the address were removed. */
    Future<Boolean> putSecret(
            SqlClient db, ProjectId project, UUID id, Buffer secretHash, Instant expiresAt, AddressKeys address) {
        return db.preparedQuery(PUT_SECRET)
                .execute(
                        Tuple.of(project.value(), id, secretHash, Rows.timestamp(expiresAt), address.ofKnownNetworks()))
                .map(rows -> rows.rowCount() == 1);
    }

    /** The code or link that was sent last, and the attempts on its code, including the current one. */
    record Sent(
            String email,
            boolean signsUp,
            @Nullable Buffer browserHash,
            @Nullable Buffer secretHash,
            @Nullable Instant expiresAt,
            Count count) {
        @Override
        public String toString() {
            return "Sent[" + count + "]";
        }
    }

    /**
     * Also counts if there is no code, so that the response time does not reveal who was sent one. Attempts of
     * strangers do not count for codes that known networks requested. Locks the rows in the order of {@code LOCK},
     * which prevents deadlocks.
     */
    private static final String COUNT_TRY = """
            UPDATE passwordless_mails
            SET tries = tries + CASE WHEN $4 OR email_hash = $2 THEN 1 ELSE 0 END, guesses = guesses + 1
            FROM (
                SELECT email_hash AS locked_hash FROM passwordless_mails
                WHERE project_id = $1 AND email_hash IN ($2, $3) AND kind = 'email_otp'
                ORDER BY email_hash
                FOR UPDATE) AS locked
            WHERE project_id = $1 AND email_hash = locked_hash AND kind = 'email_otp'
            RETURNING email, signs_up, browser_hash, secret_hash, expires_at,
                      email_hash = $3 AS is_of_known_networks, tries, guesses
            """;

    /** Empty if nobody requested a code for this address; two if both known networks and others did. */
    Future<List<Sent>> countTry(
            SqlClient transaction, ProjectId project, AddressKeys address, boolean isByKnownNetwork) {
        return transaction
                .preparedQuery(COUNT_TRY)
                .execute(Tuple.of(project.value(), address.ofAnyone(), address.ofKnownNetworks(), isByKnownNetwork))
                .map(rows -> Rows.all(rows, PasswordlessMailStore::sent));
    }

    private static final String FIND_LINK = """
            SELECT email, signs_up, browser_hash, secret_hash, expires_at, false AS is_of_known_networks, tries, guesses
            FROM passwordless_mails
            WHERE project_id = $1 AND secret_hash = $2 AND kind = 'magic_link'
            """;

    Future<Optional<Sent>> findLink(SqlClient db, ProjectId project, Buffer secretHash) {
        return db.preparedQuery(FIND_LINK)
                .execute(Tuple.of(project.value(), secretHash))
                .map(rows -> Rows.first(rows, PasswordlessMailStore::sent));
    }

    private static Sent sent(Row row) {
        return new Sent(
                row.getString("email"),
                row.getBoolean("signs_up"),
                row.getBuffer("browser_hash"),
                row.getBuffer("secret_hash"),
                Rows.optionalInstant(row, "expires_at"),
                new Count(row.getBoolean("is_of_known_networks"), row.getInteger("tries"), row.getInteger("guesses")));
    }

    private static final String LOCK = """
            SELECT secret_hash FROM passwordless_mails WHERE project_id = $1 AND email_hash = ANY ($2)
            ORDER BY email_hash, kind FOR UPDATE
            """;

    /**
     * Locks the rows of an address, in one order, and returns the hashes of the codes and links that are not used up,
     * including expired ones.
     */
    Future<List<Buffer>> lock(SqlClient transaction, ProjectId project, AddressKeys address) {
        return transaction
                .preparedQuery(LOCK)
                .execute(Tuple.of(project.value(), (Object) address.both()))
                .map(rows -> Rows.all(rows, row -> Optional.ofNullable(row.getBuffer("secret_hash"))).stream()
                        .flatMap(Optional::stream)
                        .toList());
    }

    private static final String CLEAR = """
            WITH cleared AS (
                UPDATE passwordless_mails SET secret_hash = NULL, expires_at = NULL
                WHERE project_id = $1 AND email_hash = ANY ($2)
                RETURNING project_id, id)
            DELETE FROM mails USING cleared WHERE mails.project_id = cleared.project_id AND mails.id = cleared.id
            """;

    /** Invalidates everything that was sent to the address or waits to be sent; the quota stays. */
    Future<Void> clear(SqlClient db, ProjectId project, AddressKeys address) {
        return db.preparedQuery(CLEAR)
                .execute(Tuple.of(project.value(), (Object) address.both()))
                .mapEmpty();
    }

    private static final String REMOVE = """
            DELETE FROM passwordless_mails WHERE project_id = $1 AND email_hash = ANY ($2)
            """;

    Future<Void> remove(SqlClient db, ProjectId project, AddressKeys address) {
        return db.preparedQuery(REMOVE)
                .execute(Tuple.of(project.value(), (Object) address.both()))
                .mapEmpty();
    }
}
