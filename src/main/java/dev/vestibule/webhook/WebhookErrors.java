package dev.vestibule.webhook;

import dev.vestibule.error.ApiException;

/** The errors that several operations on endpoints have in common. */
final class WebhookErrors {
    private WebhookErrors() {}

    static ApiException notFound() {
        return ApiException.notFound("There is no such webhook.");
    }

    static ApiException deliveryNotFound() {
        return ApiException.notFound("There is no such delivery, or it was removed.");
    }

    static ApiException disabled() {
        return ApiException.conflict("The webhook is disabled. Set its status to active to send to it.");
    }
}
