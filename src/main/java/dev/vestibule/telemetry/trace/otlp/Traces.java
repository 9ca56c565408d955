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

/** The connection to a trace collector, from the start of the server to its end. */
public final class Traces implements AutoCloseable {
    private static final Duration LONGEST_FLUSH = Duration.ofSeconds(5);

    /** Metrics and logs have their own outputs; they go to a collector from here only if the environment says so. */
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

    /** Call this before creating Vert.x, whose contexts need room for traces. It does not connect yet. */
    public static Traces open(TraceSettings settings) {
        var properties = new HashMap<>(DEFAULTS);
        properties.putAll(settings.properties());
        var log = LibraryLog.open();
        try {
            var configured = AutoConfiguredOpenTelemetrySdk.builder()
                    .addPropertiesSupplier(() -> properties)
                    .disableShutdownHook() // the server's own hook first ends what is traced
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

    /** Sends the waiting spans, if the collector accepts them in time. */
    @Override
    public void close() {
        sdk.shutdown().join(LONGEST_FLUSH.toMillis(), TimeUnit.MILLISECONDS);
        log.close();
    }
}
