package dev.vestibule.benchmark;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Supplier;
import org.HdrHistogram.Recorder;

/**
 * Each worker begins its next task when its last one has ended, which measures the maximum throughput for that many
 * workers.
 */
final class ClosedLoad implements Load {
    private final Recorder latencies = new Recorder(3);
    private final Supplier<Future<Void>> close;
    private final Future<?> ends;
    private volatile boolean isStopped;

    private ClosedLoad(List<? extends Supplier<? extends Future<?>>> workers, Supplier<Future<Void>> close) {
        this.close = close;
        this.ends = Future.all(workers.stream().map(this::work).toList());
    }

    /** A worker starts its next task and returns a future of its end; after the last task everything is closed. */
    static ClosedLoad start(List<? extends Supplier<? extends Future<?>>> workers, Supplier<Future<Void>> close) {
        return new ClosedLoad(workers, close);
    }

    /** Each client sends its next request when the last one is answered. */
    static ClosedLoad of(Vertx vertx, int port, List<Client> clients) {
        var net = vertx.createNetClient();
        var connections = Future.all(clients.stream()
                        .map(client -> Connection.open(net, port, client))
                        .toList())
                .await();
        return start(
                connections.<Connection>list().stream()
                        .map(connection -> (Supplier<Future<Void>>) connection::exchange)
                        .toList(),
                net::close);
    }

    private Future<Void> work(Supplier<? extends Future<?>> worker) {
        Promise<Void> end = Promise.promise();
        step(worker, end);
        return end.future();
    }

    private void step(Supplier<? extends Future<?>> worker, Promise<Void> end) {
        var started = System.nanoTime();
        worker.get().onComplete(ended -> {
            latencies.recordValue(System.nanoTime() - started);
            if (ended.failed()) {
                end.fail(ended.cause());
            } else if (isStopped) {
                end.complete();
            } else {
                step(worker, end);
            }
        });
    }

    boolean hasFailed() {
        return ends.failed();
    }

    @Override
    public Recorder latencies() {
        return latencies;
    }

    @Override
    public void stop() {
        isStopped = true;
        ends.await();
        close.get().await();
    }
}
