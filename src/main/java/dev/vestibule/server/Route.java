package dev.vestibule.server;

import dev.vestibule.access.Guard;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.limits.Quota;
import io.vertx.core.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/** One line of {@link Routes}, which says all of it before anybody reads it. */
public final class Route {
    private static final String JSON = "application/json";

    private final HttpMethod method;
    private final String path;
    private final Guard guard;
    private final String operation;
    private final ApiHandler handler;
    private final @Nullable Quota quota;
    private @Nullable Integer bodyLimit;
    private String mediaType = JSON;
    private boolean isStreamed;
    private boolean alsoImpersonated;
    private boolean wantsRecentSignIn;
    private boolean takesBody;
    private boolean takesQuery;

    private Route(
            HttpMethod method, String path, Guard guard, String operation, ApiHandler handler, @Nullable Quota quota) {
        this.method = method;
        this.path = path;
        this.guard = guard;
        this.operation = operation;
        this.handler = handler;
        this.quota = quota;
        alsoImpersonated = method.equals(HttpMethod.GET) && guard == Guard.USER;
        takesBody = !method.equals(HttpMethod.GET) && !method.equals(HttpMethod.DELETE);
        wantsRecentSignIn = !method.equals(HttpMethod.GET) && (guard == Guard.OWNER || guard == Guard.SERVER_OR_OWNER);
    }

    static Route get(String path, Guard guard, String operation, ApiHandler handler) {
        return get(path, guard, operation, handler, null);
    }

    static Route get(String path, Guard guard, String operation, ApiHandler handler, @Nullable Quota quota) {
        return new Route(HttpMethod.GET, path, guard, operation, handler, quota);
    }

    static Route post(String path, Guard guard, String operation, ApiHandler handler) {
        return post(path, guard, operation, handler, null);
    }

    static Route post(String path, Guard guard, String operation, ApiHandler handler, @Nullable Quota quota) {
        return new Route(HttpMethod.POST, path, guard, operation, handler, quota);
    }

    static Route patch(String path, Guard guard, String operation, ApiHandler handler) {
        return new Route(HttpMethod.PATCH, path, guard, operation, handler, null);
    }

    static Route patch(String path, Guard guard, String operation, ApiHandler handler, Quota quota) {
        return new Route(HttpMethod.PATCH, path, guard, operation, handler, quota);
    }

    static Route put(String path, Guard guard, String operation, ApiHandler handler) {
        return new Route(HttpMethod.PUT, path, guard, operation, handler, null);
    }

    static Route delete(String path, Guard guard, String operation, ApiHandler handler) {
        return delete(path, guard, operation, handler, null);
    }

    static Route delete(String path, Guard guard, String operation, ApiHandler handler, @Nullable Quota quota) {
        return new Route(HttpMethod.DELETE, path, guard, operation, handler, quota);
    }

    /** With a body limit of its own, in bytes. */
    Route bodyLimit(int bytes) {
        bodyLimit = bytes;
        return this;
    }

    /** Which takes bodies of this media type from browsers too. */
    Route takes(String type) {
        mediaType = type;
        return this;
    }

    /** With a body or a response of any length, for which its handler takes its time. */
    Route streamed() {
        isStreamed = true;
        return this;
    }

    /** Also for those who act as a user; it must not change by what anybody is let in. */
    Route openToImpersonators() {
        alsoImpersonated = true;
        return this;
    }

    /** Also for an owner who signed in long ago: it lets nobody in, destroys nothing, or its handler looks at the fields. */
    Route openToOldSignIns() {
        wantsRecentSignIn = false;
        return this;
    }

    /** Which needs nothing but its path. */
    Route withoutBody() {
        takesBody = false;
        return this;
    }

    /** Whose handler reads query parameters. */
    Route withQuery() {
        takesQuery = true;
        return this;
    }

    public HttpMethod method() {
        return method;
    }

    public String path() {
        return path;
    }

    public Guard guard() {
        return guard;
    }

    public ApiHandler handler() {
        return handler;
    }

    public @Nullable Quota quota() {
        return quota;
    }

    /** Whether it is described in {@code openapi.yaml}; all else is a page or a part of one. */
    public boolean isApi() {
        return path.startsWith("/v1/");
    }

    /** Bytes; null for the limit of all routes. */
    public @Nullable Integer bodyLimit() {
        return bodyLimit;
    }

    /** What a browser may send as a body, besides JSON. */
    public String mediaType() {
        return mediaType;
    }

    /** Whether the handler reads the body itself while it arrives, or writes its response for minutes. */
    public boolean isStreamed() {
        return isStreamed;
    }

    /** Whether a session that is impersonated may call it: to read what is the user's, by default. */
    public boolean alsoImpersonated() {
        return alsoImpersonated;
    }

    /**
     * Whether a token of a dashboard user is refused who signed in long ago: by default what only owners may change, so that a
     * copied token takes no more than it lasts. Servers' keys are not refused.
     */
    public boolean wantsRecentSignIn() {
        return wantsRecentSignIn;
    }

    /** Whether its description has a body. */
    public boolean takesBody() {
        return takesBody;
    }

    /** Whether its description has query parameters besides {@code projectId}, which the guard reads. */
    public boolean takesQuery() {
        return takesQuery;
    }

    /** The {@code operationId} of the API description; what is no API has such a name too. */
    public String operation() {
        return operation;
    }

    /** Whether it serves people and servers who manage, and whose mistakes it names; applications may be older or newer. */
    public boolean isManagement() {
        return path.startsWith("/v1/backend/")
                || (path.startsWith("/v1/dashboard/") && !path.startsWith("/v1/dashboard/auth/"));
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
