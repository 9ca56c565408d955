package dev.vestibule.database.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Restarts the postmaster on the same port if it dies, so that the connection pools reconnect by themselves. */
final class Supervisor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final Duration POLL = Duration.ofMillis(200);
    /**
     * If the postmaster was asked to stop, this process may have been asked as well; this gives our own shutdown time
     * to begin.
     */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final Duration STEADY = Duration.ofSeconds(5);
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(2);
    private static final int BACK_OFF_SHIFT_MAX = 4; // 3.2 s

    private final PostgresProcess postmaster;
    private final int port;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "postgres-supervisor");
    private final Thread shutdownHook = new Thread(ended::countDown, "postgres-supervisor-end");
    /** Deaths since the server last ran steadily. */
    private int deaths;

    private long startedNanos;

    Supervisor(PostgresProcess postmaster, int port) {
        this.postmaster = postmaster;
        this.port = port;
        thread.setDaemon(true);
    }

    void start() {
        startedNanos = System.nanoTime();
        // Once a shutdown has begun, a server that stops must not be restarted.
        Runtime.getRuntime().addShutdownHook(shutdownHook);
        thread.start();
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException e) {
            LOG.debug("The process is shutting down already");
        }
        try {
            thread.join(JOIN_LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!endsWithin(POLL)) {
                try {
                    watch();
                } catch (IOException | RuntimeException e) {
                    LOG.error("PostgreSQL cannot be watched or started: {}", e.getMessage());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void watch() throws IOException, InterruptedException {
        postmaster.forwardLog();
        // Checked twice: when file descriptors run out, even a running process looks dead for a moment.
        if (postmaster.isRunning() || endsWithin(POLL) || postmaster.isRunning()) {
            return;
        }
        if (System.nanoTime() - startedNanos > STEADY.toNanos()) {
            deaths = 0;
        }
        Duration backOff = deaths == 0 ? Duration.ZERO : POLL.multipliedBy(1L << Math.min(deaths, BACK_OFF_SHIFT_MAX));
        Duration pause = postmaster.wasAskedToStop() ? GRACE.plus(backOff) : backOff;
        LOG.error("PostgreSQL is gone; starting it again on port {} in {} ms", port, pause.toMillis());
        if (!endsWithin(pause)) {
            restart();
        }
    }

    private void restart() throws IOException {
        deaths++;
        startedNanos = System.nanoTime();
        postmaster.clearLeftovers();
        postmaster.start(this::samePort);
        LOG.info("PostgreSQL is back on port {}", port);
    }

    private int samePort() {
        if (ended.getCount() == 0) {
            throw new EmbeddedServerException("closing");
        }
        return port;
    }

    private boolean endsWithin(Duration time) throws InterruptedException {
        return ended.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }
}
