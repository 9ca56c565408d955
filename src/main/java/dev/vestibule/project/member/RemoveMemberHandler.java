package dev.vestibule.project.member;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** {@code DELETE /v1/dashboard/projects/:projectId/members/:memberId}: owners remove members and withdraw invitations, every member may leave. */
public final class RemoveMemberHandler implements ApiHandler {
    private final MemberChanges changes;
    private final Auditor audit;

    public RemoveMemberHandler(MemberChanges changes, Auditor audit) {
        this.changes = changes;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var member = PathId.of(ctx, "memberId");
        var caller = Caller.user(ctx).user().id();
        if (Caller.role(ctx) != Role.OWNER && !caller.value().equals(member)) {
            throw ApiException.forbidden("Only an owner of the project may remove other members.");
        }
        return changes.remove(audit.of(ctx), Caller.project(ctx).id(), member)
                .map(removed -> Reply.ok(Map.of("success", true)));
    }
}
