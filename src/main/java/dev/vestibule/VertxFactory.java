package dev.vestibule;

import dev.vestibule.config.Settings;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.spi.VertxTracerFactory;
import io.vertx.micrometer.Label;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Configures Vert.x: native transport, no unpacked files, and metrics labelled by route template, never by path. */
final class VertxFactory {
    private static final Set<MetricsDomain> UNUSED = EnumSet.of(
            MetricsDomain.EVENT_BUS,
            MetricsDomain.DATAGRAM_SOCKET,
            MetricsDomain.HTTP_CLIENT, // deliveries and sign ins with providers have their own meters
            MetricsDomain.NET_CLIENT,
            MetricsDomain.NET_SERVER,
            MetricsDomain.VERTICLES);

    private VertxFactory() {}

    static Vertx create(Settings settings, PrometheusMeterRegistry registry, Optional<VertxTracerFactory> tracer) {
        var metrics = new MicrometerMetricsOptions()
                .setEnabled(true)
                // Registry names are global in the JVM, and tests run several servers in one JVM.
                .setRegistryName(UUID.randomUUID().toString())
                .setJvmMetricsEnabled(true)
                // The method is not a label, because a client can choose it freely; a route's name contains it.
                .setLabels(EnumSet.of(
                        Label.LOCAL, // distinguishes the API's listener from that of health and metrics
                        Label.HTTP_ROUTE,
                        Label.HTTP_CODE,
                        Label.POOL_TYPE,
                        Label.POOL_NAME,
                        Label.NAMESPACE));
        UNUSED.forEach(domain -> metrics.addDisabledMetricsCategory(domain.toCategory()));
        // A connection pool is named after its target, and users choose the targets of webhooks.
        registry.config()
                .meterFilter(MeterFilter.deny(meter -> "http".equals(meter.getTag("pool_type"))))
                .meterFilter(new RequestMeters());
        var options = new VertxOptions()
                .setEventLoopPoolSize(settings.http().eventLoops())
                .setPreferNativeTransport(true)
                .setMetricsOptions(metrics)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false));
        var builder = Vertx.builder().with(options).withMetrics(new MicrometerMetricsFactory(registry));
        tracer.ifPresent(builder::withTracer);
        return builder.build();
    }
}
