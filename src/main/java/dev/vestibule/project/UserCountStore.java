package dev.vestibule.project;

import dev.vestibule.database.Sql;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** How many users projects have. */
final class UserCountStore {
    private static final String COUNT = """
            SELECT asked.id, (SELECT coalesce(sum(users), 0)::bigint FROM counts WHERE project_id = asked.id) AS total
            FROM unnest($1::uuid[]) AS asked (id)
            """;

    /** The count of each of these projects, which are all in this database. */
    Future<Map<ProjectId, Long>> count(SqlClient db, List<ProjectId> projects) {
        return Sql.run(db, COUNT, (Object)
                        projects.stream().map(ProjectId::value).toArray(UUID[]::new))
                .map(rows -> {
                    Map<ProjectId, Long> found = new HashMap<>();
                    rows.forEach(row -> found.put(new ProjectId(row.getUUID("id")), row.getLong("total")));
                    return found;
                });
    }
}
