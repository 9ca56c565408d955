package dev.vestibule.project;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.project.member.MemberStore;
import dev.vestibule.token.SigningKeyStore;
import dev.vestibule.webhook.WebhookStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.util.Map;

/**
 * {@code DELETE /v1/dashboard/projects/:projectId}: hides the project and deletes its keys, members and webhook endpoints in
 * one short transaction. {@link DeletedProjects} removes the rest in the background.
 */
public final class DeleteProjectHandler implements ApiHandler {
    private final ProjectChanges changes;
    private final ProjectStore projects;
    private final ApiKeyStore apiKeys;
    private final SigningKeyStore signingKeys;
    private final MemberStore members;
    private final WebhookStore webhooks;
    private final Auditor audit;
    private final Clock clock;

    public DeleteProjectHandler(
            ProjectChanges changes,
            ProjectStore projects,
            ApiKeyStore apiKeys,
            SigningKeyStore signingKeys,
            MemberStore members,
            WebhookStore webhooks,
            Auditor audit,
            Clock clock) {
        this.changes = changes;
        this.projects = projects;
        this.apiKeys = apiKeys;
        this.signingKeys = signingKeys;
        this.members = members;
        this.webhooks = webhooks;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        if (project.equals(ProjectId.SYSTEM)) {
            throw ApiException.forbidden("The project of the dashboard users cannot be deleted.");
        }
        var trail = audit.in(ProjectId.SYSTEM, ctx); // the project's own log goes with it
        return changes.inTransaction(
                        project,
                        transaction -> delete(transaction, project)
                                .compose(deleted -> trail.record(
                                        transaction, AuditEvent.PROJECT_DELETED, Target.project(project.value()))))
                .map(deleted -> Reply.ok(Map.of("success", true)));
    }

    private Future<Void> delete(SqlClient transaction, ProjectId project) {
        return projects.delete(transaction, project, clock.instant())
                .compose(deleted -> apiKeys.deleteAll(transaction, project))
                .compose(deleted -> signingKeys.deleteAll(transaction, project))
                .compose(deleted -> members.removeAll(transaction, project))
                .compose(deleted -> webhooks.deleteAll(transaction, project));
    }
}
