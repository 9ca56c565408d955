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
        var state = limits.look(Quota.BAD_CREDENTIALS, ALL_PROJECTS, addresses.of(request));
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
}
