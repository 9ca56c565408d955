package dev.vestibule.http;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns the operator about a proxy that {@code http.trustedProxies} does not name, because all its clients then look
 * like one. Clients can send these headers too, so it warns at most once a minute and quotes nothing from a request.
 */
final class ProxyWarning {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyWarning.class);
    private static final long INTERVAL_MILLIS = Duration.ofMinutes(1).toMillis();

    private final Clock clock;
    private final AtomicLong silentUntil = new AtomicLong(Long.MIN_VALUE);

    ProxyWarning(Clock clock) {
        this.clock = clock;
    }

    boolean isDue() {
        return clock.millis() >= silentUntil.get();
    }

    void warn() {
        var until = silentUntil.get();
        var now = clock.millis();
        if (now >= until && silentUntil.compareAndSet(until, now + INTERVAL_MILLIS)) {
            LOG.warn(
                    "A request came with a forwarding header from an address that http.trustedProxies does not name, so"
                            + " the header is not believed. If it is your proxy, name it there: until then all its clients count"
                            + " as one, and sign ins with providers always ask for consent.");
        }
    }
}
