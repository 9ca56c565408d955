package dev.vestibule.authentication.oauth;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;

/** The ID tokens with which apps have signed in, until they are too old to be accepted. */
final class UsedIdTokenStore {
    static final OldRows EXPIRED = OldRows.by("used_id_tokens", "expires_at");

    private static final String TAKE = """
            INSERT INTO used_id_tokens (project_id, token_hash, expires_at) VALUES ($1, $2, $3)
            ON CONFLICT (project_id, token_hash) DO NOTHING
            """;

    /** False if it was used before; only one of several concurrent calls gets true. */
    Future<Boolean> take(SqlClient db, ProjectId project, Buffer tokenHash, Instant expiresAt) {
        return db.preparedQuery(TAKE)
                .execute(Tuple.of(project.value(), tokenHash, Rows.timestamp(expiresAt)))
                .map(rows -> rows.rowCount() == 1);
    }
}
