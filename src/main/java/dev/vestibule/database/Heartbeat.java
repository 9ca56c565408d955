package dev.vestibule.database;

import dev.vestibule.database.ChangeStore.Reading;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads at a steady pace what has changed in one database. */
final class Heartbeat {
    /** Learns what was read. */
    interface Reader {
        void changed(UUID project);

        void revoked(List<UUID> projects);

        /** Anything may have changed. */
        void missed();
    }

    static final Duration LONGEST_SILENCE = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);
    private static final Duration INTERVAL = Duration.ofMillis(40);
    private static final Duration MAX_SILENCE = Duration.ofMillis(100);
    private static final Duration RESPONSE_LIMIT = Duration.ofSeconds(2);
    private static final Duration FIRST_RESPONSE_LIMIT = Duration.ofSeconds(15); // with the time to connect
    private static final Duration RETRY_PAUSE = Duration.ofMillis(250);
    private static final Duration WARN_PAUSE = Duration.ofMinutes(1);
    private static final Duration IDLE_INTERVAL = Duration.ofMillis(500);
    private static final Duration MAX_GAP = Duration.ofMinutes(ChangeStore.MINUTES_KEPT / 2);

    private final Reader feed;
    private final Shard shard;
    private final VertxInternal vertx;
    private final ContextInternal context;
    private final Duration idleAfter;
    private final Duration maxWait;
    private final Queue<Promise<Boolean>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private volatile long lastNanos = System.nanoTime() - LONGEST_SILENCE.toNanos();
    private volatile boolean isTrusted;
    private volatile boolean isContinuous;
    private volatile boolean isClosed;
    private volatile boolean isUsed;
    private volatile Set<UUID> leaving = Set.of();
    private Function<@Nullable String, Future<Reading>> reader = none -> Future.failedFuture("not started");
    private boolean isInFlight;
    private long timer;
    private long lastUsedNanos;
    private @Nullable Reading last; // null if there is no reading to continue from
    private boolean hasWarned;
    private long warnedNanos;

    Heartbeat(Reader feed, Shard shard, VertxInternal vertx, Duration idleAfter, Duration maxWait) {
        this.feed = feed;
        this.shard = shard;
        this.vertx = vertx;
        this.context = vertx.createEventLoopContext();
        this.idleAfter = idleAfter;
        this.maxWait = maxWait;
    }

    /** Reads changes with this reader, which receives the last snapshot, or null the first time. */
    Future<Void> start(Function<@Nullable String, Future<Reading>> reader) {
        this.reader = reader;
        lastUsedNanos = System.nanoTime();
        return Future.future(first -> context.runOnContext(started -> send().onComplete(first)));
    }

    boolean isUpToDate() {
        keepAwake();
        return isRecent();
    }

    /** Whether it works, without waking it: while the node is idle, it is slower than caches need. */
    boolean isHealthy() {
        return isTrusted && !isSilent();
    }

    /** Whether there was no reading for so long that a move which has begun since counts on nobody working here. */
    boolean isSilent() {
        return System.nanoTime() - lastNanos >= LONGEST_SILENCE.toNanos();
    }

    /** Whether a move copies the project, so that nobody else may change it. */
    boolean leaves(UUID project) {
        return leaving.contains(project);
    }

    /** Whether the last reading continued the one before. Where none ever does, all of them empty the caches. */
    boolean isContinuous() {
        return isContinuous;
    }

    private boolean isRecent() {
        return isTrusted && System.nanoTime() - lastNanos < MAX_SILENCE.toNanos();
    }

    /**
     * True as soon as the feed is up to date again, or a heartbeat sent after this call has told the listeners of
     * everything that was committed before it. False if neither happens soon. When a heartbeat is late, everything is
     * late, and asking the database for cached data would make it worse: so one statement answers all waiting callers.
     */
    Future<Boolean> catchUp() {
        if (!isTrusted) {
            return Future.succeededFuture(false);
        }
        Promise<Boolean> caughtUp = vertx.getOrCreateContext().promise();
        waiting.add(caughtUp);
        if (isScheduled.compareAndSet(false, true)) {
            context.runOnContext(scheduled -> sendNow());
        }
        return caughtUp.future()
                .timeout(maxWait.toMillis(), TimeUnit.MILLISECONDS)
                .otherwise(false);
    }

    /**
     * Keeps heartbeats frequent. On an idle node they are rare, so that it costs next to nothing. Code that relies on
     * what listeners were told, and does not call {@link #isUpToDate}, must call this.
     */
    void keepAwake() {
        if (!isUsed) { // every request comes here, and a field that is only read stays in each core's cache
            isUsed = true;
        }
    }

    void close() {
        isClosed = true;
    }

    private Future<Void> send() {
        if (isClosed) {
            return Future.succeededFuture();
        }
        isInFlight = true;
        var served = takeWaiting();
        var sentAt = System.nanoTime();
        var limit = last == null ? FIRST_RESPONSE_LIMIT : RESPONSE_LIMIT;
        return context.succeededFuture(last == null ? null : last.snapshot())
                .compose(reader)
                .timeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                .<Void>map(reading -> {
                    accept(reading, sentAt);
                    return null;
                })
                .onFailure(this::distrust)
                .onComplete(done -> {
                    isInFlight = false;
                    served.forEach(waiter -> waiter.tryComplete(done.succeeded()));
                    if (isRecent()) {
                        takeWaiting().forEach(waiter -> waiter.tryComplete(true));
                    }
                    timer = vertx.setTimer(Math.max(1, pauseAfter(sentAt).toMillis()), next -> sendIfNeeded());
                });
    }

    private Duration pauseAfter(long sentAt) {
        if (!isTrusted) {
            return RETRY_PAUSE;
        }
        return waiting.isEmpty() ? INTERVAL.minusNanos(System.nanoTime() - sentAt) : Duration.ZERO;
    }

    private List<Promise<Boolean>> takeWaiting() {
        isScheduled.set(false);
        var served = new ArrayList<Promise<Boolean>>();
        for (var waiter = waiting.poll(); waiter != null; waiter = waiting.poll()) {
            served.add(waiter);
        }
        return served;
    }

    private void sendNow() {
        if (!isInFlight) {
            vertx.cancelTimer(timer);
            send();
        }
    }

    private void sendIfNeeded() {
        var now = System.nanoTime();
        if (isUsed) {
            isUsed = false;
            lastUsedNanos = now;
        }
        var isIdle = now - lastUsedNanos > idleAfter.toNanos() && waiting.isEmpty();
        if (isIdle && isTrusted && now - lastNanos < IDLE_INTERVAL.toNanos()) {
            timer = vertx.setTimer(INTERVAL.toMillis(), next -> sendIfNeeded());
        } else {
            send();
        }
    }

    private void accept(Reading reading, long sentAt) {
        if (reading.server().isEmpty()) {
            throw new IllegalStateException("the server that answers is a standby");
        }
        leaving = Set.copyOf(reading.leaving());
        isContinuous = last != null && isContinuation(last, reading);
        if (isContinuous) {
            reading.changed().forEach(feed::changed);
            feed.revoked(reading.revoked());
        } else {
            feed.missed();
        }
        last = reading;
        lastNanos = sentAt;
        if (!isTrusted && !isClosed) {
            LOG.info("The change feed works{}: caches are used", where());
        }
        isTrusted = true;
    }

    /**
     * A promoted standby may lack the latest changes, a restored server may lack even more, and a server that was away
     * for a long time has purged some.
     */
    private static boolean isContinuation(Reading last, Reading reading) {
        return reading.followsLast()
                && reading.server().equals(last.server())
                && Duration.between(last.at(), reading.at()).compareTo(MAX_GAP) < 0
                && reading.changed().size() <= ChangeStore.MAX_READ;
    }

    private void distrust(Throwable failure) {
        last = null;
        isContinuous = false;
        warn(failure);
        if (isTrusted) {
            isTrusted = false;
            feed.missed();
        }
    }

    /** Warns at the first failure, even if it is the very first reading, and then once a minute. */
    private void warn(Throwable failure) {
        var now = System.nanoTime();
        if (!isClosed && (isTrusted || !hasWarned || now - warnedNanos >= WARN_PAUSE.toNanos())) {
            hasWarned = true;
            warnedNanos = now;
            LOG.warn(
                    "The change feed cannot be read{}: caches are bypassed until it can: {}",
                    where(),
                    failure.toString());
        }
    }

    private String where() {
        return shard.isHome() ? "" : " in the database " + shard;
    }
}
