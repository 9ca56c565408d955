package dev.vestibule.oauth.server;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.OldRows;
import dev.vestibule.database.OpenRows;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Authorization requests under way, stored by the hash of the secret that the browser holds. */
final class RequestStore {
    static final OldRows EXPIRED = OldRows.by("oauth_requests", "expires_at");

    private final int maxOpen;

    RequestStore(int maxOpen) {
        this.maxOpen = maxOpen;
    }

    /**
     * A request.
     *
     * @param session that its person signed in to for it
     * @param isKept whether it already belongs to a browser
     * @param agreed the scopes that its person has agreed to before, by the URI of the API
     */
    record Stored(
            AuthorizationRequest request,
            @Nullable SessionId session,
            boolean isKept,
            Map<String, List<String>> agreed) {}

    /** What a request is found by. The two kinds are hashed differently, so neither is accepted as the other. */
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
            INSERT INTO oauth_requests (project_id, request_hash, client_id, parameters, created_at, expires_at, network,
                                        browser_hash)
            SELECT $1::uuid, $2::bytea, $3::text, $4::jsonb, $5::timestamptz, $6::timestamptz, $7::bytea, $9::bytea
            WHERE %s
            """.formatted(OpenRows.hasRoom("oauth_requests", "request_hash", 7));

    /**
     * Fails with a 503 if the project or the network has reached its limit.
     *
     * @param network that asks; null for the server of a client that owners know, which asks for all its people
     * @param browser that keeps it from the beginning; null if the first one does that shows a page for it
     */
    Future<Void> add(
            SqlClient db,
            ProjectId project,
            Name name,
            AuthorizationRequest request,
            @Nullable Buffer network,
            @Nullable String browser,
            Instant now,
            Instant expiresAt) {
        return Sql.run(
                        db,
                        ADD,
                        project,
                        hash(name),
                        request.clientId(),
                        request.json(),
                        now,
                        expiresAt,
                        network,
                        maxOpen,
                        browser == null ? null : hash(browser))
                .map(OpenRows::requireAdded);
    }

    private static final String FIND = """
            SELECT parameters, session_id, browser_hash IS NOT NULL AS is_kept, (
                SELECT jsonb_object_agg(consent.resource, consent.scopes) FROM oauth_consents AS consent
                WHERE consent.project_id = $1 AND consent.user_id = $5 AND consent.client_id = request.client_id
                  AND %s) AS agreed
            FROM oauth_requests AS request
            WHERE project_id = $1 AND request_hash = $2 AND expires_at > $4
              AND (browser_hash IS NULL OR browser_hash = $3)
            """.formatted(EndingStore.noneOf("consent"));

    /** Empty for another browser than the one that keeps the request, and for a request that has ended. */
    Future<Optional<Stored>> find(
            SqlClient db, ProjectId project, String secret, String browser, @Nullable UserId person, Instant now) {
        return Sql.run(db, FIND, project, hash(Name.ofBrowser(secret)), hash(browser), now, person)
                .map(rows -> Rows.first(rows, RequestStore::stored));
    }

    private static final String KEEP = """
            UPDATE oauth_requests SET browser_hash = $3, session_id = coalesce($5, session_id)
            WHERE project_id = $1 AND request_hash = $2 AND expires_at > $4
              AND (browser_hash IS NULL OR browser_hash = $3)
            """;

    /**
     * The first browser that shows a page for a request keeps it; false for others, and for one that has ended.
     *
     * @param session that its person has just signed in to for it
     */
    Future<Boolean> keep(
            SqlClient db, ProjectId project, String secret, String browser, @Nullable SessionId session, Instant now) {
        return Sql.run(db, KEEP, project, hash(Name.ofBrowser(secret)), hash(browser), now, session)
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String TAKE = """
            DELETE FROM oauth_requests
            WHERE project_id = $1 AND request_hash = $2 AND expires_at > $3
              AND (browser_hash IS NULL OR browser_hash = $4)
            RETURNING parameters
            """;

    /** Only one of several concurrent calls gets the request of this browser. */
    Future<Boolean> take(SqlClient db, ProjectId project, String secret, String browser, Instant now) {
        return take(db, project, Name.ofBrowser(secret), hash(browser), now).map(Optional::isPresent);
    }

    /** Only one of several concurrent calls gets the request that a client has pushed. */
    Future<Optional<AuthorizationRequest>> takePushed(SqlClient db, ProjectId project, String uri, Instant now) {
        return take(db, project, Name.ofPushed(uri), null, now);
    }

    private static Future<Optional<AuthorizationRequest>> take(
            SqlClient db, ProjectId project, Name name, @Nullable Buffer browser, Instant now) {
        return Sql.run(db, TAKE, project, hash(name), now, browser)
                .map(rows -> Rows.first(rows, row -> AuthorizationRequest.of(row.getJsonObject("parameters"))));
    }

    static Buffer hash(Name name) {
        return hash(name.kind() + "\n" + name.secret());
    }

    /** What is kept of a secret. */
    static Buffer hash(String secret) {
        return Buffer.buffer(Sha256.of(secret));
    }

    private static Stored stored(Row row) {
        var session = row.getUUID("session_id");
        return new Stored(
                AuthorizationRequest.of(row.getJsonObject("parameters")),
                session == null ? null : new SessionId(session),
                row.getBoolean("is_kept"),
                ConsentStore.scopes(row.getJsonObject("agreed")));
    }
}
