package dev.vestibule.session;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** {@code DELETE /v1/backend/users/:userId/sessions/:sessionId}: signs the user out on one device, at once. */
public final class RevokeUserSessionHandler implements ApiHandler {
    private final Database database;
    private final SessionStore sessions;
    private final Auditor audit;
    private final Clock clock;

    public RevokeUserSessionHandler(Database database, SessionStore sessions, Auditor audit, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = new UserId(PathId.of(ctx, "userId"));
        var session = new SessionId(PathId.of(ctx, "sessionId"));
        var trail = audit.of(ctx);
        return database.inTransaction(transaction -> sessions.endOwn(
                                transaction, project, user, session, EndReason.REVOKED, clock.instant())
                        .map(found -> found.orElseThrow(SessionErrors::notFound))
                        .compose(ended -> trail.record(
                                transaction, AuditEvent.USER_SESSION_REVOKED, Target.session(session.value()))))
                .map(ended -> Reply.success());
    }
}
