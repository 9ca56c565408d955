package dev.vestibule.project;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.project.ApiKeyStore.StoredKey;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** {@code GET /v1/dashboard/projects/:projectId/keys}: a page of the project's API keys, newest first. */
public final class ListKeysHandler implements ApiHandler {
    private record Response(List<KeyResponse> keys, long total) {}

    private final Database database;
    private final ApiKeyStore keys;

    public ListKeysHandler(Database database, ApiKeyStore keys) {
        this.database = database;
        this.keys = keys;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var page = Query.read(ctx, Query::page);
        var total = keys.count(database.writes(), project.id());
        return keys.list(database.writes(), project.id(), page)
                .map(found -> responses(found, project.environment()))
                .compose(found -> total.map(count -> Reply.ok(new Response(found, count))));
    }

    private static List<KeyResponse> responses(List<StoredKey> keys, Environment environment) {
        return keys.stream().map(key -> KeyResponse.of(key, environment)).toList();
    }
}
