package dev.vestibule.access;

import dev.vestibule.access.Caller.KeyHolder;
import dev.vestibule.access.Caller.Member;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.CorsHandler;
import dev.vestibule.http.TrustedOrigins;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/**
 * Checks a project's {@code allowedOrigins}. The users of the built-in project are the dashboard's, so only the
 * dashboard's pages can call the API for them, on any path.
 */
final class Origins {
    private final TrustedOrigins dashboardOrigins;

    Origins(TrustedOrigins dashboardOrigins) {
        this.dashboardOrigins = dashboardOrigins;
    }

    /** Browsers send the origin of their page. Servers, which hold the secret key, can call from anywhere. */
    Caller check(RoutingContext ctx, Caller caller) {
        if (Caller.projectOf(caller)
                .filter(project -> project.id().equals(ProjectId.SYSTEM))
                .isPresent()) {
            dashboardOrigins.require(ctx);
            return caller;
        }
        var origin = ctx.request().getHeader(HttpHeaders.ORIGIN);
        if (origin != null
                && projectWithOrigins(caller)
                        .filter(project -> !project.allowsOrigin(origin))
                        .isPresent()) {
            CorsHandler.withdrawCredentials(ctx);
            throw ApiException.of(ErrorCode.ORIGIN_NOT_ALLOWED, "This origin is not in the project's allowedOrigins.");
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
