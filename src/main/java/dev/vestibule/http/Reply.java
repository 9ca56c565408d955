package dev.vestibule.http;

import dev.vestibule.json.Json;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A response as a value: status, body and headers. It is not cacheable unless it says so. */
public record Reply(int status, Buffer body, Map<String, String> headers) {
    static final String JSON = "application/json";
    private static final String ETAG = "ETag";
    private static final int NOT_MODIFIED = 304;
    private static final String PRIVATE = "private, no-cache";
    /** The credentials, and the origin, which {@link CorsHandler} puts into every response. */
    private static final String VARY = "Origin, x-api-key, Authorization";

    public static Reply ok(Object body) {
        return json(200, body);
    }

    /** {@code {"success":true}}, for an operation that returns nothing else. */
    public static Reply success() {
        return ok(Map.of("success", true));
    }

    public static Reply created(Object body) {
        return json(201, body);
    }

    /** A response that the client may cache but must revalidate by its entity tag (RFC 9110, 8.8.3) before each use. */
    public static Reply revalidated(Buffer json) {
        return new Reply(
                200,
                json,
                Map.of("Content-Type", JSON, ETAG, EntityTag.of(json), "Cache-Control", PRIVATE, "Vary", VARY));
    }

    /** The reply of an operation that has streamed its response itself. */
    public static Reply alreadySent() {
        return new Reply(200, Buffer.buffer(), Map.of());
    }

    /** An HTML page with its own content security policy. */
    public static Reply page(int status, String html, String contentSecurityPolicy) {
        return new Reply(
                status,
                Buffer.buffer(html),
                Map.of(
                        "Content-Type", "text/html; charset=utf-8",
                        "Cache-Control", "no-store",
                        "Content-Security-Policy", contentSecurityPolicy));
    }

    /** A redirect that a browser follows with GET. */
    public static Reply redirect(String location) {
        return new Reply(302, Buffer.buffer(), Map.of("Location", location, "Cache-Control", "no-store"));
    }

    static Reply json(int status, Object body) {
        return new Reply(status, Json.encode(body), Map.of("Content-Type", JSON, "Cache-Control", "no-store"));
    }

    /** A 304 if the client's {@code If-None-Match} has this response's entity tag, else the response itself. */
    Reply orNotModified(List<String> ifNoneMatch) {
        var tag = headers.get(ETAG);
        if (tag == null || ifNoneMatch.isEmpty() || !EntityTag.isAmong(ifNoneMatch, tag)) {
            return this;
        }
        var withoutType = new HashMap<>(headers);
        withoutType.remove("Content-Type");
        return new Reply(NOT_MODIFIED, Buffer.buffer(), Map.copyOf(withoutType));
    }

    /** This response with a header added or replaced. */
    public Reply withHeader(String name, String value) {
        var extended = new HashMap<>(headers);
        extended.put(name, value);
        return new Reply(status, body, Map.copyOf(extended));
    }
}
