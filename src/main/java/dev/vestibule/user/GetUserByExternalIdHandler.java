package dev.vestibule.user;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /v1/backend/users/by-external-id/:externalId}: the user who has the application's own id. */
public final class GetUserByExternalIdHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final GetUserHandler byId;

    GetUserByExternalIdHandler(Database database, UserStore users, GetUserHandler byId) {
        this.database = database;
        this.users = users;
        this.byId = byId;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        return users.idOfExternal(database.reads(), project, externalId(ctx))
                .compose(found -> byId.reply(project, found.orElseThrow(UserErrors::notFound), true));
    }

    /** A 404 for what no user can have. */
    private static String externalId(RoutingContext ctx) {
        try {
            return UserFields.externalId(ctx.pathParam("externalId"));
        } catch (InvalidValueException impossible) {
            throw UserErrors.notFound();
        }
    }
}
