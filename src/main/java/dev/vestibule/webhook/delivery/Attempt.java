package dev.vestibule.webhook.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What came of one attempt.
 *
 * @param status null where there was no response; then the error says why
 * @param retryAfter how long the endpoint wants to be left alone
 */
record Attempt(
        Claim claim,
        Instant startedAt,
        Duration duration,
        @Nullable Integer status,
        @Nullable String body,
        @Nullable String error,
        Optional<Duration> retryAfter,
        Kind kind) {
    /** How it went, whatever the answer said. */
    enum Kind {
        ANSWERED,
        UNANSWERED,
        /** It took all its time, and the next ones may do so too. */
        HELD,
        /** The endpoint was not even asked: the fault is ours. */
        NOT_MADE
    }

    private static final int OK = 200;
    private static final int REDIRECTION = 300;
    private static final int GONE = 410;

    boolean isDelivered() {
        return status != null && status >= OK && status < REDIRECTION;
    }

    /** The endpoint wants no more of them, ever. */
    boolean isGone() {
        return status != null && status == GONE;
    }

    Instant endedAt() {
        return startedAt.plus(duration);
    }
}
