package dev.vestibule.authentication;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.event.EventKind;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.user.User;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.UserEvents;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;

/** {@code PATCH /v1/auth/me}: changes the given fields of the profile; null clears a field. */
public final class UpdateMeHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final EventOutbox events;
    private final Clock clock;

    public UpdateMeHandler(Database database, UserStore users, EventOutbox events, Clock clock) {
        this.database = database;
        this.users = users;
        this.events = events;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        var change = Fields.read(Body.of(ctx), fields -> UserChange.ofProfile(fields, caller.project()));
        if (!change.isMade()) {
            return Future.succeededFuture(Reply.ok(caller.user()));
        }
        return database.inTransaction(transaction -> update(transaction, caller.user(), change, clock.instant()))
                .map(Reply::ok);
    }

    private Future<User> update(SqlConnection transaction, User user, UserChange change, Instant now) {
        return users.update(transaction, user.projectId(), user.id(), change, now)
                .map(found -> found.orElseThrow(() -> ApiException.unauthorized("This account was deleted.")))
                .compose(updated -> events.record(transaction, UserEvents.of(EventKind.USER_UPDATED, updated, now))
                        .map(updated));
    }
}
