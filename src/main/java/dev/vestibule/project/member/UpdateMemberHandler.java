package dev.vestibule.project.member;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code PATCH /v1/dashboard/projects/:projectId/members/:memberId}: changes the role of a member or of an invitation. */
public final class UpdateMemberHandler implements ApiHandler {
    private final MemberChanges changes;
    private final Auditor audit;

    public UpdateMemberHandler(MemberChanges changes, Auditor audit) {
        this.changes = changes;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var member = PathId.of(ctx, "memberId");
        var role = Fields.readStrictly(Body.of(ctx), fields -> fields.required("role", Role::of));
        return changes.changeRole(audit.of(ctx), Caller.project(ctx).id(), member, role)
                .map(Reply::ok);
    }
}
