package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;

/** Runs batches one after another. Neither the stack nor memory grows with their number. */
public final class Batches {
    private Batches() {}

    /** Repeats until a batch returns false, because nothing is left to do, or fails. */
    public static Future<Void> repeat(Supplier<Future<Boolean>> batch) {
        // A chain of compose would keep a future for each batch, and complete each one inside the call of the next.
        Promise<Void> end = Promise.promise();
        next(batch, end);
        return end.future();
    }

    private static void next(Supplier<Future<Boolean>> batch, Promise<Void> end) {
        var running = batch.get();
        while (running.succeeded() && running.result()) {
            running = batch.get();
        }
        running.onSuccess(isMore -> {
                    if (isMore) {
                        next(batch, end);
                    } else {
                        end.complete();
                    }
                })
                .onFailure(end::fail);
    }
}
