package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Requires browsers, which send an Origin, to declare a body as JSON or as the media type that the route accepts: any
 * page can send text or a form anywhere without a preflight. From all other clients a body is treated as JSON whatever
 * its type, since {@code curl -d} and some clients declare it as a form.
 */
public final class ContentTypeHandler implements Handler<RoutingContext> {
    private final String accepted;

    /** Accepts bodies of this media type as well as JSON. */
    public ContentTypeHandler(String accepted) {
        this.accepted = accepted;
    }

    @Override
    public void handle(RoutingContext ctx) {
        var request = ctx.request();
        if (request.headers().contains(HttpHeaders.ORIGIN)
                && RequestBody.isAnnounced(request)
                && !isAccepted(mediaType(request))) {
            throw ApiException.of(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE, "A body from a browser needs Content-Type: " + accepted + ".");
        }
        var encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw ApiException.of(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE, "A body must be sent as it is, without a Content-Encoding.");
        }
        ctx.next();
    }

    /** Without parameters, such as a charset (RFC 9110, 8.3.1). */
    private static String mediaType(HttpServerRequest request) {
        var type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        return type == null ? "" : type.split(";", 2)[0].strip();
    }

    private boolean isAccepted(String mediaType) {
        return mediaType.equalsIgnoreCase(Reply.JSON) || mediaType.equalsIgnoreCase(accepted);
    }
}
