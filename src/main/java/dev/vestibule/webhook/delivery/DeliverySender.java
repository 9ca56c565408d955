package dev.vestibule.webhook.delivery;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vestibule.outbound.Destination;
import dev.vestibule.outbound.OutboundClient;
import dev.vestibule.outbound.OutboundException;
import dev.vestibule.outbound.OutboundResponse;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends one delivery. Its future never fails: an error is the result of the attempt. */
public final class DeliverySender {
    private static final Logger LOG = LoggerFactory.getLogger(DeliverySender.class);

    private static final int MAX_DESTINATIONS = 10_000;

    private final Cache<String, Destination> destinations =
            Caffeine.newBuilder().maximumSize(MAX_DESTINATIONS).build();
    private final OutboundClient client;
    private final DeliverySigning signing;
    private final LogoutMessages logouts;
    private final Clock clock;

    private record Content(MultiMap headers, Buffer body) {}

    public DeliverySender(OutboundClient client, DeliverySigning signing, LogoutMessages logouts, Clock clock) {
        this.client = client;
        this.signing = signing;
        this.logouts = logouts;
        this.clock = clock;
    }

    Future<Attempt> attempt(Claim claim) {
        var now = clock.instant();
        return Future.succeededFuture()
                .compose(ready -> content(claim, now))
                .map(content -> new Prepared(
                        destinations.get(claim.endpoint().url(), url -> Destination.of(URI.create(url))), content))
                .transform(prepared -> prepared.succeeded()
                        ? send(claim, now, prepared.result())
                        : Future.succeededFuture(unusable(claim, now, prepared.cause())));
    }

    private record Prepared(Destination to, Content content) {}

    private Future<Content> content(Claim claim, Instant now) {
        var body = claim.payload().getBytes(StandardCharsets.UTF_8);
        var client = claim.endpoint().client();
        return client == null
                ? Future.succeededFuture(new Content(
                        signing.headers(claim, body, now).set(HttpHeaders.CONTENT_TYPE, "application/json"),
                        Buffer.buffer(body)))
                : logouts.form(
                                claim.endpoint().project(),
                                client,
                                claim.event() + "." + claim.attempts(),
                                Buffer.buffer(body))
                        .map(form -> new Content(
                                HttpHeaders.headers()
                                        .set(HttpHeaders.CONTENT_TYPE, "application/x-www-form-urlencoded"),
                                form));
    }

    private Future<Attempt> send(Claim claim, Instant now, Prepared prepared) {
        var headers = prepared.content().headers().set(HttpHeaders.USER_AGENT, "Vestibule-Webhooks");
        return client.send(
                        HttpMethod.POST,
                        prepared.to(),
                        headers,
                        prepared.content().body())
                .map(response -> answered(claim, now, response))
                .otherwise(failure -> unanswered(claim, now, failure));
    }

    private static Attempt unusable(Claim claim, Instant now, Throwable failure) {
        LOG.warn(
                "{} cannot be sent, check the URL and the signing secret of the webhook: {}",
                claim,
                failure.toString());
        return unsent(claim, now);
    }

    private static Attempt unsent(Claim claim, Instant now) {
        return new Attempt(
                claim,
                now,
                Duration.ZERO,
                null,
                null,
                "the URL or the signing secret in the database cannot be used",
                Optional.empty(),
                false);
    }

    private static Attempt answered(Claim claim, Instant now, OutboundResponse response) {
        return new Attempt(
                claim,
                now,
                response.duration(),
                response.status(),
                ResponseExcerpt.of(response.body()),
                null,
                RetryAfter.parse(response.headers().get(HttpHeaders.RETRY_AFTER), now.plus(response.duration())),
                true);
    }

    private static Attempt unanswered(Claim claim, Instant now, Throwable failure) {
        if (failure instanceof OutboundException known) {
            return new Attempt(claim, now, known.duration(), null, null, known.getMessage(), Optional.empty(), true);
        }
        LOG.warn("{} failed", claim, failure);
        return unsent(claim, now);
    }
}
