package dev.vestibule.user.organization.scim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.database.SqlFailures;
import dev.vestibule.json.Json;
import dev.vestibule.json.Page;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The users of directories. Each change holds the lock of the account's row. */
final class ScimUserStore {
    /**
     * A user of a directory.
     *
     * @param email that the directory wants the account to have
     * @param isMade whether the directory has made the account
     * @param isWanted false if the directory said last that they are inactive
     * @param groupRole that groups gave last
     * @param isActive whether they are a member of the organization
     * @param attributes as JSON
     */
    record StoredUser(
            UserId id,
            String userName,
            @Nullable String externalId,
            String email,
            boolean isMade,
            boolean isWanted,
            @Nullable String groupRole,
            boolean isActive,
            String attributes,
            Instant createdAt,
            Instant updatedAt) {
        /** The resource without what only the server says of it. */
        ObjectNode resource() {
            var resource = ScimJson.caseless((ObjectNode) Json.parseOwn(Buffer.buffer(attributes)));
            resource.put("userName", userName);
            if (externalId != null) {
                resource.put("externalId", externalId);
            }
            resource.put("active", isActive);
            return resource;
        }

        /** The user as the directory has described them so far. */
        ScimUser said() {
            return ScimUser.read(resource());
        }
    }

    /** Looks up one member; without the OFFSET, PostgreSQL may read all of the organization for it. */
    private static final String IS_ACTIVE = """
            EXISTS (
                SELECT FROM organization_members
                WHERE organization_members.project_id = $1 AND organization_members.organization_id = $3
                  AND organization_members.user_id = directory_users.user_id
                OFFSET 0)""";

    private static final String COLUMNS = """
            directory_users.user_id, directory_users.user_name, directory_users.external_id, directory_users.email,
            directory_users.is_made, directory_users.is_wanted, directory_users.group_role,
            directory_users.attributes::text AS attributes, directory_users.created_at, directory_users.updated_at,
            %s AS is_active""".formatted(IS_ACTIVE);

    private static final String COUNT_IN = """
            UPDATE directories SET user_count = user_count + 1
            WHERE project_id = $1 AND id = $2 AND user_count < $3
            """;

    private static final String COUNT_AGAIN = """
            UPDATE directories
            SET user_count = (SELECT count(*) FROM directory_users WHERE project_id = $1 AND directory_id = $2)
            WHERE project_id = $1 AND id = $2
            """;

    /**
     * Takes room for one user; false if there is none. Accounts that are deleted elsewhere leave the number too high,
     * so the users are counted when it seems to be full.
     */
    Future<Boolean> takeRoom(SqlClient transaction, Provisioner by, int maximum) {
        return countIn(transaction, by, maximum)
                .compose(taken -> taken
                        ? Future.succeededFuture(true)
                        : Sql.run(transaction, COUNT_AGAIN, by.project(), by.id())
                                .compose(counted -> countIn(transaction, by, maximum)));
    }

    private static Future<Boolean> countIn(SqlClient transaction, Provisioner by, int maximum) {
        return Sql.run(transaction, COUNT_IN, by.project(), by.id(), maximum).map(rows -> rows.rowCount() == 1);
    }

    private static final String INSERT = """
            INSERT INTO directory_users (project_id, directory_id, user_id, user_name, user_name_key, external_id,
                                         texts, emails, attributes, email, created_at, updated_at, is_wanted, is_made)
            VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8, $9::text::jsonb, $10, $11, $11, coalesce($12, true),
                    $13)
            """;

    /** A 409 if another user of the directory has the user name. */
    Future<Void> insert(
            SqlClient transaction, Provisioner by, UserId user, ScimUser given, boolean isMade, Instant now) {
        var values = values(by, user, given, now);
        values.add(isMade);
        return Sql.run(transaction, INSERT, values.toArray())
                .recover(ScimUserStore::taken)
                .mapEmpty();
    }

    private static List<Object> values(Provisioner by, UserId user, ScimUser given, Instant now) {
        var values = new ArrayList<Object>();
        values.add(by.project());
        values.add(by.id());
        values.add(user);
        values.add(given.userName());
        values.add(given.userNameKey());
        values.add(given.externalId());
        values.add(Json.encode(given.texts()).toString());
        values.add(given.emails().toArray(String[]::new));
        values.add(Json.encode(given.attributes()).toString());
        values.add(given.email());
        values.add(now);
        values.add(given.active());
        return values;
    }

