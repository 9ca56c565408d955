package dev.vestibule.page;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads the files that pages load, once for all event loops, when the first page needs them; a failure is not kept. */
public final class Assets {
    private @Nullable CompletableFuture<AssetFiles> files;

    /** Completes on the caller's context; a failure means that the jar is defective. */
    public Future<AssetFiles> files(Vertx vertx) {
        return Future.fromCompletionStage(read(), vertx.getOrCreateContext());
    }

    private synchronized CompletableFuture<AssetFiles> read() {
        var known = files;
        if (known == null || known.isCompletedExceptionally()) {
            known = CompletableFuture.supplyAsync(AssetFiles::read);
            files = known;
        }
        return known;
    }
}
