package dev.vestibule.user.organization.scim;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.json.Page;
import dev.vestibule.json.UnicodeText;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The groups of directories, and their members. Each change holds the organization's lock. */
final class ScimGroupStore {
    private static final String COLUMNS = """
            directory_groups.id, directory_groups.name, directory_groups.external_id, directory_groups.created_at,
            directory_groups.updated_at""";

    private static final String INSERT = """
            INSERT INTO directory_groups (project_id, directory_id, id, name, name_key, external_id, created_at, updated_at)
            SELECT $1, $2, $3, $4, $5, $6, $7, $7
            WHERE (SELECT count(*) FROM directory_groups WHERE project_id = $1 AND directory_id = $2) < $8
            RETURNING %s
            """.formatted(COLUMNS);

    /** Empty if the directory has the maximum. */
    Future<Optional<ScimGroup>> insert(SqlClient transaction, Provisioner by, ScimGroup group, int maximum) {
        return Sql.run(
                        transaction,
                        INSERT,
                        by.project(),
                        by.id(),
                        group.id(),
                        group.name(),
                        UnicodeText.lower(group.name()),
                        group.externalId(),
                        group.createdAt(),
                        maximum)
                .map(rows -> Rows.first(rows, ScimGroupStore::group));
    }

    private static final String FIND = """
            SELECT %s FROM directory_groups WHERE project_id = $1 AND directory_id = $2 AND id = $3
            """.formatted(COLUMNS);

    Future<Optional<ScimGroup>> find(SqlClient db, Provisioner by, UUID group) {
        return Sql.run(db, FIND, by.project(), by.id(), group).map(rows -> Rows.first(rows, ScimGroupStore::group));
    }

    private static final String UPDATE = """
            UPDATE directory_groups SET name = $4, name_key = $5, external_id = $6, updated_at = $7
            WHERE project_id = $1 AND directory_id = $2 AND id = $3
            """;

    Future<Void> update(SqlClient transaction, Provisioner by, ScimGroup changed) {
        return Sql.run(
                        transaction,
                        UPDATE,
                        by.project(),
                        by.id(),
                        changed.id(),
                        changed.name(),
                        UnicodeText.lower(changed.name()),
                        changed.externalId(),
                        changed.updatedAt())
                .mapEmpty();
    }

    private static final String REMOVE = """
            DELETE FROM directory_groups WHERE project_id = $1 AND directory_id = $2 AND id = $3
            """;

    /** Removes it with its memberships. */
    Future<Void> remove(SqlClient transaction, Provisioner by, UUID group) {
        return Sql.run(transaction, REMOVE, by.project(), by.id(), group).mapEmpty();
    }

    private static final String HELD = """
            WHEN 'displayName' THEN ARRAY[name_key]
            WHEN 'externalId' THEN ARRAY[external_id]
            WHEN 'id' THEN ARRAY[directory_groups.id::text]
            WHEN 'meta.created' THEN %s
            WHEN 'meta.lastModified' THEN %s
            ELSE ARRAY(
                SELECT user_id::text FROM directory_group_members
                WHERE directory_group_members.project_id = $1
                  AND directory_group_members.directory_id = $2
                  AND directory_group_members.group_id = directory_groups.id
                  AND (asked.operator <> 'eq' OR directory_group_members.user_id::text = asked.value))""".formatted(ScimConditions.CREATED, ScimConditions.UPDATED);

    private static final String MATCHES = ScimConditions.hold(3, HELD);

    private static final String COUNT = """
            SELECT count(*) AS total FROM directory_groups WHERE project_id = $1 AND directory_id = $2 AND %s
            """.formatted(MATCHES);

