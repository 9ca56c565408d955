package dev.vestibule.webhook;

import dev.vestibule.error.ApiError;
import dev.vestibule.error.ApiException;

/** What the operations on endpoints refuse alike. */
final class WebhookRefusals {
    private WebhookRefusals() {}

    static ApiException unknown() {
        return ApiError.notFound("There is no such webhook.");
    }

    static ApiException unknownDelivery() {
        return ApiError.notFound("There is no such delivery, or no longer.");
    }

    static ApiException disabled() {
        return ApiError.conflict("The webhook is disabled: nothing is sent to it until its status is active.");
    }
}
