package dev.vestibule.user;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.database.Database;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@code PATCH /v1/dashboard/users/:userId/ban}: keeps the user from signing in, and ends every session at once. */
public final class BanUserHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final SessionStore sessions;
    private final EventOutbox events;
    private final Auditor audit;
    private final Clock clock;

    public BanUserHandler(
            Database database, UserStore users, SessionStore sessions, EventOutbox events, Auditor audit, Clock clock) {
        this.database = database;
        this.users = users;
        this.sessions = sessions;
        this.events = events;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return ban(ctx, new UserId(PathId.of(ctx, "userId")), null).map(banned -> Reply.success());
    }

    /** The banned user; the reason goes to the application's webhooks. */
    Future<ManagedUser> ban(RoutingContext ctx, UserId user, @Nullable String reason) {
        var project = Caller.project(ctx).id();
        var trail = audit.of(ctx);
        var now = clock.instant();
        return database.inTransaction(transaction -> users.lock(transaction, project, user)
                .map(found -> found.orElseThrow(UserErrors::notFound))
                .compose(account -> ban(transaction, project, user, reason, now))
                .compose(banned -> trail.record(transaction, AuditEvent.USER_BANNED, Target.user(user.value())))
                .compose(done -> users.find(transaction, project, user))
                .map(found -> found.orElseThrow(UserErrors::notFound).managed()));
    }

    private Future<Void> ban(
            SqlConnection transaction, ProjectId project, UserId user, @Nullable String reason, Instant now) {
        return users.setBanned(transaction, project, user, true, now)
                .compose(banned -> events.record(
                        transaction,
                        banned.stream()
                                .map(changed -> UserEvents.banned(changed, reason, now))
                                .toList()))
                .compose(recorded -> sessions.endAll(transaction, project, user, EndReason.BANNED, now))
                .mapEmpty();
    }
}
