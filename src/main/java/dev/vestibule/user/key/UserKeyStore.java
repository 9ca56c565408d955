package dev.vestibule.user.key;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.database.Rows;
import dev.vestibule.database.SharedStatement;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ScannableKey;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserRows;
import dev.vestibule.user.organization.OrganizationId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The API keys of users and of organizations, each as the hash of its text. */
final class UserKeyStore {
    private static final String COLUMNS =
            "keys.id, keys.user_id, keys.organization_id, keys.name, keys.scopes, keys.ending, keys.created_at, keys.expires_at, keys.last_used_at";

    /** With a prefix, for a statement that also selects columns of {@code users}. */
    private static final String PREFIXED_COLUMNS = COLUMNS.replaceAll("keys\\.(\\w+)", "$0 AS key_$1");

    /**
     * A key as the API shows it.
     *
     * @param ending its last characters
     * @param lastUsedAt the hour in which it was last used
     */
    record StoredKey(
            UUID id,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            UserId userId,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            OrganizationId organizationId,

            String name,
            List<String> scopes,
            String ending,
            Instant createdAt,
            @Nullable Instant expiresAt,
            @Nullable Instant lastUsedAt) {
        KeyOwner owner() {
            return new KeyOwner(userId, organizationId);
        }
    }

    private static final String INSERT = """
            INSERT INTO user_keys AS keys (project_id, id, user_id, organization_id, key_hash, ending, name, scopes,
                                           created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            RETURNING %s
            """.formatted(PREFIXED_COLUMNS);

    /** The fields of a new key; without an expiry it is valid until it is deleted. */
    record NewKey(
            String name, List<String> scopes, @Nullable Instant expiresAt) {}

    Future<StoredKey> insert(
            SqlClient transaction, UUID id, KeyOwner owner, ScannableKey key, NewKey fields, Instant now) {
        return Sql.run(
                        transaction,
                        INSERT,
                        key.project(),
                        id,
                        owner.userId(),
                        owner.organizationId(),
                        key.hash(),
                        key.ending(),
                        fields.name(),
                        fields.scopes().toArray(String[]::new),
                        now,
                        fields.expiresAt())
                .map(rows -> Rows.single(rows, UserKeyStore::key));
    }

    private static final String LIST = """
            SELECT %s FROM user_keys AS keys
            WHERE project_id = $1 AND (user_id = $2 OR organization_id = $3)
            ORDER BY id
            """.formatted(PREFIXED_COLUMNS);

    /** Oldest first, expired ones too. */
    Future<List<StoredKey>> list(SqlClient db, ProjectId project, KeyOwner owner) {
        return Sql.run(db, LIST, project, owner.userId(), owner.organizationId())
                .map(rows -> Rows.all(rows, UserKeyStore::key));
    }

    private static final String COUNT = """
            SELECT count(*) AS total FROM user_keys WHERE project_id = $1 AND (user_id = $2 OR organization_id = $3)
            """;

