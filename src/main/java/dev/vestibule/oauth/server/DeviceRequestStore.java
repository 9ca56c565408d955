package dev.vestibule.oauth.server;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What devices wait for, by the hashes of their two codes. A request that was granted has no row: its grant has the
 * code.
 */
final class DeviceRequestStore {
    static final OldRows EXPIRED = OldRows.by("oauth_device_requests", "expires_at");

    /**
     * A request of a device, as the person sees it who types its code.
     *
     * @param hash of the code that the device asks with
     * @param ipAddress where the device is; null if unknown
     */
    record Waiting(
            Buffer hash,
            String clientId,
            List<String> scopes,
            List<String> resources,
            @Nullable String ipAddress,
            @Nullable String country,
            Instant createdAt) {
        @Override
        public String toString() {
            return "Waiting[" + clientId + "]";
        }
    }

    private static final String COUNT = """
            SELECT count(*) AS total, count(*) FILTER (WHERE network_hash = $4) AS of_network FROM oauth_device_requests
            WHERE project_id = $1 AND client_id = $2 AND expires_at > $3
            """;

    /** How many devices wait for a client: in all, and in one network. */
    record Count(long total, long ofNetwork) {}

    Future<Count> count(SqlClient db, ProjectId project, String client, Instant now, Buffer network) {
        return Sql.run(db, COUNT, project, client, now, network)
                .map(rows -> Rows.single(rows, row -> new Count(row.getLong("total"), row.getLong("of_network"))));
    }

    private static final String ADD = """
            INSERT INTO oauth_device_requests (project_id, device_hash, user_code_hash, client_id, scopes, resources,
                                               asked_from, asked_in_country, network_hash, interval_seconds, created_at,
                                               expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT DO NOTHING
            """;

    /** False if another device already shows this code. */
    Future<Boolean> add(
            SqlClient db,
            ProjectId project,
            String userCode,
            Waiting request,
            Buffer network,
            int interval,
            Instant expiresAt) {
        return Sql.run(
                        db,
                        ADD,
                        project,
                        request.hash(),
                        hash(userCode),
                        request.clientId(),
                        request.scopes().toArray(String[]::new),
                        request.resources().toArray(String[]::new),
                        request.ipAddress(),
                        request.country(),
                        network,
                        interval,
                        request.createdAt(),
                        expiresAt)
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String FIND = """
            SELECT project_id, device_hash, client_id, scopes, resources, asked_from, asked_in_country, created_at
            FROM oauth_device_requests
            WHERE project_id = $1 AND user_code_hash = $2 AND expires_at > $3 AND NOT is_refused
            """;

    /** Finds a request by the code that the device shows; empty if nobody waits for it any more. */
    Future<Optional<Waiting>> find(SqlClient db, ProjectId project, String userCode, Instant now) {
        return Sql.run(db, FIND, project, hash(userCode), now)
                .map(rows -> Rows.first(rows, DeviceRequestStore::waiting));
    }

    private static final String FIND_BY_HASH = """
            SELECT project_id, device_hash, client_id, scopes, resources, asked_from, asked_in_country, created_at
            FROM oauth_device_requests
            WHERE project_id = $1 AND device_hash = $2 AND expires_at > $3 AND NOT is_refused
            """;

    Future<Optional<Waiting>> find(SqlClient db, ProjectId project, Buffer hash, Instant now) {
        return Sql.run(db, FIND_BY_HASH, project, hash, now).map(rows -> Rows.first(rows, DeviceRequestStore::waiting));
    }

    private static final String TAKE = """
            DELETE FROM oauth_device_requests
            WHERE project_id = $1 AND device_hash = $2 AND expires_at > $3 AND NOT is_refused
            """;

    /** Only one of several people who have typed the code gets the request. */
    Future<Boolean> take(SqlClient transaction, ProjectId project, Buffer hash, Instant now) {
        return Sql.run(transaction, TAKE, project, hash, now).map(rows -> rows.rowCount() == 1);
    }

    private static final String REFUSE = """
            UPDATE oauth_device_requests SET is_refused = true WHERE project_id = $1 AND device_hash = $2
            """;

    Future<Void> refuse(SqlClient db, ProjectId project, Buffer hash) {
        return Sql.run(db, REFUSE, project, hash).mapEmpty();
    }

    /** What a device learns when it asks. */
    record Poll(boolean isRefused, boolean isTooSoon, Instant expiresAt) {}

    private static final String POLL = """
            WITH waiting AS (
                SELECT device_hash AS hash,
                       coalesce(asked_at + make_interval(secs => interval_seconds) > $3, false) AS is_too_soon
                FROM oauth_device_requests WHERE project_id = $1 AND device_hash = $2 AND client_id = $5
                FOR UPDATE)
            UPDATE oauth_device_requests
            SET asked_at = $3, interval_seconds = interval_seconds + CASE WHEN waiting.is_too_soon THEN $4 ELSE 0 END
            FROM waiting
            WHERE project_id = $1 AND device_hash = waiting.hash
            RETURNING is_refused, waiting.is_too_soon, expires_at
            """;

    /** A poll of the device; one that comes too soon makes the interval longer from then on (RFC 8628, 3.5). */
    Future<Optional<Poll>> poll(
            SqlClient db, ProjectId project, String client, String deviceCode, Instant now, int longer) {
        return Sql.run(db, POLL, project, hash(deviceCode), now, longer, client)
                .map(rows -> Rows.first(
                        rows,
                        row -> new Poll(
                                row.getBoolean("is_refused"),
                                row.getBoolean("is_too_soon"),
                                Rows.instant(row, "expires_at"))));
    }

    /** As {@link GrantStore} keeps codes, which is where a granted request goes on. */
    static Buffer hash(String code) {
        return Buffer.buffer(Sha256.of(code));
    }

    private static Waiting waiting(Row row) {
        return new Waiting(
                row.getBuffer("device_hash"),
                row.getString("client_id"),
                List.of(row.getArrayOfStrings("scopes")),
                List.of(row.getArrayOfStrings("resources")),
                row.getString("asked_from"),
                row.getString("asked_in_country"),
                Rows.instant(row, "created_at"));
    }
}
