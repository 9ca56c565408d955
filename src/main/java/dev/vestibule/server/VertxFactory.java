package dev.vestibule.server;

import dev.vestibule.config.Settings;
import dev.vestibule.telemetry.metrics.VertxMeters;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.spi.VertxTracerFactory;
import io.vertx.micrometer.Label;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.UUID;

/** Configures Vert.x: native transport, no unpacked files, and meters. */
public final class VertxFactory {
    private VertxFactory() {}

    /** Measures in this registry, and traces if there is a tracer. */
    public static Vertx create(
            Settings settings, PrometheusMeterRegistry registry, Optional<VertxTracerFactory> tracer) {
        var metrics = new MicrometerMetricsOptions()
                .setEnabled(true)
                // Registry names are global in the JVM, and tests run several servers in one JVM.
                .setRegistryName(UUID.randomUUID().toString())
                .setJvmMetricsEnabled(true)
                .setLabels(EnumSet.of(Label.POOL_TYPE, Label.POOL_NAME, Label.NAMESPACE));
        var options = new VertxOptions()
                .setEventLoopPoolSize(settings.http().eventLoops())
                .setPreferNativeTransport(true)
                .setMetricsOptions(metrics)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false));
        var builder = Vertx.builder().with(options).withMetrics(VertxMeters.in(registry));
        tracer.ifPresent(builder::withTracer);
        return builder.build();
    }
}
