package dev.vestibule.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Guard;
import dev.vestibule.access.captcha.CaptchaPurpose;
import dev.vestibule.http.Reply;
import dev.vestibule.http.limits.Quota;
import dev.vestibule.project.member.Role;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One line of {@link Routes}, which is not changed after {@link Routes} has made it. */
public final class Route {
    /** One operation of the API. An implementation holds its collaborators and no state of any request. */
    @FunctionalInterface
    public interface ApiHandler {
        /** Handles the request; a failed future becomes an error response. */
        Future<Reply> handle(ApiRequest request);
    }

    /** Properties that only some routes have. */
    enum Property {
        /** Also takes a form, as browsers and OAuth clients send it. */
        FORM("application/x-www-form-urlencoded"),
        SCIM_JSON("application/scim+json"),
        NDJSON("application/x-ndjson"),
        /** A body or a response of any length, without the time limit of other requests. */
        STREAMED,
        /** Needs nothing but its path. */
        NO_BODY,
        /** Reads query parameters. */
        QUERY,
        /** Ends sessions of the caller, which must always be possible: no limit counts it. */
        ENDS_SESSIONS,
        /** Also for those who impersonate a user. The route must not change how anybody can sign in. */
        FOR_IMPERSONATORS,
        /**
         * Also for an owner who signed in long ago: the route grants nobody access and destroys nothing, or its handler
         * checks the fields itself.
         */
        NO_RECENT_SIGN_IN;

        private final @Nullable String mediaType;

        Property() {
            mediaType = null;
        }

        Property(String mediaType) {
            this.mediaType = mediaType;
        }
    }

    private final HttpMethod method;
    private final String path;
    private final Guard guard;
    private final String operation;
    private final ApiHandler handler;
    private final @Nullable Quota quota;
    private final Set<Property> properties;
    private @Nullable Integer bodyLimit;
    private @Nullable CaptchaPurpose captcha;

    Route(
            HttpMethod method,
            String path,
            Guard guard,
            String operation,
            ApiHandler handler,
            @Nullable Quota quota,
            Set<Property> properties) {
        this.method = method;
        this.path = path;
        this.guard = guard;
        this.operation = operation;
        this.handler = handler;
        this.quota = quota;
        this.properties = properties;
    }

    /** Sets a body limit for this route, in bytes. */
    Route bodyLimit(int bytes) {
        bodyLimit = bytes;
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

    boolean isGet() {
        return method.equals(HttpMethod.GET);
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

    /** The limit that counts its requests; null if none does. By default, there is one for whatever users change. */
    public @Nullable Quota quota() {
        var isChange = guard == Guard.USER && !isGet() && !properties.contains(Property.ENDS_SESSIONS);
        return quota == null && isChange ? Quota.CHANGE : quota;
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
        return properties.stream()
                .flatMap(property -> Stream.ofNullable(property.mediaType))
                .findAny()
                .orElse("application/json");
    }

    /** Whether the handler reads the body itself while it arrives, or writes its response for minutes. */
    public boolean isStreamed() {
        return properties.contains(Property.STREAMED);
    }

    /** Whether an impersonated session may call it; by default, only to read the user's own data. */
    public boolean allowsImpersonators() {
        return properties.contains(Property.FOR_IMPERSONATORS) || (isGet() && guard == Guard.USER);
    }

    /**
     * Whether it refuses the token of a dashboard user who signed in long ago. By default, routes for changes by owners
     * and administrators do, so that a copied token gives no access beyond its lifetime. Keys of servers are not
     * refused.
     */
    public boolean requiresRecentSignIn() {
        return !isGet()
                && (guard.role() != Role.VIEWER || guard == Guard.ADMINISTRATOR)
                && !properties.contains(Property.NO_RECENT_SIGN_IN);
    }

    /** Whether its description has a body. */
    public boolean acceptsBody() {
        return !isGet() && !method.equals(HttpMethod.DELETE) && !properties.contains(Property.NO_BODY);
    }

    /** Whether its description has query parameters besides {@code projectId}, which the guard reads. */
    public boolean acceptsQuery() {
        return properties.contains(Property.QUERY);
    }

    /** Whether a {@code projectId} means something: the guard settles a project, which it may name as well. */
    boolean acceptsProject() {
        return guard != Guard.DASHBOARD_USER && guard != Guard.ADMINISTRATOR;
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
