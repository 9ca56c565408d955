package dev.vestibule.oauth.server;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Rows;
import dev.vestibule.database.SharedStatement;
import dev.vestibule.database.Sql;
import dev.vestibule.oauth.server.RequestStore.Name;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserRows;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Grants; one that has ended has no row. */
final class GrantStore {
    private static final String COLUMNS = """
            grants.id, grants.project_id, grants.client_id, grants.user_id, grants.session_id, grants.is_offline,
            grants.scopes, grants.resources, grants.claims, grants.authenticated_at, grants.amr, grants.nonce,
            grants.redirect_uri, grants.code_challenge, grants.key_thumbprint, grants.generation, grants.rotated_at, grants.expires_at""";

    /** With a prefix, for a statement that also selects columns of {@code users}. */
    private static final String PREFIXED_COLUMNS = COLUMNS.replaceAll("grants\\.(\\w+)", "$0 AS grant_$1");

    private static final String BOUND = """
            least(grants.expires_at, CASE WHEN NOT grants.is_offline THEN (
                SELECT expires_at FROM sessions
                WHERE sessions.project_id = grants.project_id AND sessions.id = grants.session_id) END) AS""";

    /** For new tokens: those of a grant that is not offline end with its session too. */
    private static final String BOUND_COLUMNS = PREFIXED_COLUMNS.replace("grants.expires_at AS", BOUND);

    private static final String ADD = """
            INSERT INTO oauth_grants (project_id, id, client_id, user_id, session_id, is_offline, scopes, resources,
                                      claims, authenticated_at, amr, nonce, redirect_uri, code_hash, code_challenge,
                                      key_thumbprint, code_expires_at, rotated_at, created_at, expires_at, sweep_at,
                                      depends_on)
            SELECT $1, $2::uuid, $3, $4::uuid, $5::uuid, $6::boolean, $7::text[], $8, $9::jsonb, $10::timestamptz,
                   $11::text[], $12, $13, $14::bytea, $15, $16, $17::timestamptz, $18::timestamptz, $18, $19::timestamptz,
                   $19, depends_on
            FROM %s AS found
            WHERE cardinality(depends_on) > cardinality($8)
            """.formatted(EndingStore.dependencies("$1::uuid", "$3::text", "$8::text[]"));

    /**
     * Adds a grant, which its code activates; one without a code is active. False if its client or one of its APIs has
     * just ended.
     */
    Future<Boolean> add(
            SqlClient db, ProjectId project, Grant grant, @Nullable Buffer codeHash, @Nullable Instant codeExpiresAt) {
        return Sql.run(
                        db,
                        ADD,
                        parameters(project, grant, codeHash, codeExpiresAt).toArray())
                .map(rows -> rows.rowCount() == 1);
    }

    /** Google's limit: more than people have devices. */
    private static final int MAX_OF_CLIENT = 100;

    private static final String ADD_FOR_REQUEST = """
            WITH taken AS (
                DELETE FROM oauth_requests
                WHERE project_id = $1 AND request_hash = $20 AND expires_at > $18
                  AND (browser_hash IS NULL OR browser_hash = $21)
                RETURNING request_hash),
            evicted AS (
                DELETE FROM oauth_grants AS grants
                WHERE project_id = $1 AND id IN (
                    SELECT id FROM oauth_grants
                    WHERE project_id = $1 AND id = ANY (ARRAY(
                        SELECT id FROM oauth_grants
                        WHERE project_id = $1 AND user_id = $4 AND client_id = $3 AND parent_id IS NULL
                          AND (code_hash IS NULL OR code_used_at IS NOT NULL)
                        ORDER BY rotated_at DESC OFFSET $22))
                    FOR UPDATE SKIP LOCKED)
                RETURNING %s, %s AS was_used),
            added AS (
                %s AND EXISTS (SELECT FROM taken)
                RETURNING true)
            SELECT EXISTS (SELECT FROM added) AS is_added, evicted.*
            FROM (VALUES (1)) AS one LEFT JOIN evicted ON true
            """.formatted(PREFIXED_COLUMNS, isLive("$18"), ADD);

