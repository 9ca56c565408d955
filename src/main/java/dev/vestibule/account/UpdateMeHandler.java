package dev.vestibule.account;

import dev.vestibule.caller.CallerHandler;
import dev.vestibule.database.Database;
import dev.vestibule.error.Refusal;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** {@code PATCH /v1/auth/me}: changes the fields of the profile that are given; null clears one. */
public final class UpdateMeHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final Clock clock;

    public UpdateMeHandler(Database database, UserStore users, Clock clock) {
        this.database = database;
        this.users = users;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = CallerHandler.user(ctx);
        var change = Fields.read(Body.of(ctx), UserChange::ofProfile);
        if (!change.isMade()) {
            return Future.succeededFuture(Reply.ok(caller.user()));
        }
        return users.update(
                        database.writes(), caller.project().id(), caller.user().id(), change, clock.instant())
                .map(found -> found.orElseThrow(() -> Refusal.unauthorized("This account is gone.")))
                .map(Reply::ok);
    }
}
