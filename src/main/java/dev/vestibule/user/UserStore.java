package dev.vestibule.user;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.database.SqlFailures;
import dev.vestibule.json.Change;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The users of a project. */
public final class UserStore {
    /**
     * A user with the names of the identity providers that are linked to it, in the order in which they were linked.
     */
    public record LinkedUser(ManagedUser managed, List<String> providers) {
        public LinkedUser {
            providers = List.copyOf(providers);
        }

        public User user() {
            return managed.user();
        }
    }

    /** The row that a sign up inserts. */
    public record NewUser(UserId id, String email, @Nullable String displayName, String passwordHash, Instant now) {}

    private static final String EMAIL_IS_TAKEN = """
            SELECT FROM users WHERE project_id = $1 AND email = $2
            """;

    public Future<Boolean> emailIsTaken(SqlClient db, ProjectId project, String email) {
        return Sql.run(db, EMAIL_IS_TAKEN, project, email).map(rows -> rows.size() > 0);
    }

    private static final String ID_OF = """
            SELECT id FROM users WHERE project_id = $1 AND email = $2
            """;

    /** Empty if no user has the email. */
    public Future<Optional<UserId>> idOf(SqlClient db, ProjectId project, String email) {
        return Sql.run(db, ID_OF, project, email).map(rows -> Rows.first(rows, row -> new UserId(row.getUUID("id"))));
    }

    private static final String ANY_IN = """
            SELECT FROM users WHERE project_id = $1 ORDER BY id LIMIT 1
            """;

    /** Whether the project has any user. The statement orders the rows, so that the primary key finds the first one. */
    public Future<Boolean> anyIn(SqlClient db, ProjectId project) {
        return Sql.run(db, ANY_IN, project).map(rows -> rows.size() > 0);
    }

    private static final String COUNT_TO_VERIFY = """
            SELECT count(*) AS users FROM (
                SELECT FROM users
                WHERE project_id = $1 AND NOT email_verified AND password_hash IS NOT NULL
                LIMIT $2) AS found
            """;

    /** How many users with a password have an email that is not verified; counts up to {@code limit}. */
    public Future<Long> countToVerify(SqlClient db, ProjectId project, int limit) {
        return Sql.run(db, COUNT_TO_VERIFY, project, limit).map(rows -> Rows.single(rows, row -> row.getLong("users")));
    }

    private static final String INSERT = """
            INSERT INTO users (project_id, id, email, display_name, password_hash, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $6)
            ON CONFLICT (project_id, email) DO NOTHING
            RETURNING %s
            """.formatted(UserRows.COLUMNS);

    /** Empty if the email is taken. */
    public Future<Optional<User>> insert(SqlClient db, ProjectId project, NewUser user) {
        return Sql.run(
                        db,
                        INSERT,
                        project,
                        user.id(),
                        user.email(),
                        user.displayName(),
                        user.passwordHash(),
                        user.now())
                .map(rows -> Rows.first(rows, UserRows::user));
    }

    /** The row that the first sign in with a provider inserts, with the profile that the provider returned. */
    public record ProviderUser(
            UserId id,
            @Nullable String email,
            boolean emailVerified,
            @Nullable String displayName,
            @Nullable String avatarUrl,
            Instant now) {}

    private static final String INSERT_PROVIDER_USER = """
            INSERT INTO users (project_id, id, email, email_verified, display_name, avatar_url, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
            ON CONFLICT (project_id, email) DO NOTHING
            RETURNING %s
            """.formatted(UserRows.COLUMNS);

    /** Inserts a user without a password; empty if the email is taken. */
    public Future<Optional<User>> insert(SqlClient db, ProjectId project, ProviderUser user) {
        return Sql.run(
                        db,
                        INSERT_PROVIDER_USER,
                        project,
                        user.id(),
                        user.email(),
                        user.emailVerified(),
                        user.displayName(),
                        user.avatarUrl(),
                        user.now())
                .map(rows -> Rows.first(rows, UserRows::user));
    }

    /** The row that the first sign in by SMS inserts, with a number that the user has just proved. */
    public record PhoneUser(UserId id, String phone, Instant now) {}

    private static final String INSERT_PHONE_USER = """
            INSERT INTO users (project_id, id, phone, phone_verified, created_at, updated_at)
            VALUES ($1, $2, $3, true, $4, $4)
            RETURNING %s
            """.formatted(UserRows.COLUMNS);

