package dev.vestibule.oauth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.oauth.OauthStateStore.Outcome;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.token.TokenResponse;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/auth/oauth/poll}: the status of a sign in that the server handles, and once its tokens. */
public final class PollOauthHandler implements ApiHandler {
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record PollStatus(String status, @Nullable String message) {}

    private record Completed(String status, @JsonUnwrapped TokenResponse tokens) {}

    private final Database database;
    private final OauthStateStore states;
    private final ActiveSessionStore sessions;
    private final TokenIssuer tokens;
    private final Clock clock;

    PollOauthHandler(
            Database database, OauthStateStore states, ActiveSessionStore sessions, TokenIssuer tokens, Clock clock) {
        this.database = database;
        this.states = states;
        this.sessions = sessions;
        this.tokens = tokens;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var text = Fields.read(Query.of(ctx), fields -> fields.required("state", OauthFields.STATE));
        var token = StateToken.parse(text)
                .filter(parsed -> parsed.project().equals(project.id()))
                .orElseThrow(PollOauthHandler::unknown);
        var mayFetch = !ctx.request().method().equals(HttpMethod.HEAD);
        return states.outcome(database.reads(), token, clock.instant())
                .map(found -> found.orElseThrow(PollOauthHandler::unknown))
                .compose(outcome -> outcome.isCompleted() && mayFetch
                        ? fetch(project, token)
                        : Future.succeededFuture(pollStatus(outcome)));
    }

    private static Reply pollStatus(Outcome outcome) {
        return Reply.ok(new PollStatus(outcome.message() == null ? "pending" : "error", outcome.message()));
    }

    private Future<Reply> fetch(Project project, StateToken token) {
        return states.fetch(database.writes(), token, clock.instant())
                .map(found -> found.orElseThrow(PollOauthHandler::unknown))
                .compose(outcome -> tokens(project, outcome))
                .map(issued -> Reply.ok(new Completed("completed", issued)));
    }

    /** The tokens are created now, so that none are stored; the session may have ended already. */
    private Future<TokenResponse> tokens(Project project, Outcome outcome) {
        var session = outcome.session();
        var user = outcome.user();
        if (session == null || user == null) {
            throw unknown();
        }
        return sessions.findOpened(database.reads(), project.id(), session, user, clock.instant())
                .map(found -> found.orElseThrow(PollOauthHandler::unknown))
                .map(opened -> new SignInResult.Completed(session, opened.authentication(), opened.user()))
                .compose(opened -> tokens.open(database.reads(), project, ApiVariant.A, opened));
    }

    private static RuntimeException unknown() {
        return ApiException.notFound("The state is unknown or expired, or its tokens were already fetched.");
    }
}