    Future<Long> count(SqlClient db, ProjectId project, KeyOwner owner) {
        return Sql.run(db, COUNT, project, owner.userId(), owner.organizationId())
                .map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static final String DELETE = """
            DELETE FROM user_keys WHERE project_id = $1 AND (user_id = $2 OR organization_id = $3) AND id = $4
            """;

    /** False if the owner has no such key. */
    Future<Boolean> delete(SqlClient db, ProjectId project, KeyOwner owner, UUID key) {
        return Sql.run(db, DELETE, project, owner.userId(), owner.organizationId(), key)
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String API_SCOPES = """
            SELECT uri, ARRAY(SELECT jsonb_path_query(scopes, '$.scopes[*].name') #>> '{}') AS names
            FROM oauth_resources WHERE project_id = $1
            """;

    /** The APIs of the project, each with the names of its scopes. */
    Future<Map<String, Set<String>>> apiScopes(SqlClient db, ProjectId project) {
        return Sql.run(db, API_SCOPES, project).map(rows -> {
            var scopes = new HashMap<String, Set<String>>();
            rows.forEach(row -> scopes.put(row.getString("uri"), Set.of(row.getArrayOfStrings("names"))));
            return scopes;
        });
    }

    /** Asks for the key with this hash, and its owner. */
    record Check(ProjectId project, Buffer hash) implements SharedStatement.Question {
        @Override
        public Buffer row() {
            return hash;
        }
    }

    /** The organization that owns a key, as responses show it. */
    record KeyOrganization(OrganizationId id, String name, String slug) {}

    /** A key that has not expired, and its owner: a user who is not banned, or an organization. */
    record Live(
            StoredKey key, @Nullable User user, @Nullable KeyOrganization organization) {}

    /** One look-up in each index for each key, as for sessions. */
    private static final String FIND_LIVE = """
            SELECT asked.position, %s, %s, organizations.name AS organization_name, organizations.slug AS organization_slug
            FROM unnest($1::uuid[], $2::bytea[]) WITH ORDINALITY AS asked (project_id, key_hash, position)
            CROSS JOIN LATERAL (
                SELECT * FROM user_keys
                WHERE user_keys.project_id = asked.project_id AND user_keys.key_hash = asked.key_hash
                  AND (user_keys.expires_at IS NULL OR user_keys.expires_at > $3)
                LIMIT 1) AS keys
            LEFT JOIN LATERAL (
                SELECT * FROM users
                WHERE users.project_id = asked.project_id AND users.id = keys.user_id AND NOT users.is_banned
                LIMIT 1) AS users ON true
            LEFT JOIN LATERAL (
                SELECT id, name, slug FROM organizations
                WHERE organizations.project_id = asked.project_id AND organizations.id = keys.organization_id
                LIMIT 1) AS organizations ON true
            WHERE users.id IS NOT NULL OR organizations.id IS NOT NULL
            """.formatted(PREFIXED_COLUMNS, UserRows.COLUMNS);

    /** In the order of the checks; empty if there is no such key, it has expired, or its user is banned. */
    Future<List<Optional<Live>>> findLive(SqlClient db, List<Check> checks, Instant now) {
        return Sql.run(
                        db,
                        FIND_LIVE,
                        Rows.column(checks, check -> check.project().value(), UUID[]::new),
                        Rows.column(checks, Check::hash, Buffer[]::new),
                        now)
                .map(rows -> Rows.inOrder(rows, checks.size(), UserKeyStore::live));
    }

    private static final String IS_LIVE = """
            SELECT count(*) > 0 AS is_live
            FROM user_keys AS keys
            WHERE keys.project_id = $1 AND keys.id = $2 AND (keys.expires_at IS NULL OR keys.expires_at > $3)
              AND (keys.organization_id IS NOT NULL OR EXISTS (
                  SELECT FROM users
                  WHERE users.project_id = $1 AND users.id = keys.user_id AND NOT users.is_banned))
            """;

    /** Whether a token that was given for the key is still good. */
    Future<Boolean> isLive(SqlClient db, ProjectId project, UUID key, Instant now) {
        return Sql.run(db, IS_LIVE, project, key, now).map(rows -> Rows.single(rows, row -> row.getBoolean("is_live")));
    }

    private static final String USE = """
            UPDATE user_keys SET last_used_at = $3
            WHERE project_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < $3)
            """;

    /** Notes the hour, which is enough to find keys that nobody uses. */
    Future<Void> use(SqlClient db, ProjectId project, UUID key, Instant now) {
        return Sql.run(db, USE, project, key, now.truncatedTo(ChronoUnit.HOURS)).mapEmpty();
    }

    private static Live live(Row row) {
        var key = key(row);
        var organization = key.organizationId();
        return new Live(
                key,
                key.userId() == null ? null : UserRows.user(row),
                organization == null
                        ? null
                        : new KeyOrganization(
                                organization, row.getString("organization_name"), row.getString("organization_slug")));
    }

    private static StoredKey key(Row row) {
        var user = row.getUUID("key_user_id");
        var organization = row.getUUID("key_organization_id");
        return new StoredKey(
                row.getUUID("key_id"),
                user == null ? null : new UserId(user),
                organization == null ? null : new OrganizationId(organization),
                row.getString("key_name"),
                List.of(row.getArrayOfStrings("key_scopes")),
                row.getString("key_ending"),
                Rows.instant(row, "key_created_at"),
                Rows.optionalInstant(row, "key_expires_at"),
                Rows.optionalInstant(row, "key_last_used_at"));
    }
}
