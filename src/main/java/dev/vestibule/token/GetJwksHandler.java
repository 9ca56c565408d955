package dev.vestibule.token;

import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /v1/projects/:projectId/.well-known/jwks.json}: the keys that verify a project's access tokens. */
public final class GetJwksHandler implements ApiHandler {
    private static final String CACHE_CONTROL = "public, max-age=" + KeySet.JWKS_MAX_AGE.toSeconds();

    private final Database database;
    private final KeySets keySets;

    public GetJwksHandler(Database database, KeySets keySets) {
        this.database = database;
        this.keySets = keySets;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = ProjectId.parse(ctx.pathParam("projectId")).orElseThrow(GetJwksHandler::unknown);
        return keySets.published(database.reads(), project)
                .map(found -> found.orElseThrow(GetJwksHandler::unknown))
                .map(keys -> Reply.ok(keys).withHeader("Cache-Control", CACHE_CONTROL));
    }

    private static ApiException unknown() {
        return ApiException.notFound("There is no such project.");
    }
}
