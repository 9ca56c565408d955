package dev.vestibule.server;

import dev.vestibule.config.HttpSettings;
import dev.vestibule.http.InvalidRequestHandler;
import dev.vestibule.http.Listening;
import dev.vestibule.http.RequestLog;
import dev.vestibule.http.ResponseHeaders;
import dev.vestibule.http.UnreadResponses;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the API on one event loop; as many as there are cores share the port. */
public final class ApiVerticle extends VerticleBase {
    /** Makes the handlers' collaborators for the event loop that asks. */
    public interface ServicesFactory {
        Services open();
    }

    /**
     * A paused request, whose guard asks the database, keeps what was read with its head, and no budget of bytes counts
     * that: Netty would read up to 64 KiB at once. The limit of connections is derived from this.
     */
    private static final int READ_BYTES = 16 * 1024;

    /**
     * What the kernel keeps of a connection beside that. A packet has to fit, which has 64 KiB where a proxy on the same
     * machine sends it: with less, the sender waits for a timer after each part, and half a second for 64 KiB.
     */
    private static final int SOCKET_BUFFER_BYTES = 64 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(ApiVerticle.class);

    private final HttpSettings settings;
    private final RequestLog requestLog;
    private final ServicesFactory factory;
    private final Admission admission;
    private final Readiness readiness;
    private final IntConsumer listening;
    private @Nullable HttpServer server;
    private @Nullable Services services;

    /** All instances share the admission; the consumer hears the port. */
    public ApiVerticle(
            HttpSettings settings,
            RequestLog requestLog,
            ServicesFactory factory,
            Admission admission,
            Readiness readiness,
            IntConsumer listening) {
        this.settings = settings;
        this.requestLog = requestLog;
        this.factory = factory;
        this.admission = admission;
        this.readiness = readiness;
        this.listening = listening;
    }

    @Override
    public Future<?> start() {
        services = factory.open();
        server = vertx.createHttpServer(options());
        var connections = admission.connections();
        connections.start(vertx);
        var router = ApiRouter.build(vertx, services, settings, requestLog, admission, connections);
        server.requestHandler(connections.before(new ResponseHeaders(new UnreadResponses(router))))
                .invalidRequestHandler(connections.before(new ResponseHeaders(new InvalidRequestHandler())))
                .exceptionHandler(ApiVerticle::connectionFailed);
        readiness.add(context, services.database()::ping);
        return Listening.start(server, connection -> {
                    readLittleAtOnce(connection);
                    connections.accept(connection);
                })
                .onSuccess(bound -> listening.accept(bound.actualPort()));
    }

    /**
     * No HTTP/2 in clear text: Vert.x takes the whole body of a request that asks for the upgrade into memory, before
     * anybody looks at it, and some clients ask with every first request. RFC 9113 did away with it.
     *
     * <p>No handlers for WebSockets either, which nothing here uses: they look at every request.
     */
    private HttpServerOptions options() {
        return new HttpServerOptions()
                .setHttp2ClearTextEnabled(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setReceiveBufferSize(SOCKET_BUFFER_BYTES)
                .setHost(settings.host())
                .setPort(settings.port())
                .setIdleTimeout((int) settings.idleTimeout().toSeconds())
                .setIdleTimeoutUnit(TimeUnit.SECONDS);
    }

    /** Before its first byte; Vert.x would read as much at once as the kernel keeps. */
    private static void readLittleAtOnce(HttpConnection connection) {
        ((ConnectionBase) connection)
                .channel()
                .config()
                .setRecvByteBufAllocator(new FixedRecvByteBufAllocator(READ_BYTES));
    }

    /** What a client does to its connection is not logged, or strangers could fill the log. */
    private static void connectionFailed(Throwable failure) {
        if (failure instanceof Error) {
            LOG.error("A connection failed", failure);
        }
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
