package dev.vestibule.http;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets a server listen, and closes connections that come before it does. The port is open for a moment before Vert.x has
 * the server's metrics (5.0.12, {@code NetServerImpl}): a request on a connection of that moment fails in them, and would
 * get no answer and no end.
 */
public final class Listening {
    private Listening() {}

    /**
     * Gives later connections to the handler. The server must have no HTTP/2 in clear text, or it hears of a connection
     * only with its first bytes, when it may be listening.
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
