package dev.vestibule.project;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectCreation.Created;
import dev.vestibule.project.member.MemberStore;
import dev.vestibule.project.member.Role;
import dev.vestibule.token.SigningKeyStore;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/dashboard/projects}: makes a project that the caller owns, and shows its secret key this once. */
public final class CreateProjectHandler implements ApiHandler {
    private record Wish(String name, @Nullable Environment environment) {}

    private final Database database;
    private final ProjectCreation projects;
    private final MemberStore members;
    private final SigningKeyStore signingKeys;
    private final Clock clock;

    public CreateProjectHandler(
            Database database,
            ProjectCreation projects,
            MemberStore members,
            SigningKeyStore signingKeys,
            Clock clock) {
        this.database = database;
        this.projects = projects;
        this.members = members;
        this.signingKeys = signingKeys;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var wish = Fields.read(
                Body.of(ctx),
                fields -> new Wish(
                        fields.required("name", ProjectFields::name), fields.optional("environment", Environment::of)));
        return create(Caller.user(ctx).user().id(), wish).map(Reply::created);
    }

    private Future<Created> create(UserId owner, Wish wish) {
        var now = clock.instant();
        var environment = Objects.requireNonNullElse(wish.environment(), Environment.LIVE);
        return database.inTransaction(transaction -> projects.create(transaction, wish.name(), environment, now)
                .compose(project -> members.add(transaction, project.id(), owner, Role.OWNER, now)
                        .compose(added -> signingKeys.add(transaction, project.id(), now))
                        .map(added -> project)));
    }
}
