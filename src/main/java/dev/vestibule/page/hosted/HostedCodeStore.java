package dev.vestibule.page.hosted;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The codes that browsers bring back from the page, stored by their hash. */
final class HostedCodeStore {
    static final OldRows EXPIRED = OldRows.by("hosted_codes", "expires_at");

    /** The session and the conditions that a code stands for. */
    record Grant(SessionId session, UserId user, @Nullable String codeChallenge, String returnTo) {}

    private static final String ADD = """
            INSERT INTO hosted_codes (project_id, code_hash, session_id, user_id, code_challenge, return_to, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """;

    Future<Void> add(SqlClient db, ProjectId project, String code, Grant grant, Instant expiresAt) {
        return Sql.run(
                        db,
                        ADD,
                        project,
                        hash(code),
                        grant.session(),
                        grant.user(),
                        grant.codeChallenge(),
                        grant.returnTo(),
                        expiresAt)
                .mapEmpty();
    }

    private static final String TAKE = """
            UPDATE hosted_codes SET used_at = $3
            WHERE project_id = $1 AND code_hash = $2 AND used_at IS NULL AND expires_at > $3
            RETURNING session_id, user_id, code_challenge, return_to
            """;

    /** Only one of several concurrent calls gets the code, and uses it up whatever happens next. */
    Future<Optional<Grant>> take(SqlClient db, ProjectId project, String code, Instant now) {
        return Sql.run(db, TAKE, project, hash(code), now).map(rows -> Rows.first(rows, HostedCodeStore::grant));
    }

    private static final String FIND = """
            SELECT session_id, user_id, code_challenge, return_to FROM hosted_codes
            WHERE project_id = $1 AND code_hash = $2
            """;

    /** Finds a code, even one that was used or has expired. */
    Future<Optional<Grant>> find(SqlClient db, ProjectId project, String code) {
        return Sql.run(db, FIND, project, hash(code)).map(rows -> Rows.first(rows, HostedCodeStore::grant));
    }

    private static Buffer hash(String code) {
        return Buffer.buffer(Sha256.of(code));
    }

    private static Grant grant(Row row) {
        return new Grant(
                new SessionId(row.getUUID("session_id")),
                new UserId(row.getUUID("user_id")),
                row.getString("code_challenge"),
                row.getString("return_to"));
    }
}
