package dev.vestibule.webhook;

/** The operations on webhook endpoints and their deliveries, for one event loop. */
public record WebhookHandlers(
        ListWebhooksHandler list,
        CreateWebhookHandler create,
        GetWebhookHandler get,
        UpdateWebhookHandler update,
        DeleteWebhookHandler delete,
        RotateWebhookSecretHandler rotateSecret,
        TestWebhookHandler test,
        ListDeliveriesHandler listDeliveries,
        GetDeliveryHandler getDelivery,
        RetryDeliveryHandler retry) {}
