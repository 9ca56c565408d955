package dev.vestibule.webhook.delivery;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Does work at once when it is wanted, but one run at a time and with a pause after each: what comes meanwhile is done
 * together, so that a statement serves many.
 */
final class Pacer {
    private final Vertx vertx;
    private final Duration pause;
    private final Supplier<Future<?>> work;
    private long timer = -1; // of the pause, while there is one
    private boolean isBusy;
    private boolean isWanted;

    /** The work must not fail. */
    Pacer(Vertx vertx, Duration pause, Supplier<Future<?>> work) {
        this.vertx = vertx;
        this.pause = pause;
        this.work = work;
    }

    void want() {
        isWanted = true;
        if (!isBusy) {
            isBusy = true;
            isWanted = false;
            work.get().onComplete(done -> timer = vertx.setTimer(pause.toMillis(), over -> goOn()));
        }
    }

    /** The same, without the rest of the pause: there is enough for a run. */
    void wantNow() {
        if (vertx.cancelTimer(timer)) {
            isBusy = false;
        }
        want();
    }

    private void goOn() {
        isBusy = false;
        if (isWanted) {
            want();
        }
    }
}
