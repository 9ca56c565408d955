package dev.vestibule.benchmark;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Clients that are connected and do little; those that send slowly come back when the server cuts them off. */
final class Crowd {
    private static final Duration SLOWLY = Duration.ofSeconds(1);
    private static final int SMALL_BUFFER = 4096;
    private static final String GET = "GET /v1/openapi.json HTTP/1.1\r\nhost: localhost\r\n";
    private static final Buffer REQUEST = Buffer.buffer(GET + "\r\n");
    private static final Buffer BEGIN_OF_HEAD = Buffer.buffer(GET + "x-more: ");
    private static final Buffer HEAD_WITH_BODY = Buffer.buffer(
            "POST /v1/auth/signin HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n");
    private static final int UNREAD_REQUESTS = 20;

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final NetClient net;
    private final int port;
    private final AtomicInteger comebacks = new AtomicInteger();
    private volatile boolean isLeaving;

    Crowd(int port) {
        this.port = port;
        this.net = vertx.createNetClient(new NetClientOptions().setReceiveBufferSize(SMALL_BUFFER));
    }

    /** They ask once, and stay. */
    void addIdle(int count) {
        add(count, socket -> socket.write(REQUEST));
    }

    /** They send a head, one byte a second. */
    void addSlowHeads(int count) {
        add(count, socket -> sendSlowly(socket, BEGIN_OF_HEAD));
    }

    /** They send a body, one byte a second. */
    void addSlowBodies(int count) {
        add(count, socket -> sendSlowly(socket, HEAD_WITH_BODY));
    }

    /** They ask for much, and read nothing. */
    void addUnread(int count) {
        add(count, socket -> {
            socket.pause();
            for (int i = 0; i < UNREAD_REQUESTS; i++) {
                socket.write(REQUEST);
            }
        });
    }

    private void add(int count, Consumer<NetSocket> habit) {
        for (int i = 0; i < count; i++) {
            net.connect(port, "localhost").onSuccess(habit::accept).await();
        }
    }

    private void sendSlowly(NetSocket socket, Buffer begin) {
        socket.write(begin);
        var timer = vertx.setPeriodic(SLOWLY.toMillis(), tick -> socket.write("x"));
        socket.closeHandler(closed -> {
            vertx.cancelTimer(timer);
            if (!isLeaving) {
                comebacks.incrementAndGet();
                net.connect(port, "localhost").onSuccess(again -> sendSlowly(again, begin));
            }
        });
    }

    /** How often somebody whose connection was closed has come back. */
    int comebacks() {
        return comebacks.get();
    }

    /** From now on nobody comes back; the connections stay open. */
    void leave() {
        isLeaving = true;
    }

    void close() throws Exception {
        vertx.close().await(10, TimeUnit.SECONDS);
    }
}
