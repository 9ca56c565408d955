package dev.vestibule.event;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.Objects;

/**
 * Records events in the transaction of the change: so the events of a committed change are delivered even after a crash,
 * and those of a rolled-back one never.
 */
public final class EventOutbox {
    /** The event bus address for wake-ups after a commit; best effort, since the table is the truth. */
    public static final String WAKE_UP = "vestibule.webhooks";

    private final EventStore store = new EventStore();
    private final Vertx vertx;

    public EventOutbox(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Stores the events for subscribed endpoints; delivery begins when the transaction is committed. */
    public Future<Void> record(SqlConnection transaction, Event... events) {
        return record(transaction, List.of(events));
    }

    /** The same, for any number of events, of any projects. */
    public Future<Void> record(SqlConnection transaction, List<Event> events) {
        return events.isEmpty()
                ? Future.succeededFuture()
                : store.record(transaction, events)
                        .onSuccess(waiting -> wakeUpAfterwards(transaction, waiting))
                        .mapEmpty();
    }

    private void wakeUpAfterwards(SqlConnection connection, int waiting) {
        if (waiting > 0) {
            Objects.requireNonNull(connection.transaction(), "events are recorded in a transaction")
                    .completion()
                    .onSuccess(committed -> wakeUp());
        }
    }

    /** For deliveries that become due without a new event, such as a repeated one. */
    public void wakeUp() {
        vertx.eventBus().publish(WAKE_UP, "");
    }
}