    /**
     * A grant that was added.
     *
     * @param isAdded false if there was nothing to add it for; the transaction has to be rolled back then
     * @param evicted which ended for it
     */
    record Added(boolean isAdded, List<Ended> evicted) {}

    /**
     * Adds a grant as a browser's request has asked for it, which works once, and only in this browser. Of the grants
     * that the client has of the user, those unused for the longest time end, so that there are 100 at most; codes that
     * nobody has exchanged end by themselves within minutes, and evict none.
     */
    Future<Added> addForRequest(
            SqlConnection transaction,
            ProjectId project,
            Grant grant,
            Buffer codeHash,
            Instant codeExpiresAt,
            String secret,
            String browser) {
        var values = parameters(project, grant, codeHash, codeExpiresAt);
        values.add(RequestStore.hash(Name.ofBrowser(secret)));
        values.add(RequestStore.hash(browser));
        values.add(MAX_OF_CLIENT - 1);
        return Sql.run(transaction, ADD_FOR_REQUEST, values.toArray())
                .map(rows -> new Added(
                        rows.iterator().next().getBoolean("is_added"),
                        Rows.all(rows, row -> row).stream()
                                .filter(row -> row.getUUID("grant_id") != null)
                                .map(GrantStore::ended)
                                .toList()));
    }

    private static List<@Nullable Object> parameters(
            ProjectId project, Grant grant, @Nullable Buffer codeHash, @Nullable Instant codeExpiresAt) {
        return new ArrayList<>(Arrays.asList(
                project,
                grant.id(),
                grant.clientId(),
                grant.user(),
                grant.session(),
                grant.isOffline(),
                grant.scopes().toArray(String[]::new),
                grant.resources().toArray(String[]::new),
                new JsonObject()
                        .put("idToken", new JsonArray(grant.idTokenClaims()))
                        .put("userinfo", new JsonArray(grant.userinfoClaims())),
                grant.authenticatedAt(),
                grant.methods().toArray(String[]::new),
                grant.nonce(),
                grant.redirectUri(),
                codeHash,
                grant.codeChallenge(),
                grant.keyThumbprint(),
                codeExpiresAt,
                grant.rotatedAt(),
                grant.expiresAt()));
    }

    private static final String EXCHANGED_DEPENDENCIES = EndingStore.dependencies("$1::uuid", "$4::text", "$6::text[]");

    private static final String ADD_EXCHANGED = """
            INSERT INTO oauth_grants AS grants
                (project_id, id, client_id, user_id, session_id, parent_id, is_offline, scopes, resources, claims,
                 authenticated_at, amr, rotated_at, created_at, expires_at, sweep_at, depends_on)
            SELECT project_id, $3::uuid, $4, user_id, session_id, id, is_offline, $5::text[], $6,
                   '{"idToken": [], "userinfo": []}', authenticated_at, amr, $7::timestamptz, $7,
                   $8::timestamptz, $8, parent.depends_on || found.depends_on
            FROM oauth_grants AS parent CROSS JOIN %s AS found
            WHERE parent.project_id = $1 AND parent.id = $2 AND cardinality(found.depends_on) > cardinality($6)
            RETURNING %s
            """.formatted(EXCHANGED_DEPENDENCIES, PREFIXED_COLUMNS);

    /**
     * Adds a grant of a client that ends with another one, its parent; empty if the parent, the client or one of the
     * APIs has just ended.
     */
    Future<Optional<Grant>> addExchanged(
            SqlClient db, ProjectId project, UUID parent, Exchanged exchanged, Instant now, Instant expiresAt) {
        return Sql.run(
                        db,
                        ADD_EXCHANGED,
                        project,
                        parent,
                        exchanged.id(),
                        exchanged.clientId(),
                        exchanged.scopes().toArray(String[]::new),
                        exchanged.resources().toArray(String[]::new),
                        now,
                        expiresAt)
                .map(rows -> Rows.first(rows, GrantStore::grant));
    }

