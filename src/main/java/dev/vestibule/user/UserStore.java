package dev.vestibule.user;

import dev.vestibule.database.Rows;
import dev.vestibule.json.Change;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The users of a project. */
public final class UserStore {
    /** What a sign up writes. */
    public record NewUser(UserId id, String email, @Nullable String displayName, String passwordHash, Instant now) {}

    private static final String EMAIL_IS_TAKEN = """
            SELECT FROM users WHERE project_id = $1 AND email = $2
            """;

    public Future<Boolean> emailIsTaken(SqlClient db, ProjectId project, String email) {
        return db.preparedQuery(EMAIL_IS_TAKEN)
                .execute(Tuple.of(project.value(), email))
                .map(rows -> rows.size() > 0);
    }

    private static final String ANY_IN = """
            SELECT FROM users WHERE project_id = $1 LIMIT 1
            """;

    /** Whether the project has a user at all. */
    public Future<Boolean> anyIn(SqlClient db, ProjectId project) {
        return db.preparedQuery(ANY_IN).execute(Tuple.of(project.value())).map(rows -> rows.size() > 0);
    }

    private static final String INSERT = """
            INSERT INTO users (project_id, id, email, display_name, password_hash, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $6)
            ON CONFLICT (project_id, email) DO NOTHING
            RETURNING %s
            """.formatted(UserRows.COLUMNS);

    /** Empty where the email is taken. */
    public Future<Optional<User>> insert(SqlClient db, ProjectId project, NewUser user) {
        return db.preparedQuery(INSERT)
                .execute(Tuple.of(
                        project.value(),
                        user.id().value(),
                        user.email(),
                        user.displayName(),
                        user.passwordHash(),
                        Rows.timestamp(user.now())))
                .map(rows -> Rows.first(rows, UserRows::user));
    }

    private static final String LOCK_ACCOUNT = """
            SELECT %s, users.password_hash FROM users WHERE project_id = $1 AND id = $2 FOR UPDATE
            """.formatted(UserRows.COLUMNS);

    /** The account, held against changes until the transaction ends; empty where it was deleted. */
    public Future<Optional<Account>> lock(SqlClient transaction, ProjectId project, UserId user) {
        return transaction
                .preparedQuery(LOCK_ACCOUNT)
                .execute(Tuple.of(project.value(), user.value()))
                .map(rows -> Rows.first(rows, row -> new Account(UserRows.user(row), row.getString("password_hash"))));
    }

    private static final String UPDATE_PROFILE = """
            UPDATE users
            SET display_name = CASE WHEN $3 THEN $4 ELSE display_name END,
                avatar_url = CASE WHEN $5 THEN $6 ELSE avatar_url END,
                updated_at = $7
            WHERE project_id = $1 AND id = $2
            RETURNING %s
            """.formatted(UserRows.COLUMNS);

    /** Changes what a user may change of the own profile; empty where the user was deleted. */
    public Future<Optional<User>> updateProfile(
            SqlClient db,
            ProjectId project,
            UserId user,
            Change<String> displayName,
            Change<String> avatarUrl,
            Instant now) {
        return db.preparedQuery(UPDATE_PROFILE)
                .execute(Tuple.from(new Object[] {
                    project.value(),
                    user.value(),
                    displayName.isMade(),
                    displayName.value(),
                    avatarUrl.isMade(),
                    avatarUrl.value(),
                    Rows.timestamp(now)
                }))
                .map(rows -> Rows.first(rows, UserRows::user));
    }
}
