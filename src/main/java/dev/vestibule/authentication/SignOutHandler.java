package dev.vestibule.authentication;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** {@code POST /v1/auth/signout}: ends the session, so that neither of its tokens is valid any more. */
public final class SignOutHandler implements ApiHandler {
    private final Database database;
    private final SessionStore sessions;
    private final Clock clock;

    public SignOutHandler(Database database, SessionStore sessions, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        return database.inTransaction(transaction -> sessions.end(
                        transaction,
                        caller.project().id(),
                        caller.token().session(),
                        EndReason.SIGNED_OUT,
                        clock.instant()))
                .map(ended -> Reply.success());
    }
}
