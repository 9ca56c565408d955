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
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells this node what other nodes have changed. A transaction that changes cached data of a project writes that into a
 * table, and every node has a heartbeat that reads what became visible there since the last one. Caches may answer only
 * while {@link #isUpToDate}: while the last heartbeat is recent, and was answered by a primary; or after {@link #catchUp}.
 */
public final class ChangeFeed {
    /** Reacts to changes of cached data. */
    public interface Listener {
        void changed(UUID project);

        /** Changes may have been missed, so everything that is cached may be stale. */
        void changesMissed();
    }

    private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);
    private static final Duration HEARTBEAT = Duration.ofMillis(40);
    private static final Duration MAX_SILENCE = Duration.ofMillis(100);
    private static final Duration MAX_WAIT = Duration.ofMillis(250);
    private static final Duration RESPONSE_LIMIT = Duration.ofSeconds(2);
    private static final Duration FIRST_RESPONSE_LIMIT = Duration.ofSeconds(15); // with the time to connect
    private static final Duration RETRY_PAUSE = Duration.ofMillis(250);
    private static final Duration WARN_PAUSE = Duration.ofMinutes(1);
    private static final Duration REST_AFTER = Duration.ofSeconds(10);
    private static final Duration RESTING_HEARTBEAT = Duration.ofMillis(500);
    private static final Duration MAX_GAP = Duration.ofMinutes(ChangeStore.MINUTES_KEPT / 2);

    private final VertxInternal vertx;
    private final ContextInternal context;
    private final Duration restAfter;
    private final Duration maxWait;
    private final ChangeStore store = new ChangeStore();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong epoch = new AtomicLong();
    private final Queue<Promise<Boolean>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isSummoned = new AtomicBoolean();
    private volatile long lastHeartbeatNanos;
    private volatile boolean isTrusted;
    private volatile boolean isClosed;
    private volatile boolean isAsked;
    private Function<@Nullable String, Future<Reading>> reader = none -> Future.failedFuture("not started");
    private boolean isUnderWay;
    private long timer;
    private long askedNanos;
    private @Nullable Reading last; // null: nothing is known that a reading could go on from
    private @Nullable String lastPurge;
    private boolean hasWarned;
    private long warnedNanos;

    public ChangeFeed(Vertx vertx) {
        this(vertx, REST_AFTER, MAX_WAIT);
    }

    /** For tests that do not wait as long, or longer. */
    ChangeFeed(Vertx vertx, Duration restAfter, Duration maxWait) {
        this.vertx = (VertxInternal) vertx;
        this.context = this.vertx.createEventLoopContext();
        this.restAfter = restAfter;
        this.maxWait = maxWait;
    }

    public void subscribe(Listener listener) {
        listeners.add(listener);
    }

    /**
     * Reads changes by the given client until {@link #close}, each time in one statement that needs no connection of its
     * own. The result is that of the first reading.
     */
    public Future<Void> start(SqlClient reads) {
        return start(snapshot -> store.read(reads, snapshot));
    }

    /** Reads changes by this reader, which is given the last snapshot, or null before the first. */
    Future<Void> start(Function<@Nullable String, Future<Reading>> reader) {
        this.reader = reader;
        askedNanos = System.nanoTime();
        return Future.future(
                first -> context.runOnContext(started -> sendHeartbeat().onComplete(first)));
    }

    public boolean isUpToDate() {
        stayAwake();
        return isRecent();
    }

    /** Whether the feed works, as far as anybody can tell who does not wake it: at rest, heartbeats are rarer than caches need. */
    public boolean isHealthy() {
        return isTrusted && System.nanoTime() - lastHeartbeatNanos < RESPONSE_LIMIT.toNanos();
    }

    private boolean isRecent() {
        return isTrusted && System.nanoTime() - lastHeartbeatNanos < MAX_SILENCE.toNanos();
    }

    /**
     * True as soon as the feed is up to date again, or the listeners have heard of all that was committed before this
     * call, by a heartbeat sent after it. False where neither comes soon. When a heartbeat is late, everything is, and to ask the database
     * for what is cached would make it later: so one statement answers all who wait.
     */
    public Future<Boolean> catchUp() {
        if (!isTrusted) {
            return Future.succeededFuture(false);
        }
        Promise<Boolean> caughtUp = vertx.getOrCreateContext().promise();
        waiting.add(caughtUp);
        if (isSummoned.compareAndSet(false, true)) {
            context.runOnContext(summoned -> sendNow());
        }
        return caughtUp.future()
                .timeout(maxWait.toMillis(), TimeUnit.MILLISECONDS)
                .otherwise(false);
    }

    /**
     * While nobody needs to know, heartbeats are rare, so that an idle node costs next to nothing. Who acts on what the
     * listeners were told, and not on {@link #isUpToDate}, says here that it does.
     */
    public void stayAwake() {
        if (!isAsked) { // all requests come here: a field that is only read stays in the cache of each core
            isAsked = true;
        }
    }

    /** Increases with every change. What was loaded in an earlier epoch must not be cached. */
    public long epoch() {
        return epoch.get();
    }

    /** Tells every node when the transaction commits. After the commit, call {@link #apply}. */
    public Future<Void> publish(SqlClient transaction, UUID project) {
        return store.add(transaction, project);
    }

    /** Tells the listeners of a change; of this node's own changes at once, without waiting for the heartbeat. */
    public void apply(UUID project) {
        epoch.incrementAndGet();
        listeners.forEach(listener -> listener.changed(project));
    }

    /** Removes changes that every node has read; maintenance calls it again and again. */
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
        isUnderWay = true;
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
                    isUnderWay = false;
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
        isSummoned.set(false);
        var served = new ArrayList<Promise<Boolean>>();
        for (var waiter = waiting.poll(); waiter != null; waiter = waiting.poll()) {
            served.add(waiter);
        }
        return served;
    }

    private void sendNow() {
        if (!isUnderWay) {
            vertx.cancelTimer(timer);
            sendHeartbeat();
        }
    }

    private void sendIfNeeded() {
        var now = System.nanoTime();
        if (isAsked) {
            isAsked = false;
            askedNanos = now;
        }
        var isResting = now - askedNanos > restAfter.toNanos() && waiting.isEmpty();
        if (isResting && isTrusted && now - lastHeartbeatNanos < RESTING_HEARTBEAT.toNanos()) {
            timer = vertx.setTimer(HEARTBEAT.toMillis(), next -> sendIfNeeded());
        } else {
            sendHeartbeat();
        }
    }

    private void accept(Reading reading, long sentAt) {
        if (reading.server().isEmpty()) {
            throw new IllegalStateException("the server that answers is a standby");
        }
        if (last != null && continues(last, reading)) {
            reading.changed().forEach(this::apply);
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

    /**
     * A standby that was promoted may lack the last changes, a server that was restored even more, and one that was away
     * for long has purged some.
     */
    private static boolean continues(Reading last, Reading reading) {
        return reading.followsLast()
                && reading.server().equals(last.server())
                && Duration.between(last.at(), reading.at()).compareTo(MAX_GAP) < 0
                && reading.changed().size() <= ChangeStore.MAX_READ;
    }

    private void distrust(Throwable failure) {
        last = null;
        warn(failure);
        if (isTrusted) {
            isTrusted = false;
            invalidateAll();
        }
    }

    /** At the first failure, be it the first reading of all, and then once a minute. */
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
