package dev.vestibule.webhook;

import dev.vestibule.error.ApiError;
import dev.vestibule.error.ApiException;

/** The errors that several operations on endpoints have in common. */
final class WebhookErrors {
    private WebhookErrors() {}

    static ApiException notFound() {
        return ApiError.notFound("There is no such webhook.");
    }

    static ApiException deliveryNotFound() {
        return ApiError.notFound("There is no such delivery, or it was removed.");
    }

    static ApiException disabled() {
        return ApiError.conflict("The webhook is disabled. Set its status to active to send to it.");
    }
}
