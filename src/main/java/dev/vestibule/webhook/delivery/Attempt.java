package dev.vestibule.webhook.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to deliver, and its outcome.
 *
 * @param status null if there was no response; then the error says why
 * @param retryAfter the pause that the endpoint asks for
 * @param wasSent false if the fault is on our side, so that the attempt says nothing about the endpoint
 */
record Attempt(
        Claim claim,
        Instant startedAt,
        Duration duration,
        @Nullable Integer status,
        @Nullable String body,
        @Nullable String error,
        Optional<Duration> retryAfter,
        boolean wasSent) {
    private static final int OK = 200;
    private static final int REDIRECTION = 300;
    private static final int GONE = 410;

    boolean isDelivered() {
        return status != null && status >= OK && status < REDIRECTION;
    }

    /** 410: the endpoint wants no more deliveries, ever. */
    boolean isGone() {
        return status != null && status == GONE;
    }

    Instant endedAt() {
        return startedAt.plus(duration);
    }
}
