package dev.vestibule.oauth.server;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;

/** The JWTs that have proved something once, until they are too old to be accepted. */
final class UsedProofStore {
    private static final String TAKE = """
            INSERT INTO oauth_used_proofs (project_id, proof_hash, expires_at) VALUES ($1, $2, $3)
            ON CONFLICT (project_id, proof_hash) DO NOTHING
            """;

    /**
     * False if it was used before; only one of several concurrent calls gets true.
     *
     * @param proof names the JWT and whose it is
     */
    Future<Boolean> take(SqlClient db, ProjectId project, String proof, Instant expiresAt) {
        return db.preparedQuery(TAKE)
                .execute(Tuple.of(project.value(), Buffer.buffer(Sha256.of(proof)), Rows.timestamp(expiresAt)))
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String PURGE = """
            DELETE FROM oauth_used_proofs WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM oauth_used_proofs WHERE expires_at <= $1
                ORDER BY expires_at
                LIMIT $2
                FOR UPDATE SKIP LOCKED))
            """;

    /** Deletes up to {@code limit} rows of all projects and returns how many it deleted. */
    Future<Integer> purge(SqlClient db, Instant now, int limit) {
        return db.preparedQuery(PURGE)
                .execute(Tuple.of(Rows.timestamp(now), limit))
                .map(rows -> rows.rowCount());
    }
}
