package dev.vestibule.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.ApiException;
import dev.vestibule.json.Json;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** The JSON object in a request's body, parsed once. */
public final class Body {
    private static final String PARSED = Body.class.getName();

    private Body() {}

    /** The body; a 400 if it is missing, not JSON or not an object. */
    public static ObjectNode of(RoutingContext ctx) {
        return find(ctx).orElseThrow(() -> ApiException.badRequest("The request needs a JSON object as its body."));
    }

    /** The body, or empty if there is none; a 400 if it is not JSON or not an object. */
    public static Optional<ObjectNode> find(RoutingContext ctx) {
        ObjectNode parsed = ctx.get(PARSED);
        if (parsed == null) {
            var text = ctx.body().buffer();
            if (text == null || text.length() == 0) {
                return Optional.empty();
            }
            if (!(Json.parse(text) instanceof ObjectNode object)) {
                throw ApiException.badRequest("The body must be a JSON object.");
            }
            parsed = object;
            ctx.put(PARSED, parsed);
        }
        return Optional.of(parsed);
    }
}
