package dev.vestibule.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Guard;
import dev.vestibule.access.captcha.CaptchaPurpose;
import dev.vestibule.http.Reply;
import dev.vestibule.http.limits.Quota;
import dev.vestibule.project.member.Role;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/** One line of {@link Routes}. It is changed only by its builder methods, while {@link Routes} creates it. */
public final class Route {
    /** One operation of the API. An implementation holds its collaborators and no state of any request. */
    @FunctionalInterface
    public interface ApiHandler {
        /** Handles the request; a failed future becomes an error response. */
        Future<Reply> handle(ApiRequest request);
    }

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
    private boolean allowsImpersonators;
    private boolean requiresRecentSignIn;
    private boolean acceptsBody;
    private boolean acceptsQuery;
    private @Nullable CaptchaPurpose captcha;

    private Route(
            HttpMethod method, String path, Guard guard, String operation, ApiHandler handler, @Nullable Quota quota) {
        this.method = method;
        this.path = path;
        this.guard = guard;
        this.operation = operation;
        this.handler = handler;
        this.quota = quota;
        allowsImpersonators = method.equals(HttpMethod.GET) && guard == Guard.USER;
        acceptsBody = !method.equals(HttpMethod.GET) && !method.equals(HttpMethod.DELETE);
        requiresRecentSignIn =
                !method.equals(HttpMethod.GET) && (guard.role() != Role.VIEWER || guard == Guard.ADMINISTRATOR);
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

    static Route put(String path, Guard guard, String operation, ApiHandler handler, Quota quota) {
        return new Route(HttpMethod.PUT, path, guard, operation, handler, quota);
    }

    static Route delete(String path, Guard guard, String operation, ApiHandler handler) {
        return delete(path, guard, operation, handler, null);
    }

    static Route delete(String path, Guard guard, String operation, ApiHandler handler, @Nullable Quota quota) {
        return new Route(HttpMethod.DELETE, path, guard, operation, handler, quota);
    }

    /** Sets a body limit for this route, in bytes. */
    Route bodyLimit(int bytes) {
        bodyLimit = bytes;
        return this;
    }

    /** Also accepts bodies of this media type from browsers. */
    Route accepts(String type) {
        mediaType = type;
        return this;
    }

    /** Allows a body or a response of any length, without the time limit of other requests. */
    Route streamed() {
        isStreamed = true;
        return this;
    }

    /** Also open to those who impersonate a user. The route must not change how anybody can sign in. */
    Route openToImpersonators() {
        allowsImpersonators = true;
        return this;
    }

    /**
     * Also open to an owner who signed in long ago: the route grants nobody access and destroys nothing, or its
     * handler checks the fields itself.
     */
    Route withoutRecentSignIn() {
        requiresRecentSignIn = false;
        return this;
    }

    /** Needs nothing but its path. */
    Route withoutBody() {
        acceptsBody = false;
        return this;
    }

    /** Reads query parameters. */
    Route withQuery() {
        acceptsQuery = true;
        return this;
    }

    /** Asks for the solution of a captcha, if the project does so now. */
    Route asksForCaptcha(CaptchaPurpose purpose) {
        captcha = purpose;
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

    /** Whether it is described in {@code openapi.yaml}; every other route is a page or part of one. */
    public boolean isApi() {
        return path.startsWith("/v1/");
    }

    /** The body limit in bytes; null for the default limit. */
    public @Nullable Integer bodyLimit() {
        return bodyLimit;
    }

    /** The media type that a browser can send as a body, in addition to JSON. */
    public String mediaType() {
        return mediaType;
    }

    /** Whether the handler reads the body itself while it arrives, or writes its response for minutes. */
    public boolean isStreamed() {
        return isStreamed;
    }

    /** Whether an impersonated session may call it; by default, only to read the user's own data. */
    public boolean allowsImpersonators() {
        return allowsImpersonators;
    }

    /**
     * Whether it refuses the token of a dashboard user who signed in long ago. By default, routes for changes by
     * owners and administrators do, so that a copied token gives no access beyond its lifetime. Keys of servers are not refused.
     */
    public boolean requiresRecentSignIn() {
        return requiresRecentSignIn;
    }

    /** Whether its description has a body. */
    public boolean acceptsBody() {
        return acceptsBody;
    }

    /** Whether its description has query parameters besides {@code projectId}, which the guard reads. */
    public boolean acceptsQuery() {
        return acceptsQuery;
    }

    /** What the solution of a captcha must be for; null if it asks for none. */
    public @Nullable CaptchaPurpose captcha() {
        return captcha;
    }

    /** The {@code operationId} of the API description; routes outside the API have such a name too. */
    public String operation() {
        return operation;
    }

    /**
     * Whether it is for managing people and servers, who are told of unknown fields. Applications are not, since they
     * may be older or newer than the server.
     */
    public boolean isManagement() {
        return path.startsWith("/v1/backend/")
                || (path.startsWith("/v1/dashboard/") && !path.startsWith("/v1/dashboard/auth/"));
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