    /** What a client gets for a token of another grant. */
    record Exchanged(UUID id, String clientId, List<String> scopes, List<String> resources) {}

    private static final String TAKE_CODE = """
            WITH taken AS (
                UPDATE oauth_grants
                SET code_used_at = $3, rotated_at = $3, expires_at = $4, sweep_at = $4,
                    key_thumbprint = CASE WHEN $6 THEN $5::text END
                WHERE project_id = $1 AND code_hash = $2 AND code_used_at IS NULL AND code_expires_at > $3
                  AND (key_thumbprint IS NULL OR key_thumbprint = $5)
                RETURNING *)
            SELECT %s, %s, %s AND (grants.user_id IS NULL OR users.id IS NOT NULL) AS is_live
            FROM taken AS grants LEFT JOIN LATERAL (
                SELECT * FROM users
                WHERE users.project_id = $1 AND users.id = grants.user_id AND NOT users.is_banned
                LIMIT 1) AS users ON true
            """.formatted(BOUND_COLUMNS, UserRows.COLUMNS, isLive("$3"));

    /**
     * The grant of a code that was taken.
     *
     * @param live empty if the grant has ended with its session, user or client
     */
    record Taken(Grant grant, Optional<Live> live) {}

    /**
     * Only one of several concurrent calls gets the grant of a code, which is then valid until the given time. The
     * result also says whether it is live, since a second use of the code ends it.
     *
     * @param key the thumbprint of the key that the client proves to have; null without a proof
     * @param bindsRefreshToken whether its refresh token is bound to that key
     */
    Future<Optional<Taken>> takeCode(
            SqlClient db,
            ProjectId project,
            String code,
            @Nullable String key,
            boolean bindsRefreshToken,
            Instant now,
            Instant expiresAt) {
        return Sql.run(db, TAKE_CODE, project, hash(code), now, expiresAt, key, bindsRefreshToken)
                .map(rows -> Rows.first(
                        rows,
                        row -> new Taken(
                                grant(row), row.getBoolean("is_live") ? Optional.of(live(row)) : Optional.empty())));
    }

    private static final String DELETE_BY_CODE = """
            DELETE FROM oauth_grants AS grants WHERE project_id = $1 AND code_hash = $2
            RETURNING %s
            """.formatted(PREFIXED_COLUMNS);

    /** Ends the grant of a code that was used before, or has expired. */
    Future<Optional<Grant>> deleteByCode(SqlClient db, ProjectId project, String code) {
        return Sql.run(db, DELETE_BY_CODE, project, hash(code)).map(rows -> Rows.first(rows, GrantStore::grant));
    }

    private static final String DELETE = """
            DELETE FROM oauth_grants AS grants WHERE project_id = $1 AND id = $2
            RETURNING %s
            """.formatted(PREFIXED_COLUMNS);

    /** Ends a grant; empty if it has ended. */
    Future<Optional<Grant>> delete(SqlClient db, ProjectId project, UUID id) {
        return Sql.run(db, DELETE, project, id).map(rows -> Rows.first(rows, GrantStore::grant));
    }

    /** An unknown session, or one that has only expired while the grant is offline, does no harm. */
    private static final String IS_LIVE = """
            grants.expires_at > %1$s AND %2$s
            AND (grants.user_id IS NULL
                 OR (grants.is_offline AND grants.session_id IS NULL)
                 OR EXISTS (
                     SELECT FROM sessions
                     WHERE sessions.project_id = grants.project_id AND sessions.id = grants.session_id
                       AND (grants.is_offline OR sessions.expires_at > %1$s)))""";

