package dev.vestibule;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A step of the start that is done beside the others, on a thread of its own. */
final class Beside<T> {
    private final FutureTask<T> step;

    private Beside(FutureTask<T> step) {
        this.step = step;
    }

    static <T> Beside<T> start(String name, Callable<T> step) {
        var task = new FutureTask<>(step);
        var thread = new Thread(task, name);
        thread.setDaemon(true); // or a start that has failed would wait for it
        thread.start();
        return new Beside<>(task);
    }

    /** Blocks until the step is done, and fails as it did. */
    T await() {
        try {
            return step.get();
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException("A step of the start failed", failure.getCause());
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
            throw new StartException("The server was stopped while it started");
        }
    }
}
