package dev.vestibule.authentication.passkey;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of {@code passkey_challenges}. */
final class PasskeyChallengeStore {
    static final OldRows EXPIRED = OldRows.by("passkey_challenges", "expires_at");

    /** A pending registration: who registers, and the name of the passkey. */
    record Registration(
            UserId user, SessionId session, @Nullable String name) {}

    private static final String INSERT_REGISTRATION = """
            INSERT INTO passkey_challenges (project_id, challenge_hash, user_id, session_id, name, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            """;

    Future<Void> insertRegistration(
            SqlClient db, ProjectId project, Buffer hash, Registration registration, Instant expiresAt) {
        return Sql.run(
                        db,
                        INSERT_REGISTRATION,
                        project,
                        hash,
                        registration.user(),
                        registration.session(),
                        registration.name(),
                        expiresAt)
                .mapEmpty();
    }

    private static final String INSERT_SIGN_IN = """
            INSERT INTO passkey_challenges (project_id, challenge_hash, email_hash, expires_at)
            VALUES ($1, $2, $3, $4)
            """;

    /** Without an email's hash, the challenge is for all passkeys of the project. */
    Future<Void> insertSignIn(
            SqlClient db, ProjectId project, Buffer hash, @Nullable Buffer emailHash, Instant expiresAt) {
        return Sql.run(db, INSERT_SIGN_IN, project, hash, emailHash, expiresAt).mapEmpty();
    }

    private static final String TAKE_REGISTRATION = """
            DELETE FROM passkey_challenges
            WHERE project_id = $1 AND challenge_hash = $2 AND user_id = $3 AND session_id = $4 AND expires_at > $5
            RETURNING user_id, session_id, name
            """;

    /** Empty if there is none for this user and session, or it is used or expired. */
    Future<Optional<Registration>> takeRegistration(
            SqlClient db, ProjectId project, Buffer hash, UserId user, SessionId session, Instant now) {
        return Sql.run(db, TAKE_REGISTRATION, project, hash, user, session, now)
                .map(rows -> Rows.first(
                        rows,
                        row -> new Registration(
                                new UserId(row.getUUID("user_id")),
                                new SessionId(row.getUUID("session_id")),
                                row.getString("name"))));
    }

    private static final String TAKE_SIGN_IN = """
            DELETE FROM passkey_challenges
            WHERE project_id = $1 AND challenge_hash = $2 AND user_id IS NULL AND expires_at > $3
            RETURNING email_hash
            """;

    /** A pending sign in, with the hash of the email that it was begun with, if there was one. */
    record PendingSignIn(@Nullable Buffer emailHash) {}

    /** Empty if there is none for a sign in, or it is used or expired. */
    Future<Optional<PendingSignIn>> takeSignIn(SqlClient db, ProjectId project, Buffer hash, Instant now) {
        return Sql.run(db, TAKE_SIGN_IN, project, hash, now)
                .map(rows -> Rows.first(rows, row -> new PendingSignIn(row.getBuffer("email_hash"))));
    }
}