    private static final String DELETE_OF = """
            DELETE FROM oauth_grants AS grants WHERE project_id = $1 AND user_id = $2 AND client_id = $3 AND %s
            RETURNING %s, %s AND (grants.code_hash IS NULL OR grants.code_used_at IS NOT NULL) AS was_used
            """.formatted(EndingStore.noneOf("grants"), PREFIXED_COLUMNS, isLive("$4"));

    /**
     * A grant that was ended.
     *
     * @param wasUsed whether the client had tokens of it until then
     */
    record Ended(Grant grant, boolean wasUsed) {}

    /** Ends all grants that a client has of a user. */
    Future<List<Ended>> deleteOf(SqlClient db, ProjectId project, UserId user, String client, Instant now) {
        return Sql.run(db, DELETE_OF, project, user, client, now).map(rows -> Rows.all(rows, GrantStore::ended));
    }

    private static Ended ended(Row row) {
        return new Ended(grant(row), row.getBoolean("was_used"));
    }

    /** The condition of a live grant, for a statement that calls {@code oauth_grants} grants. */
    static String isLive(String now) {
        return IS_LIVE.formatted(now, EndingStore.noneOf("grants"));
    }

    /**
     * What a client wants for a refresh token of a generation.
     *
     * @param rotates whether the token is replaced
     * @param key the thumbprint of the key that the client proves to have; null without a proof
     * @param scopes that the grant must have, separated by spaces
     * @param resources that the grant must have, separated by spaces
     */
    record Refreshing(
            ProjectId project,
            UUID grant,
            int generation,
            String client,
            boolean rotates,
            @Nullable String key,
            String scopes,
            String resources,
            Duration ttl)
            implements SharedStatement.Question {
        @Override
        public UUID row() {
            return grant;
        }
    }

    /**
     * Compares and sets the generation in one step, as for sessions; the indexed sweep_at hardly ever changes. The new
     * token of a client without a secret is bound to the key of its first proof (RFC 9449, 5).
     */
    private static final String CHANGE = """
            generation = grants.generation
                + CASE WHEN asked.rotates AND grants.generation = asked.generation THEN 1 ELSE 0 END,
            key_thumbprint = CASE WHEN asked.rotates AND grants.generation = asked.generation
                THEN coalesce(grants.key_thumbprint, asked.key_thumbprint) ELSE grants.key_thumbprint END,
            rotated_at = CASE WHEN grants.generation = asked.generation THEN $1 ELSE grants.rotated_at END,
            expires_at = CASE WHEN grants.generation = asked.generation THEN asked.expires_at ELSE grants.expires_at END,
            sweep_at = CASE WHEN grants.generation = asked.generation
                THEN least(grants.sweep_at, asked.expires_at) ELSE grants.sweep_at END""";

    private static final String ALLOWS = """
            grants.client_id = asked.client_id AND (grants.code_hash IS NULL OR grants.code_used_at IS NOT NULL)
            AND (grants.key_thumbprint IS NULL OR grants.key_thumbprint = asked.key_thumbprint)
            AND grants.scopes @> string_to_array(asked.scopes, ' ')
            AND grants.resources @> string_to_array(asked.resources, ' ')
            AND %s""".formatted(isLive("$1"));

    private static final String REFRESH = """
            UPDATE oauth_grants AS grants SET %s
            FROM (SELECT $2::uuid AS project_id, $3::uuid AS grant_id, $4::integer AS generation, $5::text AS client_id,
                         $6::boolean AS rotates, $7::text AS key_thumbprint, $8::text AS scopes, $9::text AS resources,
                         $10::timestamptz AS expires_at) AS asked,
                 users
            WHERE grants.project_id = asked.project_id AND grants.id = asked.grant_id AND %s
              AND users.project_id = grants.project_id AND users.id = grants.user_id AND NOT users.is_banned
            RETURNING %s, %s
            """.formatted(CHANGE, ALLOWS, BOUND_COLUMNS, UserRows.COLUMNS);

