package dev.vestibule.user;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.database.Database;
import dev.vestibule.event.EventKind;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** {@code PATCH /v1/dashboard/users/:userId/unban}: lets the user sign in again. */
public final class UnbanUserHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final EventOutbox events;
    private final Auditor audit;
    private final Clock clock;

    public UnbanUserHandler(Database database, UserStore users, EventOutbox events, Auditor audit, Clock clock) {
        this.database = database;
        this.users = users;
        this.events = events;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return unban(ctx, new UserId(PathId.of(ctx, "userId"))).map(unbanned -> Reply.success());
    }

    /** The user, who may sign in again. */
    Future<ManagedUser> unban(RoutingContext ctx, UserId user) {
        var project = Caller.project(ctx).id();
        var trail = audit.of(ctx);
        var now = clock.instant();
        return database.inTransaction(transaction -> users.lock(transaction, project, user)
                        .map(found -> found.orElseThrow(UserErrors::notFound))
                        .compose(account -> users.setBanned(transaction, project, user, false, now))
                        .compose(unbanned -> events.record(
                                transaction,
                                unbanned.stream()
                                        .map(changed -> UserEvents.of(EventKind.USER_UNBANNED, changed, now))
                                        .toList()))
                        .compose(told -> trail.record(transaction, AuditEvent.USER_UNBANNED, Target.user(user.value())))
                        .compose(recorded -> users.find(transaction, project, user)))
                .map(found -> found.orElseThrow(UserErrors::notFound).managed());
    }
}
