package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.ClientMetrics;
import io.vertx.core.spi.metrics.HttpServerMetrics;
import io.vertx.core.spi.metrics.PoolMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import io.vertx.micrometer.MicrometerMetricsFactory;
import org.jspecify.annotations.Nullable;

/**
 * What Vert.x measures: the JVM, and connections to PostgreSQL, by its own meters; requests, by {@link ListenerMeters}.
 * Deliveries and sign ins with providers have meters of their own.
 */
public final class VertxMeters implements VertxMetrics {
    private final VertxMetrics vertxMetrics;
    private final MeterRegistry registry;

    private VertxMeters(VertxMetrics vertxMetrics, MeterRegistry registry) {
        this.vertxMetrics = vertxMetrics;
        this.registry = registry;
    }

    public static MicrometerMetricsFactory in(MeterRegistry registry) {
        return new MicrometerMetricsFactory(registry) {
            @Override
            public VertxMetrics metrics(VertxOptions options) {
                return new VertxMeters(super.metrics(options), registry);
            }
        };
    }

    @Override
    public HttpServerMetrics<?, ?, ?> createHttpServerMetrics(HttpServerOptions options, SocketAddress address) {
        return new ListenerMeters(registry, address.toString());
    }

    @Override
    public ClientMetrics<?, ?, ?> createClientMetrics(SocketAddress remote, String type, String namespace) {
        return vertxMetrics.createClientMetrics(remote, type, namespace);
    }

    /**
     * Pools of HTTP clients have no metrics: such a pool is named after its target, and users choose the targets of
     * webhooks.
     */
    @Override
    public @Nullable PoolMetrics<?, ?> createPoolMetrics(String type, String name, int maximumSize) {
        return type.equals("http") ? null : vertxMetrics.createPoolMetrics(type, name, maximumSize);
    }

    @Override
    public void vertxCreated(Vertx vertx) {
        vertxMetrics.vertxCreated(vertx);
    }

    @Override
    public boolean isMetricsEnabled() {
        return vertxMetrics.isMetricsEnabled();
    }

    @Override
    public void close() {
        vertxMetrics.close();
    }
}
