package dev.vestibule.authentication;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** {@code POST /v1/auth/signout}: ends the session, so that neither of its tokens is valid any more. */
public final class SignOutHandler implements ApiHandler {
    private final Database database;
    private final SessionStore sessions;
    private final Auditor audit;
    private final Clock clock;

    public SignOutHandler(Database database, SessionStore sessions, Auditor audit, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        var trail = audit.of(ctx);
        var session = caller.token().session();
        return database.inTransaction(transaction -> sessions.end(
                                transaction, caller.project().id(), session, EndReason.SIGNED_OUT, clock.instant())
                        .compose(ended -> ended.isEmpty()
                                ? Future.succeededFuture()
                                : trail.record(transaction, AuditEvent.SIGN_OUT, Target.session(session.value()))))
                .map(ended -> Reply.success());
    }
}
