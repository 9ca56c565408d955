package dev.vestibule.mail;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.mail.CodeTries.Count;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The codes that were sent, and how often an address asked for one. The key is a keyed hash of the address. */
final class EmailCodeStore {
    static final OldRows OLD = OldRows.by("email_codes", "requested_at", "(expires_at IS NULL OR expires_at <= $1)");

    /**
     * Inserts if the row is gone: a mail may wait for its SMTP server longer than requests are kept. Guesses since the
     * request count for the new code too: so a try of any code is also one of the guesses that the account's budget
     * counts, which must not tell whether a code was sent. Those that known networks asked for have tries of their own.
     * A user who is being deleted gets none, and leaves none.
     */
    private static final String PUT = """
            INSERT INTO email_codes (project_id, email_hash, purpose, requested_at, window_start, requests,
                                     user_id, code_hash, expires_at)
            SELECT $1, $2::bytea, $3::text, $4::timestamptz, $4::timestamptz, 1, id, $6::bytea, $7::timestamptz
            FROM users WHERE project_id = $1 AND id = $5
            FOR KEY SHARE
            ON CONFLICT (project_id, email_hash, purpose) DO UPDATE
            SET user_id = $5, code_hash = $6, expires_at = $7, tries = CASE WHEN $8 THEN 0 ELSE email_codes.guesses END
            """;

    Future<Void> put(
            SqlClient db,
            ProjectId project,
            Buffer emailHash,
            CodePurpose purpose,
            UserId user,
            Buffer codeHash,
            Instant now,
            boolean isOfKnownNetworks) {
        return db.preparedQuery(PUT)
                .execute(Tuple.from(new Object[] {
                    project.value(),
                    emailHash,
                    purpose.text(),
                    Rows.timestamp(now),
                    user.value(),
                    codeHash,
                    Rows.timestamp(now.plus(purpose.lifetime())),
                    isOfKnownNetworks
                }))
                .mapEmpty();
    }

    private static final String VOID = """
            UPDATE email_codes SET code_hash = NULL, expires_at = NULL
            WHERE project_id = $1 AND email_hash = $2 AND purpose = $3
            """;

    Future<Void> voidCode(SqlClient db, ProjectId project, Buffer emailHash, CodePurpose purpose) {
        return db.preparedQuery(VOID)
                .execute(Tuple.of(project.value(), emailHash, purpose.text()))
                .mapEmpty();
    }

    /**
     * Also counts if there is no code: it updates the row of every address that asked for a mail, so that the time of a
     * response does not reveal which of them has an account. The lock of the row makes attempts wait for each other.
     * Strangers do not count for what known networks asked for. All statements lock the rows in one order: no deadlock.
     */
    private static final String COUNT_ATTEMPT = """
            UPDATE email_codes
            SET tries = tries + CASE WHEN $5 OR email_hash = $2 THEN 1 ELSE 0 END, guesses = guesses + 1
            FROM (
                SELECT email_hash AS locked_hash FROM email_codes
                WHERE project_id = $1 AND email_hash IN ($2, $3) AND purpose = $4
                ORDER BY email_hash
                FOR UPDATE) AS locked
            WHERE project_id = $1 AND email_hash = locked_hash AND purpose = $4
            RETURNING email_hash = $3 AS is_of_known_networks, user_id, code_hash, expires_at, tries, guesses
            """;

    /** A code, and the numbers of attempts to use it, including the current one. */
    record SentCode(
            @Nullable UserId user,
            @Nullable Buffer codeHash,
            @Nullable Instant expiresAt,
            Count count) {}

    /** Empty if nobody asked for a mail to this address; up to two where both known networks and others did. */
    Future<List<SentCode>> countAttempt(
            SqlClient transaction,
            ProjectId project,
            AddressKeys address,
            CodePurpose purpose,
            boolean isByKnownNetwork) {
        return transaction
                .preparedQuery(COUNT_ATTEMPT)
                .execute(Tuple.of(
                        project.value(),
                        address.ofAnyone(),
                        address.ofKnownNetworks(),
                        purpose.text(),
                        isByKnownNetwork))
                .map(rows -> Rows.all(rows, EmailCodeStore::sentCode));
    }

    private static SentCode sentCode(Row row) {
        @Nullable UUID user = row.getUUID("user_id");
        return new SentCode(
                user == null ? null : new UserId(user),
                row.getBuffer("code_hash"),
                Rows.optionalInstant(row, "expires_at"),
                new Count(row.getBoolean("is_of_known_networks"), row.getInteger("tries"), row.getInteger("guesses")));
    }

    private static final String CLEAR = """
            UPDATE email_codes SET user_id = NULL, code_hash = NULL, expires_at = NULL
            WHERE project_id = $1 AND email_hash = ANY ($2) AND purpose = $3
            """;

    Future<Void> clear(SqlClient db, ProjectId project, AddressKeys address, CodePurpose purpose) {
        return db.preparedQuery(CLEAR)
                .execute(Tuple.of(project.value(), address.both(), purpose.text()))
                .mapEmpty();
    }

    private static final String CLEAR_ALL = """
            UPDATE email_codes SET user_id = NULL, code_hash = NULL, expires_at = NULL
            FROM (
                SELECT email_hash AS locked_hash, purpose AS locked_purpose FROM email_codes
                WHERE project_id = $1 AND email_hash = ANY ($2) AND code_hash IS NOT NULL
                ORDER BY email_hash, purpose
                FOR UPDATE) AS locked
            WHERE project_id = $1 AND email_hash = locked_hash AND purpose = locked_purpose
            """;

    /** Of whatever purpose. */
    Future<Void> clearAll(SqlClient db, ProjectId project, AddressKeys address) {
        return db.preparedQuery(CLEAR_ALL)
                .execute(Tuple.of(project.value(), (Object) address.both()))
                .mapEmpty();
    }

    private static final String REMOVE = """
            DELETE FROM email_codes WHERE project_id = $1 AND email_hash = ANY ($2)
            """;

    Future<Void> remove(SqlClient db, ProjectId project, AddressKeys address) {
        return db.preparedQuery(REMOVE)
                .execute(Tuple.of(project.value(), (Object) address.both()))
                .mapEmpty();
    }
}
