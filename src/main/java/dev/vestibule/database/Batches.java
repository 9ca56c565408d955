package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;

/** Work that is done a batch after another, however many there are: neither the stack nor memory grows with them. */
public final class Batches {
    private Batches() {}

    /** Runs one batch after another until one says that there is nothing more to do, or fails. */
    public static Future<Void> repeat(Supplier<Future<Boolean>> batch) {
        // A chain of compose would keep a future of each batch, and complete them all in each other's call.
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
