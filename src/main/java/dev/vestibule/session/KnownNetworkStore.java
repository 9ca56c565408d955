package dev.vestibule.session;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks up the networks of sign ins; {@link SessionStore} writes them. */
final class KnownNetworkStore {
    private static final String FIND = """
            SELECT users.email_verified FROM users
            JOIN sign_in_networks AS known ON known.project_id = $1 AND known.user_id = users.id
                 AND known.network_hash = $3 AND CASE WHEN $5 THEN known.factor_seen_at ELSE known.seen_at END > $4
            WHERE users.project_id = $1 AND users.email = $2
            """;

    private static final String FIND_BY_PHONE = """
            SELECT FROM users
            JOIN sign_in_networks AS known ON known.project_id = $1 AND known.user_id = users.id
                 AND known.network_hash = $3 AND known.seen_at > $4
            WHERE users.project_id = $1 AND users.phone = $2 AND users.phone_verified
            LIMIT 1
            """;

    Future<Optional<KnownNetwork>> findByPhone(
            SqlClient db, ProjectId project, String phone, Buffer networkHash, Instant since) {
        return Sql.run(db, FIND_BY_PHONE, project, phone, networkHash, since)
                .map(rows -> Rows.first(rows, row -> new KnownNetwork(networkHash, true)));
    }

    Future<Optional<KnownNetwork>> find(
            SqlClient db,
            ProjectId project,
            @Nullable String email,
            Buffer networkHash,
            Instant since,
            boolean byBothFactors) {
        return Sql.run(db, FIND, project, email, networkHash, since, byBothFactors)
                .map(rows -> Rows.first(rows, row -> new KnownNetwork(networkHash, row.getBoolean("email_verified"))));
    }
}
