package dev.vestibule.token.template;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /v1/backend/jwt-templates/:templateId}. */
public final class GetJwtTemplateHandler implements ApiHandler {
    private final Database database;
    private final JwtTemplateStore templates;

    GetJwtTemplateHandler(Database database, JwtTemplateStore templates) {
        this.database = database;
        this.templates = templates;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return templates
                .find(database.writes(), Caller.project(ctx).id(), PathId.of(ctx, "templateId"))
                .map(found -> Reply.ok(found.orElseThrow(JwtTemplateErrors::notFound)));
    }
}
