package dev.vestibule.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.Caller.KeyHolder;
import dev.vestibule.access.Caller.Member;
import dev.vestibule.access.Caller.ProjectClient;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.error.ApiError;
import dev.vestibule.http.Body;
import dev.vestibule.http.Credentials;
import dev.vestibule.http.Operation;
import dev.vestibule.project.ApiKey;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.member.Role;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** A route's guard: lets a request go on only with the caller that it asks for, and keeps the caller for the handler. */
public final class GuardHandler implements Handler<RoutingContext> {
    private static final String PROJECT_ID = "projectId";
    private static final String CALLER = Caller.class.getName();
    private static final Set<Guard> MAY_FIND_PROJECT_IN_BODY =
            EnumSet.of(Guard.PROJECT, Guard.REFRESH_TOKEN, Guard.SECRET_KEY_OR_MEMBER, Guard.SECRET_KEY_OR_OWNER);

    private final Authenticator callers;
    private final Guard guard;

    public GuardHandler(Authenticator callers, Guard guard) {
        this.callers = callers;
        this.guard = guard;
    }

    @Override
    public void handle(RoutingContext ctx) {
        Operation.begin(ctx);
        Optional<ObjectNode> body = MAY_FIND_PROJECT_IN_BODY.contains(guard) ? Body.find(ctx) : Optional.empty();
        callers.resolve(
                        guard,
                        Credentials.of(ctx),
                        body,
                        ctx.pathParam(PROJECT_ID),
                        ctx.queryParams().get(PROJECT_ID))
                .map(caller -> holdToQuery(ctx, caller))
                .map(caller -> holdToOrigins(ctx, caller))
                .onSuccess(caller -> {
                    ctx.put(CALLER, caller);
                    ctx.next();
                })
                .onFailure(ctx::fail);
    }

    /** Management calls may name their project in the query too; it must be the key's. */
    private Caller holdToQuery(RoutingContext ctx, Caller caller) {
        var named = guard == Guard.SECRET_KEY ? ctx.queryParams().get(PROJECT_ID) : null;
        if (named != null
                && project(caller)
                        .filter(project -> ProjectId.parse(named).equals(Optional.of(project.id())))
                        .isEmpty()) {
            throw ApiError.forbidden("The API key and projectId belong to different projects.");
        }
        return caller;
    }

    /** A browser says where its page is from; only servers, which hold the secret key, call from anywhere. */
    private static Caller holdToOrigins(RoutingContext ctx, Caller caller) {
        var origin = ctx.request().getHeader(HttpHeaders.ORIGIN);
        if (origin != null
                && boundProject(caller)
                        .filter(project -> !project.allowsOrigin(origin))
                        .isPresent()) {
            ctx.response().headers().remove(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN);
            throw ApiError.forbidden("This origin is not among the project's allowedOrigins.");
        }
        return caller;
    }

    /** The list is for pages of the project's users, so neither its servers nor its members are held to it. */
    private static Optional<Project> boundProject(Caller caller) {
        if (caller instanceof KeyHolder holder && holder.kind() == ApiKey.Kind.SECRET) {
            return Optional.empty();
        }
        return caller instanceof Member ? Optional.empty() : project(caller);
    }

    /** The user behind the request; only where the route's guard asks for one. */
    public static SignedIn user(RoutingContext ctx) {
        return caller(ctx) instanceof Member member ? member.who() : (SignedIn) caller(ctx);
    }

    /** The user behind the request, where there is one and the guard does without. */
    public static Optional<SignedIn> userIfAny(RoutingContext ctx) {
        return caller(ctx) instanceof SignedIn user ? Optional.of(user) : Optional.empty();
    }

    /** Whether it is the application's server that asks, and not the browser of a user. */
    public static boolean isServer(RoutingContext ctx) {
        return caller(ctx) instanceof KeyHolder holder && holder.kind() == ApiKey.Kind.SECRET;
    }

    /** What the member behind the request may do in its project; only where the route's guard asks for one. */
    public static Role role(RoutingContext ctx) {
        return ((Member) caller(ctx)).role();
    }

    /** The project that the request is about; a 401 where an open route's request names none. */
    public static Project project(RoutingContext ctx) {
        return project(caller(ctx)).orElseThrow(() -> ApiError.unauthorized("The request names no project."));
    }

    private static Optional<Project> project(Caller caller) {
        if (caller instanceof KeyHolder holder) {
            return Optional.of(holder.project());
        }
        if (caller instanceof ProjectClient stranger) {
            return Optional.of(stranger.project());
        }
        if (caller instanceof Member member) {
            return Optional.of(member.project());
        }
        return caller instanceof SignedIn user ? Optional.of(user.project()) : Optional.empty();
    }

    /**
     * What a rate limit counts by: the project whose users may be guessed at, or what has none. A member counts among
     * the dashboard users, however many projects it makes.
     */
    static String scope(RoutingContext ctx) {
        var caller = caller(ctx);
        return project(caller instanceof Member member ? member.who() : caller)
                .map(project -> project.id().toString())
                .orElse("");
    }

    /** Which variant of the public API the request follows. */
    public static ApiVariant variant(RoutingContext ctx) {
        return caller(ctx) instanceof KeyHolder holder ? holder.variant() : ApiVariant.B;
    }

    private static Caller caller(RoutingContext ctx) {
        return Objects.requireNonNull(ctx.get(CALLER), "the route has no guard");
    }
}
