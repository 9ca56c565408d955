package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;

/**
 * A body of {@code application/x-www-form-urlencoded}, as browsers send the forms of our pages. A value that is longer
 * than any field allows is cut, so that the field refuses it and no code sees the rest.
 */
public final class Form {
    private static final int MAX_PARAMETERS = 50;
    private static final int MAX_VALUE = 8192; // enough for what a provider posts

    private Form() {}

    /** A 400 if it is not well-formed. */
    public static MultiMap of(RoutingContext ctx) {
        try {
            return read(Body.received(ctx).toString());
        } catch (IllegalArgumentException invalidEscape) {
            throw ApiException.of(ErrorCode.BAD_REQUEST, "The form has an invalid percent escape.");
        }
    }

    /**
     * What is between two {@code &} is a field (URL Standard, 5.1). Netty's decoder looks at each character three times, which
     * is a tenth of the work of an introspection.
     */
    private static MultiMap read(String text) {
        var parameters = MultiMap.caseInsensitiveMultiMap();
        var start = 0;
        for (var fields = 0; start < text.length() && fields < MAX_PARAMETERS; ) {
            var next = text.indexOf('&', start);
            var end = next < 0 ? text.length() : next;
            var equals = text.indexOf('=', start);
            var nameEnd = equals < 0 || equals > end ? end : equals;
            if (nameEnd > start) {
                var value = decoded(text.substring(Math.min(nameEnd + 1, end), end));
                parameters.add(
                        decoded(text.substring(start, nameEnd)),
                        value.substring(0, Math.min(value.length(), MAX_VALUE + 1)));
                fields++;
            }
            start = end + 1;
        }
        return parameters;
    }

    private static String decoded(String text) {
        return text.indexOf('%') < 0 && text.indexOf('+') < 0
                ? text
                : QueryStringDecoder.decodeComponent(text, StandardCharsets.UTF_8);
    }
}
