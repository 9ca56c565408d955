package dev.vestibule.server;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs periodic work that no request waits for, each task at its own interval. */
public final class MaintenanceVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(MaintenanceVerticle.class);

    /**
     * A task that is repeated.
     *
     * @param name the name of the task in log lines
     */
    public record Task(Duration interval, String name, boolean isDueAtStart, Supplier<Future<Void>> work) {
        public static Task every(Duration interval, String name, Supplier<Future<Void>> work) {
            return new Task(interval, name, false, work);
        }

        public static Task fromTheStart(Duration interval, String name, Supplier<Future<Void>> work) {
            return new Task(interval, name, true, work);
        }
    }

    private final List<Task> tasks;
    private final Supplier<Future<Void>> atStop;

    /** {@code atStop} runs when the verticle is undeployed, which must be after the last request. */
    public MaintenanceVerticle(List<Task> tasks, Supplier<Future<Void>> atStop) {
        this.tasks = List.copyOf(tasks);
        this.atStop = atStop;
    }

    @Override
    public Future<?> start() {
        tasks.forEach(task -> {
            if (task.isDueAtStart()) {
                run(task);
            } else {
                schedule(task);
            }
        });
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        return atStop.get();
    }

    /** The next run starts one interval after the last has ended, so that runs never pile up. */
    private void schedule(Task task) {
        vertx.setTimer(task.interval().toMillis(), due -> run(task));
    }

    private void run(Task task) {
        Future.succeededFuture()
                .compose(start -> task.work().get())
                .onFailure(
                        failure -> LOG.warn("{} failed and will be tried again: {}", task.name(), failure.toString()))
                .onComplete(done -> schedule(task));
    }
}
