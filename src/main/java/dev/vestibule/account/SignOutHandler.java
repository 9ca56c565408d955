package dev.vestibule.account;

import dev.vestibule.caller.CallerHandler;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.session.SessionStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** {@code POST /v1/auth/signout}: ends the session of the access token; both its tokens are then worthless. */
public final class SignOutHandler implements ApiHandler {
    private final Database database;
    private final SessionStore sessions;

    public SignOutHandler(Database database, SessionStore sessions) {
        this.database = database;
        this.sessions = sessions;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = CallerHandler.user(ctx);
        return sessions.end(
                        database.writes(), caller.project().id(), caller.token().session())
                .map(ended -> Reply.ok(Map.of("success", true)));
    }
}
