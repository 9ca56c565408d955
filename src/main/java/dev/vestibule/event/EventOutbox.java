package dev.vestibule.event;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.Objects;

/**
 * Where a change tells what happened, in its own transaction: so what is committed is delivered, whatever crashes, and
 * what rolls back is told to nobody.
 */
public final class EventOutbox {
    /** The event bus address that a commit is announced at; best effort, for the table is the truth. */
    public static final String WAKE_UP = "vestibule.webhooks";

    private final EventStore store = new EventStore();
    private final Vertx vertx;

    public EventOutbox(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Keeps the events for the endpoints that want them; once the transaction is committed, delivery begins. */
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
            Objects.requireNonNull(connection.transaction(), "events are told in a transaction")
                    .completion()
                    .onSuccess(committed -> wakeUp());
        }
    }

    /** For deliveries that wait again without a new event. */
    public void wakeUp() {
        vertx.eventBus().publish(WAKE_UP, "");
    }
}
