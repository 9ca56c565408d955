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
 * Whether a request could be answered now: every event loop takes work, and its own connection to the database answers.
 *
 * <p>That writers wait for connections is no reason not to be ready: it is load, which is answered with a 503 where it is
 * too much, and which a balancer would move to nodes that have as much.
 */
public final class Readiness {
    private static final Duration LIMIT = Duration.ofSeconds(3); // more than a ping's own

    private record Loop(Context context, Supplier<Future<Void>> ping) {
        Future<Void> check() {
            Promise<Void> answer = Promise.promise();
            context.runOnContext(turn -> ping.get().onComplete(answer));
            return answer.future().timeout(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private final List<Loop> loops = new CopyOnWriteArrayList<>();

    /** Makes the calling event loop one of those that must answer; the ping asks the database by its connection. */
    void add(Context loop, Supplier<Future<Void>> ping) {
        loops.add(new Loop(loop, ping));
    }

    /** Fails if one of them does not answer in time. */
    Future<Void> check() {
        return Future.all(loops.stream().map(Loop::check).toList()).mapEmpty();
    }
}
