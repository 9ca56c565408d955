package dev.vestibule.project;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
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
    private final Clock clock;

    public CreateProjectHandler(
            Database database,
            ProjectCreation creation,
            MemberStore members,
            SigningKeyStore signingKeys,
            Clock clock) {
        this.database = database;
        this.creation = creation;
        this.members = members;
        this.signingKeys = signingKeys;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var request = Fields.readStrictly(
                Body.of(ctx),
                fields -> new CreateProjectRequest(
                        fields.required("name", ProjectFields::name), fields.optional("environment", Environment::of)));
        return create(Caller.user(ctx).user().id(), request).map(Reply::created);
    }

    private Future<CreatedProject> create(UserId owner, CreateProjectRequest request) {
        var now = clock.instant();
        var environment = Objects.requireNonNullElse(request.environment(), Environment.LIVE);
        return database.inTransaction(transaction -> creation.create(transaction, request.name(), environment, now)
                .compose(project -> members.add(transaction, project.id(), owner, Role.OWNER, now)
                        .compose(added -> signingKeys.add(transaction, project.id(), now))
                        .map(added -> project)));
    }
}
