package dev.vestibule.benchmark;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Visitors who come one after another, each on a separate connection. */
final class Visits implements Supplier<Future<Void>> {
    private final NetClient net;
    private final int port;
    private final Supplier<Visitor> visitors;
    private Visitor visitor;
    private @Nullable Connection connection;

    private Visits(NetClient net, int port, Supplier<Visitor> visitors) {
        this.net = net;
        this.port = port;
        this.visitors = visitors;
        this.visitor = visitors.get();
    }

    /** Runs this many of them at a time. */
    static ClosedLoad start(Vertx vertx, int port, Supplier<Visitor> visitors, int count) {
        var net = vertx.createNetClient();
        return ClosedLoad.start(
                Stream.generate(() -> new Visits(net, port, visitors))
                        .limit(count)
                        .toList(),
                net::close);
    }

    /** The next request of the visitor, or the first of the next one. */
    @Override
    public Future<Void> get() {
        if (visitor.isDone()) {
            close();
            visitor = visitors.get();
        }
        var open = connection;
        return open == null
                ? Connection.open(net, port, visitor).compose(opened -> {
                    connection = opened;
                    return opened.exchange();
                })
                : open.exchange();
    }

    private void close() {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }
}
