package dev.vestibule.http;

import dev.vestibule.json.Json;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.Map;

/** An answer: status, JSON body and headers. Not cacheable unless it says so. */
public record Reply(int status, Buffer body, Map<String, String> headers) {
    static final String JSON = "application/json";

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

    static Reply json(int status, Object body) {
        return new Reply(status, Json.encode(body), Map.of("Content-Type", JSON, "Cache-Control", "no-store"));
    }

    /** The same answer with one more header, or with another value of one. */
    public Reply with(String header, String value) {
        var more = new HashMap<>(headers);
        more.put(header, value);
        return new Reply(status, body, Map.copyOf(more));
    }
}
