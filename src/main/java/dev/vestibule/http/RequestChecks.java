package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.error.Violation;
import dev.vestibule.json.Fields;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** The steps that refuse a request by what its head and its form say, before anybody asks who sends it and why. */
public final class RequestChecks {
    private static final String PROJECT_ID = "projectId";

    private RequestChecks() {}

    /**
     * Rejects a path or a query with invalid percent escapes with a 400; otherwise the router would fail to match it,
     * answer with a 500, and write the query into the log.
     */
    public static Handler<RoutingContext> escapes() {
        return ctx -> {
            requireDecodable("path", ctx::normalizedPath);
            var query = ctx.request().query();
            if (query != null && query.indexOf('%') >= 0) {
                requireDecodable("query", ctx.request()::params);
            }
            ctx.next();
        };
    }

    private static void requireDecodable(String part, Runnable decode) {
        try {
            decode.run();
        } catch (IllegalArgumentException invalidEscape) {
            throw ApiException.of(ErrorCode.BAD_REQUEST, "The " + part + " has an invalid percent escape.");
        }
    }

    /**
     * Refuses requests that a browser sends from a page of an untrusted origin, before anything is done or even read.
     * It runs after {@link CorsHandler}, so that the page's developer sees why; for the same reason it lets preflights
     * pass, which do nothing.
     */
    public static Handler<RoutingContext> origin(TrustedOrigins trusted) {
        return ctx -> {
            trusted.require(ctx);
            ctx.next();
        };
    }

    /**
     * Requires browsers, which send an Origin, to declare a body as JSON or as the media type that the route accepts:
     * any page can send text or a form anywhere without a preflight. From all other clients a body is treated as JSON
     * whatever its type, since {@code curl -d} and some clients declare it as a form.
     *
     * @param accepted the media type of bodies that are accepted as well as JSON
     */
    public static Handler<RoutingContext> contentType(String accepted) {
        return ctx -> {
            var request = ctx.request();
            if (request.headers().contains(HttpHeaders.ORIGIN) && RequestBody.isAnnounced(request)) {
                var given = mediaType(request);
                if (!given.equalsIgnoreCase(Reply.JSON) && !given.equalsIgnoreCase(accepted)) {
                    throw ApiException.of(
                            ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                            "A body from a browser needs Content-Type: " + accepted + ".");
                }
            }
            var encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
            if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
                throw ApiException.of(
                        ErrorCode.UNSUPPORTED_MEDIA_TYPE, "A body must be sent as it is, without a Content-Encoding.");
            }
            ctx.next();
        };
    }

    /** The media type without parameters, such as a charset (RFC 9110, 8.3.1). */
    private static String mediaType(HttpServerRequest request) {
        var type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        return type == null ? "" : type.split(";", 2)[0].strip();
    }

    /** Refuses a request whose head announces a longer body than the route accepts, before any other work. */
    public static Handler<RoutingContext> bodyLength(int maxBytes) {
        return ctx -> {
            if (RequestBody.length(ctx.request()) > maxBytes) {
                ctx.fail(ErrorStatus.PAYLOAD_TOO_LARGE.code());
            } else {
                ctx.next();
            }
        };
    }

    /**
     * Refuses input that a management operation would not read: somebody who sends {@code ?dryRun=true} with a deletion
     * must not find out afterwards that it was not a dry run. Operations that have a body or parameters refuse unknown
     * ones when they read them.
     *
     * @param acceptsProject whether the guard reads {@code projectId}
     */
    public static Handler<RoutingContext> unexpectedInput(
            boolean acceptsBody, boolean acceptsQuery, boolean acceptsProject) {
        return ctx -> {
            if (!acceptsProject && ctx.queryParams().contains(PROJECT_ID)) {
                throw ApiException.invalid(List.of(new Violation(PROJECT_ID, "is not known")));
            }
            if (!acceptsQuery && ctx.request().query() != null) {
                Query.read(ctx, fields -> true);
            }
            if (!acceptsBody) {
                Body.find(ctx)
                        .ifPresent(body -> Fields.readStrictly(body, fields -> {
                            if (acceptsProject) {
                                fields.ignore(PROJECT_ID);
                            }
                            return true;
                        }));
            }
            ctx.next();
        };
    }
}
