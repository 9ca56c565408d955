package dev.vestibule.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.json.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The JSON object in a request's body, parsed once. */
public final class Body {
    private static final String RECEIVED = Body.class.getName() + ".received";
    private static final String PARSED = Body.class.getName();

    private Body() {}

    /**
     * Returns the body to the handler, which reads it once; a 400 if it is missing, not JSON or not an object. The
     * request keeps no copy: it may wait a long time, for example for a hashing thread, and a parsed body takes many
     * times its counted bytes.
     */
    public static ObjectNode of(RoutingContext ctx) {
        var body = find(ctx)
                .orElseThrow(() ->
                        ApiException.of(ErrorCode.MALFORMED_BODY, "The request needs a JSON object as its body."));
        ctx.remove(PARSED);
        ctx.remove(RECEIVED);
        return body;
    }

    /**
     * Like {@link #of}, but returns an empty object if there is no body, for an operation whose fields are all
     * optional.
     */
    public static ObjectNode orEmpty(RoutingContext ctx) {
        return find(ctx).isPresent() ? of(ctx) : JsonNodeFactory.instance.objectNode();
    }

    /** Sets a body from a submitted form, for a handler that reads a JSON body. */
    public static void replace(RoutingContext ctx, ObjectNode body) {
        ctx.put(PARSED, body);
    }

    /** The bytes as received; empty if there is no body. */
    public static Buffer received(RoutingContext ctx) {
        Buffer received = ctx.get(RECEIVED);
        return received == null ? Buffer.buffer() : received;
    }

    /** The field names of a body, for the audit log, which records which fields were changed but never their values. */
    public static List<String> names(ObjectNode body) {
        return body.properties().stream().map(Map.Entry::getKey).toList();
    }

    static void put(RoutingContext ctx, @Nullable Buffer received) {
        ctx.put(RECEIVED, received);
    }

    /**
     * The body, or empty if there is none; a 400 if it is not JSON or not an object. A guard can read it before the
     * handler does.
     */
    public static Optional<ObjectNode> find(RoutingContext ctx) {
        ObjectNode parsed = ctx.get(PARSED);
        if (parsed == null) {
            var text = received(ctx);
            if (text.length() == 0) {
                return Optional.empty();
            }
            if (!(Json.parse(text) instanceof ObjectNode object)) {
                throw ApiException.of(ErrorCode.MALFORMED_BODY, "The body must be a JSON object.");
            }
            parsed = object;
            ctx.put(PARSED, parsed);
        }
        return Optional.of(parsed);
    }
}
