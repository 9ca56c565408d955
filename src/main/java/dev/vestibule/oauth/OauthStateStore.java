package dev.vestibule.oauth;

import dev.vestibule.database.Rows;
import dev.vestibule.oauth.OauthState.Flow;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sign ins with a provider that are in progress, keyed by the hash of their state. */
final class OauthStateStore {
    /** In the order of the key, so that what other projects have is never read. */
    private static final String OPEN = """
            INSERT INTO oauth_states (project_id, state_hash, provider, redirect_uri, flow, return_to, code_challenge,
                                      asked_from, user_id, expires_at)
            SELECT $1::uuid, $2::bytea, $3::text, $4::text, $5::text, $6::text, $7::text, $8::bytea, $9::uuid,
                   $10::timestamptz
            WHERE $11::integer > (
                SELECT count(*) FROM (
                    SELECT FROM oauth_states WHERE project_id = $1
                    ORDER BY project_id, state_hash
                    LIMIT $11::integer) AS open)
            """;

    /** False if the project has reached its limit of open sign ins. */
    Future<Boolean> open(SqlClient db, StateToken token, OauthState state, Instant expiresAt, int maxOpen) {
        var user = state.user();
        return db.preparedQuery(OPEN)
                .execute(Tuple.from(new Object[] {
                    token.project().value(),
                    token.hash(),
                    state.provider().name(),
                    state.redirectUri(),
                    state.flow().text(),
                    state.returnTo(),
                    state.codeChallenge(),
                    state.initiatorNetwork(),
                    user == null ? null : user.value(),
                    Rows.timestamp(expiresAt),
                    maxOpen
                }))
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String TAKE = """
            DELETE FROM oauth_states
            WHERE project_id = $1 AND state_hash = $2 AND flow = 'client' AND expires_at > $3
            RETURNING provider, redirect_uri, flow, return_to, code_challenge, asked_from, user_id
            """;

    /** For codes that the application received. Of concurrent calls one gets the state, and it is used up in any case. */
    Future<Optional<OauthState>> take(SqlClient db, StateToken token, Instant now) {
        return db.preparedQuery(TAKE)
                .execute(Tuple.of(token.project().value(), token.hash(), Rows.timestamp(now)))
                .map(rows -> Rows.first(rows, OauthStateStore::state));
    }

    private static final String CLAIM = """
            UPDATE oauth_states SET outcome = 'claimed'
            WHERE project_id = $1 AND state_hash = $2 AND flow <> 'client' AND outcome IS NULL AND expires_at > $3
              AND ($5 OR asked_from IS NULL OR asked_from = $4)
            RETURNING provider, redirect_uri, flow, return_to, code_challenge, asked_from, user_id
            """;

    /**
     * For codes that this server received. Of concurrent calls one gets the state, and only from the network that started
     * the sign in or after the user has confirmed it.
     */
    Future<Optional<OauthState>> claim(
            SqlClient db, StateToken token, Buffer network, boolean isConfirmed, Instant now) {
        return db.preparedQuery(CLAIM)
                .execute(Tuple.of(token.project().value(), token.hash(), Rows.timestamp(now), network, isConfirmed))
                .map(rows -> Rows.first(rows, OauthStateStore::state));
    }

    private static final String UNCLAIMED = """
            SELECT provider, redirect_uri, flow, return_to, code_challenge, asked_from, user_id
            FROM oauth_states
            WHERE project_id = $1 AND state_hash = $2 AND flow <> 'client' AND outcome IS NULL AND expires_at > $3
            """;

    /** The state, if the provider's response is still outstanding. */
    Future<Optional<OauthState>> unclaimed(SqlClient db, StateToken token, Instant now) {
        return db.preparedQuery(UNCLAIMED)
                .execute(Tuple.of(token.project().value(), token.hash(), Rows.timestamp(now)))
                .map(rows -> Rows.first(rows, OauthStateStore::state));
    }

    private static final String COMPLETE = """
            UPDATE oauth_states SET outcome = 'completed', session_id = $3, user_id = $4, expires_at = $5
            WHERE project_id = $1 AND state_hash = $2
            """;

    /** Records the session that was opened; its tokens are created only when they are fetched. */
    Future<Void> complete(SqlClient db, StateToken token, SessionId session, UserId user, Instant expiresAt) {
        return db.preparedQuery(COMPLETE)
                .execute(Tuple.of(
                        token.project().value(),
                        token.hash(),
                        session.value(),
                        user.value(),
                        Rows.timestamp(expiresAt)))
                .mapEmpty();
    }

    private static final String FAIL = """
            UPDATE oauth_states SET outcome = 'failed', session_id = NULL, message = $3, expires_at = $4
            WHERE project_id = $1 AND state_hash = $2
            """;

    Future<Void> fail(SqlClient db, StateToken token, String message, Instant expiresAt) {
        return db.preparedQuery(FAIL)
                .execute(Tuple.of(token.project().value(), token.hash(), message, Rows.timestamp(expiresAt)))
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
            WHERE project_id = $1 AND state_hash = $2 AND flow <> 'client' AND expires_at > $3
            """;

    /** Empty if the state is unknown or expired. */
    Future<Optional<Outcome>> outcome(SqlClient db, StateToken token, Instant now) {
        return db.preparedQuery(OUTCOME)
                .execute(Tuple.of(token.project().value(), token.hash(), Rows.timestamp(now)))
                .map(rows -> Rows.first(rows, OauthStateStore::outcome));
    }

    private static final String FETCH = """
            DELETE FROM oauth_states
            WHERE project_id = $1 AND state_hash = $2 AND outcome = 'completed' AND expires_at > $3
            RETURNING outcome, session_id, user_id, message
            """;

    /** The completed sign in, for the first caller only. */
    Future<Optional<Outcome>> fetch(SqlClient db, StateToken token, Instant now) {
        return db.preparedQuery(FETCH)
                .execute(Tuple.of(token.project().value(), token.hash(), Rows.timestamp(now)))
                .map(rows -> Rows.first(rows, OauthStateStore::outcome));
    }

    private static final String PURGE = """
            DELETE FROM oauth_states WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM oauth_states
                WHERE expires_at <= $1
                ORDER BY expires_at
                LIMIT $2
                FOR UPDATE SKIP LOCKED))
            """;

    /** Deletes up to {@code limit} expired states of all projects and returns how many it deleted. */
    Future<Integer> purge(SqlClient db, Instant now, int limit) {
        return db.preparedQuery(PURGE)
                .execute(Tuple.of(Rows.timestamp(now), limit))
                .map(rows -> rows.rowCount());
    }

    private static OauthState state(Row row) {
        return new OauthState(
                new Provider(row.getString("provider")),
                row.getString("redirect_uri"),
                Flow.of(row.getString("flow")),
                row.getString("return_to"),
                row.getString("code_challenge"),
                row.getBuffer("asked_from"),
                user(row));
    }

    private static Outcome outcome(Row row) {
        var session = row.getUUID("session_id");
        return new Outcome(
                "completed".equals(row.getString("outcome")),
                session == null ? null : new SessionId(session),
                user(row),
                row.getString("message"));
    }

    private static @Nullable UserId user(Row row) {
        @Nullable UUID user = row.getUUID("user_id");
        return user == null ? null : new UserId(user);
    }
}
