package dev.vestibule.benchmark;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.util.List;
import org.HdrHistogram.Recorder;

/** Each client sends its next request when the last one is answered: as much as the server can do for so many of them. */
final class ClosedLoad implements Load {
    private final Recorder latencies = new Recorder(3);
    private final NetClient net;
    private final Future<?> ends;
    private volatile boolean isStopped;

    private ClosedLoad(Vertx vertx, int port, List<Client> clients) {
        net = vertx.createNetClient();
        var connections = Future.all(clients.stream()
                        .map(client -> Connection.open(net, port, client))
                        .toList())
                .await();
        ends = Future.all(
                connections.<Connection>list().stream().map(this::work).toList());
    }

    static ClosedLoad start(Vertx vertx, int port, List<Client> clients) {
        return new ClosedLoad(vertx, port, clients);
    }

    private Future<Void> work(Connection connection) {
        Promise<Void> end = Promise.promise();
        step(connection, end);
        return end.future();
    }

    private void step(Connection connection, Promise<Void> end) {
        var sent = System.nanoTime();
        connection.exchange().onComplete(answered -> {
            latencies.recordValue(System.nanoTime() - sent);
            if (answered.failed()) {
                end.fail(answered.cause());
            } else if (isStopped) {
                end.complete();
            } else {
                step(connection, end);
            }
        });
    }

    @Override
    public Recorder latencies() {
        return latencies;
    }

    @Override
    public void stop() {
        isStopped = true;
        ends.await();
        net.close().await();
    }
}
