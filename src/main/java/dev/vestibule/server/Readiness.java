package dev.vestibule.server;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Whether a request could be answered now: every event loop responds, and so does its connection to a database.
 *
 * <p>A node whose writers wait for connections is still ready: that is load, which gets a 503 when it is too much, and
 * which a load balancer would only move to nodes that are just as busy.
 */
public final class Readiness {
    private static final Duration LIMIT = Duration.ofSeconds(3); // more than the ping's own limit

    private record Loop(Context context, Supplier<Future<Void>> ping) {
        Future<Void> check() {
            Promise<Void> answer = Promise.promise();
            context.runOnContext(turn -> ping.get().onComplete(answer));
            return answer.future().timeout(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private final List<Loop> loops = new CopyOnWriteArrayList<>();

    /** Adds the calling event loop to those that must answer; the ping asks the database on that loop's connection. */
    void add(Context loop, Supplier<Future<Void>> ping) {
        loops.add(new Loop(loop, ping));
    }

    /** Fails if one of them does not answer in time. */
    Future<Void> check() {
        return Future.all(loops.stream().map(Loop::check).toList()).mapEmpty();
    }
}
