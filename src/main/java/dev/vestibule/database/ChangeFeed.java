package dev.vestibule.database;

import dev.vestibule.database.ChangeStore.Reading;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells this node what other nodes have changed. A transaction that changes cached data of a project records that in a
 * table, and every node has a heartbeat that reads what became visible there since the last one. Caches may answer only
 * while {@link #isUpToDate}, that is, while the last heartbeat is recent and a primary answered it; or after
 * {@link #catchUp}.
 */
public final class ChangeFeed {
    /** Reacts to changes of cached data. */
    public interface Listener {
        void changed(UUID project);

        /** Changes may have been missed, so everything in the cache may be stale. */
        void changesMissed();

        /** Tokens of these projects were revoked. */
        default void tokensRevoked(Predicate<UUID> projects) {}
    }

    private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);
    private static final Duration HEARTBEAT = Duration.ofMillis(40);
    private static final Duration MAX_SILENCE = Duration.ofMillis(100);
    private static final Duration MAX_WAIT = Duration.ofMillis(250);
    private static final Duration RESPONSE_LIMIT = Duration.ofSeconds(2);
    private static final Duration FIRST_RESPONSE_LIMIT = Duration.ofSeconds(15); // with the time to connect
    private static final Duration RETRY_PAUSE = Duration.ofMillis(250);
    private static final Duration WARN_PAUSE = Duration.ofMinutes(1);
    private static final Duration IDLE_AFTER = Duration.ofSeconds(10);
    private static final Duration IDLE_HEARTBEAT = Duration.ofMillis(500);
    private static final Duration MAX_GAP = Duration.ofMinutes(ChangeStore.MINUTES_KEPT / 2);

    private final VertxInternal vertx;
    private final ContextInternal context;
    private final Duration idleAfter;
    private final Duration maxWait;
    private final ChangeStore store = new ChangeStore();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong epoch = new AtomicLong();
    private final Queue<Promise<Boolean>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private volatile long lastHeartbeatNanos;
    private volatile boolean isTrusted;
    private volatile boolean isContinuous;
    private volatile boolean isClosed;
    private volatile boolean isUsed;
    private Function<@Nullable String, Future<Reading>> reader = none -> Future.failedFuture("not started");
    private boolean isInFlight;
    private long timer;
    private long lastUsedNanos;
    private @Nullable Reading last; // null if there is no reading to continue from
    private @Nullable String lastPurge;
    private boolean hasWarned;
    private long warnedNanos;

    public ChangeFeed(Vertx vertx) {
        this(vertx, IDLE_AFTER, MAX_WAIT);
    }

    /** For tests that need other times. */
    ChangeFeed(Vertx vertx, Duration idleAfter, Duration maxWait) {
        this.vertx = (VertxInternal) vertx;
        this.context = this.vertx.createEventLoopContext();
        this.idleAfter = idleAfter;
        this.maxWait = maxWait;
    }

    public void subscribe(Listener listener) {
        listeners.add(listener);
    }

    /**
     * Reads changes with the given client until {@link #close}, each time in one statement that needs no connection of
     * its own. The future completes with the first reading.
     */
    public Future<Void> start(SqlClient reads) {
        return start(snapshot -> store.read(reads, snapshot));
    }

    /** Reads changes with this reader, which receives the last snapshot, or null the first time. */
    Future<Void> start(Function<@Nullable String, Future<Reading>> reader) {
        this.reader = reader;
        lastUsedNanos = System.nanoTime();
        return Future.future(
                first -> context.runOnContext(started -> sendHeartbeat().onComplete(first)));
    }

    public boolean isUpToDate() {
        keepAwake();
        return isRecent();
    }

    /** Whether the feed works, without waking it: while the node is idle, heartbeats are rarer than caches need. */
    public boolean isHealthy() {
        return isTrusted && System.nanoTime() - lastHeartbeatNanos < RESPONSE_LIMIT.toNanos();
    }

    /** Whether the last reading continued the one before. Where none ever does, all of them empty the caches. */
    boolean isContinuous() {
        return isContinuous;
    }

    private boolean isRecent() {
        return isTrusted && System.nanoTime() - lastHeartbeatNanos < MAX_SILENCE.toNanos();
    }

    /**
     * True as soon as the feed is up to date again, or a heartbeat sent after this call has told the listeners of
     * everything that was committed before it. False if neither happens soon. When a heartbeat is late, everything is
     * late, and asking the database for cached data would make it worse: so one statement answers all waiting callers.
     */
    public Future<Boolean> catchUp() {
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
    public void keepAwake() {
        if (!isUsed) { // every request comes here, and a field that is only read stays in each core's cache
            isUsed = true;
        }
    }

    /** Increases with every change. Rows that were loaded in an earlier epoch must not be cached. */
    public long epoch() {
        return epoch.get();
    }

    /** Tells every node of a change when the transaction commits. After the commit, call {@link #apply}. */
    public Future<Void> publish(SqlClient transaction, UUID project) {
        return store.add(transaction, project);
    }

    /**
     * Tells the listeners of a change. A node calls this for its own changes immediately, without waiting for the
     * heartbeat.
     */
    public void apply(UUID project) {
        epoch.incrementAndGet();
        listeners.forEach(listener -> listener.changed(project));
    }

    /** Removes changes that every node has read; maintenance calls it repeatedly. */
    public Future<Void> purge(SqlClient db) {
        return store.purge(db, lastPurge).onSuccess(purge -> lastPurge = purge).mapEmpty();
    }

    public void close() {
        isClosed = true;
    }

    private Future<Void> sendHeartbeat() {
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
        return waiting.isEmpty() ? HEARTBEAT.minusNanos(System.nanoTime() - sentAt) : Duration.ZERO;
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
            sendHeartbeat();
        }
    }

    private void sendIfNeeded() {
        var now = System.nanoTime();
        if (isUsed) {
            isUsed = false;
            lastUsedNanos = now;
        }
        var isIdle = now - lastUsedNanos > idleAfter.toNanos() && waiting.isEmpty();
        if (isIdle && isTrusted && now - lastHeartbeatNanos < IDLE_HEARTBEAT.toNanos()) {
            timer = vertx.setTimer(HEARTBEAT.toMillis(), next -> sendIfNeeded());
        } else {
            sendHeartbeat();
        }
    }

    private void accept(Reading reading, long sentAt) {
        if (reading.server().isEmpty()) {
            throw new IllegalStateException("the server that answers is a standby");
        }
        isContinuous = last != null && isContinuation(last, reading);
        if (isContinuous) {
            reading.changed().forEach(this::apply);
            tellRevocations(reading);
        } else {
            invalidateAll();
        }
        last = reading;
        lastHeartbeatNanos = sentAt;
        if (!isTrusted && !isClosed) {
            LOG.info("The change feed works: caches are used");
        }
        isTrusted = true;
    }

    /** If there are very many, some may be missing in the reading. */
    private void tellRevocations(Reading reading) {
        if (!reading.revoked().isEmpty()) {
            Predicate<UUID> projects = reading.revoked().size() > ChangeStore.MAX_READ
                    ? any -> true
                    : Set.copyOf(reading.revoked())::contains;
            listeners.forEach(listener -> listener.tokensRevoked(projects));
        }
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
            invalidateAll();
        }
    }

    /** Warns at the first failure, even if it is the very first reading, and then once a minute. */
    private void warn(Throwable failure) {
        var now = System.nanoTime();
        if (!isClosed && (isTrusted || !hasWarned || now - warnedNanos >= WARN_PAUSE.toNanos())) {
            hasWarned = true;
            warnedNanos = now;
            LOG.warn("The change feed cannot be read: caches are bypassed until it can: {}", failure.toString());
        }
    }

    private void invalidateAll() {
        epoch.incrementAndGet();
        listeners.forEach(Listener::changesMissed);
    }
}
