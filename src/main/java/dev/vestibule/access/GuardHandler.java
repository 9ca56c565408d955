package dev.vestibule.access;

import dev.vestibule.access.Caller.KeyHolder;
import dev.vestibule.access.Caller.Member;
import dev.vestibule.http.Body;
import dev.vestibule.http.Operation;
import dev.vestibule.http.RequestBody;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.Optional;

/**
 * A route's guard: rejects a request whose caller the route does not allow, and stores the caller for the handler. It
 * decides from the headers, before the body is read, and after it about what some guards need from the body. A body may
 * take its time, and somebody may have withdrawn the caller's rights by then: then it decides again.
 */
public final class GuardHandler implements Handler<RoutingContext> {
    private static final String PROJECT_ID = "projectId";
    private static final String DIRECTORY_ID = "directoryId";
    private static final String DECISION = GuardHandler.class.getName();

    /** How long a decision holds: what is withdrawn at the very same time may still come second. */
    private static final long DECISION_MILLIS = 100;

    /** What was decided about a request with a body, and when. */
    private record Decision(GuardHandler guard, long atMillis) {}

    private final Authenticator authenticator;
    private final BadCredentials bad;
    private final Origins origins;
    private final Guard guard;
    private final boolean alsoImpersonated;
    private final Clock clock;

    GuardHandler(
            Authenticator authenticator,
            BadCredentials bad,
            Origins origins,
            Guard guard,
            boolean alsoImpersonated,
            Clock clock) {
        this.authenticator = authenticator;
        this.bad = bad;
        this.origins = origins;
        this.guard = guard;
        this.alsoImpersonated = alsoImpersonated;
        this.clock = clock;
    }

    /** The first step. */
    @Override
    public void handle(RoutingContext ctx) {
        Operation.begin(ctx);
        var caller = byHeaders(ctx);
        if (!caller.isComplete() && RequestBody.isAnnounced(ctx.request())) {
            ctx.request().pause(); // until the handler after this one reads it
        }
        goOn(ctx, caller);
    }

    /** The step after the body was read. */
    public void afterBody(RoutingContext ctx) {
        Decision before = ctx.get(DECISION);
        if (before != null && clock.millis() - before.atMillis() > DECISION_MILLIS) {
            goOn(ctx, byHeaders(ctx).compose(found -> withBody(ctx, found)));
        } else {
            goOn(ctx, withBody(ctx, Caller.find(ctx)));
        }
    }

    /** Fails as the guard of the request does, if its caller has lost the right to what it asks for since. */
    static Future<Void> requireStillAllowed(RoutingContext ctx) {
        Decision decision = ctx.get(DECISION);
        return decision == null
                ? Future.succeededFuture() // without a body, nothing takes long
                : decision.guard().again(ctx);
    }

    private Future<Void> again(RoutingContext ctx) {
        return authenticator.again(guard, Caller.of(ctx), Attempt.of(ctx)).mapEmpty();
    }

    private void goOn(RoutingContext ctx, Future<Optional<Caller>> caller) {
        caller.onSuccess(found -> {
                    found.ifPresent(known -> Caller.put(ctx, known));
                    if (RequestBody.isAnnounced(ctx.request())) {
                        ctx.put(DECISION, new Decision(this, clock.millis()));
                    }
                    ctx.next();
                })
                .onFailure(Attempt.of(ctx)::countIfUnauthorized)
                .onFailure(ctx::fail);
    }

    private Future<Optional<Caller>> byHeaders(RoutingContext ctx) {
        return authenticator
                .byHeaders(guard, Attempt.of(ctx, bad), ctx.pathParam(PROJECT_ID), ctx.pathParam(DIRECTORY_ID))
                .map(found -> found.map(known -> check(ctx, known)));
    }

    private Future<Optional<Caller>> withBody(RoutingContext ctx, Optional<Caller> found) {
        return guard.needsBody()
                ? authenticator
                        .withBody(
                                guard,
                                found,
                                Attempt.of(ctx),
                                Body.find(ctx),
                                ctx.queryParams().get(PROJECT_ID))
                        .map(caller -> Optional.of(origins.check(ctx, caller)))
                : Future.succeededFuture(found.map(caller -> requireNamedProject(ctx, caller)));
    }

    private Caller check(RoutingContext ctx, Caller caller) {
        var allowed = alsoImpersonated ? caller : Impersonation.refuse(caller);
        return guard.needsBody() || guard == Guard.ISSUER
                ? allowed
                : origins.check(ctx, requireNamedProject(ctx, allowed));
    }

    /** What has been read of a request may also name the project of its key or its path; both must be the same. */
    private static Caller requireNamedProject(RoutingContext ctx, Caller caller) {
        if (caller instanceof KeyHolder holder) {
            named(ctx).requireSame(holder.project().id(), "API key");
        } else if (caller instanceof Member member) {
            named(ctx).requireSame(member.project().id(), "path");
        }
        return caller;
    }

    /** Most requests with a key have no query, so there is nothing to decode. */
    private static ProjectParameter named(RoutingContext ctx) {
        var inQuery = ctx.request().query() == null ? null : ctx.queryParams().get(PROJECT_ID);
        return ProjectParameter.of(inQuery, Body.find(ctx));
    }
}
