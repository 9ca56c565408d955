package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.limits.NetworkBudget;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;

/** The bytes of bodies that all clients together, and each network, can make this node hold at the same time. */
public final class BodyBudget {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final NetworkBudget bytes;
    private final ClientAddresses addresses;
    private final Runnable refused;

    /** Calls the runnable for each body that has no room. */
    public BodyBudget(NetworkBudget bytes, ClientAddresses addresses, Runnable refused) {
        this.bytes = bytes;
        this.addresses = addresses;
        this.refused = refused;
    }

    /** An empty share for a body of this request or its response. */
    NetworkBudget.Share share(HttpServerRequest request) {
        var address = addresses.of(request);
        return addresses.isTrusted(address) ? bytes.shareOfTotal() : bytes.shareOf(address);
    }

    /** The 503 for a body that has no room. */
    ApiException refuse(String message) {
        refused.run();
        return ApiException.of(ErrorCode.UNAVAILABLE, message, RETRY_AFTER);
    }
}
