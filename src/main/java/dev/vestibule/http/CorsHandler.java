package dev.vestibule.http;

import static io.vertx.core.http.HttpHeaders.ACCESS_CONTROL_ALLOW_CREDENTIALS;
import static io.vertx.core.http.HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS;
import static io.vertx.core.http.HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS;
import static io.vertx.core.http.HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN;
import static io.vertx.core.http.HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS;
import static io.vertx.core.http.HttpHeaders.ACCESS_CONTROL_MAX_AGE;
import static io.vertx.core.http.HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD;
import static io.vertx.core.http.HttpHeaders.ORIGIN;
import static io.vertx.core.http.HttpHeaders.VARY;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/**
 * Cross-origin requests (Fetch Standard, 3.2). A preflight carries no key, so it succeeds for any origin; the request
 * itself is checked against the project's {@code allowedOrigins} or those of the dashboard. A page of another origin
 * can read the refusal, whose text is the same for all, and nothing else: otherwise the browser would show its
 * developer only "CORS error". vertx-web's own handler would save some twenty lines, but we would need two of them,
 * since each has one fixed setting for credentials. It also refuses the schemes of apps unless a regular expression
 * allows any text, and omits {@code Vary} on preflights.
 *
 * <p>{@code Access-Control-Allow-Credentials} is sent only on the paths that applications call from their pages. These
 * paths neither read nor set a cookie, but the published JavaScript SDK sends each request with {@code credentials:
 * 'include'}, and then a browser requires the header both on the preflight, which names no project yet, and on the
 * response. It gives a page no additional access: a page authenticates with its own key and token. The dashboard's
 * cookie is for pages of the server's own origin, which need no CORS.
 */
public final class CorsHandler implements Handler<RoutingContext> {
    private static final String METHODS = "GET,POST,PUT,PATCH,DELETE";
    private static final String HEADERS = "x-api-key,authorization,content-type,if-none-match,dpop";
    private static final String EXPOSED =
            "ETag,Retry-After,X-Request-Id,RateLimit,RateLimit-Policy,WWW-Authenticate," + UnknownFields.HEADER;
    private static final String PREFLIGHT_SECONDS = "7200"; // the longest that Chrome accepts
    private static final int NO_CONTENT = 204;

    /** The paths that the SDK calls from pages of applications. */
    private static final String APPLICATIONS = "/v1/auth/";

    @Override
    public void handle(RoutingContext ctx) {
        var response = ctx.response();
        response.putHeader(VARY, "Origin"); // even without an Origin, since a cache may reuse the response
        var origin = ctx.request().getHeader(ORIGIN);
        if (origin == null) {
            ctx.next();
            return;
        }
        response.putHeader(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        if (ctx.normalizedPath().startsWith(APPLICATIONS)) {
            response.putHeader(ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
        }
        if (isPreflight(ctx)) {
            response.putHeader(ACCESS_CONTROL_ALLOW_METHODS, METHODS)
                    .putHeader(ACCESS_CONTROL_ALLOW_HEADERS, HEADERS)
                    .putHeader(ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS)
                    .setStatusCode(NO_CONTENT)
                    .end();
        } else {
            response.putHeader(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
            ctx.next();
        }
    }

    /** For the refusal of an origin: the page may read it, but not if it sent cookies or other credentials. */
    public static void withdrawCredentials(RoutingContext ctx) {
        ctx.response().headers().remove(ACCESS_CONTROL_ALLOW_CREDENTIALS);
    }

    private static boolean isPreflight(RoutingContext ctx) {
        return ctx.request().method().equals(HttpMethod.OPTIONS)
                && ctx.request().headers().contains(ACCESS_CONTROL_REQUEST_METHOD);
    }
}
