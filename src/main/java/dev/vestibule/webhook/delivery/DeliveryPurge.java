package dev.vestibule.webhook.delivery;

import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.webhook.delivery.ClaimStore.EndpointCursor;
import dev.vestibule.webhook.delivery.DeliveryPurgeStore.Progress;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;

/** Removes deliveries and events that are older than the retention, in small batches, and names of dead nodes. */
public final class DeliveryPurge {
    private static final int BATCH = 1000;
    private static final int STEPS = 1000; // endpoints or projects that one statement visits
    private static final int TIME_SHIFT = 16; // a UUIDv7 begins with 48 bits of milliseconds

    private final DeliveryPurgeStore store = new DeliveryPurgeStore();
    private final Database database;
    private final Duration retention;
    private final Clock clock;

    public DeliveryPurge(Database database, Duration retention, Clock clock) {
        this.database = database;
        this.retention = retention;
        this.clock = clock;
    }

    /** Removes deliveries first, because a delivery without its event could not be sent or shown. */
    public Future<Void> run() {
        var before = new UUID(clock.instant().minus(retention).toEpochMilli() << TIME_SHIFT, 0);
        return walk(
                        EndpointCursor.START,
                        cursor -> store.removeDeliveries(database.writes(), cursor, STEPS, before, BATCH))
                .compose(done -> walk(
                        EndpointCursor.START.project(),
                        cursor -> store.removeEvents(database.writes(), cursor, STEPS, before, BATCH)))
                .compose(done -> store.removeNames(database.writes()));
    }

    private static <C> Future<Void> walk(C start, Function<C, Future<Progress<C>>> remove) {
        return Batches.repeat(new Walk<>(start, remove)::next);
    }

    /** Moves on when a batch removed all of its part; otherwise repeats the same part. */
    private static final class Walk<C> {
        private final Function<C, Future<Progress<C>>> remove;
        private C cursor;

        private Walk(C start, Function<C, Future<Progress<C>>> remove) {
            this.cursor = start;
            this.remove = remove;
        }

        private Future<Boolean> next() {
            return remove.apply(cursor).map(progress -> {
                if (progress.isComplete()) {
                    cursor = progress.next().orElse(cursor);
                }
                return !progress.isComplete() || progress.next().isPresent();
            });
        }
    }
}
