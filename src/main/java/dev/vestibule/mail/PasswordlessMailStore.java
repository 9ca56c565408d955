package dev.vestibule.mail;

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

/** The rows of {@code passwordless_mails}: of an address, its requests, the mail that waits, and what was sent last. */
final class PasswordlessMailStore {
    /** A request for a mail; the address is there twice, as the key and for the mail. */
    record Asked(
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
        /** A request with a row of its own, or one that is only counted. */
        Asked as(UUID newId, Buffer key, boolean mailed) {
            return new Asked(project, key, kind, email, newId, language, signsUp, browserHash, toHostedPage, mailed);
        }

        @Override
        public String toString() {
            return "Asked[" + project + ", " + kind + "]";
        }
    }

    /**
     * What was sent before stays good until the new mail is. Checks the quota under the lock of the row. A request that is
     * not mailed only counts, and replaces nothing.
     */
    private static final String REQUEST = """
            INSERT INTO passwordless_mails AS kept (project_id, email_hash, kind, email, id, language, signs_up, browser_hash,
                                                    requested_at, window_start, requests, next_attempt_at,
                                                    to_hosted_page)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, 1, CASE WHEN $14 THEN $9 END, $13)
            ON CONFLICT (project_id, email_hash, kind) DO UPDATE
            SET id = CASE WHEN $14 THEN $5 ELSE kept.id END,
                language = CASE WHEN $14 THEN $6 ELSE kept.language END,
                signs_up = CASE WHEN $14 THEN $7 ELSE kept.signs_up END,
                browser_hash = CASE WHEN $14 THEN $8 ELSE kept.browser_hash END,
                requested_at = $9, guesses = 0,
                window_start = CASE WHEN kept.window_start <= $11 THEN $9 ELSE kept.window_start END,
                requests = CASE WHEN kept.window_start <= $11 THEN 1 ELSE kept.requests + 1 END,
                attempts = CASE WHEN $14 THEN 0 ELSE kept.attempts END,
                next_attempt_at = CASE WHEN $14 THEN $9 ELSE kept.next_attempt_at END,
                to_hosted_page = CASE WHEN $14 THEN $13 ELSE kept.to_hosted_page END
            WHERE kept.requested_at <= $10 AND (kept.window_start <= $11 OR kept.requests < $12)
            """;

