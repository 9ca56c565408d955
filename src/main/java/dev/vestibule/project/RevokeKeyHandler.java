package dev.vestibule.project;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** {@code DELETE /v1/dashboard/projects/:projectId/keys/:keyId}: revokes an API key at once. */
public final class RevokeKeyHandler implements ApiHandler {
    private final ProjectChanges changes;
    private final ApiKeyStore keys;
    private final Auditor audit;

    public RevokeKeyHandler(ProjectChanges changes, ApiKeyStore keys, Auditor audit) {
        this.changes = changes;
        this.keys = keys;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var key = PathId.of(ctx, "keyId");
        var trail = audit.of(ctx);
        return changes.inTransaction(
                        project,
                        transaction -> keys.delete(transaction, project, key)
                                .compose(deleted -> deleted
                                        ? Future.<Void>succeededFuture()
                                        : Future.failedFuture(ApiException.notFound("The project has no such key.")))
                                .compose(deleted ->
                                        trail.record(transaction, AuditEvent.KEY_REVOKED, Target.apiKey(key))))
                .map(revoked -> Reply.ok(Map.of("success", true)));
    }
}
