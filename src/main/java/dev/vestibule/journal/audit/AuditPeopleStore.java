package dev.vestibule.journal.audit;

import dev.vestibule.database.Sql;
import dev.vestibule.journal.audit.AuditListStore.AuditLine;
import dev.vestibule.json.Json;
import dev.vestibule.json.Uuids;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds the people whom entries name by their ids, as they are called now. */
final class AuditPeopleStore {
    /** A user or a dashboard user. */
    record Person(
            @Nullable String email,
            @Nullable String displayName,
            @Nullable String avatarUrl) {}

    private static final String ACTING_AS = "actingAs";

    private static final String PEOPLE = """
            SELECT id, email, display_name, avatar_url FROM users WHERE project_id = $1 AND id = ANY($2)
            """;

    /**
     * The people by id, without those who no longer exist.
     *
     * @param home has the dashboard users
     */
    Future<Map<UUID, Person>> find(SqlClient db, SqlClient home, ProjectId project, List<AuditLine> lines) {
        var users = new HashSet<UUID>();
        var dashboardUsers = new HashSet<UUID>();
        for (var line : lines) {
            add(line.actorId(), line.actorType(), users, dashboardUsers);
            add(line.targetId(), line.targetType(), users, dashboardUsers);
            impersonated(line).ifPresent(users::add);
        }
        var members = find(home, ProjectId.SYSTEM, dashboardUsers);
        return find(db, project, users)
                .compose(found -> members.map(more -> {
                    var all = new HashMap<>(found);
                    all.putAll(more);
                    return all;
                }));
    }

    /** The user in whose session a dashboard user did it. */
    private static Optional<UUID> impersonated(AuditLine line) {
        var metadata = line.metadata();
        return metadata != null && metadata.contains(ACTING_AS)
                ? Optional.ofNullable(Json.storedObject(metadata).get(ACTING_AS))
                        .map(String::valueOf)
                        .flatMap(Uuids::parse)
                : Optional.empty();
    }

    private static void add(@Nullable UUID id, @Nullable String type, Set<UUID> users, Set<UUID> dashboardUsers) {
        if (id != null && "user".equals(type)) {
            users.add(id);
        } else if (id != null && ("admin".equals(type) || "member".equals(type))) {
            dashboardUsers.add(id);
        }
    }

    private static Future<Map<UUID, Person>> find(SqlClient db, ProjectId project, Set<UUID> ids) {
        if (ids.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        return Sql.run(db, PEOPLE, project, ids.toArray(UUID[]::new)).map(rows -> {
            var found = new HashMap<UUID, Person>();
            rows.forEach(row -> found.put(
                    row.getUUID("id"),
                    new Person(row.getString("email"), row.getString("display_name"), row.getString("avatar_url"))));
            return found;
        });
    }
}
