package dev.vestibule.authentication.factor;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserRows;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The rows of {@code enrolment_starts}, and what they say about a user. */
final class EnrolmentStartStore {
    static final OldRows OLD = OldRows.by("enrolment_starts", "kept_until");

    private static final String IDENTITIES_OF = """
            SELECT provider, issuer, subject FROM identities WHERE project_id = $1 AND user_id = $2
            UNION ALL
            SELECT 'wallet', chain, address FROM wallets WHERE project_id = $1 AND user_id = $2
            """;

    Future<List<LinkedIdentity>> identitiesOf(SqlClient db, ProjectId project, UserId user) {
        return Sql.run(db, IDENTITIES_OF, project, user)
                .map(rows -> Rows.all(
                        rows,
                        row -> new LinkedIdentity(
                                row.getString("provider"), row.getString("issuer"), row.getString("subject"))));
    }

    /** Sorted, so that two concurrent deletions lock rows in the same order. */
    private static final String REMEMBER = """
            INSERT INTO enrolment_starts AS kept (project_id, key_hash, began_at, kept_until)
            SELECT $1, key_hash, $3, $4
            FROM projects, unnest($2::bytea[]) AS key_hash
            WHERE id = $1 AND mfa_required_since IS NOT NULL
            ORDER BY key_hash
            ON CONFLICT (project_id, key_hash) DO UPDATE
            SET began_at = least(kept.began_at, excluded.began_at), kept_until = excluded.kept_until
            """;

    /** The earliest start counts; does nothing if the project requires no second factor. */
    Future<Void> remember(
            SqlClient transaction, ProjectId project, List<Buffer> keys, Instant beganAt, Instant keptUntil) {
        return Sql.run(transaction, REMEMBER, project, keys.toArray(Buffer[]::new), beganAt, keptUntil)
                .mapEmpty();
    }

    private static final String RESUME = """
            UPDATE users SET enrolment_from = earliest.began_at
            FROM (
                SELECT min(began_at) AS began_at FROM enrolment_starts
                WHERE project_id = $1 AND key_hash = ANY ($3::bytea[]) AND kept_until > $4) AS earliest
            WHERE users.project_id = $1 AND users.id = $2 AND earliest.began_at < users.created_at
            RETURNING %s
            """.formatted(UserRows.COLUMNS);

    /** Empty if nothing is stored for these keys. */
    Future<Optional<User>> resume(
            SqlClient transaction, ProjectId project, UserId user, List<Buffer> keys, Instant now) {
        return Sql.run(transaction, RESUME, project, user, keys.toArray(Buffer[]::new), now)
                .map(rows -> Rows.first(rows, UserRows::user));
    }
}
