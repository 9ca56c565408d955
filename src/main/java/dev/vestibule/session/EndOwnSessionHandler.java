package dev.vestibule.session;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** {@code DELETE /v1/dashboard/auth/sessions/:sessionId}: signs the caller out on one device, at once. */
public final class EndOwnSessionHandler implements ApiHandler {
    private final Database database;
    private final SessionStore sessions;
    private final Auditor audit;
    private final Clock clock;

    public EndOwnSessionHandler(Database database, SessionStore sessions, Auditor audit, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        var session = new SessionId(PathId.of(ctx, "sessionId"));
        var trail = audit.of(ctx);
        return database.inTransaction(transaction -> sessions.endOwn(
                                transaction,
                                caller.project().id(),
                                caller.user().id(),
                                session,
                                EndReason.SIGNED_OUT,
                                clock.instant())
                        .map(ended -> ended.orElseThrow(SessionErrors::notFound))
                        .compose(ended ->
                                trail.record(transaction, AuditEvent.SESSION_REVOKED, Target.session(session.value()))))
                .map(ended -> Reply.success());
    }
}
