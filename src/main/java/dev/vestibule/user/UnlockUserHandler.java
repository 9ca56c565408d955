package dev.vestibule.user;

import dev.vestibule.access.Caller;
import dev.vestibule.authentication.AccountUnlock;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/dashboard/users/:userId/unlock}: the user may sign in again after too many wrong tries. */
public final class UnlockUserHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final AccountUnlock unlock;

    public UnlockUserHandler(Database database, UserStore users, AccountUnlock unlock) {
        this.database = database;
        this.users = users;
        this.unlock = unlock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = new UserId(PathId.of(ctx, "userId"));
        return database.inTransaction(transaction -> users.lock(transaction, project, user)
                        .map(found -> found.orElseThrow(UserErrors::notFound))
                        .compose(account -> unlock.run(transaction, account.user())))
                .map(done -> Reply.success());
    }
}
