package dev.vestibule.webhook.delivery;

import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.webhook.delivery.ClaimStore.Place;
import dev.vestibule.webhook.delivery.DeliveryPurgeStore.Progress;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;

/** Removes what is older than the log shows, whatever became of it, in batches that hold up nobody. */
public final class DeliveryPurge {
    private static final int BATCH = 1000;
    private static final int STEPS = 1000;
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

    /** Deliveries first: one without its event could not be sent or shown. */
    public Future<Void> run() {
        var before = new UUID(clock.instant().minus(retention).toEpochMilli() << TIME_SHIFT, 0);
        return walk(Place.START, behind -> store.removeDeliveries(database.writes(), behind, STEPS, before, BATCH))
                .compose(done -> walk(
                        Place.START.project(),
                        behind -> store.removeEvents(database.writes(), behind, STEPS, before, BATCH)));
    }

    private static <P> Future<Void> walk(P start, Function<P, Future<Progress<P>>> remove) {
        return Batches.repeat(new Walk<>(start, remove)::next);
    }

    /** Goes on where the last batch ended, or stays there while it left something. */
    private static final class Walk<P> {
        private final Function<P, Future<Progress<P>>> remove;
        private P behind;

        private Walk(P start, Function<P, Future<Progress<P>>> remove) {
            this.behind = start;
            this.remove = remove;
        }

        private Future<Boolean> next() {
            return remove.apply(behind).map(progress -> {
                if (progress.isAll()) {
                    behind = progress.last().orElse(behind);
                }
                return !progress.isAll() || progress.last().isPresent();
            });
        }
    }
}
