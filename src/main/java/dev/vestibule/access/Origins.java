package dev.vestibule.access;

import dev.vestibule.access.Caller.KeyHolder;
import dev.vestibule.access.Caller.Member;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.CorsHandler;
import dev.vestibule.project.Project;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** The check of a project's {@code allowedOrigins}. */
final class Origins {
    private Origins() {}

    /** Browsers send the origin of their page. Servers, which hold the secret key, may call from anywhere. */
    static Caller check(RoutingContext ctx, Caller caller) {
        var origin = ctx.request().getHeader(HttpHeaders.ORIGIN);
        if (origin != null
                && projectWithOrigins(caller)
                        .filter(project -> !project.allowsOrigin(origin))
                        .isPresent()) {
            CorsHandler.withdrawCredentials(ctx);
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
