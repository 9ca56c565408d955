package dev.vestibule.server;

import dev.vestibule.App;
import dev.vestibule.config.HttpSettings;
import dev.vestibule.database.Database;
import dev.vestibule.http.HttpListener;
import dev.vestibule.http.InvalidRequestHandler;
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

/** Serves the API on one event loop. There is one instance per configured event loop, and all share the port. */
public final class ApiVerticle extends VerticleBase {
    /**
     * While a guard asks the database, its request is paused and keeps whatever was read together with its head. No
     * byte budget counts that, and Netty would read up to 64 KiB at once. The limit on connections is derived from this
     * value.
     */
    private static final int READ_BYTES = 16 * 1024;

    /**
     * What the kernel buffers for a connection in addition. A whole packet must fit, and a packet from a proxy on the
     * same machine has 64 KiB: with a smaller buffer, the sender waits for a timer after each part, half a second in
     * all for 64 KiB.
     */
    private static final int SOCKET_BUFFER_BYTES = 64 * 1024;

    /** Port 0 would give each instance a port of its own. */
    private static final int ONE_FREE_PORT = -1;

    private static final Logger LOG = LoggerFactory.getLogger(ApiVerticle.class);

    private final HttpSettings settings;
    private final RequestLog requestLog;
    private final App app;
    private final Database database;
    private final Admission admission;
    private final Readiness readiness;
    private final IntConsumer onListening;
    private @Nullable HttpServer server;

    /** All instances share everything that they are given; the consumer receives the port. */
    public ApiVerticle(
            HttpSettings settings,
            RequestLog requestLog,
            App app,
            Database database,
            Admission admission,
            Readiness readiness,
            IntConsumer onListening) {
        this.settings = settings;
        this.requestLog = requestLog;
        this.app = app;
        this.database = database;
        this.admission = admission;
        this.readiness = readiness;
        this.onListening = onListening;
    }

    @Override
    public Future<?> start() {
        database.open();
        server = vertx.createHttpServer(options());
        var connections = admission.connections();
        connections.start(vertx);
        var router = ApiRouter.build(vertx, app, settings, requestLog, admission, connections);
        server.requestHandler(connections.tracking(new ResponseHeaders(new UnreadResponses(router))))
                .invalidRequestHandler(connections.tracking(new ResponseHeaders(new InvalidRequestHandler())))
                .exceptionHandler(ApiVerticle::connectionFailed);
        readiness.add(context, this::anyDatabaseAnswers);
        return HttpListener.start(server, connection -> {
                    readLittleAtOnce(connection);
                    connections.accept(connection);
                })
                .onSuccess(bound -> onListening.accept(bound.actualPort()));
    }

    /**
     * One that is down is felt by its own projects alone, even if it is home: the node still serves those of others.
     */
    private Future<Void> anyDatabaseAnswers() {
        return Future.any(database.shards().stream()
                        .map(shard -> database.at(shard).ping())
                        .toList())
                .mapEmpty();
    }

    /**
     * No clear-text HTTP/2: for a request that asks for the upgrade, Vert.x reads the whole body into memory before any
     * handler sees it, and some clients ask with every first request. RFC 9113 has removed this upgrade.
     *
     * <p>No WebSocket handlers either, which nothing here uses: they inspect every request. No idle timeout:
     * {@link dev.vestibule.http.Connections} has it.
     */
    private HttpServerOptions options() {
        return new HttpServerOptions()
                .setHttp2ClearTextEnabled(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setReceiveBufferSize(SOCKET_BUFFER_BYTES)
                .setHost(settings.host())
                .setPort(settings.port() == 0 ? ONE_FREE_PORT : settings.port());
    }

    /**
     * Limits how much is read at once, before the first byte; Vert.x would read everything that the kernel has
     * buffered.
     */
    private static void readLittleAtOnce(HttpConnection connection) {
        ((ConnectionBase) connection)
                .channel()
                .config()
                .setRecvByteBufAllocator(new FixedRecvByteBufAllocator(READ_BYTES));
    }

    /** Failures that a client causes on its connection are not logged, or strangers could fill the log. */
    private static void connectionFailed(Throwable failure) {
        if (failure instanceof Error) {
            LOG.error("A connection failed", failure);
        }
    }

    /** Stops accepting requests, lets those in flight finish, and then closes the connections to the database. */
    @Override
    public Future<?> stop() {
        var stopping = server;
        if (stopping == null) {
            return Future.succeededFuture();
        }
        return stopping.shutdown(settings.shutdownLimit().toSeconds(), TimeUnit.SECONDS)
                .eventually(() -> database.close());
    }
}
