package dev.vestibule.project;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Sql;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.Locale;

/** Values that work only once and were used, until they are too old to be accepted anyway. */
public final class UsedOnceStore {
    static final OldRows EXPIRED = OldRows.by("used_once", "expires_at");

    /** The kinds of values that work once; values of different kinds are never the same. */
    public enum Kind {
        /** A challenge whose solution was accepted. */
        CAPTCHA,
        /** An ID token with which an app has signed in. */
        ID_TOKEN,
        /** A code of an identity provider that an application has received. */
        PROVIDER_CODE,
        /** A JWT that has proved something to the authorization server. */
        PROOF;

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final String TAKE = """
            INSERT INTO used_once (project_id, kind, value_hash, expires_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (project_id, kind, value_hash) DO NOTHING
            """;

    /** False if it was used before; only one of several concurrent calls gets true. */
    public Future<Boolean> take(SqlClient db, ProjectId project, Kind kind, byte[] hash, Instant expiresAt) {
        return Sql.run(db, TAKE, project, kind.text(), Buffer.buffer(hash), expiresAt)
                .map(rows -> rows.rowCount() == 1);
    }

    /** In the order of the key, so that rows of other projects are never read. */
    private static final String TAKE_ONE_OF = """
            INSERT INTO used_once (project_id, kind, value_hash, expires_at)
            SELECT $1::uuid, $2::text, $3::bytea, $4::timestamptz
            WHERE $5::integer > (
                SELECT count(*) FROM (
                    SELECT FROM used_once WHERE project_id = $1 AND kind = $2
                    ORDER BY project_id, kind, value_hash
                    LIMIT $5::integer) AS used)
            ON CONFLICT (project_id, kind, value_hash) DO NOTHING
            """;

    /** False also if the project has used this many of the kind that have not expired. */
    public Future<Boolean> takeOneOf(
            SqlClient db, ProjectId project, Kind kind, byte[] hash, Instant expiresAt, int max) {
        return Sql.run(db, TAKE_ONE_OF, project, kind.text(), Buffer.buffer(hash), expiresAt, max)
                .map(rows -> rows.rowCount() == 1);
    }
}
