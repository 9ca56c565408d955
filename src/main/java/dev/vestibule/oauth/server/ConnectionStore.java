package dev.vestibule.oauth.server;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What clients may do for a user: by a live grant, or by what the user has agreed to. */
final class ConnectionStore {
    private static final int MAX_CLIENTS = 200;

    /** One grant, or what was agreed to for one API. */
    record Access(
            String clientId,
            String clientName,
            boolean isDocument,
            boolean firstParty,
            List<String> resources,
            List<String> scopes,
            boolean isOffline,
            Instant since,
            @Nullable Instant usedAt) {}

    private static final String LIST = """
            WITH access AS (
                SELECT client_id, resources, scopes, is_offline, created_at AS since, rotated_at AS used_at
                FROM oauth_grants AS grants
                WHERE grants.project_id = $1 AND grants.user_id = $2 AND grants.parent_id IS NULL
                  AND (grants.code_hash IS NULL OR grants.code_used_at IS NOT NULL) AND %s
                UNION ALL
                SELECT client_id, CASE WHEN resource = '' THEN '{}' ELSE ARRAY[resource] END, scopes, false, given_at, NULL
                FROM oauth_consents AS consent WHERE project_id = $1 AND user_id = $2 AND %s)
            SELECT client.project_id, client.id, client.name, client.kind, client.is_first_party, access.resources,
                   access.scopes, access.is_offline, access.since, access.used_at
            FROM access
            JOIN oauth_clients AS client ON client.project_id = $1 AND client.id = access.client_id
            WHERE access.client_id IN (SELECT client_id FROM access GROUP BY client_id ORDER BY max(since) DESC LIMIT $4)
            ORDER BY access.since DESC
            """.formatted(GrantStore.isLive("$3"), EndingStore.noneOf("consent"));

    /** Of the clients that were let in last, the latest first. */
    Future<List<Access>> list(SqlClient db, ProjectId project, UserId user, Instant now) {
        return Sql.run(db, LIST, project, user, now, MAX_CLIENTS).map(rows -> Rows.all(rows, ConnectionStore::access));
    }

    private static Access access(Row row) {
        return new Access(
                row.getString("id"),
                row.getString("name"),
                ClientKind.of(row.getString("kind")) == ClientKind.DOCUMENT,
                row.getBoolean("is_first_party"),
                List.of(row.getArrayOfStrings("resources")),
                List.of(row.getArrayOfStrings("scopes")),
                row.getBoolean("is_offline"),
                Rows.instant(row, "since"),
                Rows.optionalInstant(row, "used_at"));
    }

    private static final String FORGET = """
            DELETE FROM oauth_consents WHERE project_id = $1 AND user_id = $2 AND client_id = $3
            """;

    /** Forgets what the user has agreed to; false if that was nothing. */
    Future<Boolean> forget(SqlClient transaction, ProjectId project, UserId user, String client) {
        return Sql.run(transaction, FORGET, project, user, client).map(rows -> rows.rowCount() > 0);
    }
}
