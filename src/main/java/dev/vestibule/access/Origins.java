package dev.vestibule.access;

import dev.vestibule.access.Caller.KeyHolder;
import dev.vestibule.access.Caller.Member;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.CorsHandler;
import dev.vestibule.http.TrustedOrigins;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/**
 * The check of a project's {@code allowedOrigins}; the users of the built-in project are those of the dashboard, so its pages
 * alone may call for them, by whichever path.
 */
final class Origins {
    private final TrustedOrigins ofDashboard;

    Origins(TrustedOrigins ofDashboard) {
        this.ofDashboard = ofDashboard;
    }

    /** Browsers send the origin of their page. Servers, which hold the secret key, may call from anywhere. */
    Caller check(RoutingContext ctx, Caller caller) {
        if (Caller.projectOf(caller)
                .filter(project -> project.id().equals(ProjectId.SYSTEM))
                .isPresent()) {
            ofDashboard.require(ctx);
            return caller;
        }
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
