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
 * itself is checked against the project's {@code allowedOrigins} or those of the dashboard. A page of another origin may
 * read the refusal, whose text is the same for all, and nothing else: a browser shows its developer no more than "CORS
 * error" otherwise. vertx-web's own handler would save some twenty lines and be needed twice, since it knows one answer on
 * credentials; it refuses the schemes of apps unless a regular expression lets pass any text, and leaves {@code Vary} off
 * preflights.
 *
 * <p>{@code Access-Control-Allow-Credentials} stands where applications call from their pages, and nowhere else. No cookie
 * is read or set there, but the published JavaScript SDK sends each request with {@code credentials: 'include'}, and for
 * such a request a browser demands the header of the preflight, which names no project yet, and of the answer. It gives a
 * page no more than it had: what it proves, it proves by a key and a token of its own. The dashboard's cookie is for pages
 * of the server's own origin, which need no CORS.
 */
public final class CorsHandler implements Handler<RoutingContext> {
    private static final String METHODS = "GET,POST,PUT,PATCH,DELETE";
    private static final String HEADERS = "x-api-key,authorization,content-type,if-none-match";
    private static final String EXPOSED = "ETag,Retry-After,X-Request-Id,RateLimit,RateLimit-Policy";
    private static final String PREFLIGHT_SECONDS = "7200"; // the longest that Chrome accepts
    private static final int NO_CONTENT = 204;

    /** What the SDK calls from pages of applications. */
    private static final String APPLICATIONS = "/v1/auth/";

    @Override
    public void handle(RoutingContext ctx) {
        var response = ctx.response();
        response.putHeader(VARY, "Origin"); // even without an Origin: a cache may reuse the response
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

    /** For the refusal of an origin: its page may read it, but not as a response to cookies or other credentials. */
    public static void withdrawCredentials(RoutingContext ctx) {
        ctx.response().headers().remove(ACCESS_CONTROL_ALLOW_CREDENTIALS);
    }

    private static boolean isPreflight(RoutingContext ctx) {
        return ctx.request().method().equals(HttpMethod.OPTIONS)
                && ctx.request().headers().contains(ACCESS_CONTROL_REQUEST_METHOD);
    }
}
