package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.LongSupplier;

/** Meters of what the API's listener holds, and of what it refuses beyond its limits. */
public final class HttpMeters {
    private final MeterRegistry registry;
    private final Counter refused;
    private final Counter displaced;
    private final Counter timedOut;
    private final Counter bodiesRefused;

    HttpMeters(MeterRegistry registry) {
        this.registry = registry;
        refused = closed("limit");
        displaced = closed("silent");
        timedOut = closed("slow");
        bodiesRefused = Counter.builder("vestibule.http.bodies.refused")
                .description("Requests that got 503 because too many bytes of bodies or unread responses were held")
                .register(registry);
    }

    private Counter closed(String reason) {
        return Counter.builder("vestibule.http.connections.closed")
                .description(
                        "Connections closed because there were too many (limit), because too many had asked nothing"
                                + " yet (silent), or because sending or reading took too long (slow)")
                .tag("reason", reason)
                .register(registry);
    }

    public void register(LongSupplier connections, LongSupplier bodyBytes, LongSupplier responseBytes) {
        Gauge.builder("vestibule.http.connections", connections, LongSupplier::getAsLong)
                .description("Open connections")
                .strongReference(true)
                .register(registry);
        Gauge.builder("vestibule.http.bodies.held", bodyBytes, LongSupplier::getAsLong)
                .description("Bytes of request bodies held until their response has ended")
                .baseUnit("bytes")
                .strongReference(true)
                .register(registry);
        Gauge.builder("vestibule.http.responses.unread", responseBytes, LongSupplier::getAsLong)
                .description("Bytes of large responses that clients have not read yet")
                .baseUnit("bytes")
                .strongReference(true)
                .register(registry);
    }

    public void connectionRefused() {
        refused.increment();
    }

    public void connectionDisplaced() {
        displaced.increment();
    }

    public void connectionTimedOut() {
        timedOut.increment();
    }

    public void bodyRefused() {
        bodiesRefused.increment();
    }
}
