package dev.vestibule.access;

import dev.vestibule.database.Database;
import dev.vestibule.project.Project;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;

/** The user whom a request is about: the caller, or, in the management API, the one whom the path names. */
public record RequestedUser(Project project, UserId id, boolean isCaller) {
    public static RequestedUser of(ApiRequest request) {
        return request.userIfAny()
                .map(caller -> new RequestedUser(caller.project(), caller.user().id(), true))
                .orElseGet(() -> new RequestedUser(request.project(), new UserId(request.pathId("userId")), false));
    }

    /** A 404 if the path names a user who does not exist; the guard has just found the caller. */
    public Future<RequestedUser> find(Database database) {
        return isCaller
                ? Future.succeededFuture(this)
                : new UserStore()
                        .find(database.reads(), project.id(), id)
                        .map(found -> found.map(user -> this).orElseThrow(UserErrors::notFound));
    }
}
