package dev.vestibule.user;

import dev.vestibule.access.Caller;
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
    private final Clock clock;

    public UnbanUserHandler(Database database, UserStore users, EventOutbox events, Clock clock) {
        this.database = database;
        this.users = users;
        this.events = events;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = new UserId(PathId.of(ctx, "userId"));
        var now = clock.instant();
        return database.inTransaction(transaction -> users.lock(transaction, project, user)
                        .map(found -> found.orElseThrow(UserErrors::notFound))
                        .compose(account -> users.setBanned(transaction, project, user, false, now))
                        .compose(unbanned -> events.record(
                                transaction,
                                unbanned.stream()
                                        .map(changed -> UserEvents.of(EventKind.USER_UNBANNED, changed, now))
                                        .toList())))
                .map(done -> Reply.success());
    }
}
