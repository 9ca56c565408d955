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
 * @param isStreamed whether the handler reads the body itself while it arrives, or writes its response for minutes
 * @param alsoImpersonated whether a session that is impersonated may call it: to read what is the user's, by default
 * @param takesBody whether its description has a body
 * @param takesQuery whether its description has query parameters besides {@code projectId}, which the guard reads
 * @param operation its name in the API description
 */
public record Route(
        HttpMethod method,
        String path,
        Guard guard,
        ApiHandler handler,
        @Nullable Quota quota,
        @Nullable Integer bodyLimit,
        String mediaType,
        boolean isStreamed,
        boolean alsoImpersonated,
        boolean takesBody,
        boolean takesQuery,
        String operation) {
    private static final String JSON = "application/json";
    private static final String SUFFIX = "Handler";

    private static Route of(HttpMethod method, String path, Guard guard, ApiHandler handler, @Nullable Quota quota) {
        var reads = method.equals(HttpMethod.GET) && guard == Guard.USER;
        var takesBody = !method.equals(HttpMethod.GET) && !method.equals(HttpMethod.DELETE);
        return new Route(
                method, path, guard, handler, quota, null, JSON, false, reads, takesBody, false, operation(handler));
    }

    /** The handler's name, so that one search finds both. */
    private static String operation(ApiHandler handler) {
        var name = handler.getClass().getSimpleName();
        var stem = name.substring(0, name.length() - SUFFIX.length());
        return stem.substring(0, 1).toLowerCase(Locale.ROOT) + stem.substring(1);
    }

    static Route get(String path, Guard guard, ApiHandler handler) {
        return get(path, guard, handler, null);
    }

    static Route get(String path, Guard guard, ApiHandler handler, @Nullable Quota quota) {
        return of(HttpMethod.GET, path, guard, handler, quota);
    }

    static Route post(String path, Guard guard, ApiHandler handler) {
        return post(path, guard, handler, null);
    }

    static Route post(String path, Guard guard, ApiHandler handler, @Nullable Quota quota) {
        return of(HttpMethod.POST, path, guard, handler, quota);
    }

    static Route patch(String path, Guard guard, ApiHandler handler) {
        return of(HttpMethod.PATCH, path, guard, handler, null);
    }

    static Route put(String path, Guard guard, ApiHandler handler) {
        return of(HttpMethod.PUT, path, guard, handler, null);
    }

    static Route delete(String path, Guard guard, ApiHandler handler) {
        return delete(path, guard, handler, null);
    }

    static Route delete(String path, Guard guard, ApiHandler handler, @Nullable Quota quota) {
        return of(HttpMethod.DELETE, path, guard, handler, quota);
    }

    /** The same route with a body limit of its own, in bytes. */
    Route bodyLimit(int bytes) {
        return new Route(
                method,
                path,
                guard,
                handler,
                quota,
                bytes,
                mediaType,
                isStreamed,
                alsoImpersonated,
                takesBody,
                takesQuery,
                operation);
    }

    /** The same route, which takes bodies of this media type from browsers too. */
    Route takes(String type) {
        return new Route(
                method,
                path,
                guard,
                handler,
                quota,
                bodyLimit,
                type,
                isStreamed,
                alsoImpersonated,
                takesBody,
                takesQuery,
                operation);
    }

    /** The same route, with a body or a response of any length, for which its handler takes its time. */
    Route streamed() {
        return new Route(
                method,
                path,
                guard,
                handler,
                quota,
                bodyLimit,
                mediaType,
                true,
                alsoImpersonated,
                takesBody,
                takesQuery,
                operation);
    }

    /** The same route, also for those who act as a user; it must not change by what anybody is let in. */
    Route openToImpersonators() {
        return new Route(
                method,
                path,
                guard,
                handler,
                quota,
                bodyLimit,
                mediaType,
                isStreamed,
                true,
                takesBody,
                takesQuery,
                operation);
    }

    /** The same route, which needs nothing but its path. */
    Route withoutBody() {
        return new Route(
                method,
                path,
                guard,
                handler,
                quota,
                bodyLimit,
                mediaType,
                isStreamed,
                alsoImpersonated,
                false,
                takesQuery,
                operation);
    }

    /** The same route, whose handler reads query parameters. */
    Route withQuery() {
        return new Route(
                method,
                path,
                guard,
                handler,
                quota,
                bodyLimit,
                mediaType,
                isStreamed,
                alsoImpersonated,
                takesBody,
                true,
                operation);
    }

    /** Whether it serves people and servers who manage, and whose mistakes it names; applications may be older or newer. */
    public boolean isManagement() {
        return path.startsWith("/v1/backend/")
                || (path.startsWith("/v1/dashboard/") && !path.startsWith("/v1/dashboard/auth/"));
    }

    /** The same route under a name of its own, where another one has the handler's. */
    Route named(String name) {
        return new Route(
                method,
                path,
                guard,
                handler,
                quota,
                bodyLimit,
                mediaType,
                isStreamed,
                alsoImpersonated,
                takesBody,
                takesQuery,
                name);
    }
}
