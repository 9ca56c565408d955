package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.SecurityPolicyHandler;

/**
 * Demands of browsers, which send an Origin, that a body says it is JSON, or what the route takes instead: any page can
 * send text or a form anywhere without a preflight. From all others a body is JSON whatever it is called, since {@code
 * curl -d} and some clients call it a form, which the body handler would parse as one. It is a security policy to Vert.x,
 * so that it may come before the body handler.
 */
public final class ContentTypeHandler implements SecurityPolicyHandler {
    private final String taken;

    /** Takes bodies of this media type as well as JSON. */
    public ContentTypeHandler(String taken) {
        this.taken = taken;
    }

    @Override
    public void handle(RoutingContext ctx) {
        var headers = ctx.request().headers();
        if (headers.contains(HttpHeaders.ORIGIN) && hasBody(ctx.request()) && !isTaken(mediaType(ctx.request()))) {
            throw ApiException.of(
                    ErrorStatus.UNSUPPORTED_MEDIA_TYPE, "A body from a browser needs Content-Type: " + taken + ".");
        }
        headers.set(HttpHeaders.CONTENT_TYPE, Reply.JSON);
        ctx.next();
    }

    private static boolean hasBody(HttpServerRequest request) {
        var length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return request.headers().contains(HttpHeaders.TRANSFER_ENCODING) || !(length == null || length.equals("0"));
    }

    /** Without parameters, such as a charset (RFC 9110, 8.3.1). */
    private static String mediaType(HttpServerRequest request) {
        var type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        return type == null ? "" : type.split(";", 2)[0].strip();
    }

    private boolean isTaken(String mediaType) {
        return mediaType.equalsIgnoreCase(Reply.JSON) || mediaType.equalsIgnoreCase(taken);
    }
}
