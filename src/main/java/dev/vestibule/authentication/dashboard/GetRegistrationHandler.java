package dev.vestibule.authentication.dashboard;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.LocalRequest;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** {@code GET /v1/dashboard/auth/registration}: what a registration from here would need, for the page that asks. */
public final class GetRegistrationHandler implements ApiHandler {
    private final Database database;
    private final RegistrationPolicy policy;

    public GetRegistrationHandler(Database database, RegistrationPolicy policy) {
        this.database = database;
        this.policy = policy;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var isLocal = LocalRequest.is(ctx.request());
        return policy.need(database.reads(), Caller.project(ctx).id(), isLocal)
                .map(need -> Reply.ok(Map.of("registration", need)));
    }
}
