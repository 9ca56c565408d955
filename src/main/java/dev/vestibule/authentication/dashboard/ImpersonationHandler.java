package dev.vestibule.authentication.dashboard;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.dashboard.Impersonations.Opened;
import dev.vestibule.authentication.dashboard.Impersonations.Request;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Text;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;

/** Lets owners of a project act as one of its users. */
public final class ImpersonationHandler {
    private static final int MAX_REASON = 500;

    private final Impersonations impersonations;

    public ImpersonationHandler(Impersonations impersonations) {
        this.impersonations = impersonations;
    }

    /**
     * {@code POST /v1/dashboard/projects/:projectId/users/:userId/impersonate}: tokens with which an owner acts as a
     * user.
     */
    public Future<Reply> impersonate(ApiRequest request) {
        return impersonations.begin(read(request)).map(Reply::ok);
    }

    /** Opens the session of {@link #impersonate} without issuing its tokens, for the hosted page. */
    public Future<Opened> open(ApiRequest request) {
        return impersonations.open(read(request));
    }

    private static Request read(ApiRequest request) {
        var owner = request.user();
        var user = new UserId(request.pathId("userId"));
        var reason = request.allFields(fields -> fields.required("reason", text -> Text.line(text, MAX_REASON)));
        return new Request(
                request.project(),
                user,
                owner.user().id(),
                owner.token().session(),
                request.device(),
                reason,
                request.trail());
    }
}
