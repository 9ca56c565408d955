package dev.vestibule.http;

import dev.vestibule.error.ApiError;
import dev.vestibule.json.Uuids;
import io.vertx.ext.web.RoutingContext;
import java.util.UUID;

/** The id that stands in a request's path. */
public final class PathId {
    private PathId() {}

    /** A 404 where the text is no id: nothing can have it. */
    public static UUID of(RoutingContext ctx, String parameter) {
        return Uuids.parse(ctx.pathParam(parameter))
                .orElseThrow(() -> ApiError.notFound("There is nothing with this id."));
    }
}
