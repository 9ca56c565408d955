package dev.vestibule.benchmark;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.HdrHistogram.Recorder;

/** Visitors who come one after another, each by a connection of their own, so many of them at a time. */
final class VisitLoad implements Load {
    private final Recorder latencies = new Recorder(3);
    private final NetClient net;
    private final int port;
    private final Supplier<Visitor> visitors;
    private final Future<?> ends;
    private volatile boolean isStopped;

    private VisitLoad(Vertx vertx, int port, Supplier<Visitor> visitors, int count) {
        this.net = vertx.createNetClient();
        this.port = port;
        this.visitors = visitors;
        this.ends = Future.all(Stream.generate(this::visits).limit(count).toList());
    }

    static VisitLoad start(Vertx vertx, int port, Supplier<Visitor> visitors, int count) {
        return new VisitLoad(vertx, port, visitors, count);
    }

    private Future<Void> visits() {
        Promise<Void> end = Promise.promise();
        visit(end);
        return end.future();
    }

    private void visit(Promise<Void> end) {
        var visitor = visitors.get();
        Connection.open(net, port, visitor).onComplete(opened -> {
            if (opened.failed()) {
                end.fail(opened.cause());
            } else {
                step(visitor, opened.result(), end);
            }
        });
    }

    private void step(Visitor visitor, Connection connection, Promise<Void> end) {
        var sent = System.nanoTime();
        connection.exchange().onComplete(answered -> {
            latencies.recordValue(System.nanoTime() - sent);
            if (answered.failed()) {
                end.fail(answered.cause());
            } else if (!visitor.isDone()) {
                step(visitor, connection, end);
            } else {
                connection.close();
                if (isStopped) {
                    end.complete();
                } else {
                    visit(end);
                }
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
        net.close().await();
    }
}
