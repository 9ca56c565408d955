package dev.vestibule.http;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Starts a server, and closes connections that arrive before it is ready. The port is open for a moment before Vert.x
 * has created the server's metrics (5.0.12, {@code NetServerImpl}): a request on a connection from that moment fails
 * there, and would never be answered or closed.
 */
public final class HttpListener {
    private HttpListener() {}

    /**
     * Passes later connections to the handler. Clear-text HTTP/2 must be off, or the server would learn of a connection
     * only from its first bytes, when it may already be listening.
     */
    public static Future<HttpServer> start(HttpServer server, Handler<HttpConnection> connections) {
        var isListening = new AtomicBoolean();
        return server.connectionHandler(connection -> {
                    if (isListening.get()) {
                        connections.handle(connection);
                    } else {
                        connection.close();
                    }
                })
                .listen()
                .onSuccess(bound -> isListening.set(true));
    }
}