    /** Inserts a user without an email or a password. */
    public Future<User> insert(SqlClient db, ProjectId project, PhoneUser user) {
        return Sql.run(db, INSERT_PHONE_USER, project, user.id(), user.phone(), user.now())
                .map(rows -> Rows.single(rows, UserRows::user));
    }

    private static final String IDS_OF_VERIFIED_PHONE = """
            SELECT id FROM users WHERE project_id = $1 AND phone = $2 AND phone_verified LIMIT 2
            """;

    /** The users who have verified the number; at most two of them. */
    public Future<List<UserId>> idsOfVerifiedPhone(SqlClient db, ProjectId project, String phone) {
        return Sql.run(db, IDS_OF_VERIFIED_PHONE, project, phone)
                .map(rows -> Rows.all(rows, row -> new UserId(row.getUUID("id"))));
    }

    private static final String VERIFY_PHONE = """
            UPDATE users SET phone = $3, phone_verified = true, updated_at = $4 WHERE project_id = $1 AND id = $2
            RETURNING %s
            """.formatted(UserRows.COLUMNS);

    /** Gives the user a proved number; empty if the user was deleted. */
    public Future<Optional<User>> verifyPhone(SqlClient db, ProjectId project, UserId user, String phone, Instant now) {
        return Sql.run(db, VERIFY_PHONE, project, user, phone, now).map(rows -> Rows.first(rows, UserRows::user));
    }

    private static final String UNVERIFY_PHONE = """
            UPDATE users SET phone_verified = false WHERE project_id = $1 AND id = $2
            """;

    /** Keeps the number, but marks it as unverified. */
    public Future<Void> unverifyPhone(SqlClient db, ProjectId project, UserId user) {
        return Sql.run(db, UNVERIFY_PHONE, project, user).mapEmpty();
    }

    private static final String FIND = """
            SELECT %s, ARRAY(
                SELECT provider FROM identities
                WHERE project_id = $1 AND user_id = $2
                ORDER BY created_at, provider) AS providers
            FROM users WHERE project_id = $1 AND id = $2
            """.formatted(UserRows.MANAGED_COLUMNS);

    /** Empty if there is no such user. */
    public Future<Optional<LinkedUser>> find(SqlClient db, ProjectId project, UserId user) {
        return Sql.run(db, FIND, project, user).map(rows -> Rows.first(rows, UserStore::linkedUser));
    }

    private static final String ID_OF_EXTERNAL = """
            SELECT id FROM users WHERE project_id = $1 AND external_id = $2
            """;

    /** Empty if no user has the external id. */
    public Future<Optional<UserId>> idOfExternal(SqlClient db, ProjectId project, String externalId) {
        return Sql.run(db, ID_OF_EXTERNAL, project, externalId)
                .map(rows -> Rows.first(rows, row -> new UserId(row.getUUID("id"))));
    }

    private static LinkedUser linkedUser(Row row) {
        return new LinkedUser(UserRows.managed(row), List.of(row.getArrayOfStrings("providers")));
    }

    private static final String LOCK_ACCOUNT = """
            SELECT %s FROM users WHERE project_id = $1 AND id = $2 FOR UPDATE
            """.formatted(UserRows.ACCOUNT_COLUMNS);

    /** Locks the account until the transaction ends, and returns it; empty if it was deleted. */
    public Future<Optional<Account>> lock(SqlClient transaction, ProjectId project, UserId user) {
        return Sql.run(transaction, LOCK_ACCOUNT, project, user).map(rows -> Rows.first(rows, UserRows::account));
    }

    /** Locks the account as {@link #lock} does; a 404 if it was deleted. */
    public Future<Account> lockExisting(SqlClient transaction, ProjectId project, UserId user) {
        return lock(transaction, project, user).map(found -> found.orElseThrow(UserErrors::notFound));
    }

    private static final String IS_VERIFIED_THEN = """
            (CASE WHEN $11 THEN $12 ELSE email_verified AND NOT ($9 AND $10 IS DISTINCT FROM email) END)""";

