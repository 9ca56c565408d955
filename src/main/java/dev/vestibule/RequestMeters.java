package dev.vestibule;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Turns the response times of Vert.x's requests into a histogram. A histogram multiplies the number of time series, so
 * it is labelled by the class of a status ({@code 4xx}); the counter of requests has the exact status. Micrometer
 * calls the filter once for each new series.
 */
final class RequestMeters implements MeterFilter {
    private static final String SERVER = "vertx.http.server.";
    private static final String TIME = SERVER + "response.time";
    private static final String ROUTE = "route";
    private static final String CODE = "code";
    private static final String STATUS = "status";

    /** The bounds are close together around the times of verify and me, and of hashing a password. */
    private static final double[] BUCKETS = Stream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
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
