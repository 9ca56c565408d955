package dev.vestibule.project.member;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.RecentSignIn;
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
    private final RecentSignIn recent;
    private final Auditor audit;

    public RemoveMemberHandler(MemberChanges changes, RecentSignIn recent, Auditor audit) {
        this.changes = changes;
        this.recent = recent;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var member = PathId.of(ctx, "memberId");
        var caller = Caller.user(ctx).user().id();
        if (!caller.value().equals(member)) {
            if (Caller.role(ctx) != Role.OWNER) {
                throw ApiException.forbidden("Only an owner of the project may remove other members.");
            }
            recent.requireOfPerson(ctx);
        }
        return changes.remove(audit.of(ctx), Caller.project(ctx).id(), member)
                .map(removed -> Reply.ok(Map.of("success", true)));
    }
}
