package dev.vestibule.webhook;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** {@code GET /v1/dashboard/webhooks}: a page of the project's endpoints, newest first, without their secrets. */
public final class ListWebhooksHandler implements ApiHandler {
    private record Response(List<Webhook> webhooks, long total) {}

    private final Database database;
    private final WebhookStore endpoints;

    public ListWebhooksHandler(Database database, WebhookStore endpoints) {
        this.database = database;
        this.endpoints = endpoints;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var page = Query.read(ctx, Query::page);
        var total = endpoints.count(database.writes(), project);
        return endpoints
                .list(database.writes(), project, page)
                .compose(found -> total.map(count -> Reply.ok(new Response(found, count))));
    }
}
