package dev.vestibule.server;

import static dev.vestibule.access.Guard.SECRET_KEY_OR_MEMBER;
import static dev.vestibule.access.Guard.SECRET_KEY_OR_OWNER;
import static dev.vestibule.server.Route.delete;
import static dev.vestibule.server.Route.get;
import static dev.vestibule.server.Route.patch;
import static dev.vestibule.server.Route.post;

import dev.vestibule.webhook.CreateWebhookHandler;
import dev.vestibule.webhook.DeleteWebhookHandler;
import dev.vestibule.webhook.GetDeliveryHandler;
import dev.vestibule.webhook.GetWebhookHandler;
import dev.vestibule.webhook.ListDeliveriesHandler;
import dev.vestibule.webhook.ListWebhooksHandler;
import dev.vestibule.webhook.RetryDeliveryHandler;
import dev.vestibule.webhook.RotateWebhookSecretHandler;
import dev.vestibule.webhook.TestWebhookHandler;
import dev.vestibule.webhook.UpdateWebhookHandler;
import java.util.List;

/** The page of {@link Routes} about endpoints that are told of events, for a project's servers and its members. */
final class WebhookRoutes {
    private WebhookRoutes() {}

    static List<Route> of(Services s) {
        return List.of(
                get(
                        "/v1/dashboard/webhooks",
                        SECRET_KEY_OR_MEMBER,
                        new ListWebhooksHandler(s.database(), s.webhooks().endpoints())),
                post(
                        "/v1/dashboard/webhooks",
                        SECRET_KEY_OR_OWNER,
                        new CreateWebhookHandler(s.database(), s.projects(), s.webhooks(), s.clock())),
                get(
                        "/v1/dashboard/webhooks/:webhookId",
                        SECRET_KEY_OR_MEMBER,
                        new GetWebhookHandler(s.database(), s.webhooks().endpoints())),
                patch(
                        "/v1/dashboard/webhooks/:webhookId",
                        SECRET_KEY_OR_OWNER,
                        new UpdateWebhookHandler(s.projectChanges(), s.webhooks(), s.clock())),
                delete(
                        "/v1/dashboard/webhooks/:webhookId",
                        SECRET_KEY_OR_OWNER,
                        new DeleteWebhookHandler(
                                s.projectChanges(), s.webhooks().endpoints())),
                post(
                        "/v1/dashboard/webhooks/:webhookId/rotate-secret",
                        SECRET_KEY_OR_OWNER,
                        new RotateWebhookSecretHandler(
                                s.projectChanges(), s.webhooks().endpoints(), s.clock())),
                post(
                        "/v1/dashboard/webhooks/:webhookId/test",
                        SECRET_KEY_OR_OWNER,
                        new TestWebhookHandler(s.database(), s.webhooks(), s.clock())),
                get(
                        "/v1/dashboard/webhooks/:webhookId/deliveries",
                        SECRET_KEY_OR_MEMBER,
                        new ListDeliveriesHandler(s.database(), s.webhooks())),
                get(
                        "/v1/dashboard/webhooks/:webhookId/deliveries/:deliveryId",
                        SECRET_KEY_OR_MEMBER,
                        new GetDeliveryHandler(s.database(), s.webhooks())),
                post(
                        "/v1/dashboard/webhooks/:webhookId/deliveries/:deliveryId/retry",
                        SECRET_KEY_OR_OWNER,
                        new RetryDeliveryHandler(s.database(), s.webhooks(), s.clock())));
    }
}
