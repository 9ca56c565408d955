package dev.vestibule.server;

import dev.vestibule.config.HttpSettings;
import dev.vestibule.http.InvalidRequestHandler;
import dev.vestibule.http.ResponseHeaders;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Serves the API on one event loop; as many as there are cores share the port. */
public final class ApiVerticle extends VerticleBase {
    /** Makes the handlers' collaborators for the event loop that asks. */
    public interface ServicesFactory {
        Services open();
    }

    private final HttpSettings settings;
    private final ServicesFactory factory;
    private final AtomicInteger connections;
    private final IntConsumer listening;
    private @Nullable HttpServer server;
    private @Nullable Services services;

    /** The connections are counted over all instances; the consumer hears the port. */
    public ApiVerticle(
            HttpSettings settings, ServicesFactory factory, AtomicInteger connections, IntConsumer listening) {
        this.settings = settings;
        this.factory = factory;
        this.connections = connections;
        this.listening = listening;
    }

    @Override
    public Future<?> start() {
        services = factory.open();
        server = vertx.createHttpServer(options());
        return server.requestHandler(new ResponseHeaders(ApiRouter.build(vertx, services, settings)))
                .invalidRequestHandler(new ResponseHeaders(new InvalidRequestHandler()))
                .connectionHandler(connection -> {
                    if (connections.incrementAndGet() > settings.maxConnections()) {
                        connection.close();
                    }
                    connection.closeHandler(closed -> connections.decrementAndGet());
                })
                .listen()
                .onSuccess(bound -> listening.accept(bound.actualPort()));
    }

    /**
     * No HTTP/2 in clear text: Vert.x takes the whole body of a request that asks for the upgrade into memory, before
     * anybody looks at it, and some clients ask with every first request. RFC 9113 did away with it.
     */
    private HttpServerOptions options() {
        return new HttpServerOptions()
                .setHttp2ClearTextEnabled(false)
                .setHost(settings.host())
                .setPort(settings.port())
                .setIdleTimeout((int) settings.idleTimeout().toSeconds())
                .setIdleTimeoutUnit(TimeUnit.SECONDS);
    }

    /** Stops accepting, lets what is in flight finish, then lets go of the database. */
    @Override
    public Future<?> stop() {
        var stopping = server;
        var serving = services;
        if (stopping == null || serving == null) {
            return Future.succeededFuture();
        }
        return stopping.shutdown(settings.shutdownLimit().toSeconds(), TimeUnit.SECONDS)
                .eventually(() -> serving.database().close());
    }
}
