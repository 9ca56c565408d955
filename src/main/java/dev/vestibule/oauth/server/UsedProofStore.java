package dev.vestibule.oauth.server;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;

/** The JWTs that have proved something once, until they are too old to be accepted. */
final class UsedProofStore {
    static final OldRows EXPIRED = OldRows.by("oauth_used_proofs", "expires_at");

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
}
