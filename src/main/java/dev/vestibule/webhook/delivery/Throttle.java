package dev.vestibule.webhook.delivery;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Runs work as soon as it is requested, but never two runs at once, and with a pause after each: requests in between
 * share the next run, so one statement serves many of them.
 */
final class Throttle {
    private final Vertx vertx;
    private final Duration pause;
    private final Supplier<Future<?>> work;
    private long pauseTimer = -1;
    private boolean isBusy;
    private boolean isRequested;

    /** The work's future must not fail. */
    Throttle(Vertx vertx, Duration pause, Supplier<Future<?>> work) {
        this.vertx = vertx;
        this.pause = pause;
        this.work = work;
    }

    void request() {
        isRequested = true;
        if (!isBusy) {
            isBusy = true;
            isRequested = false;
            work.get().onComplete(done -> pauseTimer = vertx.setTimer(pause.toMillis(), over -> pauseEnded()));
        }
    }

    /** Skips the rest of the pause. */
    void requestNow() {
        if (vertx.cancelTimer(pauseTimer)) {
            isBusy = false;
        }
        request();
    }

    private void pauseEnded() {
        isBusy = false;
        if (isRequested) {
            request();
        }
    }
}
