package dev.vestibule.session;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.Map;

/** {@code DELETE /v1/dashboard/users/:userId/sessions}: signs the user out everywhere, at once. */
public final class RevokeUserSessionsHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final SessionStore sessions;
    private final Auditor audit;
    private final Clock clock;

    public RevokeUserSessionsHandler(
            Database database, UserStore users, SessionStore sessions, Auditor audit, Clock clock) {
        this.database = database;
        this.users = users;
        this.sessions = sessions;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = new UserId(PathId.of(ctx, "userId"));
        var trail = audit.of(ctx);
        return database.inTransaction(transaction -> users.lock(transaction, project, user)
                        .map(found -> found.orElseThrow(UserErrors::notFound))
                        .compose(
                                held -> sessions.endAll(transaction, project, user, EndReason.REVOKED, clock.instant()))
                        .compose(ended -> trail.record(
                                        transaction,
                                        AuditEvent.USER_SESSIONS_REVOKED,
                                        Target.user(user.value()),
                                        Map.of("sessions", ended.size()))
                                .map(ended)))
                .map(ended -> Reply.ok(Map.of("revoked", ended.size())));
    }
}
