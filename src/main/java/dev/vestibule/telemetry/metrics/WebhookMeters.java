package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Meters of webhook deliveries. */
public final class WebhookMeters {
    private final Counter delivered;
    private final Counter failed;
    private final Counter givenUp;
    private final Counter disabled;
    private final Map<String, Integer> inFlight = new ConcurrentHashMap<>();
    private final Map<String, Integer> held = new ConcurrentHashMap<>();

    WebhookMeters(MeterRegistry registry) {
        delivered = Counter.builder("vestibule.webhooks.delivered")
                .description("Deliveries that an endpoint accepted")
                .register(registry);
        failed = Counter.builder("vestibule.webhooks.failed")
                .description("Attempts to deliver that failed")
                .register(registry);
        givenUp = Counter.builder("vestibule.webhooks.given_up")
                .description("Deliveries whose last attempt failed")
                .register(registry);
        disabled = Counter.builder("vestibule.webhooks.disabled")
                .description("Endpoints that were disabled because they answered 410 or failed for too long")
                .register(registry);
        Gauge.builder("vestibule.webhooks.in_flight", inFlight, WebhookMeters::sum)
                .description("Attempts in flight on this node")
                .register(registry);
        Gauge.builder("vestibule.webhooks.held", held, WebhookMeters::sum)
                .description("Deliveries that are due and that this node has claimed")
                .register(registry);
    }

    public void delivered() {
        delivered.increment();
    }

    public void failed(boolean isLast) {
        failed.increment();
        if (isLast) {
            givenUp.increment();
        }
    }

    public void disabled() {
        disabled.increment();
    }

    /** What the deliverer of one of the databases does. */
    public void inFlight(String database, int inFlightNow, int heldNow) {
        inFlight.put(database, inFlightNow);
        held.put(database, heldNow);
    }

    private static double sum(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(count -> count).sum();
    }
}
