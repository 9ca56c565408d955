package dev.vestibule.webhook.delivery;

import dev.vestibule.project.ProjectId;
import dev.vestibule.webhook.WebhookId;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint of a webhook as it was when a delivery was claimed.
 *
 * @param client whose logout endpoint it is, which has no secrets; null for all others
 * @param sealedPreviousSecret also signs until it expires
 * @param failingSince the first failure since the last success
 */
record Endpoint(
        ProjectId project,
        WebhookId id,
        String url,
        @Nullable String client,
        @Nullable Buffer sealedSecret,
        @Nullable Buffer sealedPreviousSecret,
        @Nullable Instant previousSecretExpiresAt,
        @Nullable Instant failingSince) {}
