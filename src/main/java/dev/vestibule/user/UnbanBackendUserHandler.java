package dev.vestibule.user;

import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/backend/users/:userId/unban}: as {@link UnbanUserHandler}, with the user as the answer. */
public final class UnbanBackendUserHandler implements ApiHandler {
    private final UnbanUserHandler bans;

    UnbanBackendUserHandler(UnbanUserHandler bans) {
        this.bans = bans;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return bans.unban(ctx, new UserId(PathId.of(ctx, "userId"))).map(Reply::ok);
    }
}
