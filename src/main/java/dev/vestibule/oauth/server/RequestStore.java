package dev.vestibule.oauth.server;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Authorization requests under way, stored by the hash of the secret that the browser holds. */
final class RequestStore {
    static final OldRows EXPIRED = OldRows.by("oauth_requests", "expires_at");

    /** A request, and the session that its person signed in to for it. */
    record Stored(AuthorizationRequest request, @Nullable SessionId session) {}

    /** What finds a request: a text of one kind is worth nothing as the other. */
    record Name(String kind, String secret) {
        static Name ofBrowser(String secret) {
            return new Name("browser", secret);
        }

        static Name ofPushed(String uri) {
            return new Name("pushed", uri);
        }

        @Override
        public String toString() {
            return "Name[" + kind + "]";
        }
    }

    private static final String ADD = """
            INSERT INTO oauth_requests (project_id, request_hash, client_id, parameters, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            """;

    Future<Void> add(
            SqlClient db, ProjectId project, Name name, AuthorizationRequest request, Instant now, Instant expiresAt) {
        return db.preparedQuery(ADD)
                .execute(Tuple.of(
                        project.value(),
                        hash(name),
                        request.clientId(),
                        request.json(),
                        Rows.timestamp(now),
                        Rows.timestamp(expiresAt)))
                .mapEmpty();
    }

    private static final String OPEN = """
            UPDATE oauth_requests SET browser_hash = $3
            WHERE project_id = $1 AND request_hash = $2 AND expires_at > $4
              AND (browser_hash IS NULL OR browser_hash = $3)
            RETURNING parameters, session_id
            """;

    /** The first browser that opens a request keeps it; empty for others, and for one that has ended. */
    Future<Optional<Stored>> open(SqlClient db, ProjectId project, String secret, String browser, Instant now) {
        return db.preparedQuery(OPEN)
                .execute(Tuple.of(project.value(), hash(Name.ofBrowser(secret)), hash(browser), Rows.timestamp(now)))
                .map(rows -> Rows.first(rows, RequestStore::stored));
    }

    private static final String SET_SESSION = """
            UPDATE oauth_requests SET session_id = $3 WHERE project_id = $1 AND request_hash = $2
            """;

    Future<Void> setSession(SqlClient db, ProjectId project, String secret, SessionId session) {
        return db.preparedQuery(SET_SESSION)
                .execute(Tuple.of(project.value(), hash(Name.ofBrowser(secret)), session.value()))
                .mapEmpty();
    }

    private static final String TAKE = """
            DELETE FROM oauth_requests WHERE project_id = $1 AND request_hash = $2 AND expires_at > $3
            RETURNING parameters, session_id
            """;

    /** Only one of several concurrent calls gets the request. */
    Future<Optional<Stored>> take(SqlClient db, ProjectId project, Name name, Instant now) {
        return db.preparedQuery(TAKE)
                .execute(Tuple.of(project.value(), hash(name), Rows.timestamp(now)))
                .map(rows -> Rows.first(rows, RequestStore::stored));
    }

    private static Buffer hash(Name name) {
        return hash(name.kind() + "\n" + name.secret());
    }

    private static Buffer hash(String secret) {
        return Buffer.buffer(Sha256.of(secret));
    }

    private static Stored stored(Row row) {
        var session = row.getUUID("session_id");
        return new Stored(
                AuthorizationRequest.of(row.getJsonObject("parameters")),
                session == null ? null : new SessionId(session));
    }
}
