package dev.vestibule.access;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Operation;
import dev.vestibule.http.RequestBody;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/**
 * A route's guard, before the body is read: rejects a request whose caller the route does not allow, and stores the
 * caller for the handler. {@link RouteGuards#bodyGuard} handles what some guards need from the body.
 */
public final class GuardHandler implements Handler<RoutingContext> {
    private static final String PROJECT_ID = "projectId";
    private static final String DIRECTORY_ID = "directoryId";

    private final Authenticator authenticator;
    private final BadCredentials bad;
    private final Origins origins;
    private final Guard guard;
    private final boolean alsoImpersonated;

    GuardHandler(
            Authenticator authenticator, BadCredentials bad, Origins origins, Guard guard, boolean alsoImpersonated) {
        this.authenticator = authenticator;
        this.bad = bad;
        this.origins = origins;
        this.guard = guard;
        this.alsoImpersonated = alsoImpersonated;
    }

    @Override
    public void handle(RoutingContext ctx) {
        Operation.begin(ctx);
        var attempt = Attempt.of(ctx, bad);
        var caller = authenticator
                .byHeaders(guard, attempt, ctx.pathParam(PROJECT_ID), ctx.pathParam(DIRECTORY_ID))
                .map(found -> found.map(known -> check(ctx, known)));
        if (!caller.isComplete() && RequestBody.isAnnounced(ctx.request())) {
            ctx.request().pause(); // until the handler after this one reads it
        }
        caller.onSuccess(found -> {
                    found.ifPresent(known -> Caller.put(ctx, known));
                    ctx.next();
                })
                .onFailure(attempt::countIfUnauthorized)
                .onFailure(ctx::fail);
    }

    private Caller check(RoutingContext ctx, Caller caller) {
        var allowed = alsoImpersonated ? caller : Impersonation.refuse(caller);
        return guard.needsBody() || guard == Guard.ISSUER
                ? allowed
                : origins.check(ctx, requireProjectOfQuery(ctx, allowed));
    }

    /** A request with the secret key may also name its project in the query; both must be the same. */
    private Caller requireProjectOfQuery(RoutingContext ctx, Caller caller) {
        var named = guard == Guard.SERVER ? ctx.queryParams().get(PROJECT_ID) : null;
        if (named != null
                && Caller.projectOf(caller)
                        .filter(project -> ProjectId.parse(named).equals(Optional.of(project.id())))
                        .isEmpty()) {
            throw ApiException.of(
                    ErrorCode.PROJECT_MISMATCH, "The API key and projectId belong to different projects.");
        }
        return caller;
    }
}
