package dev.vestibule.access.captcha;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;

/** The challenges whose solution was accepted, until they expire. */
final class SpentChallengeStore {
    static final OldRows EXPIRED = OldRows.by("spent_challenges", "expires_at");

    /** In the order of the key, so that rows of other projects are never read. */
    private static final String TAKE = """
            INSERT INTO spent_challenges (project_id, challenge_hash, expires_at)
            SELECT $1::uuid, $2::bytea, $3::timestamptz
            WHERE $4::integer > (
                SELECT count(*) FROM (
                    SELECT FROM spent_challenges WHERE project_id = $1
                    ORDER BY project_id, challenge_hash
                    LIMIT $4::integer) AS spent)
            ON CONFLICT (project_id, challenge_hash) DO NOTHING
            """;

    /** False if it was taken before, or if the project has too many; only one of several concurrent calls gets true. */
    Future<Boolean> take(SqlClient db, ProjectId project, Buffer challengeHash, Instant expiresAt, int max) {
        return db.preparedQuery(TAKE)
                .execute(Tuple.of(project.value(), challengeHash, Rows.timestamp(expiresAt), max))
                .map(rows -> rows.rowCount() == 1);
    }
}
