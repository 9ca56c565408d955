package dev.vestibule.benchmark;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A client's connection to a server, with one request at a time: the minimum of HTTP/1.1 that a load needs. */
final class Connection {
    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final String LENGTH = "content-length: ";

    private final NetSocket socket;
    private final Client client;
    private String received = "";
    private @Nullable Promise<Void> answer;

    private Connection(NetSocket socket, Client client) {
        this.socket = socket;
        this.client = client;
        socket.handler(this::receive);
        socket.closeHandler(closed -> end("the server closed the connection"));
    }

    static Future<Connection> open(NetClient net, int port, Client client) {
        return net.connect(port, "localhost").map(socket -> new Connection(socket, client));
    }

    /** Sends the client's next request; fails unless the client accepts the response. */
    Future<Void> exchange() {
        Promise<Void> promise = Promise.promise();
        answer = promise;
        socket.write(client.next());
        return promise.future();
    }

    Future<Void> close() {
        socket.closeHandler(null);
        return socket.close();
    }

    private void receive(Buffer part) {
        received = received + part.toString(StandardCharsets.ISO_8859_1);
        var head = received.indexOf(END_OF_HEAD);
        if (head >= 0 && received.length() >= head + END_OF_HEAD.length() + bodyLength(head)) {
            var response = received;
            received = "";
            end(client.accepts(response) ? null : "unexpected answer: " + response);
        }
    }

    private int bodyLength(int head) {
        var start = received.indexOf(LENGTH) + LENGTH.length();
        var end = received.indexOf('\r', start);
        return start < LENGTH.length() || start > head ? 0 : Integer.parseInt(received, start, end, 10);
    }

    private void end(@Nullable String failure) {
        var waiting = answer;
        answer = null;
        if (waiting == null) {
            return;
        }
        if (failure == null) {
            waiting.complete();
        } else {
            waiting.fail(failure);
        }
    }
}
