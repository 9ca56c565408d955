package dev.vestibule.database;

import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The connections to one PostgreSQL server: of each event loop, or one set for all callers. */
final class ServerConnections {
    private final VertxInternal vertx;
    private final Servers servers;
    private final ConnectionLimits limits;
    private final IntSupplier numbers;
    private final Map<EventLoop, LoopConnections> loops = new ConcurrentHashMap<>();
    private volatile @Nullable LoopConnections first;

    private ServerConnections(VertxInternal vertx, Servers servers, ConnectionLimits limits, IntSupplier numbers) {
        this.vertx = vertx;
        this.servers = servers;
        this.limits = limits;
        this.numbers = numbers;
    }

    static ServerConnections ofOneSet(VertxInternal vertx, Servers servers, ConnectionLimits limits, int number) {
        var connections = new ServerConnections(vertx, servers, limits, () -> number);
        connections.first = LoopConnections.open(vertx, servers, limits, number);
        return connections;
    }

    static ServerConnections ofEventLoops(
            VertxInternal vertx, Servers servers, ConnectionLimits limits, IntSupplier numbers) {
        return new ServerConnections(vertx, servers, limits, numbers);
    }

    boolean isPooled() {
        return servers.isPooled();
    }

    /** Two verticles may have got the same loop, and then share its connections. */
    synchronized void open() {
        var mine = loops.computeIfAbsent(
                vertx.getOrCreateContext().nettyEventLoop(),
                loop -> LoopConnections.open(vertx, servers, limits, numbers.getAsInt()));
        mine.users++;
        if (first == null) {
            first = mine;
        }
    }

    /**
     * Those of the calling event loop; a thread without any shares the first, as the work of tests and commands does.
     */
    LoopConnections mine() {
        var context = (ContextInternal) Vertx.currentContext();
        var own = context == null ? null : loops.get(context.nettyEventLoop());
        var found = own == null ? first : own;
        if (found == null) {
            throw new IllegalStateException("No connections to the database have been opened");
        }
        return found;
    }

    /** Closes the connections of the calling event loop once all who opened them have, or the only ones. */
    Future<Void> close() {
        var closing = mine();
        return isLast(closing) ? closing.close() : Future.succeededFuture();
    }

    private synchronized boolean isLast(LoopConnections closing) {
        closing.users--;
        if (closing.users > 0) {
            return false;
        }
        loops.values().remove(closing);
        if (first == closing && !loops.isEmpty()) {
            first = loops.values().iterator().next(); // for threads without connections of their own
        }
        return true;
    }
}