    private static <T> Future<T> taken(Throwable failure) {
        return Future.failedFuture(
                SqlFailures.isDuplicate(failure)
                        ? ScimErrors.taken("Another user of the directory has this userName.")
                        : failure);
    }

    private static final String UPDATE = """
            UPDATE directory_users
            SET user_name = $4, user_name_key = $5, external_id = $6, texts = $7::text::jsonb, emails = $8,
                attributes = $9::text::jsonb, email = $10, updated_at = $11, is_wanted = coalesce($12, is_wanted)
            WHERE project_id = $1 AND directory_id = $2 AND user_id = $3
            """;

    Future<Void> update(SqlClient transaction, Provisioner by, UserId user, ScimUser given, Instant now) {
        return Sql.run(transaction, UPDATE, values(by, user, given, now).toArray())
                .recover(ScimUserStore::taken)
                .mapEmpty();
    }

    private static final String FIND = """
            SELECT %s FROM directory_users WHERE project_id = $1 AND directory_id = $2 AND user_id = $4
            """.formatted(COLUMNS);

    /** Empty if the directory has not provisioned the user. */
    Future<Optional<StoredUser>> find(SqlClient db, Provisioner by, UserId user) {
        return Sql.run(db, FIND, by.project(), by.id(), by.organization(), user)
                .map(rows -> Rows.first(rows, ScimUserStore::user));
    }

    private static final String REMOVE = """
            WITH removed AS (
                DELETE FROM directory_users WHERE project_id = $1 AND directory_id = $2 AND user_id = $3
                RETURNING user_id),
            ungrouped AS (
                DELETE FROM directory_group_members WHERE project_id = $1 AND directory_id = $2 AND user_id = $3)
            UPDATE directories SET user_count = greatest(user_count - 1, 0) FROM removed
            WHERE directories.project_id = $1 AND directories.id = $2
            """;

    Future<Void> remove(SqlClient transaction, Provisioner by, UserId user) {
        return Sql.run(transaction, REMOVE, by.project(), by.id(), user).mapEmpty();
    }

    /** An attribute with several values needs one for which a condition holds. */
    private static final String HELD = """
            WHEN 'userName' THEN ARRAY[user_name_key]
            WHEN 'externalId' THEN ARRAY[external_id]
            WHEN 'id' THEN ARRAY[directory_users.user_id::text]
            WHEN 'active' THEN ARRAY[(%s)::text]
            WHEN 'meta.created' THEN %s
            WHEN 'meta.lastModified' THEN %s
            WHEN 'emails' THEN emails
            ELSE ARRAY[texts ->> asked.attribute]""".formatted(IS_ACTIVE, ScimConditions.CREATED, ScimConditions.UPDATED);

    private static final String MATCHES = ScimConditions.hold(4, HELD);

    private static final String COUNT = """
            SELECT count(*) AS total FROM directory_users WHERE project_id = $1 AND directory_id = $2 AND %s
            """.formatted(MATCHES);

