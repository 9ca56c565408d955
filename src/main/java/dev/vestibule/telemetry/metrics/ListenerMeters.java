package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.HttpServerMetrics;
import io.vertx.core.spi.observability.HttpRequest;
import io.vertx.core.spi.observability.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a listener's connections and requests, under the names that Vert.x has for them. Its own look up four
 * meters in the registry at each request, which took a twelfth of the time of a short one; here, a request finds its
 * two by its route. The label of that is its template, never a path, and the method is part of it and no label: a
 * client can choose both freely.
 */
final class ListenerMeters implements HttpServerMetrics<ListenerMeters.Exchange, Void, Void> {
    private static final String PREFIX = "vertx.http.server.";
    private static final int STATUSES = 600;
    private static final int STATUSES_OF_CLASS = 100;

    /** The bounds are close together around the times of verify and me, and of hashing a password. */
    private static final Duration[] BUCKETS = Stream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    /** A request and its response; only its event loop touches it. */
    static final class Exchange {
        private final long beganAt;
        private String route = "";
        private boolean isReceived;
        private boolean isAnswered;
        private boolean isOver;

        private Exchange(long beganAt) {
            this.beganAt = beganAt;
        }
    }

    private final MeterRegistry registry;
    private final String local;
    private final LongAdder connections = new LongAdder();
    private final LongAdder active = new LongAdder();
    private final Counter bytesRead;
    private final Counter bytesWritten;
    private final Counter errors;
    private final Counter resets;
    private final Map<String, RouteMeters> routes = new ConcurrentHashMap<>();

    /** The listener's own address distinguishes the API from health and metrics. */
    ListenerMeters(MeterRegistry registry, String local) {
        this.registry = registry;
        this.local = local;
        gauge("active.connections", "Open connections", connections);
        gauge("active.requests", "Requests that are not answered yet", active);
        bytesRead = counter("bytes.read", "Bytes received");
        bytesWritten = counter("bytes.written", "Bytes sent");
        errors = counter("errors", "Connections that failed");
        resets = counter("request.resets", "Requests whose connection ended before the response");
    }

    private void gauge(String name, String description, LongAdder value) {
        Gauge.builder(PREFIX + name, value, LongAdder::sum)
                .description(description)
                .tag("local", local)
                .strongReference(true)
                .register(registry);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(PREFIX + name)
                .description(description)
                .tag("local", local)
                .register(registry);
    }

    /** The meters of one route by status. Two event loops may make one at once: the registry gives both the same. */
    private final class RouteMeters {
        private final String route;
        private final AtomicReferenceArray<@Nullable Counter> requests = new AtomicReferenceArray<>(STATUSES);
        private final AtomicReferenceArray<@Nullable Timer> times =
                new AtomicReferenceArray<>(STATUSES / STATUSES_OF_CLASS);

        RouteMeters(String route) {
            this.route = route;
        }

        void count(int status, long nanos) {
            requests(status).increment();
            time(status / STATUSES_OF_CLASS).record(nanos, TimeUnit.NANOSECONDS);
        }

        private Counter requests(int status) {
            var known = requests.get(status);
            if (known != null) {
                return known;
            }
            var made = Counter.builder(PREFIX + "requests")
                    .description("Answered requests")
                    .tags("local", local, "route", route, "code", Integer.toString(status))
                    .register(registry);
            requests.set(status, made);
            return made;
        }

        /**
         * A histogram multiplies the number of time series, so it is labelled by the class of a status ({@code 4xx}).
         */
        private Timer time(int statusClass) {
            var known = times.get(statusClass);
            if (known != null) {
                return known;
            }
            var made = Timer.builder(PREFIX + "response.time")
                    .description("Time from the first byte of a request to the last of its response")
                    .tags("local", local, "route", route, "status", statusClass + "xx")
                    .serviceLevelObjectives(BUCKETS)
                    .register(registry);
            times.set(statusClass, made);
            return made;
        }
    }

    @Override
    public @Nullable Void connected(SocketAddress remote, String name) {
        connections.increment();
        return null;
    }

    @Override
    public void disconnected(@Nullable Void connection, SocketAddress remote) {
        connections.decrement();
    }

    @Override
    public void bytesRead(@Nullable Void connection, SocketAddress remote, long bytes) {
        bytesRead.increment((double) bytes);
    }

    @Override
    public void bytesWritten(@Nullable Void connection, SocketAddress remote, long bytes) {
        bytesWritten.increment((double) bytes);
    }

    @Override
    public void exceptionOccurred(@Nullable Void connection, SocketAddress remote, Throwable failure) {
        errors.increment();
    }

    @Override
    public Exchange requestBegin(@Nullable Void connection, HttpRequest request) {
        active.increment();
        return new Exchange(registry.config().clock().monotonicTime());
    }

    /**
     * Vert.x tells of all routes that a request passes, such as the one that guards the dashboard; the last with a name
     * is its own.
     */
    @Override
    public void requestRouted(Exchange exchange, @Nullable String route) {
        if (route != null) {
            exchange.route = route;
        }
    }

    @Override
    public void requestEnd(Exchange exchange, HttpRequest request, long bytes) {
        exchange.isReceived = true;
        endIf(exchange.isAnswered, exchange);
    }

    @Override
    public void responseEnd(Exchange exchange, HttpResponse response, long bytes) {
        exchange.isAnswered = true;
        endIf(exchange.isReceived, exchange);
        routes.computeIfAbsent(exchange.route, RouteMeters::new)
                .count(response.statusCode(), registry.config().clock().monotonicTime() - exchange.beganAt);
    }

    @Override
    public void requestReset(Exchange exchange) {
        endIf(true, exchange);
        resets.increment();
    }

    /** An end can follow a reset. */
    private void endIf(boolean isComplete, Exchange exchange) {
        if (isComplete && !exchange.isOver) {
            exchange.isOver = true;
            active.decrement();
        }
    }
}
