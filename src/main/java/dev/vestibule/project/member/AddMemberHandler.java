package dev.vestibule.project.member;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.Violation;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.List;

/** {@code POST /v1/dashboard/projects/:projectId/members}: adds a dashboard user to the project. */
public final class AddMemberHandler implements ApiHandler {
    private record AddMemberRequest(String email, Role role) {}

    private final Database database;
    private final UserStore users;
    private final MemberChanges changes;
    private final Clock clock;

    public AddMemberHandler(Database database, UserStore users, MemberChanges changes, Clock clock) {
        this.database = database;
        this.users = users;
        this.changes = changes;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var request = Fields.read(
                Body.of(ctx),
                fields -> new AddMemberRequest(
                        fields.required("email", UserFields::email), fields.required("role", Role::of)));
        return users.idOf(database.reads(), ProjectId.SYSTEM, request.email())
                .map(found -> found.orElseThrow(AddMemberHandler::unknown))
                .compose(user -> changes.add(project, user, request.role(), clock.instant()))
                .map(Reply::created);
    }

    private static ApiException unknown() {
        return ApiException.invalid(
                List.of(new Violation("email", "must be the email of a registered dashboard user")));
    }
}
