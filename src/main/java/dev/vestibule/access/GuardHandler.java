package dev.vestibule.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.Caller.KeyHolder;
import dev.vestibule.access.Caller.Member;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.Body;
import dev.vestibule.http.Credentials;
import dev.vestibule.http.Operation;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A route's guard: rejects a request whose caller the route does not allow, and stores the caller for the handler. */
public final class GuardHandler implements Handler<RoutingContext> {
    private static final String PROJECT_ID = "projectId";
    private static final Set<Guard> MAY_FIND_PROJECT_IN_BODY =
            EnumSet.of(Guard.PROJECT, Guard.REFRESH_TOKEN, Guard.SERVER_OR_MEMBER, Guard.SERVER_OR_OWNER);

    private final Authenticator authenticator;
    private final Guard guard;

    public GuardHandler(Authenticator authenticator, Guard guard) {
        this.authenticator = authenticator;
        this.guard = guard;
    }

    @Override
    public void handle(RoutingContext ctx) {
        Operation.begin(ctx);
        Optional<ObjectNode> body = MAY_FIND_PROJECT_IN_BODY.contains(guard) ? Body.find(ctx) : Optional.empty();
        authenticator
                .authenticate(
                        guard,
                        Credentials.of(ctx),
                        body,
                        ctx.pathParam(PROJECT_ID),
                        ctx.queryParams().get(PROJECT_ID))
                .map(caller -> requireProjectOfQuery(ctx, caller))
                .map(caller -> requireAllowedOrigin(ctx, caller))
                .onSuccess(caller -> {
                    Caller.put(ctx, caller);
                    ctx.next();
                })
                .onFailure(ctx::fail);
    }

    /** A request with the secret key may also name its project in the query; both must be the same. */
    private Caller requireProjectOfQuery(RoutingContext ctx, Caller caller) {
        var named = guard == Guard.SERVER ? ctx.queryParams().get(PROJECT_ID) : null;
        if (named != null
                && Caller.projectOf(caller)
                        .filter(project -> ProjectId.parse(named).equals(Optional.of(project.id())))
                        .isEmpty()) {
            throw ApiException.forbidden("The API key and projectId belong to different projects.");
        }
        return caller;
    }

    /** Browsers send the origin of their page. Servers, which hold the secret key, may call from anywhere. */
    private static Caller requireAllowedOrigin(RoutingContext ctx, Caller caller) {
        var origin = ctx.request().getHeader(HttpHeaders.ORIGIN);
        if (origin != null
                && projectWithOrigins(caller)
                        .filter(project -> !project.allowsOrigin(origin))
                        .isPresent()) {
            ctx.response().headers().remove(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN);
            throw ApiException.forbidden("This origin is not in the project's allowedOrigins.");
        }
        return caller;
    }

    /** The list is for pages of the project's users: it does not apply to servers and members. */
    private static Optional<Project> projectWithOrigins(Caller caller) {
        if (caller instanceof KeyHolder holder && holder.isServer()) {
            return Optional.empty();
        }
        return caller instanceof Member ? Optional.empty() : Caller.projectOf(caller);
    }
}
