package dev.vestibule.server;

import dev.vestibule.config.ManagementSettings;
import dev.vestibule.http.HttpListener;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.tracing.TracingPolicy;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/** Health and metrics, on a separate port that is not for the public. */
public final class ManagementVerticle extends VerticleBase {
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final ManagementSettings settings;
    private final Readiness readiness;
    private final PrometheusMeterRegistry registry;
    private final BooleanSupplier isServing;
    private final IntConsumer onListening;

    /** The supplier tells whether the server still accepts work; the consumer receives the port. */
    public ManagementVerticle(
            ManagementSettings settings,
            Readiness readiness,
            PrometheusMeterRegistry registry,
            BooleanSupplier isServing,
            IntConsumer onListening) {
        this.settings = settings;
        this.readiness = readiness;
        this.registry = registry;
        this.isServing = isServing;
        this.onListening = onListening;
    }

    @Override
    public Future<?> start() {
        var options = new HttpServerOptions()
                .setHttp2ClearTextEnabled(false)
                .setTracingPolicy(TracingPolicy.IGNORE)
                .setHost(settings.host())
                .setPort(settings.port());
        var server = vertx.createHttpServer(options).requestHandler(this::handle);
        return HttpListener.start(server, connection -> {}).onSuccess(bound -> onListening.accept(bound.actualPort()));
    }

    private void handle(HttpServerRequest request) {
        switch (request.path()) {
            case "/health/live" -> answer(request, 200, "UP");
            case "/health/ready" ->
                readiness.check().onComplete(ready -> {
                    var isReady = ready.succeeded() && isServing.getAsBoolean();
                    answer(request, isReady ? 200 : 503, isReady ? "UP" : "DOWN");
                });
            case "/metrics" -> scrape(request);
            default -> answer(request, 404, "UNKNOWN");
        }
    }

    /** Runs off the event loop, because a scrape reads every meter. */
    private void scrape(HttpServerRequest request) {
        vertx.executeBlocking(registry::scrape, false)
                .onSuccess(text ->
                        request.response().putHeader("Content-Type", PROMETHEUS).end(text))
                .onFailure(failure -> answer(request, 500, "DOWN"));
    }

    private static void answer(HttpServerRequest request, int status, String text) {
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .end("{\"status\":\"" + text + "\"}");
    }
}
