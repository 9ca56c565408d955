package dev.vestibule.server;

import dev.vestibule.App;
import dev.vestibule.access.AccessModule;
import dev.vestibule.config.HttpSettings;
import dev.vestibule.database.SqlFailures;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.Connections;
import dev.vestibule.http.CorsHandler;
import dev.vestibule.http.FailureHandler;
import dev.vestibule.http.RequestChecks;
import dev.vestibule.http.RequestLog;
import dev.vestibule.http.StreamedBodyHandler;
import dev.vestibule.user.organization.scim.ScimReplies;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Builds the router from {@link Routes}, with handlers in the same order for every route. Credentials and rate limits
 * are checked before the body is read, so that strangers cannot make the server read and hold one.
 */
final class ApiRouter {
    private static final String API = "/v1/*";
    private static final String DASHBOARD = "/v1/dashboard/*";

    private ApiRouter() {}

    static Router build(
            Vertx vertx,
            App app,
            HttpSettings limits,
            RequestLog requestLog,
            Admission admission,
            Connections connections) {
        var router = Router.router(vertx);
        router.route().handler(requestLog).handler(RequestChecks.escapes());
        // Only for the API, not for pages: pages of other origins must not read them.
        router.route(API).handler(new CorsHandler());
        router.route(DASHBOARD).handler(RequestChecks.origin(app.access.dashboardOrigins));
        var failures = new FailureHandler(
                SqlFailures::error,
                (ctx, error) -> ScimReplies.failed(ctx.request().path(), error)
                        .or(() -> app.hosted.errors.failed(app.access.request(ctx), error)));
        router.route().failureHandler(failures);
        // A request whose target is not a path matches no route; without these, each one would be an error in the log.
        router.errorHandler(ErrorStatus.BAD_REQUEST.code(), failures);
        router.errorHandler(ErrorStatus.NOT_FOUND.code(), failures);
        var routes = Routes.of(app);
        var below = new RoutersByPath(vertx);
        for (var path : pathsMostSpecificFirst(routes)) {
            var routesOfPath =
                    routes.stream().filter(line -> line.path().equals(path)).toList();
            var ofPath = below.of(path);
            routesOfPath.forEach(line -> add(ofPath, app.access, line, limits, admission, connections));
            refuseOtherMethods(ofPath, routesOfPath, path);
        }
        below.mount(router);
        router.route().handler(ctx -> ctx.fail(ErrorStatus.NOT_FOUND.code()));
        return router;
    }

    /**
     * Sorts the paths so that {@code …/users/import} is one path for all methods, and never the user with the id
     * "import"; and so that an external id can be "sessions".
     */
    private static List<String> pathsMostSpecificFirst(List<Route> routes) {
        return routes.stream()
                .map(Route::path)
                .distinct()
                .sorted(Comparator.comparing(ApiRouter::literalPrefixLength)
                        .reversed()
                        .thenComparing(path ->
                                path.chars().filter(letter -> letter == ':').count()))
                .toList();
    }

    /** How many characters come before the first parameter or wildcard. */
    private static int literalPrefixLength(String path) {
        return IntStream.range(0, path.length())
                .filter(at -> ":*".indexOf(path.charAt(at)) >= 0)
                .findFirst()
                .orElse(Integer.MAX_VALUE);
    }

    private static void add(
            Router router,
            AccessModule access,
            Route line,
            HttpSettings limits,
            Admission admission,
            Connections connections) {
        var guards = access.guards;
        var quota = line.quota();
        var route = router.route(line.method(), line.path()).setName(line.method() + " " + line.path());
        var maxBytes = Objects.requireNonNullElse(line.bodyLimit(), limits.maxBodyBytes());
        if (!line.isStreamed()) {
            route.handler(ctx -> {
                connections.limitTime(ctx);
                ctx.next();
            });
        }
        route.handler(RequestChecks.contentType(line.mediaType()));
        if (line.isStreamed()) {
            route.handler(new StreamedBodyHandler(connections));
        }
        if (line.isGet()) {
            route.method(HttpMethod.HEAD);
        } else if (!line.isStreamed()) {
            route.handler(RequestChecks.bodyLength(maxBytes));
        }
        var guard = guards.guard(line.guard(), line.allowsImpersonators());
        route.handler(guard);
        if (quota != null) {
            route.handler(guards.quota(quota));
        }
        if (!line.isGet() && !line.isStreamed()) {
            route.handler(admission.bodies(maxBytes));
            route.handler(guard::afterBody);
        } else if (line.guard().needsBody()) {
            route.handler(guard::afterBody);
        }
        if (quota != null && line.guard().needsBody()) {
            route.handler(guards.quota(quota));
        }
        var captcha = line.captcha();
        if (captcha != null) {
            route.handler(guards.captcha(captcha));
        }
        if (line.requiresRecentSignIn()) {
            route.handler(guards.recentSignIn());
        }
        if (line.isManagement()) {
            route.handler(RequestChecks.unexpectedInput(
                    line.acceptsBody() || line.isStreamed(), line.acceptsQuery(), line.acceptsProject()));
        }
        route.handler(admission.replies(ctx -> line.handler().handle(access.request(ctx))));
    }

    private static void refuseOtherMethods(Router router, List<Route> routesOfPath, String path) {
        var allowed = routesOfPath.stream()
                .map(line -> line.method().name())
                .map(method -> method.equals("GET") ? "GET, HEAD" : method)
                .collect(Collectors.joining(", "));
        router.route(path).handler(ctx -> refuseMethod(ctx, allowed));
    }

    private static void refuseMethod(RoutingContext ctx, String allowed) {
        ctx.response().putHeader("Allow", allowed);
        ctx.fail(ErrorStatus.METHOD_NOT_ALLOWED.code());
    }
}
