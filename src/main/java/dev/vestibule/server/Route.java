package dev.vestibule.server;

import dev.vestibule.access.Guard;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.limits.Quota;
import io.vertx.core.http.HttpMethod;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One line of {@link Routes}.
 *
 * @param bodyLimit bytes; null for the limit of all routes
 * @param mediaType what a browser may send as a body, besides JSON
 * @param isStreamed whether the handler reads the body itself while it arrives
 */
public record Route(
        HttpMethod method,
        String path,
        Guard guard,
        ApiHandler handler,
        @Nullable Quota quota,
        @Nullable Integer bodyLimit,
        String mediaType,
        boolean isStreamed) {
    private static final String JSON = "application/json";
    private static final String SUFFIX = "Handler";

    static Route get(String path, Guard guard, ApiHandler handler) {
        return get(path, guard, handler, null);
    }

    static Route get(String path, Guard guard, ApiHandler handler, @Nullable Quota quota) {
        return new Route(HttpMethod.GET, path, guard, handler, quota, null, JSON, false);
    }

    static Route post(String path, Guard guard, ApiHandler handler) {
        return post(path, guard, handler, null);
    }

    static Route post(String path, Guard guard, ApiHandler handler, @Nullable Quota quota) {
        return new Route(HttpMethod.POST, path, guard, handler, quota, null, JSON, false);
    }

    static Route patch(String path, Guard guard, ApiHandler handler) {
        return new Route(HttpMethod.PATCH, path, guard, handler, null, null, JSON, false);
    }

    static Route put(String path, Guard guard, ApiHandler handler) {
        return new Route(HttpMethod.PUT, path, guard, handler, null, null, JSON, false);
    }

    static Route delete(String path, Guard guard, ApiHandler handler) {
        return new Route(HttpMethod.DELETE, path, guard, handler, null, null, JSON, false);
    }

    /** The same route with a body limit of its own, in bytes. */
    Route bodyLimit(int bytes) {
        return new Route(method, path, guard, handler, quota, bytes, mediaType, isStreamed);
    }

    /** The same route, which takes bodies of this media type from browsers too. */
    Route takes(String type) {
        return new Route(method, path, guard, handler, quota, bodyLimit, type, isStreamed);
    }

    /** The same route, with a body of any length that its handler reads while it arrives. */
    Route streamed() {
        return new Route(method, path, guard, handler, quota, bodyLimit, mediaType, true);
    }

    /** The {@code operationId} of the API description: the handler's name, so that one search finds both. */
    public String operation() {
        var name = handler.getClass().getSimpleName();
        var stem = name.substring(0, name.length() - SUFFIX.length());
        return stem.substring(0, 1).toLowerCase(Locale.ROOT) + stem.substring(1);
    }
}
