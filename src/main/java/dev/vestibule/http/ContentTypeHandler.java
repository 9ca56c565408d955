package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Demands of browsers, which send an Origin, that a body says it is JSON, or what the route takes instead: any page can
 * send text or a form anywhere without a preflight. From all others a body is JSON whatever it is called, since {@code
 * curl -d} and some clients call it a form.
 */
public final class ContentTypeHandler implements Handler<RoutingContext> {
    private final String taken;

    /** Takes bodies of this media type as well as JSON. */
    public ContentTypeHandler(String taken) {
        this.taken = taken;
    }

    @Override
    public void handle(RoutingContext ctx) {
        var request = ctx.request();
        if (request.headers().contains(HttpHeaders.ORIGIN)
                && RequestBody.isAnnounced(request)
                && !isTaken(mediaType(request))) {
            throw ApiException.of(
                    ErrorStatus.UNSUPPORTED_MEDIA_TYPE, "A body from a browser needs Content-Type: " + taken + ".");
        }
        var encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw ApiException.of(
                    ErrorStatus.UNSUPPORTED_MEDIA_TYPE, "A body must be sent as it is, without a Content-Encoding.");
        }
        ctx.next();
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
