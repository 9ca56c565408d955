package dev.vestibule.session;

import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.event.Event;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.session.SessionStore.Expired;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** Removes sessions past their time, a batch after another, and tells of it; until then they are merely dead. */
public final class ExpiredSessions {
    private static final int BATCH = 1000;

    private final Database database;
    private final SessionStore store;
    private final EventOutbox events;
    private final Clock clock;

    public ExpiredSessions(Database database, SessionStore store, EventOutbox events, Clock clock) {
        this.database = database;
        this.store = store;
        this.events = events;
        this.clock = clock;
    }

    public Future<Void> purge() {
        return Batches.repeat(() -> purgeSome(clock.instant()).map(removed -> removed == BATCH));
    }

    private Future<Integer> purgeSome(Instant now) {
        return database.inTransaction(transaction -> store.purgeExpired(transaction, now, BATCH)
                .compose(expired ->
                        events.record(transaction, told(expired, now)).map(expired.size())));
    }

    private static List<Event> told(List<Expired> expired, Instant now) {
        return expired.stream()
                .map(over -> SessionEvents.over(over.project(), over.session(), EndReason.EXPIRED, now))
                .toList();
    }
}
