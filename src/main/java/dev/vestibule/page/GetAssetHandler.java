package dev.vestibule.page;

import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /assets/:version/*}: a file of a page. */
public final class GetAssetHandler implements ApiHandler {
    private static final String PREFIX = "/assets/";

    private final Assets assets;

    public GetAssetHandler(Assets assets) {
        this.assets = assets;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var path = ctx.normalizedPath().substring(PREFIX.length());
        var slash = path.indexOf('/');
        return assets.files(ctx.vertx()).map(files -> {
            var asset = files.find(path.substring(slash + 1))
                    .orElseThrow(() -> ApiException.notFound("There is no such file."));
            return asset.body().reply(ctx, 200, asset.headers(files.isCurrent(path.substring(0, slash))));
        });
    }
}