    /**
     * Exactly one of many concurrent refreshes replaces the token. Empty, and nothing is changed, if the grant has
     * ended, or does not allow it.
     */
    Future<Optional<Live>> refresh(SqlClient db, Refreshing refresh, Instant now) {
        return Sql.run(
                        db,
                        REFRESH,
                        now,
                        refresh.project(),
                        refresh.grant(),
                        refresh.generation(),
                        refresh.client(),
                        refresh.rotates(),
                        refresh.key(),
                        refresh.scopes(),
                        refresh.resources(),
                        now.plus(refresh.ttl()))
                .map(rows -> Rows.first(rows, row -> new Live(grant(row), UserRows.user(row))));
    }

    /** As with sessions, takes only rows that are not locked, and finds the user with the same look-up. */
    private static final String REFRESH_FREE = """
            WITH asked AS (
                SELECT asked.*, free.place, free.user_id
                FROM unnest($2::uuid[], $3::uuid[], $4::integer[], $5::text[], $6::boolean[], $7::text[], $8::text[],
                            $9::text[], $10::timestamptz[])
                    WITH ORDINALITY AS asked (project_id, grant_id, generation, client_id, rotates, key_thumbprint,
                                              scopes, resources, expires_at, position)
                CROSS JOIN LATERAL (
                    SELECT ctid AS place, user_id FROM oauth_grants AS grants
                    WHERE grants.project_id = asked.project_id AND grants.id = asked.grant_id AND %s
                    LIMIT 1
                    FOR NO KEY UPDATE SKIP LOCKED) AS free)
            UPDATE oauth_grants AS grants SET %s
            FROM asked, users
            WHERE grants.ctid = asked.place
              AND users.project_id = asked.project_id AND users.id = asked.user_id AND NOT users.is_banned
            RETURNING asked.position, %s, %s
            """.formatted(ALLOWS, CHANGE, BOUND_COLUMNS, UserRows.COLUMNS);

    /**
     * Refreshes several distinct grants, in the order of the results. One is also empty if another transaction is
     * changing the grant: then refresh it on its own.
     */
    Future<List<Optional<Live>>> refreshFree(SqlClient db, List<Refreshing> refreshes, Instant now) {
        return Sql.run(
                        db,
                        REFRESH_FREE,
                        now,
                        Rows.column(refreshes, refresh -> refresh.project().value(), UUID[]::new),
                        Rows.column(refreshes, Refreshing::grant, UUID[]::new),
                        Rows.column(refreshes, Refreshing::generation, Integer[]::new),
                        Rows.column(refreshes, Refreshing::client, String[]::new),
                        Rows.column(refreshes, Refreshing::rotates, Boolean[]::new),
                        Rows.column(refreshes, Refreshing::key, String[]::new),
                        Rows.column(refreshes, Refreshing::scopes, String[]::new),
                        Rows.column(refreshes, Refreshing::resources, String[]::new),
                        Rows.column(
                                refreshes, refresh -> Rows.timestamp(now.plus(refresh.ttl())), OffsetDateTime[]::new))
                .map(rows -> Rows.inOrder(rows, refreshes.size(), row -> new Live(grant(row), UserRows.user(row))));
    }

    /** Whether a grant is live. */
    record Check(ProjectId project, UUID grant) implements SharedStatement.Question {
        @Override
        public UUID row() {
            return grant;
        }
    }

    /** A live grant and its user, who is not banned; null for a client on its own. */
    record Live(Grant grant, @Nullable User user) {}

    /** One look-up in each index for each grant, as for sessions. */
    private static final String FROM_LIVE = """
            FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS asked (project_id, grant_id, position)
            CROSS JOIN LATERAL (
                SELECT * FROM oauth_grants AS grants
                WHERE grants.project_id = asked.project_id AND grants.id = asked.grant_id AND %s
                LIMIT 1) AS grants
            LEFT JOIN LATERAL (
                SELECT * FROM users
                WHERE users.project_id = asked.project_id AND users.id = grants.user_id AND NOT users.is_banned
                LIMIT 1) AS users ON true
            WHERE grants.user_id IS NULL OR users.id IS NOT NULL
            """.formatted(isLive("$3"));

