package dev.vestibule.server;

import dev.vestibule.access.Guard;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.limits.Quota;
import io.vertx.core.http.HttpMethod;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One line of {@link Routes}, which says all of it before anybody reads it. */
public final class Route {
    private static final String JSON = "application/json";
    private static final String SUFFIX = "Handler";

    private final HttpMethod method;
    private final String path;
    private final Guard guard;
    private final ApiHandler handler;
    private final @Nullable Quota quota;
    private @Nullable Integer bodyLimit;
    private String mediaType = JSON;
    private boolean isStreamed;
    private boolean alsoImpersonated;
    private boolean wantsRecentSignIn;
    private boolean takesBody;
    private boolean takesQuery;
    private String operation;

    private Route(HttpMethod method, String path, Guard guard, ApiHandler handler, @Nullable Quota quota) {
        this.method = method;
        this.path = path;
        this.guard = guard;
        this.handler = handler;
        this.quota = quota;
        alsoImpersonated = method.equals(HttpMethod.GET) && guard == Guard.USER;
        takesBody = !method.equals(HttpMethod.GET) && !method.equals(HttpMethod.DELETE);
        operation = operation(handler);
        wantsRecentSignIn = !method.equals(HttpMethod.GET) && (guard == Guard.OWNER || guard == Guard.SERVER_OR_OWNER);
    }

    /** The handler's name, so that one search finds both; empty for a method of one, whose line names it. */
    private static String operation(ApiHandler handler) {
        var name = handler.getClass().getSimpleName();
        if (!name.endsWith(SUFFIX)) {
            return "";
        }
        var stem = name.substring(0, name.length() - SUFFIX.length());
        return stem.substring(0, 1).toLowerCase(Locale.ROOT) + stem.substring(1);
    }

    static Route get(String path, Guard guard, ApiHandler handler) {
        return get(path, guard, handler, null);
    }

    static Route get(String path, Guard guard, ApiHandler handler, @Nullable Quota quota) {
        return new Route(HttpMethod.GET, path, guard, handler, quota);
    }

    static Route post(String path, Guard guard, ApiHandler handler) {
        return post(path, guard, handler, null);
    }

    static Route post(String path, Guard guard, ApiHandler handler, @Nullable Quota quota) {
        return new Route(HttpMethod.POST, path, guard, handler, quota);
    }

    static Route patch(String path, Guard guard, ApiHandler handler) {
        return new Route(HttpMethod.PATCH, path, guard, handler, null);
    }

    static Route patch(String path, Guard guard, ApiHandler handler, Quota quota) {
        return new Route(HttpMethod.PATCH, path, guard, handler, quota);
    }

    static Route put(String path, Guard guard, ApiHandler handler) {
        return new Route(HttpMethod.PUT, path, guard, handler, null);
    }

    static Route delete(String path, Guard guard, ApiHandler handler) {
        return delete(path, guard, handler, null);
    }

    static Route delete(String path, Guard guard, ApiHandler handler, @Nullable Quota quota) {
        return new Route(HttpMethod.DELETE, path, guard, handler, quota);
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

    /** Its name in the API description, where it is not that of the handler's class. */
    Route named(String name) {
        operation = name;
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

    /** Its name in the API description. */
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
