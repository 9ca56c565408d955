package dev.vestibule.webhook;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Page;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/dashboard/webhooks/:webhookId/deliveries}: a page of the endpoint's deliveries, newest first. */
public final class ListDeliveriesHandler implements ApiHandler {
    private record ListRequest(Page page, Delivery.@Nullable Status status) {}

    private record Response(List<Delivery> deliveries, long total) {}

    private final Database database;
    private final WebhookStore endpoints;
    private final DeliveryLogStore log;

    ListDeliveriesHandler(Database database, WebhookStore endpoints, DeliveryLogStore log) {
        this.database = database;
        this.endpoints = endpoints;
        this.log = log;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var webhook = new WebhookId(PathId.of(ctx, "webhookId"));
        var request = Query.read(
                ctx, fields -> new ListRequest(Query.page(fields), fields.optional("status", Delivery.Status::of)));
        return endpoints
                .find(database.writes(), project, webhook)
                .map(found -> found.orElseThrow(WebhookErrors::notFound))
                .compose(found -> list(project, webhook, request))
                .map(Reply::ok);
    }

    private Future<Response> list(ProjectId project, WebhookId webhook, ListRequest request) {
        var total = log.total(database.writes(), project, webhook, request.status());
        return log.list(database.writes(), project, webhook, request.status(), request.page())
                .compose(found -> total.map(count -> new Response(found, count)));
    }
}
