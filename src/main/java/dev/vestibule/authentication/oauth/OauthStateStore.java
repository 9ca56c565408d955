package dev.vestibule.authentication.oauth;

import dev.vestibule.authentication.oauth.OauthState.Flow;
import dev.vestibule.authentication.oauth.OauthState.SignInOrigin;
import dev.vestibule.database.OldRows;
import dev.vestibule.database.OpenRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.http.limits.ClientNetwork;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sign ins with a provider that are in progress, keyed by the hash of their state. */
final class OauthStateStore {
    static final OldRows EXPIRED = OldRows.by("oauth_states", "expires_at");

    private static final String COLUMNS =
            "provider, redirect_uri, flow, return_to, code_challenge, asked_from, user_id,"
                    + " begun_at, begun_from, begun_in_country, begun_with";

    private static final String OPEN = """
            INSERT INTO oauth_states (project_id, state_hash, provider, redirect_uri, flow, return_to, code_challenge,
                                      asked_from, user_id, expires_at, begun_at, begun_from, begun_in_country,
                                      begun_with, network)
            SELECT $1::uuid, $2::bytea, $3::text, $4::text, $5::text, $6::text, $7::text, $8::bytea, $9::uuid,
                   $10::timestamptz, $11::timestamptz, $12::text, $13::text, $14::text, $15::bytea
            WHERE %s
            """.formatted(OpenRows.hasRoom("oauth_states", "state_hash", 15));

    /** Fails with a 503 if the project or the network has reached its limit of open sign ins. */
    Future<Void> open(SqlClient db, StateToken token, OauthState state, Instant expiresAt, int maxOpen) {
        var beginning = state.beginning();
        var device = beginning.device();
        return Sql.run(
                        db,
                        OPEN,
                        token.project(),
                        token.hash(),
                        state.provider().name(),
                        state.redirectUri(),
                        state.flow().text(),
                        state.returnTo(),
                        state.codeChallenge(),
                        beginning.network(),
                        state.user(),
                        expiresAt,
                        beginning.at(),
                        device.ipAddress(),
                        device.country(),
                        device.userAgent(),
                        ClientNetwork.widestOf(device.ipAddress())
                                .map(Buffer::buffer)
                                .orElse(null),
                        maxOpen)
                .map(OpenRows::requireAdded);
    }

    private static final String TAKE = """
            DELETE FROM oauth_states
            WHERE project_id = $1 AND state_hash = $2 AND flow = $4 AND expires_at > $3
            RETURNING %s
            """.formatted(COLUMNS);

    /**
     * Takes the state of a code that the application received. Only one of several concurrent calls gets it, and it is
     * used up in any case.
     */
    Future<Optional<OauthState>> take(SqlClient db, StateToken token, Instant now) {
        return take(db, token, Flow.CLIENT, now);
    }

    /** Takes the state of a code that a page of this server has received, and uses it up too. */
    Future<Optional<OauthState>> takeForPage(SqlClient db, StateToken token, Instant now) {
        return take(db, token, Flow.PAGE, now);
    }

    private static Future<Optional<OauthState>> take(SqlClient db, StateToken token, Flow flow, Instant now) {
        return Sql.run(db, TAKE, token.project(), token.hash(), now, flow.text())
                .map(rows -> Rows.first(rows, OauthStateStore::state));
    }

    private static final String PAGE = """
            SELECT return_to FROM oauth_states
            WHERE project_id = $1 AND state_hash = $2 AND flow = 'page' AND expires_at > $3 AND redirect_uri = $4
            """;

    /**
     * The page of this server that finishes the sign in; empty for any other sign in, or if it returns to another
     * address.
     */
    Future<Optional<String>> page(SqlClient db, StateToken token, String address, Instant now) {
        return Sql.run(db, PAGE, token.project(), token.hash(), now, address)
                .map(rows -> Rows.first(rows, row -> row.getString("return_to")));
    }

    private static final String CLAIM = """
            UPDATE oauth_states SET outcome = 'claimed'
            WHERE project_id = $1 AND state_hash = $2 AND flow IN ('popup', 'redirect') AND outcome IS NULL AND expires_at > $3
              AND ($5 OR asked_from IS NULL OR (asked_from = $4 AND octet_length($4) > 0)) AND redirect_uri = $6
            RETURNING %s
            """.formatted(COLUMNS);

    /**
     * Claims the state of a code that this server received. Only one of several concurrent calls gets it, and only from
     * the network that started the sign in or after the user has agreed to it. An unknown network never matches.
     *
     * @param address that the browser came back to
     */
    Future<Optional<OauthState>> claim(
            SqlClient db, StateToken token, Buffer network, boolean hasAgreed, String address, Instant now) {
        return Sql.run(db, CLAIM, token.project(), token.hash(), now, network, hasAgreed, address)
                .map(rows -> Rows.first(rows, OauthStateStore::state));
    }

    /** A sign in that waits: for the provider's response, or, with a session, for the person's consent. */
    record Waiting(OauthState state, @Nullable SessionId heldSession) {}

