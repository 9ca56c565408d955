package dev.vestibule.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.ApiError;
import dev.vestibule.json.Json;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** A request's JSON object, parsed once. */
public final class Body {
    private static final String PARSED = Body.class.getName();

    private Body() {}

    /** The body, or a 400 where there is none, or it is no JSON, or no object. */
    public static ObjectNode of(RoutingContext ctx) {
        return find(ctx).orElseThrow(() -> ApiError.badRequest("A JSON object is needed as the body."));
    }

    /** The body where there is one; a 400 where it is no JSON or no object. */
    public static Optional<ObjectNode> find(RoutingContext ctx) {
        ObjectNode parsed = ctx.get(PARSED);
        if (parsed == null) {
            var text = ctx.body().buffer();
            if (text == null || text.length() == 0) {
                return Optional.empty();
            }
            if (!(Json.parse(text) instanceof ObjectNode object)) {
                throw ApiError.badRequest("The body must be a JSON object.");
            }
            parsed = object;
            ctx.put(PARSED, parsed);
        }
        return Optional.of(parsed);
    }
}
