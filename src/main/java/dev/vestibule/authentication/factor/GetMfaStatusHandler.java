package dev.vestibule.authentication.factor;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /v1/auth/mfa/status}: whether the signed-in user has a second factor. */
public final class GetMfaStatusHandler implements ApiHandler {
    private final Database database;
    private final Factors factors;

    GetMfaStatusHandler(Database database, Factors factors) {
        this.database = database;
        this.factors = factors;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var user = Caller.user(ctx).user();
        return factors.status(database.reads(), user.projectId(), user.id()).map(Reply::ok);
    }
}
