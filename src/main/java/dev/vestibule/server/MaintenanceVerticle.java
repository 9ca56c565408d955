package dev.vestibule.server;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The work that no request waits for: each round in its own interval. */
public final class MaintenanceVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(MaintenanceVerticle.class);

    /** What is done again and again, how the log calls it, and whether the first time is the start. */
    public record Round(Duration interval, String what, boolean isDueAtStart, Supplier<Future<Void>> work) {
        public static Round every(Duration interval, String what, Supplier<Future<Void>> work) {
            return new Round(interval, what, false, work);
        }

        public static Round fromTheStart(Duration interval, String what, Supplier<Future<Void>> work) {
            return new Round(interval, what, true, work);
        }
    }

    private final List<Round> rounds;
    private final Supplier<Future<Void>> last;

    /** The last work is done when it stops: to be stopped when no request is left. */
    public MaintenanceVerticle(List<Round> rounds, Supplier<Future<Void>> last) {
        this.rounds = rounds;
        this.last = last;
    }

    @Override
    public Future<?> start() {
        rounds.forEach(round -> {
            if (round.isDueAtStart()) {
                run(round);
            } else {
                waitFor(round);
            }
        });
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        return last.get();
    }

    /** The next round begins an interval after the last has ended, so that rounds never pile up. */
    private void waitFor(Round round) {
        vertx.setTimer(round.interval().toMillis(), due -> run(round));
    }

    private void run(Round round) {
        Future.succeededFuture()
                .compose(start -> round.work().get())
                .onFailure(failure -> LOG.warn("{} failed and is tried again: {}", round.what(), failure.toString()))
                .onComplete(done -> waitFor(round));
    }
}
