package dev.vestibule.users;

import dev.vestibule.caller.CallerHandler;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** {@code PATCH /v1/dashboard/users/:userId/unban}: lets the user sign in again. */
public final class UnbanUserHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final Clock clock;

    public UnbanUserHandler(Database database, UserStore users, Clock clock) {
        this.database = database;
        this.users = users;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = CallerHandler.project(ctx).id();
        var user = new UserId(PathId.of(ctx, "userId"));
        return users.setBanned(database.writes(), project, user, false, clock.instant())
                .compose(found ->
                        found ? Future.succeededFuture(Reply.success()) : Future.failedFuture(UserStore.unknown()));
    }
}
