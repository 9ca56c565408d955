package dev.vestibule.project;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.AuditTrail;
import dev.vestibule.audit.Target;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectCreation.CreatedProject;
import dev.vestibule.project.member.MemberStore;
import dev.vestibule.project.member.Role;
import dev.vestibule.token.SigningKeyStore;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/dashboard/projects}: creates a project that the caller owns, and returns its secret key, the only time. */
public final class CreateProjectHandler implements ApiHandler {
    private record CreateProjectRequest(
            String name, @Nullable Environment environment) {}

    private final Database database;
    private final ProjectCreation creation;
    private final MemberStore members;
    private final SigningKeyStore signingKeys;
    private final int maxProjects;
    private final Auditor audit;
    private final Clock clock;

    public CreateProjectHandler(
            Database database,
            ProjectCreation creation,
            MemberStore members,
            SigningKeyStore signingKeys,
            int maxProjects,
            Auditor audit,
            Clock clock) {
        this.database = database;
        this.creation = creation;
        this.members = members;
        this.signingKeys = signingKeys;
        this.maxProjects = maxProjects;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var request = Fields.readStrictly(
                Body.of(ctx),
                fields -> new CreateProjectRequest(
                        fields.required("name", ProjectFields::name), fields.optional("environment", Environment::of)));
        return create(audit.of(ctx), Caller.user(ctx).user().id(), request).map(Reply::created);
    }

    private Future<CreatedProject> create(AuditTrail trail, UserId owner, CreateProjectRequest request) {
        var now = clock.instant();
        var environment = Objects.requireNonNullElse(request.environment(), Environment.LIVE);
        return database.inTransaction(transaction -> requireRoom(transaction, owner)
                .compose(allowed -> creation.create(transaction, request.name(), environment, now))
                .compose(project -> members.add(transaction, project.id(), owner, Role.OWNER, now)
                        .compose(added -> signingKeys.add(transaction, project.id(), now))
                        .compose(added -> trail.in(project.id())
                                .record(
                                        transaction,
                                        AuditEvent.PROJECT_CREATED,
                                        Target.project(project.id().value())))
                        .map(added -> project)));
    }

    private Future<Void> requireRoom(SqlClient transaction, UserId owner) {
        return members.lockAndCountOwnedBy(transaction, owner)
                .compose(
                        owned -> owned < maxProjects
                                ? Future.succeededFuture()
                                : Future.failedFuture(
                                        ApiException.conflict(
                                                "You own " + owned
                                                        + " projects, as many as the server's setting dashboard.maxProjects allows. Delete one of them first.")));
    }
}
