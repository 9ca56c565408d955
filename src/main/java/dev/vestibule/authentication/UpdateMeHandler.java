package dev.vestibule.authentication;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.Impersonation;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.AuditTrail;
import dev.vestibule.audit.Target;
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
import java.util.Map;
import java.util.Objects;

/** {@code PATCH /v1/auth/me}: changes the given fields of the profile; null clears a field. */
public final class UpdateMeHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final EventOutbox events;
    private final RecentSignIn recent;
    private final Auditor audit;
    private final Clock clock;

    public UpdateMeHandler(
            Database database, UserStore users, EventOutbox events, RecentSignIn recent, Auditor audit, Clock clock) {
        this.database = database;
        this.users = users;
        this.events = events;
        this.recent = recent;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        var change = Fields.read(Body.of(ctx), fields -> UserChange.ofProfile(fields, caller.project()));
        if (change.phone().isMade()) {
            Impersonation.refuse(caller); // a phone may let in, where codes are sent to it
        }
        if (caller.user().phoneVerified()
                && change.phone().isMade()
                && !Objects.equals(change.phone().value(), caller.user().phone())) {
            recent.require(caller); // it no longer signs in then
        }
        if (!change.isMade()) {
            return Future.succeededFuture(Reply.ok(caller.user()));
        }
        var trail = audit.of(ctx);
        return database.inTransaction(transaction -> update(trail, transaction, caller.user(), change, clock.instant()))
                .map(Reply::ok);
    }

    private Future<User> update(
            AuditTrail trail, SqlConnection transaction, User user, UserChange change, Instant now) {
        return users.update(transaction, user.projectId(), user.id(), change, now)
                .map(found -> found.orElseThrow(() -> ApiException.unauthorized("This account was deleted.")))
                .compose(updated -> events.record(transaction, UserEvents.of(EventKind.USER_UPDATED, updated, now))
                        .compose(told -> trail.record(
                                transaction,
                                AuditEvent.PROFILE_UPDATED,
                                Target.user(user.id().value()),
                                Map.of("fields", change.names())))
                        .map(updated));
    }
}