    /** Does nothing if the address had its quota. */
    Future<Void> request(SqlClient db, Asked asked, MailStore.Quota quota, Instant now) {
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

    /** A claim is a lease: when it ends, the node that made it is considered dead, and the mail is due again. */
    private static final String CLAIM = """
            UPDATE passwordless_mails SET attempts = attempts + 1, next_attempt_at = $2
            WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM passwordless_mails
                WHERE next_attempt_at <= $1
                ORDER BY next_attempt_at
                LIMIT $3
                FOR UPDATE SKIP LOCKED))
            RETURNING project_id, id, kind, email, language, signs_up, requested_at, attempts
            """;

    /** A claimed mail of a sign in. */
    record QueuedSignIn(
            ProjectId project,
            UUID id,
            PasswordlessKind kind,
            String email,
            Language language,
            boolean signsUp,
            Instant createdAt,
            int attempts)
            implements Queued {}

    /** Claims up to {@code limit} mails of all projects that are due; nodes share the work. */
    Future<List<QueuedSignIn>> claim(SqlClient db, Instant now, Instant leaseEnd, int limit) {
        return db.preparedQuery(CLAIM)
                .execute(Tuple.of(Rows.timestamp(now), Rows.timestamp(leaseEnd), limit))
                .map(rows -> Rows.all(rows, PasswordlessMailStore::queued));
    }

    private static QueuedSignIn queued(Row row) {
        return new QueuedSignIn(
                new ProjectId(row.getUUID("project_id")),
                row.getUUID("id"),
                PasswordlessKind.of(row.getString("kind")),
                row.getString("email"),
                Language.of(row.getString("language")),
                row.getBoolean("signs_up"),
                Rows.instant(row, "requested_at"),
                row.getInteger("attempts"));
    }

    private static final String FIND_PAGE = """
            SELECT CASE
                WHEN (SELECT to_hosted_page FROM passwordless_mails AS asked WHERE asked.project_id = $1 AND asked.id = $2)
                THEN $3 || slug || '/link'
                ELSE coalesce(magic_link_url, callback_url)
            END AS page
            FROM projects
            WHERE id = $1 AND deleted_at IS NULL AND passwordless_enabled
            """;

    /** The page of a project's links, if it has one. */
    record LinkPage(@Nullable String url) {}

    /** Empty if nobody signs in without a password there any more; hosted pages have this prefix before their slug. */
    Future<Optional<LinkPage>> findPage(SqlClient db, ProjectId project, UUID mail, String hostedPages) {
        return db.preparedQuery(FIND_PAGE)
                .execute(Tuple.of(project.value(), mail, hostedPages))
                .map(rows -> Rows.first(rows, row -> new LinkPage(row.getString("page"))));
    }

    /** Guesses since the request count for the new code too, as for other codes; not for what known networks asked for. */
    private static final String PUT_SECRET = """
            UPDATE passwordless_mails
            SET secret_hash = $3, expires_at = $4, tries = CASE WHEN email_hash = $5 THEN 0 ELSE guesses END
            WHERE project_id = $1 AND id = $2
            """;

    /** False if the request was replaced, or the address has been forgotten. */
    Future<Boolean> putSecret(
            SqlClient db, ProjectId project, UUID id, Buffer secretHash, Instant expiresAt, AddressKeys address) {
        return db.preparedQuery(PUT_SECRET)
                .execute(
                        Tuple.of(project.value(), id, secretHash, Rows.timestamp(expiresAt), address.ofKnownNetworks()))
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String SET_NEXT_ATTEMPT = """
            UPDATE passwordless_mails SET next_attempt_at = $3 WHERE project_id = $1 AND id = $2
            """;

    Future<Void> postpone(SqlClient db, ProjectId project, UUID id, Instant until) {
        return db.preparedQuery(SET_NEXT_ATTEMPT)
                .execute(Tuple.of(project.value(), id, Rows.timestamp(until)))
                .mapEmpty();
    }

    /** The mail is sent, or not to be sent; its secret stays. */
    Future<Void> done(SqlClient db, ProjectId project, UUID id) {
        return db.preparedQuery(SET_NEXT_ATTEMPT)
                .execute(Tuple.of(project.value(), id, null))
                .mapEmpty();
    }

    /** What was sent last, and the tries of its code, including the current one. */
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
     * Also counts if there is no code, so that the time of a response does not tell who was sent one. Strangers do
     * not count for what known networks asked for. The rows are locked in the order of {@code LOCK}: no deadlock.
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

    /** Empty if nobody asked for a code to this address; up to two where both known networks and others did. */
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

    /** Locks what an address was sent, in one order, and returns the hashes of what is still good or expired. */
    Future<List<Buffer>> lock(SqlClient transaction, ProjectId project, AddressKeys address) {
        return transaction
                .preparedQuery(LOCK)
                .execute(Tuple.of(project.value(), (Object) address.both()))
                .map(rows -> Rows.all(rows, row -> Optional.ofNullable(row.getBuffer("secret_hash"))).stream()
                        .flatMap(Optional::stream)
                        .toList());
    }

    private static final String CLEAR = """
            UPDATE passwordless_mails SET secret_hash = NULL, expires_at = NULL, next_attempt_at = NULL
            WHERE project_id = $1 AND email_hash = ANY ($2)
            """;

    /** Nothing that was sent to the address is good any more, and nothing waits to be sent; the quota goes on. */
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

    private static final String PURGE = """
            DELETE FROM passwordless_mails WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM passwordless_mails
                WHERE requested_at <= $1 AND (expires_at IS NULL OR expires_at <= $1) AND next_attempt_at IS NULL
                ORDER BY requested_at
                LIMIT $2
                FOR UPDATE SKIP LOCKED))
            """;

    /** Deletes up to {@code limit} old rows of all projects, and returns how many; not those that wait to be sent. */
    Future<Integer> purge(SqlClient db, Instant before, int limit) {
        return db.preparedQuery(PURGE)
                .execute(Tuple.of(Rows.timestamp(before), limit))
                .map(rows -> rows.rowCount());
    }
}