    /**
     * A new email or phone is not verified, unless the change says so. Factors that were set up while the email was
     * verified, or while there was none, stay in force then: a mistake of the person who manages the account must not
     * disable them.
     */
    private static final String UPDATE = """
            UPDATE users
            SET display_name = CASE WHEN $3 THEN $4 ELSE display_name END,
                avatar_url = CASE WHEN $5 THEN $6 ELSE avatar_url END,
                phone = CASE WHEN $7 THEN $8 ELSE phone END,
                phone_verified = phone_verified AND NOT ($7 AND $8 IS DISTINCT FROM phone),
                email = CASE WHEN $9 THEN $10 ELSE email END,
                email_verified = %2$s,
                second_factors = CASE
                    WHEN (email_verified OR (email IS NULL AND $10 IS NOT NULL AND 'totp' = ANY (second_factors)))
                        AND NOT %2$s AND second_factors <> '{}' AND NOT 'held' = ANY (second_factors)
                    THEN array_prepend('held', second_factors)
                    ELSE second_factors END,
                public_metadata = CASE WHEN $13 THEN $14::jsonb ELSE public_metadata END,
                password_hash = CASE WHEN $15 THEN $16 ELSE password_hash END,
                external_id = CASE WHEN $18 THEN $19 ELSE external_id END,
                private_metadata = CASE WHEN $20 THEN $21::jsonb ELSE private_metadata END,
                updated_at = $17
            WHERE project_id = $1 AND id = $2
            RETURNING %1$s
            """.formatted(UserRows.MANAGED_COLUMNS, IS_VERIFIED_THEN);

    /** Changes the given fields; a 409 if another user has the email, empty if the user was deleted. */
    public Future<Optional<User>> update(SqlClient db, ProjectId project, UserId user, UserChange change, Instant now) {
        return updateManaged(db, project, user, change, now).map(found -> found.map(ManagedUser::user));
    }

    /** Changes the fields that the application's servers can change; a 409 also if another user has the external id. */
    public Future<Optional<ManagedUser>> updateManaged(
            SqlClient db, ProjectId project, UserId user, UserChange change, Instant now) {
        return Sql.run(
                        db,
                        UPDATE,
                        project,
                        user,
                        change.displayName().isMade(),
                        change.displayName().value(),
                        change.avatarUrl().isMade(),
                        change.avatarUrl().value(),
                        change.phone().isMade(),
                        change.phone().value(),
                        change.email().isMade(),
                        change.email().value(),
                        change.emailVerified().isMade(),
                        change.emailVerified().value(),
                        change.publicMetadata().isMade(),
                        jsonb(change.publicMetadata()),
                        change.passwordHash().isMade(),
                        change.passwordHash().value(),
                        now,
                        change.externalId().isMade(),
                        change.externalId().value(),
                        change.privateMetadata().isMade(),
                        jsonb(change.privateMetadata()))
                .recover(failure -> Future.failedFuture(refusal(failure)))
                .map(rows -> Rows.first(rows, UserRows::managed));
    }

    private static @Nullable JsonObject jsonb(Change<Map<String, Object>> change) {
        var object = change.value();
        return object == null ? null : new JsonObject(object);
    }

    private static Throwable refusal(Throwable failure) {
        if (SqlFailures.isDuplicate(failure, "users_by_external_id")) {
            return UserErrors.externalIdTaken();
        }
        return SqlFailures.isDuplicate(failure) ? UserErrors.emailTaken() : failure;
    }

    private static final String SET_BANNED = """
            UPDATE users
            SET is_banned = $3, updated_at = $4
            WHERE project_id = $1 AND id = $2 AND is_banned <> $3
            RETURNING %s
            """.formatted(UserRows.COLUMNS);

    /** Bans or unbans; empty if there is no such user, or nothing changes. */
    public Future<Optional<User>> setBanned(
            SqlClient db, ProjectId project, UserId user, boolean isBanned, Instant now) {
        return Sql.run(db, SET_BANNED, project, user, isBanned, now).map(rows -> Rows.first(rows, UserRows::user));
    }

    private static final String DELETE = """
            DELETE FROM users WHERE project_id = $1 AND id = $2
            """;

    /** Deletes the user; the foreign keys delete the linked identities and any session that is left. */
    public Future<Void> delete(SqlClient db, ProjectId project, UserId user) {
        return Sql.run(db, DELETE, project, user).mapEmpty();
    }
}
