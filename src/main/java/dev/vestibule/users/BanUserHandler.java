package dev.vestibule.users;

import dev.vestibule.caller.CallerHandler;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.session.RevocationStore;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** {@code PATCH /v1/dashboard/users/:userId/ban}: keeps the user from signing in, and ends every session at once. */
public final class BanUserHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final RevocationStore revocations;
    private final Clock clock;

    public BanUserHandler(Database database, UserStore users, RevocationStore revocations, Clock clock) {
        this.database = database;
        this.users = users;
        this.revocations = revocations;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = CallerHandler.project(ctx).id();
        var user = new UserId(PathId.of(ctx, "userId"));
        var now = clock.instant();
        return database.inTransaction(transaction -> users.setBanned(transaction, project, user, true, now)
                        .compose(found -> found
                                ? revocations.endAll(transaction, project, user, now)
                                : Future.failedFuture(UserStore.unknown())))
                .map(ended -> Reply.success());
    }
}
