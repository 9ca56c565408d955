package dev.vestibule.page.hosted;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.dashboard.ImpersonationHandler;
import dev.vestibule.authentication.dashboard.Impersonations.Opened;
import dev.vestibule.http.Reply;
import dev.vestibule.project.Project;
import dev.vestibule.session.SessionId;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * Lets owners of a project act as one of its users in its application: the next sign in that the application begins in
 * the owner's browser is that of the user.
 */
public final class ImpersonationPageHandler {
    private final ImpersonationHandler impersonations;
    private final LentSessions lent;

    ImpersonationPageHandler(ImpersonationHandler impersonations, LentSessions lent) {
        this.impersonations = impersonations;
        this.lent = lent;
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
        return lent.lend(request, project.id(), session, opened.user().id())
                .map(done -> Reply.ok(new Begun(project.callbackUrl(), HostedCodes.LIFETIME.toSeconds(), session)));
    }
}
