package dev.vestibule.token.template;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.util.Map;
import java.util.UUID;

/** {@code PUT /v1/backend/jwt-templates/:templateId}: replaces the template, with effect from the next token. */
public final class UpdateJwtTemplateHandler implements ApiHandler {
    private final ProjectChanges changes;
    private final ProjectStore projects;
    private final JwtTemplateStore templates;
    private final Auditor audit;
    private final Clock clock;

    UpdateJwtTemplateHandler(
            ProjectChanges changes, ProjectStore projects, JwtTemplateStore templates, Auditor audit, Clock clock) {
        this.changes = changes;
        this.projects = projects;
        this.templates = templates;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var template = PathId.of(ctx, "templateId");
        var fields = Fields.readStrictly(Body.of(ctx), JwtTemplateFields::read);
        var trail = audit.of(ctx);
        return changes.inTransaction(
                        project,
                        transaction -> update(transaction, project, template, fields)
                                .compose(updated -> trail.record(
                                                transaction,
                                                AuditEvent.JWT_TEMPLATE_UPDATED,
                                                Target.jwtTemplate(updated.id()),
                                                Map.of("name", updated.name(), "isDefault", updated.isDefault()))
                                        .map(updated)))
                .map(Reply::ok);
    }

    /** A template that is not found rolls back that another one ceased to be the default. */
    private Future<JwtTemplate> update(
            SqlClient transaction, ProjectId project, UUID template, JwtTemplateFields fields) {
        return projects.lock(transaction, project)
                .compose(locked -> Boolean.TRUE.equals(fields.isDefault())
                        ? templates.clearDefault(transaction, project, template)
                        : Future.succeededFuture())
                .compose(cleared -> templates.update(transaction, project, template, fields, clock.instant()))
                .map(found -> found.orElseThrow(JwtTemplateErrors::notFound));
    }
}
