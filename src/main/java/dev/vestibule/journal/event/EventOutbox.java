package dev.vestibule.journal.event;

import dev.vestibule.project.statistics.Activity;
import dev.vestibule.project.statistics.Counted;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.Objects;

/**
 * Records events in the transaction of the change. The events of a committed change are delivered even after a crash,
 * and those of a rolled-back change never are.
 */
public final class EventOutbox {
    /**
     * The event bus address for wake-ups after a commit. Wake-ups are best effort: the table is the source of truth.
     */
    public static final String WAKE_UP = "vestibule.webhooks";

    private final EventStore store = new EventStore();
    private final Vertx vertx;
    private final Activity activity;
    private final boolean isForManagement;

    public EventOutbox(Vertx vertx, Activity activity) {
        this(vertx, activity, false);
    }

    private EventOutbox(Vertx vertx, Activity activity, boolean isForManagement) {
        this.vertx = vertx;
        this.activity = activity;
        this.isForManagement = isForManagement;
    }

    /** For the management of users, where creating a user does not count as a sign up. */
    public EventOutbox forManagement() {
        return new EventOutbox(vertx, activity, true);
    }

    /** Stores the events for subscribed endpoints; delivery begins when the transaction is committed. */
    public Future<Void> record(SqlConnection transaction, Event... events) {
        return record(transaction, List.of(events));
    }

    /** Stores any number of events, of any projects. */
    public Future<Void> record(SqlConnection transaction, List<Event> events) {
        if (!isForManagement) {
            countSignUps(transaction, events);
        }
        return events.isEmpty()
                ? Future.succeededFuture()
                : store.record(transaction, events)
                        .onSuccess(waiting -> wakeUpAfterwards(transaction, waiting))
                        .mapEmpty();
    }

    private void countSignUps(SqlConnection transaction, List<Event> events) {
        for (var event : events) {
            if (event.type().equals(EventKind.USER_CREATED.text())) {
                activity.countAfterCommit(transaction, event.projectId(), Counted.SIGN_UPS);
            }
        }
    }

    private void wakeUpAfterwards(SqlConnection connection, int waiting) {
        if (waiting > 0) {
            Objects.requireNonNull(connection.transaction(), "events are recorded in a transaction")
                    .completion()
                    .onSuccess(committed -> wakeUp());
        }
    }

    /** For deliveries that become due without a new event, such as a retry. */
    public void wakeUp() {
        vertx.eventBus().publish(WAKE_UP, "");
    }
}
