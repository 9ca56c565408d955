package dev.vestibule.webhook;

import dev.vestibule.error.ApiError;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.Violation;
import dev.vestibule.outbound.OutboundClient;
import dev.vestibule.outbound.OutboundException;
import dev.vestibule.outbound.TargetUrl;
import io.vertx.core.Future;
import java.net.URI;
import java.util.List;

/** Which URLs endpoints may have. What a name leads to may change, so deliveries look again. */
public final class TargetCheck {
    private final OutboundClient client;
    private final boolean allowPrivate;

    TargetCheck(OutboundClient client, boolean allowPrivate) {
        this.client = client;
        this.allowPrivate = allowPrivate;
    }

    /** A field rule, for what the text alone shows. */
    public String url(String text) {
        return TargetUrl.of(text, allowPrivate).toString();
    }

    /** A 422 where the URL's host has no address, or one that is not public. */
    public Future<Void> check(String url) {
        return client.lookUp(URI.create(url))
                .recover(failure ->
                        Future.failedFuture(failure instanceof OutboundException known ? refusal(known) : failure));
    }

    private static ApiException refusal(OutboundException failure) {
        return ApiError.invalid(List.of(new Violation("url", "cannot be sent to: " + failure.getMessage())));
    }
}
