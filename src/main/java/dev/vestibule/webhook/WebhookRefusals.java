package dev.vestibule.webhook;

import dev.vestibule.error.Refusal;
import dev.vestibule.error.RefusedException;

/** What the operations on endpoints refuse alike. */
final class WebhookRefusals {
    private WebhookRefusals() {}

    static RefusedException unknown() {
        return Refusal.notFound("There is no such webhook.");
    }

    static RefusedException unknownDelivery() {
        return Refusal.notFound("There is no such delivery, or no longer.");
    }

    static RefusedException disabled() {
        return Refusal.conflict("The webhook is disabled: nothing is sent to it until its status is active.");
    }
}
