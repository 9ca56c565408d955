package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs work in parts, one after another. */
public final class Batches {
    private Batches() {}

    /**
     * Repeats until a batch returns false, because nothing is left to do, or fails. Neither the stack nor memory grows
     * with the number of batches.
     */
    public static Future<Void> repeat(Supplier<Future<Boolean>> batch) {
        // A chain of compose would keep a future for each batch, and complete each one inside the call of the next.
        Promise<Void> end = Promise.promise();
        next(batch, end);
        return end.future();
    }

    /** Does it for each of a few. If one fails, the others are still done, and the result is that failure. */
    public static <T> Future<Void> each(List<T> all, Function<T, Future<Void>> work) {
        Future<Void> chain = Future.succeededFuture();
        for (var one : all) {
            chain = chain.transform(before -> work.apply(one)
                    .compose(done -> before.failed() ? Future.failedFuture(before.cause()) : Future.succeededFuture()));
        }
        return chain;
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
