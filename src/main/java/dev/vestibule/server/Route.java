package dev.vestibule.server;

import dev.vestibule.access.Guard;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.limits.Quota;
import io.vertx.core.http.HttpMethod;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One line of the routes page. */
public record Route(
        HttpMethod method,
        String path,
        Guard guard,
        ApiHandler handler,
        @Nullable Quota quota,
        @Nullable Integer bodyLimit,
        boolean isStreamed) {
    private static final String SUFFIX = "Handler";

    static Route get(String path, Guard guard, ApiHandler handler) {
        return new Route(HttpMethod.GET, path, guard, handler, null, null, false);
    }

    static Route post(String path, Guard guard, ApiHandler handler) {
        return new Route(HttpMethod.POST, path, guard, handler, null, null, false);
    }

    static Route patch(String path, Guard guard, ApiHandler handler) {
        return new Route(HttpMethod.PATCH, path, guard, handler, null, null, false);
    }

    static Route put(String path, Guard guard, ApiHandler handler) {
        return new Route(HttpMethod.PUT, path, guard, handler, null, null, false);
    }

    static Route delete(String path, Guard guard, ApiHandler handler) {
        return new Route(HttpMethod.DELETE, path, guard, handler, null, null, false);
    }

    /** The same line, held to a rate limit. */
    Route limited(Quota limit) {
        return new Route(method, path, guard, handler, limit, bodyLimit, isStreamed);
    }

    /** The same line, with a limit of its own for its body instead of the common one. */
    Route withBodyOf(int mostBytes) {
        return new Route(method, path, guard, handler, quota, mostBytes, isStreamed);
    }

    /** The same line, whose body is read as it comes, for as long as it comes. */
    Route streamed() {
        return new Route(method, path, guard, handler, quota, bodyLimit, true);
    }

    /** The {@code operationId} of the API description: the handler's name, so that one search finds both. */
    public String operation() {
        var name = handler.getClass().getSimpleName();
        var stem = name.substring(0, name.length() - SUFFIX.length());
        return stem.substring(0, 1).toLowerCase(Locale.ROOT) + stem.substring(1);
    }
}
