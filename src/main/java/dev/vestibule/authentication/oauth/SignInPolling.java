package dev.vestibule.authentication.oauth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.authentication.oauth.OauthStateStore.Outcome;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.token.TokenResponse;
import io.vertx.core.Future;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** Tells a polling application the outcome of a sign in for which this server received the code. */
final class SignInPolling {
    /** Only the status, or the status and the tokens. */
    sealed interface PollResponse {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record PollStatus(String status, @Nullable String message) implements PollResponse {
        static PollStatus of(Outcome outcome) {
            return new PollStatus(outcome.message() == null ? "pending" : "error", outcome.message());
        }
    }

    private record Completed(String status, @JsonUnwrapped TokenResponse tokens) implements PollResponse {}

    private final Database database;
    private final OauthStateStore states = new OauthStateStore();
    private final ActiveSessionStore active = new ActiveSessionStore();
    private final SessionStore sessions;
    private final TokenIssuer tokens;
    private final Clock clock;

    SignInPolling(Database database, SessionStore sessions, TokenIssuer tokens, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.tokens = tokens;
        this.clock = clock;
    }

    /** A 404 if the sign in is unknown, or its tokens were fetched before. */
    Future<PollResponse> poll(Project project, String state, boolean mayFetch) {
        var token = StateToken.parse(state)
                .filter(parsed -> parsed.project().equals(project.id()))
                .orElseThrow(SignInPolling::unknown);
        return states.outcome(database.reads(), token, clock.instant())
                .map(found -> found.orElseThrow(SignInPolling::unknown))
                .compose(outcome -> outcome.isCompleted() && mayFetch
                        ? fetch(project, token)
                        : Future.succeededFuture(PollStatus.of(outcome)));
    }

    private Future<PollResponse> fetch(Project project, StateToken token) {
        return states.fetch(database.writes(), token, clock.instant())
                .map(found -> found.orElseThrow(SignInPolling::unknown))
                .compose(outcome -> tokens(project, outcome))
                .map(issued -> new Completed("completed", issued));
    }

    /** The tokens are created now, so that none are stored; the session may have ended already. */
    private Future<TokenResponse> tokens(Project project, Outcome outcome) {
        var session = outcome.session();
        var user = outcome.user();
        if (session == null || user == null) {
            throw unknown();
        }
        var now = clock.instant();
        return active.findOpened(database.reads(), project.id(), session, user, now)
                .map(found -> found.orElseThrow(SignInPolling::unknown).person())
                .compose(person -> sessions.requireCurrent(project.id(), session, person, now, SignInPolling::unknown)
                        .map(person))
                .map(person -> new SignInResult.Completed(session, person.authentication(), person.user()))
                .compose(opened -> tokens.open(database.reads(), project, ApiVariant.A, opened));
    }

    private static ApiException unknown() {
        return ApiException.of(
                ErrorCode.NOT_FOUND, "The state is unknown or expired, or its tokens were already fetched.");
    }
}
