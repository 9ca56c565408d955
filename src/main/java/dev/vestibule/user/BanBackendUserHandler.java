package dev.vestibule.user;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/backend/users/:userId/ban}: as {@link BanUserHandler}, with a reason, and the user as the answer. */
public final class BanBackendUserHandler implements ApiHandler {
    private static final int MAX_REASON = 500;

    private final BanUserHandler bans;

    BanBackendUserHandler(BanUserHandler bans) {
        this.bans = bans;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var reason = Fields.readStrictly(
                Body.find(ctx).orElseGet(JsonNodeFactory.instance::objectNode),
                fields -> fields.optional("reason", text -> Text.line(text, MAX_REASON)));
        return bans.ban(ctx, new UserId(PathId.of(ctx, "userId")), reason).map(Reply::ok);
    }
}
