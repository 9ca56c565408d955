package dev.vestibule.authentication.passkey;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET …/users/:userId/passkeys} of management: of one user, for the application's servers and for members. */
public final class ListUserPasskeysHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final PasskeyStore store;

    ListUserPasskeysHandler(Database database, UserStore users, PasskeyStore store) {
        this.database = database;
        this.users = users;
        this.store = store;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = new UserId(PathId.of(ctx, "userId"));
        return users.find(database.reads(), project, user)
                .map(found -> found.orElseThrow(UserErrors::notFound))
                .compose(found -> store.ofUser(database.reads(), project, user))
                .map(Reply::ok);
    }
}
