package dev.vestibule.page;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What takes too long for an event loop, and is made once for all of them when it is first needed; a failure is not
 * kept.
 */
public final class SharedValue<T> {
    private @Nullable CompletableFuture<T> value;

    /** Completes on the caller's context. */
    public Future<T> get(Vertx vertx, Supplier<T> making) {
        return Future.fromCompletionStage(made(making), vertx.getOrCreateContext());
    }

    private synchronized CompletableFuture<T> made(Supplier<T> making) {
        var known = value;
        if (known == null || known.isCompletedExceptionally()) {
            known = CompletableFuture.supplyAsync(making);
            value = known;
        }
        return known;
    }
}
