package dev.vestibule.journal.audit;

import dev.vestibule.database.Sql;
import dev.vestibule.journal.audit.AuditListStore.AuditLine;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds the names of what entries name by an id that is no account's, as it is called now. */
final class AuditNameStore {
    private static final Set<String> NAMED = Set.of(
            "organization",
            "setup_link",
            "directory",
            "api_key",
            "webhook",
            "jwt_template",
            "oauth_client",
            "oauth_api",
            "member");

    private static final String NAMES = """
            SELECT id, name FROM organizations WHERE project_id = $1 AND id = ANY($2)
            UNION ALL
            SELECT id, name FROM directories WHERE project_id = $1 AND id = ANY($2)
            UNION ALL
            SELECT id, name FROM api_keys WHERE project_id = $1 AND id = ANY($2) AND name IS NOT NULL
            UNION ALL
            SELECT id, url FROM webhooks WHERE project_id = $1 AND id = ANY($2)
            UNION ALL
            SELECT id, name FROM jwt_templates WHERE project_id = $1 AND id = ANY($2)
            UNION ALL
            SELECT id::uuid, name FROM oauth_clients WHERE project_id = $1 AND id = ANY($2::text[])
            UNION ALL
            SELECT id, name FROM oauth_resources WHERE project_id = $1 AND id = ANY($2)
            UNION ALL
            SELECT id, email FROM invitations WHERE project_id = $1 AND id = ANY($2)
            """;

    /** The names by id, without those of things that no longer exist or never had a name. */
    Future<Map<UUID, String>> find(SqlClient db, ProjectId project, List<AuditLine> lines) {
        var ids = named(lines);
        return ids.length == 0
                ? Future.succeededFuture(Map.of())
                : Sql.run(db, NAMES, project, ids).map(AuditNameStore::byId);
    }

    private static final String INVITED = """
            SELECT id, email AS name FROM invitations WHERE project_id = $1 AND id = ANY($2)
            """;

    /** The addresses of the invitations by id, which are at home also for a project that is elsewhere. */
    Future<Map<UUID, String>> findInvited(SqlClient home, ProjectId project, List<AuditLine> lines) {
        var ids = named(lines);
        return ids.length == 0
                ? Future.succeededFuture(Map.of())
                : Sql.run(home, INVITED, project, ids).map(AuditNameStore::byId);
    }

    private static Map<UUID, String> byId(RowSet<Row> rows) {
        Map<UUID, String> found = new HashMap<>();
        rows.forEach(row -> found.put(row.getUUID("id"), row.getString("name")));
        return found;
    }

    private static UUID[] named(List<AuditLine> lines) {
        var ids = new HashSet<UUID>();
        for (var line : lines) {
            add(line.actorId(), line.actorType(), ids);
            add(line.targetId(), line.targetType(), ids);
        }
        return ids.toArray(UUID[]::new);
    }

    private static void add(@Nullable UUID id, @Nullable String type, Set<UUID> ids) {
        if (id != null && type != null && NAMED.contains(type)) {
            ids.add(id);
        }
    }
}
