package dev.vestibule.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/** What the head of a request says about its body. */
public final class RequestBody {
    /** The length of a body that comes in chunks. */
    static final long UNKNOWN = -1;

    private RequestBody() {}

    /** Whether a body follows (RFC 9112, 6.3). */
    public static boolean isAnnounced(HttpServerRequest request) {
        return length(request) != 0;
    }

    /** The length in bytes, {@link #UNKNOWN} for a body in chunks, 0 without a body. */
    static long length(HttpServerRequest request) {
        var headers = request.headers();
        if (headers.contains(HttpHeaders.TRANSFER_ENCODING)) {
            return UNKNOWN;
        }
        var length = headers.get(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException tooLong) {
            return Long.MAX_VALUE; // the decoder has accepted it, so it has digits only
        }
    }
}
