package dev.vestibule.page;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;

/** Serves the files of pages. */
public final class AssetHandler {
    private static final String PREFIX = "/assets/";

    private final Assets assets;

    public AssetHandler(Assets assets) {
        this.assets = assets;
    }

    /** {@code GET /assets/:version/*}: a file of a page. */
    public Future<Reply> get(ApiRequest request) {
        var path = request.path().substring(PREFIX.length());
        var slash = path.indexOf('/');
        return assets.files(request.vertx()).map(files -> {
            var asset = files.find(path.substring(slash + 1))
                    .orElseThrow(() -> ApiException.of(ErrorCode.NOT_FOUND, "There is no such file."));
            return asset.body().reply(request.context(), 200, asset.headers(files.isCurrent(path.substring(0, slash))));
        });
    }
}
