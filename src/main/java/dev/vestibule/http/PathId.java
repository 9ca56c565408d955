package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.json.Uuids;
import io.vertx.ext.web.RoutingContext;
import java.util.UUID;

/** The id in a request's path. */
public final class PathId {
    private PathId() {}

    /** The id; a 404 if the text is not a UUID, because nothing can have such an id. */
    public static UUID of(RoutingContext ctx, String parameter) {
        return Uuids.parse(ctx.pathParam(parameter))
                .orElseThrow(() -> ApiException.of(ErrorCode.NOT_FOUND, "There is nothing with this id."));
    }
}