    private static final String FIND_LIVE =
            "SELECT asked.position, " + PREFIXED_COLUMNS + ", " + UserRows.COLUMNS + "\n" + FROM_LIVE;

    /** Live grants, in the order of the checks; empty if the grant, its session, user or client has ended. */
    Future<List<Optional<Live>>> findLive(SqlClient db, List<Check> checks, Instant now) {
        return Sql.run(db, FIND_LIVE, asked(checks, now))
                .map(rows -> Rows.inOrder(rows, checks.size(), GrantStore::live));
    }

    private static Live live(Row row) {
        return new Live(grant(row), row.getUUID("grant_user_id") == null ? null : UserRows.user(row));
    }

    private static final String ARE_LIVE = "SELECT asked.position\n" + FROM_LIVE;

    /** Which of the grants that {@link #findLive} finds there are. */
    Future<List<Boolean>> areLive(SqlClient db, List<Check> checks, Instant now) {
        return Sql.run(db, ARE_LIVE, asked(checks, now))
                .map(rows -> Rows.inOrder(rows, checks.size(), row -> true).stream()
                        .map(Optional::isPresent)
                        .toList());
    }

    private static Object[] asked(List<Check> checks, Instant now) {
        return new Object[] {
            Rows.column(checks, check -> check.project().value(), UUID[]::new),
            Rows.column(checks, Check::grant, UUID[]::new),
            now
        };
    }

    private static final String SWEEP = """
            WITH due AS MATERIALIZED (
                SELECT ctid AS place, expires_at FROM oauth_grants
                WHERE sweep_at <= $1
                ORDER BY sweep_at
                LIMIT $2
                FOR UPDATE SKIP LOCKED),
            postponed AS (
                UPDATE oauth_grants SET sweep_at = expires_at
                WHERE ctid = ANY (ARRAY(SELECT place FROM due WHERE expires_at > $1))),
            removed AS (
                DELETE FROM oauth_grants
                WHERE ctid = ANY (ARRAY(SELECT place FROM due WHERE expires_at <= $1)))
            SELECT count(*) FROM due
            """;

    /**
     * Checks up to {@code limit} due grants of all projects, deletes those that had expired by the given time, and
     * returns how many it checked; nodes share the work.
     */
    Future<Integer> sweep(SqlClient db, Instant expiredBy, int limit) {
        return Sql.run(db, SWEEP, expiredBy, limit).map(rows -> Rows.single(rows, row -> row.getInteger(0)));
    }

    /** What is kept of a code. */
    static Buffer hash(String code) {
        return Buffer.buffer(Sha256.of(code));
    }

    private static Grant grant(Row row) {
        var user = row.getUUID("grant_user_id");
        var session = row.getUUID("grant_session_id");
        var claims = row.getJsonObject("grant_claims");
        return new Grant(
                row.getUUID("grant_id"),
                row.getString("grant_client_id"),
                user == null ? null : new UserId(user),
                session == null ? null : new SessionId(session),
                row.getBoolean("grant_is_offline"),
                List.of(row.getArrayOfStrings("grant_scopes")),
                List.of(row.getArrayOfStrings("grant_resources")),
                AuthorizationRequest.texts(claims, "idToken"),
                AuthorizationRequest.texts(claims, "userinfo"),
                Rows.optionalInstant(row, "grant_authenticated_at"),
                List.of(row.getArrayOfStrings("grant_amr")),
                row.getString("grant_nonce"),
                row.getString("grant_redirect_uri"),
                row.getString("grant_code_challenge"),
                row.getString("grant_key_thumbprint"),
                row.getInteger("grant_generation"),
                Rows.instant(row, "grant_rotated_at"),
                Rows.instant(row, "grant_expires_at"));
    }
}
