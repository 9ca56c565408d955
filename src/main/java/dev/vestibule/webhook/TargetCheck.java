package dev.vestibule.webhook;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.Violation;
import dev.vestibule.outbound.OutboundClient;
import dev.vestibule.outbound.OutboundException;
import dev.vestibule.outbound.OutboundException.Reason;
import dev.vestibule.outbound.TargetUrl;
import io.vertx.core.Future;
import java.net.URI;
import java.util.List;

/** Checks the URLs of endpoints. Each delivery looks the address up again, because it may change. */
public final class TargetCheck {
    private static final String SETTING = "webhooks.allowPrivateTargets";

    private final OutboundClient client;
    private final boolean allowPrivate;

    TargetCheck(OutboundClient client, boolean allowPrivate) {
        this.client = client;
        this.allowPrivate = allowPrivate;
    }

    /** Parses a field; checks only what the text itself shows. */
    public String url(String text) {
        return TargetUrl.of(text, allowPrivate, SETTING).toString();
    }

    /** Fails with a 422 if the URL's host has no address, or one that is not public. */
    public Future<Void> check(String url) {
        return client.lookUp(URI.create(url))
                .recover(failure ->
                        Future.failedFuture(failure instanceof OutboundException known ? error(known) : failure));
    }

    private static ApiException error(OutboundException failure) {
        var lift = failure.reason() == Reason.NOT_PUBLIC ? " (the server's setting " + SETTING + " allows others)" : "";
        return ApiException.invalid(List.of(new Violation("url", "cannot be sent to: " + failure.getMessage() + lift)));
    }
}
