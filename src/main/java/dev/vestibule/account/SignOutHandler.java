package dev.vestibule.account;

import dev.vestibule.caller.CallerHandler;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.session.RevocationStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** {@code POST /v1/auth/signout}: ends the session of the access token; both its tokens are then worthless. */
public final class SignOutHandler implements ApiHandler {
    private final Database database;
    private final RevocationStore revocations;
    private final Clock clock;

    public SignOutHandler(Database database, RevocationStore revocations, Clock clock) {
        this.database = database;
        this.revocations = revocations;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = CallerHandler.user(ctx);
        return revocations
                .end(database.writes(), caller.project().id(), caller.token().session(), clock.instant())
                .map(ended -> Reply.success());
    }
}
