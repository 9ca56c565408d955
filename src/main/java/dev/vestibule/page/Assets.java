package dev.vestibule.page;

import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Reads the files that pages load when the first page needs them. */
public final class Assets {
    private final SharedValue<AssetFiles> files = new SharedValue<>();

    /** A failure means that the jar is defective. */
    public Future<AssetFiles> files(Vertx vertx) {
        return files.get(vertx, AssetFiles::read);
    }
}
