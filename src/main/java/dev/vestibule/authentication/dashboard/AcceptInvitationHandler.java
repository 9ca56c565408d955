package dev.vestibule.authentication.dashboard;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/dashboard/invitations/:token/accept}: makes the dashboard user a member of the inviting project. */
public final class AcceptInvitationHandler implements ApiHandler {
    private final InvitationAcceptance acceptance;
    private final Auditor audit;

    public AcceptInvitationHandler(InvitationAcceptance acceptance, Auditor audit) {
        this.acceptance = acceptance;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        return acceptance
                .accept(audit.of(ctx), caller.user().id(), caller.token().session(), ctx.pathParam("token"))
                .map(Reply::ok);
    }
}
