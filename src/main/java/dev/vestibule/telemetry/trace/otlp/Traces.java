package dev.vestibule.telemetry.trace.otlp;

import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.config.TraceSettings;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.vertx.core.spi.VertxTracerFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The way to a collector of traces, from the start of the server to its end. */
public final class Traces implements AutoCloseable {
    private static final Duration LONGEST_FLUSH = Duration.ofSeconds(5);

    /** Metrics and logs have ways of their own; a collector gets them from here only if it is told so. */
    private static final Map<String, String> DEFAULTS = Map.of(
            "otel.service.name", "vestibule",
            "otel.exporter.otlp.protocol", "http/protobuf",
            "otel.metrics.exporter", "none",
            "otel.logs.exporter", "none");

    private final OpenTelemetrySdk sdk;
    private final RequestTracer tracer;
    private final LibraryLog log;

    private Traces(OpenTelemetrySdk sdk, LibraryLog log) {
        this.sdk = sdk;
        this.log = log;
        this.tracer = new RequestTracer(sdk.getTracer("dev.vestibule"));
    }

    /** To be called before Vert.x is made, whose contexts need room for what is traced. Connects to nothing yet. */
    public static Traces open(TraceSettings settings) {
        var properties = new HashMap<>(DEFAULTS);
        properties.putAll(settings.properties());
        var log = LibraryLog.open();
        try {
            var configured = AutoConfiguredOpenTelemetrySdk.builder()
                    .addPropertiesSupplier(() -> properties)
                    .disableShutdownHook() // the server has one, which ends what is traced first
                    .build();
            return new Traces(configured.getOpenTelemetrySdk(), log);
        } catch (RuntimeException wrong) {
            log.close();
            throw new InvalidConfigurationException(List.of(
                    "OTEL_…: OpenTelemetry cannot be set up: " + settings.masked(String.valueOf(wrong.getMessage()))));
        }
    }

    public VertxTracerFactory factory() {
        return options -> tracer;
    }

    /** Sends what waits, if the collector takes it in time. */
    @Override
    public void close() {
        sdk.shutdown().join(LONGEST_FLUSH.toMillis(), TimeUnit.MILLISECONDS);
        log.close();
    }
}