    Future<Long> count(SqlClient db, Provisioner by, ScimFilter filter) {
        return Sql.run(db, COUNT, asked(by, filter).toArray())
                .map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static final String COUNT_ALL = """
            SELECT count(*) AS total FROM directory_users WHERE project_id = $1 AND directory_id = $2
            """;

    Future<Long> countAll(SqlClient db, Provisioner by) {
        return Sql.run(db, COUNT_ALL, by.project(), by.id())
                .map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static List<Object> asked(Provisioner by, ScimFilter filter) {
        var values = new ArrayList<Object>();
        values.add(by.project());
        values.add(by.id());
        values.add(by.organization());
        values.addAll(ScimConditions.parameters(filter));
        return values;
    }

    /**
     * Finds the page before it reads anything of its users, since the last pages would otherwise read all of them.
     * Reads the users of the page one by one: PostgreSQL does not know the limit, so a join would read a whole
     * directory that has most of all users.
     */
    private static final String OF_PAGE = """
            FROM (
                SELECT user_id FROM directory_users
                WHERE project_id = $1 AND directory_id = $2 %s
                ORDER BY user_id
                LIMIT $%d OFFSET $%d) AS page
            CROSS JOIN LATERAL (
                SELECT * FROM directory_users WHERE project_id = $1 AND directory_id = $2 AND user_id = page.user_id
                OFFSET 0) AS directory_users
            ORDER BY page.user_id
            """;

    private static final String LIST_ALL = "SELECT " + COLUMNS + "\n" + OF_PAGE.formatted("", 4, 5);
    private static final String LIST = "SELECT " + COLUMNS + "\n" + OF_PAGE.formatted("AND " + MATCHES, 10, 11);
    private static final String LIST_BY_KEYS = "SELECT " + COLUMNS + "\n"
            + OF_PAGE.formatted(
                    "AND (user_name_key = ANY ($12) OR external_id = ANY ($13) OR user_id = ANY ($14)) AND " + MATCHES,
                    10,
                    11);

    static final List<String> KEYS = List.of("userName", "externalId", "id");

    /** Those of the keys that only one user of a directory can have. */
    static final List<String> UNIQUE = List.of("userName", "id");

    /**
     * Those for whom the filter holds, in the order of their ids; what identity providers ask all the time is in an
     * index.
     */
    Future<List<StoredUser>> list(SqlClient db, Provisioner by, ScimFilter filter, Page page) {
        if (filter.equals(ScimFilter.ALL)) {
            return users(Sql.run(db, LIST_ALL, by.project(), by.id(), by.organization(), page.limit(), page.offset()));
        }
        var values = asked(by, filter);
        values.add(page.limit());
        values.add(page.offset());
        var keys = filter.keys(KEYS);
        if (keys.isEmpty()) {
            return users(Sql.run(db, LIST, values.toArray()));
        }
        values.add(ScimConditions.texts(keys.get(), "userName"));
        values.add(ScimConditions.texts(keys.get(), "externalId"));
        values.add(ScimConditions.ids(keys.get()));
        return users(Sql.run(db, LIST_BY_KEYS, values.toArray()));
    }

    private static Future<List<StoredUser>> users(Future<RowSet<Row>> found) {
        return found.map(rows -> Rows.all(rows, ScimUserStore::user));
    }

    private static StoredUser user(Row row) {
        return new StoredUser(
                new UserId(row.getUUID("user_id")),
                row.getString("user_name"),
                row.getString("external_id"),
                row.getString("email"),
                row.getBoolean("is_made"),
                row.getBoolean("is_wanted"),
                row.getString("group_role"),
                row.getBoolean("is_active"),
                row.getString("attributes"),
                Rows.instant(row, "created_at"),
                Rows.instant(row, "updated_at"));
    }

    /** A user whose role groups may decide: the one that they gave last, and the mapped groups that they are in. */
    record Grouped(UserId user, String groupRole, List<String> groups) {}

    private static final String GROUPED = """
            SELECT directory_users.user_id, coalesce(directory_users.group_role, '') AS group_role, ARRAY(
                SELECT DISTINCT directory_groups.name_key
                FROM directory_group_members JOIN directory_groups
                  ON directory_groups.project_id = directory_group_members.project_id
                 AND directory_groups.directory_id = directory_group_members.directory_id
                 AND directory_groups.id = directory_group_members.group_id
                WHERE directory_group_members.project_id = $1 AND directory_group_members.directory_id = $2
                  AND directory_group_members.user_id = directory_users.user_id
                  AND directory_groups.name_key = ANY ($3::text[])) AS groups
            FROM directory_users
            WHERE project_id = $1 AND directory_id = $2 AND ($4::uuid[] IS NULL OR user_id = ANY ($4::uuid[]))
            """;

    /** All of the directory, or these; {@code mapped} has the names of the groups that give roles, in lower case. */
    Future<List<Grouped>> grouped(
            SqlClient db, UUID project, UUID directory, List<String> mapped, @Nullable List<UserId> users) {
        return Sql.run(
                        db,
                        GROUPED,
                        project,
                        directory,
                        mapped.toArray(String[]::new),
                        users == null ? null : Rows.column(users, UserId::value, UUID[]::new))
                .map(rows -> Rows.all(
                        rows,
                        row -> new Grouped(
                                new UserId(row.getUUID("user_id")),
                                row.getString("group_role"),
                                List.of(row.getArrayOfStrings("groups")))));
    }

    private static final String SET_GROUP_ROLE = """
            UPDATE directory_users SET group_role = nullif($3::text, '')
            WHERE project_id = $1 AND directory_id = $2 AND user_id = ANY ($4::uuid[])
            """;

    /** The role is empty if no group gives these users one. */
    Future<Void> setGroupRole(SqlClient db, UUID project, UUID directory, String role, List<UserId> users) {
        return Sql.run(db, SET_GROUP_ROLE, project, directory, role, Rows.column(users, UserId::value, UUID[]::new))
                .mapEmpty();
    }
}
