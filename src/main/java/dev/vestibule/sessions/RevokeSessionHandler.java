package dev.vestibule.sessions;

import dev.vestibule.caller.CallerHandler;
import dev.vestibule.database.Database;
import dev.vestibule.error.Refusal;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.session.RevocationStore;
import dev.vestibule.session.SessionId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** {@code DELETE /v1/dashboard/sessions/:sessionId}: signs the user out on one device, at once. */
public final class RevokeSessionHandler implements ApiHandler {
    private final Database database;
    private final RevocationStore revocations;
    private final Clock clock;

    public RevokeSessionHandler(Database database, RevocationStore revocations, Clock clock) {
        this.database = database;
        this.revocations = revocations;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = CallerHandler.project(ctx).id();
        var session = new SessionId(PathId.of(ctx, "sessionId"));
        return revocations
                .end(database.writes(), project, session, clock.instant())
                .map(found -> found.orElseThrow(() -> Refusal.notFound("There is no such session, or no longer.")))
                .map(ended -> Reply.success());
    }
}
