package dev.vestibule.session;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** {@code DELETE /v1/dashboard/auth/sessions}: signs the caller out everywhere, or everywhere else. */
public final class EndOwnSessionsHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final SessionStore sessions;
    private final Auditor audit;
    private final Clock clock;

    public EndOwnSessionsHandler(
            Database database, UserStore users, SessionStore sessions, Auditor audit, Clock clock) {
        this.database = database;
        this.users = users;
        this.sessions = sessions;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        var keepCurrent = Query.read(ctx, fields -> fields.optional("keepCurrent", Query.flag()));
        var trail = audit.of(ctx);
        return database.inTransaction(transaction -> users.lock(
                                transaction,
                                caller.project().id(),
                                caller.user().id())
                        .map(found -> found.orElseThrow(EndOwnSessionsHandler::gone))
                        .compose(held -> end(transaction, caller, Boolean.TRUE.equals(keepCurrent)))
                        .compose(ended -> trail.record(
                                        transaction,
                                        AuditEvent.SESSIONS_REVOKED,
                                        Target.user(caller.user().id().value()),
                                        Map.of("sessions", ended.size()))
                                .map(ended)))
                .map(ended -> Reply.ok(Map.of("revoked", ended.size())));
    }

    private Future<List<Session>> end(SqlConnection transaction, SignedIn caller, boolean keepCurrent) {
        var project = caller.project().id();
        var user = caller.user().id();
        var now = clock.instant();
        return keepCurrent
                ? sessions.endOthers(transaction, project, user, caller.token().session(), EndReason.SIGNED_OUT, now)
                : sessions.endAll(transaction, project, user, EndReason.SIGNED_OUT, now);
    }

    private static ApiException gone() {
        return ApiException.unauthorized("The account was deleted.");
    }
}
