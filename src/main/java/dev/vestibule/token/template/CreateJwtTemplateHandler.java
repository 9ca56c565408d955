package dev.vestibule.token.template;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
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
import java.util.Objects;

/** {@code POST /v1/backend/jwt-templates}: creates a template; a project's first one becomes its default. */
public final class CreateJwtTemplateHandler implements ApiHandler {
    private static final int MAX_TEMPLATES = 50;

    private final ProjectChanges changes;
    private final ProjectStore projects;
    private final JwtTemplateStore templates;
    private final Auditor audit;
    private final Clock clock;

    CreateJwtTemplateHandler(
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
        var fields = Fields.readStrictly(Body.of(ctx), JwtTemplateFields::read);
        var trail = audit.of(ctx);
        return changes.inTransaction(
                        project,
                        transaction -> create(transaction, project, fields)
                                .compose(created -> trail.record(
                                                transaction,
                                                AuditEvent.JWT_TEMPLATE_CREATED,
                                                Target.jwtTemplate(created.id()),
                                                Map.of("name", created.name(), "isDefault", created.isDefault()))
                                        .map(created)))
                .map(Reply::created);
    }

    /** Locks the project, so that of two first templates at once one becomes the default. */
    private Future<JwtTemplate> create(SqlClient transaction, ProjectId project, JwtTemplateFields fields) {
        var id = UuidCreator.getTimeOrderedEpoch();
        return projects.lock(transaction, project)
                .compose(locked -> templates.count(transaction, project))
                .compose(count -> {
                    if (count >= MAX_TEMPLATES) {
                        throw ApiException.conflict("The project already has " + MAX_TEMPLATES + " templates.");
                    }
                    var isDefault = Objects.requireNonNullElse(fields.isDefault(), count == 0);
                    return (isDefault
                                    ? templates.clearDefault(transaction, project, id)
                                    : Future.<Void>succeededFuture())
                            .compose(cleared ->
                                    templates.insert(transaction, project, id, fields, isDefault, clock.instant()));
                });
    }
}
