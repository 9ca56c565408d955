package dev.vestibule.token.template;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /v1/backend/jwt-templates}: the project's templates as a bare list, the oldest first. */
public final class ListJwtTemplatesHandler implements ApiHandler {
    private final Database database;
    private final JwtTemplateStore templates;

    ListJwtTemplatesHandler(Database database, JwtTemplateStore templates) {
        this.database = database;
        this.templates = templates;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return templates.list(database.writes(), Caller.project(ctx).id()).map(Reply::ok);
    }
}
