package dev.vestibule.benchmark;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.ConcurrentHistogram;

/** Clients with one connection each, which send the next request when the response to the last one has arrived. */
final class Load {
    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final String LENGTH = "content-length: ";
    private static final int STATUS_AT = "HTTP/1.1 ".length();

    /** The result of a load. */
    record Figure(double perSecond, double medianMillis, double p99Millis) {}

    private final long measureFromNanos;
    private final long endNanos;
    private final ConcurrentHistogram latencies = new ConcurrentHistogram(3);

    private Load(Duration warmUp, Duration time) {
        measureFromNanos = System.nanoTime() + warmUp.toNanos();
        endNanos = measureFromNanos + time.toNanos();
    }

    /** Fails if a response has another status than the client expects. */
    static Figure run(Vertx vertx, int port, List<Client> clients, Duration warmUp, Duration time) {
        var load = new Load(warmUp, time);
        var net = vertx.createNetClient();
        Future.all(clients.stream()
                        .map(client -> net.connect(port, "localhost")
                                .compose(socket -> load.new Exchange(client, socket).run()))
                        .toList())
                .await();
        net.close().await();
        var histogram = load.latencies;
        return new Figure(
                histogram.getTotalCount() * 1e9 / time.toNanos(),
                histogram.getValueAtPercentile(50) / 1e6,
                histogram.getValueAtPercentile(99) / 1e6);
    }

    /** One client's requests and responses. */
    private final class Exchange {
        private final Client client;
        private final NetSocket socket;
        private final Promise<Void> end = Promise.promise();
        private String received = "";
        private long sentNanos;

        Exchange(Client client, NetSocket socket) {
            this.client = client;
            this.socket = socket;
        }

        Future<Void> run() {
            socket.handler(this::receive);
            socket.closeHandler(closed -> end.tryFail("the server closed the connection"));
            send();
            return end.future();
        }

        private void send() {
            sentNanos = System.nanoTime();
            socket.write(client.next());
        }

        private void receive(Buffer part) {
            received = received + part.toString(StandardCharsets.ISO_8859_1);
            var head = received.indexOf(END_OF_HEAD);
            if (head >= 0 && received.length() >= head + END_OF_HEAD.length() + bodyLength(head)) {
                var response = received;
                received = "";
                answered(response);
            }
        }

        private int bodyLength(int head) {
            var start = received.indexOf(LENGTH) + LENGTH.length();
            var end = received.indexOf('\r', start);
            return start < LENGTH.length() || start > head ? 0 : Integer.parseInt(received, start, end, 10);
        }

        private void answered(String response) {
            var now = System.nanoTime();
            if (Integer.parseInt(response, STATUS_AT, STATUS_AT + 3, 10) != client.expectedStatus()) {
                end.tryFail("unexpected answer: " + response);
                socket.close();
                return;
            }
            if (now >= measureFromNanos && now < endNanos) {
                latencies.recordValue(now - sentNanos);
            }
            client.answered(response);
            if (now < endNanos) {
                send();
            } else {
                end.tryComplete();
                socket.close();
            }
        }
    }
}
