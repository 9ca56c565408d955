package dev.vestibule.user.imports;

import dev.vestibule.crypto.foreign.HashCost;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.json.Json;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.ManagedUser;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserRows;
import dev.vestibule.user.imports.UserToCreate.Identity;
import dev.vestibule.user.imports.UserToCreate.Past;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Inserts users with their identities, many in one statement. */
public final class UserCreationStore {
    /**
     * The user if it was created; otherwise the user who has one of its identities, or whether an identity has no
     * issuer because the project has not set up the provider. If neither applies, its id or its email is taken.
     */
    record InsertResult(
            @Nullable ManagedUser user, @Nullable UserId identityOwner, boolean lacksIssuer) {}

    /**
     * Inserts users in the order of emails, and identities in their order, so that two of these statements at once
     * seldom deadlock. Given ids can still cause a deadlock; then one statement is retried. Of two users with the same
     * email, the first one is inserted.
     */
    private static final String INSERT_ALL = """
            WITH given AS (
                SELECT * FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[],
                                     $9::boolean[], $10::boolean[], $11::text[], $12::text[], $13::timestamptz[],
                                     $14::timestamptz[], $15::timestamptz[], $16::integer[], $21::text[], $22::text[])
                    WITH ORDINALITY AS given (id, email, display_name, avatar_url, phone, email_verified,
                                              phone_verified, is_banned, public_metadata, password_hash, created_at,
                                              updated_at, last_sign_in_at, sign_in_count, external_id,
                                              private_metadata, position)),
            claimed AS (
                SELECT named.user_id, named.provider, coalesce(named.issuer, settings.issuer) AS issuer, named.subject
                FROM unnest($17::uuid[], $18::text[], $19::text[], $20::text[])
                    AS named (user_id, provider, issuer, subject)
                LEFT JOIN identity_providers AS settings
                    ON settings.project_id = $1 AND settings.provider = named.provider),
            refused AS (
                SELECT claimed.user_id, bool_or(claimed.issuer IS NULL) AS lacks_issuer,
                       (array_agg(identities.user_id) FILTER (WHERE identities.user_id IS NOT NULL))[1] AS owner
                FROM claimed LEFT JOIN identities ON identities.project_id = $1
                    AND identities.provider = claimed.provider AND identities.issuer = claimed.issuer
                    AND identities.subject = claimed.subject
                WHERE claimed.issuer IS NULL OR identities.user_id IS NOT NULL
                GROUP BY claimed.user_id),
            inserted AS (
                INSERT INTO users (project_id, id, email, display_name, avatar_url, phone, email_verified,
                                   phone_verified, is_banned, public_metadata, password_hash, created_at, updated_at,
                                   last_sign_in_at, sign_in_count, external_id, private_metadata)
                SELECT $1, id, email, display_name, avatar_url, phone, email_verified,
                       phone_verified, is_banned, public_metadata::jsonb, password_hash, created_at, updated_at,
                       last_sign_in_at, sign_in_count, external_id, private_metadata::jsonb
                FROM given
                WHERE NOT EXISTS (SELECT FROM refused WHERE refused.user_id = given.id)
                ORDER BY email, position
                ON CONFLICT DO NOTHING
                RETURNING *),
            linked AS (
                INSERT INTO identities (project_id, provider, issuer, subject, user_id, created_at)
                SELECT $1, claimed.provider, claimed.issuer, claimed.subject, claimed.user_id, $2
                FROM claimed JOIN inserted ON inserted.id = claimed.user_id
                ORDER BY claimed.provider, claimed.issuer, claimed.subject)
            SELECT refused.owner, coalesce(refused.lacks_issuer, false) AS lacks_issuer, %s
            FROM given
            LEFT JOIN refused ON refused.user_id = given.id
            LEFT JOIN inserted AS users ON users.id = given.id
            ORDER BY given.position
            """.formatted(UserRows.MANAGED_COLUMNS);

    /** Returns the outcomes in the given order; fails if a concurrent statement takes one of the identities. */
    Future<List<InsertResult>> insertAll(SqlClient db, ProjectId project, List<UserToCreate> accounts, Instant now) {
        var owners = new ArrayList<UUID>();
        var identities = new ArrayList<Identity>();
        for (var account : accounts) {
            account.identities().forEach(identity -> owners.add(account.id().value()));
            identities.addAll(account.identities());
        }
        return Sql.run(
                        db,
                        INSERT_ALL,
                        project,
                        now,
                        Rows.column(accounts, account -> account.id().value(), UUID[]::new),
                        Rows.column(accounts, UserToCreate::email, String[]::new),
                        Rows.column(accounts, UserToCreate::displayName, String[]::new),
                        Rows.column(accounts, UserToCreate::avatarUrl, String[]::new),
                        Rows.column(accounts, UserToCreate::phone, String[]::new),
                        Rows.column(accounts, UserToCreate::emailVerified, Boolean[]::new),
                        Rows.column(accounts, UserToCreate::phoneVerified, Boolean[]::new),
                        Rows.column(accounts, UserToCreate::isBanned, Boolean[]::new),
                        Rows.column(accounts, account -> json(account.publicMetadata()), String[]::new),
                        Rows.column(accounts, account -> account.password().hash(), String[]::new),
                        times(accounts, Past::createdAt),
                        times(accounts, Past::updatedAt),
                        times(accounts, Past::lastSignInAt),
                        Rows.column(accounts, account -> account.past().signInCount(), Integer[]::new),
                        owners.toArray(UUID[]::new),
                        Rows.column(identities, identity -> identity.provider().name(), String[]::new),
                        Rows.column(identities, Identity::issuer, String[]::new),
                        Rows.column(identities, Identity::subject, String[]::new),
                        Rows.column(accounts, UserToCreate::externalId, String[]::new),
                        Rows.column(accounts, account -> json(account.privateMetadata()), String[]::new))
                .map(rows -> Rows.all(rows, UserCreationStore::written));
    }

