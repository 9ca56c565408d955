package dev.vestibule.user;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.authentication.SignInLockout;
import dev.vestibule.database.Database;
import dev.vestibule.event.EventKind;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;

/** {@code DELETE /v1/dashboard/users/:userId}: deletes the user and all their data; the email can be registered again. */
public final class DeleteUserHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final SessionStore sessions;
    private final EventOutbox events;
    private final SignInLockout lockout;
    private final MailOutbox outbox;
    private final Auditor audit;
    private final Clock clock;

    public DeleteUserHandler(
            Database database,
            UserStore users,
            SessionStore sessions,
            EventOutbox events,
            SignInLockout lockout,
            MailOutbox outbox,
            Auditor audit,
            Clock clock) {
        this.database = database;
        this.users = users;
        this.sessions = sessions;
        this.events = events;
        this.lockout = lockout;
        this.outbox = outbox;
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
                        .compose(account -> delete(transaction, project, account.user()))
                        .compose(deleted ->
                                trail.record(transaction, AuditEvent.USER_DELETED, Target.user(user.value()))))
                .map(deleted -> Reply.success());
    }

    private Future<Void> delete(SqlConnection transaction, ProjectId project, User user) {
        var now = clock.instant();
        return forgetEmail(transaction, project, user)
                .compose(forgotten -> sessions.deleteAll(transaction, project, user.id(), now))
                .compose(ended -> users.delete(transaction, project, user.id()))
                .compose(deleted -> events.record(transaction, UserEvents.of(EventKind.USER_DELETED, user, now)));
    }

    private Future<Void> forgetEmail(SqlClient transaction, ProjectId project, User user) {
        var email = user.email();
        return email == null
                ? Future.succeededFuture()
                : lockout.clear(transaction, project, email)
                        .compose(forgotten -> outbox.forget(transaction, project, email));
    }
}
