package dev.vestibule.access;

import dev.vestibule.http.Body;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/** The second step of a guard that may find the project in the body: determines the caller. */
public final class BodyGuardHandler implements Handler<RoutingContext> {
    private static final String PROJECT_ID = "projectId";

    private final Authenticator authenticator;
    private final BadCredentials bad;
    private final Origins origins;
    private final Guard guard;

    BodyGuardHandler(Authenticator authenticator, BadCredentials bad, Origins origins, Guard guard) {
        this.authenticator = authenticator;
        this.bad = bad;
        this.origins = origins;
        this.guard = guard;
    }

    @Override
    public void handle(RoutingContext ctx) {
        var attempt = Attempt.of(ctx, bad);
        authenticator
                .withBody(
                        guard,
                        Caller.find(ctx),
                        attempt,
                        Body.find(ctx),
                        ctx.queryParams().get(PROJECT_ID))
                .map(caller -> origins.check(ctx, caller))
                .onSuccess(caller -> {
                    Caller.put(ctx, caller);
                    ctx.next();
                })
                .onFailure(attempt::countIfUnauthorized)
                .onFailure(ctx::fail);
    }
}
