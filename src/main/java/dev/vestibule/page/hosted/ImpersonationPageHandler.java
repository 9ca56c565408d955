package dev.vestibule.page.hosted;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.dashboard.ImpersonationHandler;
import dev.vestibule.authentication.dashboard.Impersonations.Opened;
import dev.vestibule.database.Database;
import dev.vestibule.http.Reply;
import dev.vestibule.page.hosted.HostedCodeStore.Grant;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionId;
import io.vertx.core.Future;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lets owners of a project act as one of its users in its application: the next sign in that the application begins in the
 * owner's browser is that of the user.
 */
public final class ImpersonationPageHandler {
    private final Database database;
    private final ImpersonationHandler impersonations;
    private final HostedCodes codes;
    private final boolean isSecure;

    ImpersonationPageHandler(
            Database database, ImpersonationHandler impersonations, HostedCodes codes, boolean isSecure) {
        this.database = database;
        this.impersonations = impersonations;
        this.codes = codes;
        this.isSecure = isSecure;
    }

    @JsonInclude(JsonInclude.Include.ALWAYS)
    private record Begun(@Nullable String url, long expiresIn, SessionId sessionId) {}

    /**
     * {@code POST /v1/dashboard/projects/:projectId/users/:userId/impersonate/in-browser}: opens the session, for the
     * browser that asks. It gets a cookie, and nobody gets tokens before the application redeems its code.
     */
    public Future<Reply> begin(ApiRequest request) {
        return impersonations.open(request).compose(opened -> begin(request, request.project(), opened));
    }

    private Future<Reply> begin(ApiRequest request, Project project, Opened opened) {
        var session = opened.session().id();
        var lifetime = HostedCodes.LIFETIME.toSeconds();
        return codes.lend(database, project.id(), session, opened.user().id()).map(secret -> {
            request.http().response().addCookie(cookie(project.id(), secret).setMaxAge(lifetime));
            return Reply.ok(new Begun(project.callbackUrl(), lifetime, session));
        });
    }

    /** The session that the application gets in this browser, once; empty if its own person signs in. */
    Future<Optional<Grant>> take(ApiRequest request, ProjectId project) {
        var given = request.http().getCookie(cookie(project, "").getName());
        if (given == null) {
            return Future.succeededFuture(Optional.empty());
        }
        request.http().response().addCookie(cookie(project, "").setMaxAge(0));
        return codes.takeLent(database, project, given.getValue());
    }

    /** Lax, since applications lead the browser to the page. */
    private Cookie cookie(ProjectId project, String value) {
        return Cookie.cookie((isSecure ? "__Host-acting-" : "acting-") + project, value)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(isSecure)
                .setSameSite(CookieSameSite.LAX);
    }
}
