package dev.vestibule.http;

import dev.vestibule.json.Json;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An answer: status, JSON body and headers. Not cacheable unless it says so. */
public record Reply(int status, Buffer body, Map<String, String> headers) {
    static final String JSON = "application/json";
    private static final String ETAG = "ETag";
    private static final int NOT_MODIFIED = 304;
    private static final String PRIVATE = "private, no-cache";
    /** And the origin, which CORS adds to every answer. */
    private static final String CREDENTIALS = "Origin, x-api-key, Authorization";

    public static Reply ok(Object body) {
        return json(200, body);
    }

    /** {@code {"success":true}}: done, and there is nothing to show of it. */
    public static Reply success() {
        return ok(Map.of("success", true));
    }

    public static Reply created(Object body) {
        return json(201, body);
    }

    /**
     * An answer that the caller may keep and must ask for again, by its entity tag (RFC 9110, 8.8.3), before each use.
     */
    public static Reply revalidated(Buffer json) {
        return new Reply(
                200,
                json,
                Map.of("Content-Type", JSON, ETAG, EntityTag.of(json), "Cache-Control", PRIVATE, "Vary", CREDENTIALS));
    }

    /** What was answered piece by piece, and is sent in full. */
    public static Reply alreadySent() {
        return new Reply(200, Buffer.buffer(), Map.of());
    }

    /** A page for people, under the policy that it names itself (Content Security Policy Level 3). */
    public static Reply page(int status, String html, String contentSecurityPolicy) {
        return new Reply(
                status,
                Buffer.buffer(html),
                Map.of(
                        "Content-Type", "text/html; charset=utf-8",
                        "Cache-Control", "no-store",
                        "Content-Security-Policy", contentSecurityPolicy));
    }

    /** Sends a browser on, by GET. */
    public static Reply redirect(String location) {
        return new Reply(302, Buffer.buffer(), Map.of("Location", location, "Cache-Control", "no-store"));
    }

    static Reply json(int status, Object body) {
        return new Reply(status, Json.encode(body), Map.of("Content-Type", JSON, "Cache-Control", "no-store"));
    }

    /** A 304 where the client has this very answer already, by the tags that it sent; else the answer itself. */
    Reply orNotModified(List<String> ifNoneMatch) {
        var tag = headers.get(ETAG);
        if (tag == null || ifNoneMatch.isEmpty() || !EntityTag.isAmong(ifNoneMatch, tag)) {
            return this;
        }
        var shorter = new HashMap<>(headers);
        shorter.remove("Content-Type");
        return new Reply(NOT_MODIFIED, Buffer.buffer(), Map.copyOf(shorter));
    }

    /** The same answer with one more header, or with another value of one. */
    public Reply withHeader(String header, String value) {
        var more = new HashMap<>(headers);
        more.put(header, value);
        return new Reply(status, body, Map.copyOf(more));
    }
}