    Future<Long> count(SqlClient db, Provisioner by, ScimFilter filter) {
        return Sql.run(db, COUNT, asked(by, filter).toArray())
                .map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static List<Object> asked(Provisioner by, ScimFilter filter) {
        var values = new ArrayList<Object>();
        values.add(by.project());
        values.add(by.id());
        values.addAll(ScimConditions.parameters(filter));
        return values;
    }

    private static final String LIST = """
            SELECT %s FROM directory_groups
            WHERE project_id = $1 AND directory_id = $2 AND %s
            ORDER BY id
            LIMIT $9 OFFSET $10
            """.formatted(COLUMNS, MATCHES);

    private static final String LIST_BY_KEYS = """
            SELECT %s FROM directory_groups
            WHERE project_id = $1 AND directory_id = $2 AND (name_key = ANY ($11) OR id = ANY ($12)) AND %s
            ORDER BY id
            LIMIT $9 OFFSET $10
            """.formatted(COLUMNS, MATCHES);

    static final List<String> KEYS = List.of("displayName", "id");

    /** That of the keys which only one group of a directory can have. */
    static final List<String> UNIQUE = List.of("id");

    /**
     * Those for whom the filter holds, in the order of their ids; what identity providers ask all the time is in an
     * index.
     */
    Future<List<ScimGroup>> list(SqlClient db, Provisioner by, ScimFilter filter, Page page) {
        var values = asked(by, filter);
        values.add(page.limit());
        values.add(page.offset());
        var keys = filter.keys(KEYS);
        if (keys.isEmpty()) {
            return groups(Sql.run(db, LIST, values.toArray()));
        }
        values.add(ScimConditions.texts(keys.get(), "displayName"));
        values.add(ScimConditions.ids(keys.get()));
        return groups(Sql.run(db, LIST_BY_KEYS, values.toArray()));
    }

    private static Future<List<ScimGroup>> groups(Future<RowSet<Row>> found) {
        return found.map(rows -> Rows.all(rows, ScimGroupStore::group));
    }

    /** A member in a response. */
    record Member(UUID group, UserId user) {}

    private static final String MEMBERS = """
            SELECT group_id, user_id FROM directory_group_members
            WHERE project_id = $1 AND directory_id = $2 AND group_id = ANY ($3::uuid[])
            ORDER BY group_id, user_id
            LIMIT $4
            """;

    /** The members of all these groups; at most {@code limit}. */
    Future<List<Member>> members(SqlClient db, Provisioner by, List<ScimGroup> groups, int limit) {
        return Sql.run(db, MEMBERS, by.project(), by.id(), Rows.column(groups, ScimGroup::id, UUID[]::new), limit)
                .map(rows ->
                        Rows.all(rows, row -> new Member(row.getUUID("group_id"), new UserId(row.getUUID("user_id")))));
    }

    private static final String MEMBER_IDS = """
            SELECT user_id FROM directory_group_members WHERE project_id = $1 AND directory_id = $2 AND group_id = $3
            """;

    Future<List<UserId>> memberIds(SqlClient db, Provisioner by, UUID group) {
        return Sql.run(db, MEMBER_IDS, by.project(), by.id(), group)
                .map(rows -> Rows.all(rows, row -> new UserId(row.getUUID("user_id"))));
    }

    private static final String LOCK_USERS = """
            SELECT users.id FROM users
            WHERE users.project_id = $1 AND users.id = ANY ($3::uuid[]) AND EXISTS (
                SELECT FROM directory_users
                WHERE directory_users.project_id = $1 AND directory_users.directory_id = $2
                  AND directory_users.user_id = users.id)
            ORDER BY users.id
            FOR KEY SHARE
            """;

    /** Keeps the users from being deleted, before the organization is locked; how many of them the directory has. */
    Future<Integer> lockUsers(SqlClient transaction, Provisioner by, List<UserId> users) {
        return Sql.run(transaction, LOCK_USERS, by.project(), by.id(), Rows.column(users, UserId::value, UUID[]::new))
                .map(rows -> rows.size());
    }

    private static final String ADD = """
            INSERT INTO directory_group_members (project_id, directory_id, group_id, user_id)
            SELECT $1, $2, $3, user_id FROM directory_users
            WHERE project_id = $1 AND directory_id = $2 AND user_id = ANY ($4::uuid[])
            ON CONFLICT DO NOTHING
            """;

    /** The transaction has locked the users. */
    Future<Void> add(SqlClient transaction, Provisioner by, UUID group, List<UserId> users) {
        return Sql.run(transaction, ADD, by.project(), by.id(), group, Rows.column(users, UserId::value, UUID[]::new))
                .mapEmpty();
    }

    private static final String REMOVE_MEMBERS = """
            DELETE FROM directory_group_members
            WHERE project_id = $1 AND directory_id = $2 AND group_id = $3 AND user_id = ANY ($4::uuid[])
            """;

    Future<Void> removeMembers(SqlClient transaction, Provisioner by, UUID group, List<UserId> users) {
        return Sql.run(
                        transaction,
                        REMOVE_MEMBERS,
                        by.project(),
                        by.id(),
                        group,
                        Rows.column(users, UserId::value, UUID[]::new))
                .mapEmpty();
    }

    private static ScimGroup group(Row row) {
        return new ScimGroup(
                row.getUUID("id"),
                row.getString("name"),
                row.getString("external_id"),
                Rows.instant(row, "created_at"),
                Rows.instant(row, "updated_at"));
    }
}
