package dev.vestibule;

import dev.vestibule.config.Settings;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.spi.VertxTracerFactory;
import io.vertx.micrometer.Label;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

    /**
     * Turns the response times of Vert.x's requests into a histogram. A histogram multiplies the number of time series, so
     * it is labelled by the class of a status ({@code 4xx}); the counter of requests has the exact status. Micrometer
     * calls the filter once for each new series.
     */
    private static final class RequestMeters implements MeterFilter {
        private static final String SERVER = "vertx.http.server.";
        private static final String TIME = SERVER + "response.time";
        private static final String ROUTE = "route";
        private static final String CODE = "code";
        private static final String STATUS = "status";

        /** The bounds are close together around the times of verify and me, and of hashing a password. */
        private static final double[] BUCKETS = Stream.of(
                        1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
                .mapToDouble(millis -> Duration.ofMillis(millis).toNanos())
                .toArray();

        @Override
        public Meter.Id map(Meter.Id id) {
            if (!id.getName().startsWith(SERVER)) {
                return id;
            }
            var isTime = id.getName().equals(TIME);
            return id.replaceTags(Tags.of(id.getTags().stream()
                    .map(tag -> tag.getKey().equals(ROUTE) ? Tag.of(ROUTE, last(tag.getValue())) : tag)
                    .map(tag -> isTime && tag.getKey().equals(CODE)
                            ? Tag.of(STATUS, tag.getValue().charAt(0) + "xx")
                            : tag)
                    .toList()));
        }

        /**
         * Vert.x lists all routes that a request passed, such as the one that guards the dashboard; the last is the
         * request's own.
         */
        private static String last(String routes) {
            return routes.substring(routes.lastIndexOf('>') + 1);
        }

        @Override
        public @Nullable DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
            return id.getName().equals(TIME)
                    ? DistributionStatisticConfig.builder()
                            .serviceLevelObjectives(BUCKETS)
                            .build()
                            .merge(config)
                    : config;
        }
    }
}
