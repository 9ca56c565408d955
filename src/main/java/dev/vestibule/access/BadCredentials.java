package dev.vestibule.access;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.RateLimitState;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.http.limits.Quota;
import dev.vestibule.http.limits.RateLimits;
import io.vertx.core.http.HttpServerRequest;

/**
 * Counts, for each client network, the API keys, tokens and project ids that were looked up and do not exist. A network
 * with too many is not blocked entirely: credentials that this node knows to be valid still work.
 */
final class BadCredentials {
    private static final String ALL_PROJECTS = "";

    private final RateLimits limits;
    private final ClientAddresses addresses;

    BadCredentials(RateLimits limits, ClientAddresses addresses) {
        this.limits = limits;
        this.addresses = addresses;
    }

    void requireTriesLeft(HttpServerRequest request) {
        requireTriesLeft(request, ALL_PROJECTS);
    }

    /** As {@link #requireTriesLeft}, of what was wrong for one holder. */
    void requireTriesLeft(HttpServerRequest request, String holder) {
        require(limits.look(Quota.BAD_CREDENTIALS, holder, addresses.of(request)));
    }

    private static void require(RateLimits.Decision state) {
        if (!state.isAllowed()) {
            throw ApiException.tooManyRequests(
                    ErrorCode.TOO_MANY_BAD_CREDENTIALS,
                    "Too many invalid credentials came from this network. Try again later.",
                    state.retryAfter(),
                    new RateLimitState(
                            Quota.BAD_CREDENTIALS.text(), state.quota(), RateLimits.WINDOW, state.remaining()));
        }
    }

    void count(HttpServerRequest request) {
        limits.tryConsume(Quota.BAD_CREDENTIALS, ALL_PROJECTS, addresses.of(request));
    }

    /** Counts what was wrong for one holder; a 429 if it was too much. */
    void countOrRefuse(HttpServerRequest request, String holder) {
        require(limits.tryConsume(Quota.BAD_CREDENTIALS, holder, addresses.of(request)));
    }
}
