package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;

/** A body of {@code application/x-www-form-urlencoded}, as browsers send the forms of our pages. */
public final class Form {
    private static final int MAX_PARAMETERS = 50;

    private Form() {}

    /** A 400 if it is not well-formed. */
    public static MultiMap of(RoutingContext ctx) {
        var parameters = MultiMap.caseInsensitiveMultiMap();
        try {
            new QueryStringDecoder(Body.received(ctx).toString(), StandardCharsets.UTF_8, false, MAX_PARAMETERS)
                    .parameters()
                    .forEach(parameters::add);
        } catch (IllegalArgumentException invalidEscape) {
            throw ApiException.badRequest("The form has an invalid percent escape.");
        }
        return parameters;
    }
}
