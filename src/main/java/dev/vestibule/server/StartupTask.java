package dev.vestibule.server;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A step of the startup that runs in parallel, on its own thread. */
public final class StartupTask<T> {
    private final FutureTask<T> step;

    private StartupTask(FutureTask<T> step) {
        this.step = step;
    }

    /** Starts the step at once. */
    public static <T> StartupTask<T> start(String name, Callable<T> step) {
        var task = new FutureTask<>(step);
        var thread = new Thread(task, name);
        thread.setDaemon(true); // or the process would wait for it after a failed start
        thread.start();
        return new StartupTask<>(task);
    }

    /** Blocks until the step has ended; throws what the step threw. */
    public T await() {
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