    private static OffsetDateTime[] times(List<UserToCreate> accounts, Function<Past, @Nullable Instant> time) {
        return Rows.column(
                accounts,
                account -> {
                    var instant = time.apply(account.past());
                    return instant == null ? null : Rows.timestamp(instant);
                },
                OffsetDateTime[]::new);
    }

    private static @Nullable String json(@Nullable Map<String, Object> metadata) {
        return metadata == null ? null : Json.encode(metadata).toString();
    }

    private static InsertResult written(Row row) {
        var owner = row.getUUID("owner");
        return new InsertResult(
                row.getUUID("id") == null ? null : UserRows.managed(row),
                owner == null ? null : new UserId(owner),
                row.getBoolean("lacks_issuer"));
    }

    private static final String RAISE_HIGHEST_COST = """
            INSERT INTO dearest_imports AS known (project_id, kind, usual_micros, heap_kib, native_kib)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (project_id) DO UPDATE
            SET kind = CASE WHEN known.usual_micros < excluded.usual_micros THEN excluded.kind ELSE known.kind END,
                usual_micros = greatest(known.usual_micros, excluded.usual_micros),
                heap_kib = greatest(known.heap_kib, excluded.heap_kib),
                native_kib = greatest(known.native_kib, excluded.native_kib)
            WHERE known.usual_micros < excluded.usual_micros OR known.heap_kib < excluded.heap_kib
               OR known.native_kib < excluded.native_kib
            """;

    /** Records the cost as the highest of the project's hashes, unless it already has a higher one. */
    Future<Void> raiseHighestCost(SqlClient db, ProjectId project, HashCost cost) {
        return Sql.run(
                        db,
                        RAISE_HIGHEST_COST,
                        project,
                        cost.kind(),
                        cost.usualMicros(),
                        cost.memory().heapKib(),
                        cost.memory().nativeKib())
                .mapEmpty();
    }

    private static final String BY_EMAIL = """
            SELECT email, id FROM users WHERE project_id = $1 AND email = ANY ($2)
            """;

    /** The users who have these emails; no entry for a free email. */
    Future<Map<String, UserId>> byEmail(SqlClient db, ProjectId project, List<String> emails) {
        return Sql.run(db, BY_EMAIL, project, (Object) emails.toArray(String[]::new))
                .map(rows -> idsBy("email", rows));
    }

    private static final String BY_EXTERNAL_ID = """
            SELECT external_id, id FROM users WHERE project_id = $1 AND external_id = ANY ($2)
            """;

    /** The users who have these external ids; no entry for a free one. */
    Future<Map<String, UserId>> byExternalId(SqlClient db, ProjectId project, List<String> externalIds) {
        return Sql.run(db, BY_EXTERNAL_ID, project, (Object) externalIds.toArray(String[]::new))
                .map(rows -> idsBy("external_id", rows));
    }

    private static final String VERIFIED_PHONES = """
            SELECT phone, coalesce(external_id, '') AS external_id FROM users
            WHERE project_id = $1 AND phone = ANY ($2) AND phone_verified
            """;

    /** The external ids of the users who have verified these numbers, empty texts for users without one. */
    Future<Map<String, String>> verifiedPhones(SqlClient db, ProjectId project, List<String> phones) {
        return Sql.run(db, VERIFIED_PHONES, project, (Object) phones.toArray(String[]::new))
                .map(rows -> {
                    var found = new HashMap<String, String>();
                    rows.forEach(row -> found.put(row.getString("phone"), row.getString("external_id")));
                    return found;
                });
    }

    private static Map<String, UserId> idsBy(String column, RowSet<Row> rows) {
        var found = new HashMap<String, UserId>();
        rows.forEach(row -> found.put(row.getString(column), new UserId(row.getUUID("id"))));
        return found;
    }

    /** Only the columns that statements look up by; all columns would take much longer. */
    private static final String ANALYZE = """
            ANALYZE (SKIP_LOCKED) users (project_id, id, email), identities (project_id, provider, issuer, subject)
            """;

    /** Updates the planner's statistics now; autovacuum may take a minute to do so. */
    Future<Void> analyze(SqlClient db) {
        return db.query(ANALYZE).execute().mapEmpty();
    }
}