    private static final String WAITING = """
            SELECT %s, session_id FROM oauth_states
            WHERE project_id = $1 AND state_hash = $2 AND flow IN ('popup', 'redirect') AND expires_at > $3
              AND (outcome IS NULL OR outcome = 'held')
            """.formatted(COLUMNS);

    /** Empty if the sign in is unknown, expired or finished. */
    Future<Optional<Waiting>> waiting(SqlClient db, StateToken token, Instant now) {
        return Sql.run(db, WAITING, token.project(), token.hash(), now)
                .map(rows -> Rows.first(rows, row -> new Waiting(state(row), session(row))));
    }

    private static final String COMPLETE = """
            UPDATE oauth_states
            SET outcome = CASE flow WHEN 'popup' THEN 'held' ELSE 'completed' END, session_id = $3, user_id = $4,
                expires_at = $5
            WHERE project_id = $1 AND state_hash = $2
            """;

    /**
     * Records the session that was opened; its tokens are created only when they are fetched. A popup hands them over
     * itself, so its session is held back until the person lets a poll fetch them.
     */
    Future<Void> complete(SqlClient db, StateToken token, SessionId session, UserId user, Instant expiresAt) {
        return Sql.run(db, COMPLETE, token.project(), token.hash(), session, user, expiresAt)
                .mapEmpty();
    }

    private static final String RELEASE = """
            UPDATE oauth_states SET outcome = 'completed', expires_at = $4
            WHERE project_id = $1 AND state_hash = $2 AND outcome = 'held' AND expires_at > $3
            """;

    /** Lets a poll fetch the held session; false if another call has decided already. */
    Future<Boolean> release(SqlClient db, StateToken token, Instant now, Instant expiresAt) {
        return Sql.run(db, RELEASE, token.project(), token.hash(), now, expiresAt)
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String REFUSE = """
            UPDATE oauth_states SET outcome = 'failed', session_id = NULL, message = $3, expires_at = $5
            WHERE project_id = $1 AND state_hash = $2 AND flow IN ('popup', 'redirect') AND expires_at > $4
              AND (outcome IS NULL OR outcome = 'held')
            """;

    /** Ends a sign in that waits; false if another call has decided already. */
    Future<Boolean> refuse(SqlClient db, StateToken token, String message, Instant now, Instant expiresAt) {
        return Sql.run(db, REFUSE, token.project(), token.hash(), message, now, expiresAt)
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String FAIL = """
            UPDATE oauth_states SET outcome = 'failed', session_id = NULL, message = $3, expires_at = $4
            WHERE project_id = $1 AND state_hash = $2
            """;

    Future<Void> fail(SqlClient db, StateToken token, String message, Instant expiresAt) {
        return Sql.run(db, FAIL, token.project(), token.hash(), message, expiresAt)
                .mapEmpty();
    }

    /** The outcome of a sign in that this server handles; no session and no message while it is pending. */
    record Outcome(
            boolean isCompleted,
            @Nullable SessionId session,
            @Nullable UserId user,
            @Nullable String message) {}

    private static final String OUTCOME = """
            SELECT outcome, session_id, user_id, message FROM oauth_states
            WHERE project_id = $1 AND state_hash = $2 AND flow IN ('popup', 'redirect') AND expires_at > $3
            """;

    /** Empty if the state is unknown or expired. */
    Future<Optional<Outcome>> outcome(SqlClient db, StateToken token, Instant now) {
        return Sql.run(db, OUTCOME, token.project(), token.hash(), now)
                .map(rows -> Rows.first(rows, OauthStateStore::outcome));
    }

    private static final String FETCH = """
            DELETE FROM oauth_states
            WHERE project_id = $1 AND state_hash = $2 AND outcome = 'completed' AND expires_at > $3
            RETURNING outcome, session_id, user_id, message
            """;

    /** The completed sign in, for the first caller only. */
    Future<Optional<Outcome>> fetch(SqlClient db, StateToken token, Instant now) {
        return Sql.run(db, FETCH, token.project(), token.hash(), now)
                .map(rows -> Rows.first(rows, OauthStateStore::outcome));
    }

    private static OauthState state(Row row) {
        return new OauthState(
                new Provider(row.getString("provider")),
                row.getString("redirect_uri"),
                Flow.of(row.getString("flow")),
                row.getString("return_to"),
                row.getString("code_challenge"),
                beginning(row),
                user(row));
    }

    private static SignInOrigin beginning(Row row) {
        return new SignInOrigin(
                row.getBuffer("asked_from"),
                Rows.instant(row, "begun_at"),
                new Device(
                        row.getString("begun_with"), row.getString("begun_from"), row.getString("begun_in_country")));
    }

    private static Outcome outcome(Row row) {
        return new Outcome(
                "completed".equals(row.getString("outcome")), session(row), user(row), row.getString("message"));
    }

    private static @Nullable SessionId session(Row row) {
        @Nullable UUID session = row.getUUID("session_id");
        return session == null ? null : new SessionId(session);
    }

    private static @Nullable UserId user(Row row) {
        @Nullable UUID user = row.getUUID("user_id");
        return user == null ? null : new UserId(user);
    }
}
