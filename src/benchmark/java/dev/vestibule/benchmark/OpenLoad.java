package dev.vestibule.benchmark;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Recorder;

/**
 * Sends requests at a constant rate, those of a millisecond together, whether or not the server keeps up, like
 * independent people. A latency counts from when its request was due, so that a server that stops for a while is still
 * charged for the requests that would have come then (coordinated omission).
 */
final class OpenLoad implements Load {
    private static final Duration TICK = Duration.ofMillis(1);

    private final Recorder latencies = new Recorder(3);
    private final double perTick;
    private final NetClient net;
    private final Context loop;
    private final Queue<Connection> idle = new ArrayDeque<>(); // this and the next are of the event loop
    private final Queue<Long> due = new ArrayDeque<>();
    private final int connections;
    private final Promise<Void> end = Promise.promise();
    private final Thread schedule = new Thread(this::schedule, "schedule");
    private volatile boolean isStopped;

    private OpenLoad(Vertx vertx, int port, List<Client> clients, double perSecond) {
        perTick = perSecond * TICK.toNanos() / 1e9;
        net = vertx.createNetClient();
        loop = vertx.getOrCreateContext();
        connections = clients.size();
        Future.all(clients.stream()
                        .map(client -> Connection.open(net, port, client).onSuccess(idle::add))
                        .toList())
                .await();
        schedule.start();
    }

    /** The Vert.x must have one event loop. There must be enough clients that one is idle whenever a request is due. */
    static OpenLoad start(Vertx vertx, int port, List<Client> clients, double perSecond) {
        return new OpenLoad(vertx, port, clients, perSecond);
    }

    /** Uses absolute times, so that a late tick does not delay later ones. */
    private void schedule() {
        var start = System.nanoTime();
        var made = 0L;
        for (var tick = 1; !isStopped; tick++) {
            var at = start + tick * TICK.toNanos();
            LockSupport.parkNanos(at - System.nanoTime());
            var count = (long) (tick * perTick) - made;
            made += count;
            if (count > 0) {
                loop.runOnContext(nothing -> {
                    for (var i = 0; i < count; i++) {
                        due.add(at);
                    }
                    send();
                });
            }
        }
        loop.runOnContext(nothing -> endWhenIdle());
    }

    private void send() {
        while (!due.isEmpty() && !idle.isEmpty()) {
            var connection = idle.remove();
            var at = due.remove();
            connection.exchange().onComplete(answered -> {
                latencies.recordValue(System.nanoTime() - at);
                idle.add(connection);
                if (answered.failed()) {
                    end.tryFail(answered.cause());
                }
                send();
                endWhenIdle();
            });
        }
    }

    private void endWhenIdle() {
        if (isStopped && due.isEmpty() && idle.size() == connections) {
            end.tryComplete();
        }
    }

    @Override
    public Recorder latencies() {
        return latencies;
    }

    @Override
    public void stop() {
        isStopped = true;
        end.future().await();
        net.close().await();
    }
}
