package dev.vestibule.database;

import dev.vestibule.database.ChangeStore.Reading;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells this node what other nodes have changed. A transaction that changes cached data of a project writes that into a
 * table, and every node has a heartbeat that reads what became visible there since the last one. Caches may answer only
 * while {@link #isUpToDate}: while the last heartbeat is recent, and was answered by a primary.
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
    private static final Duration RESPONSE_LIMIT = Duration.ofSeconds(2);
    private static final Duration FIRST_RESPONSE_LIMIT = Duration.ofSeconds(15); // with the time to connect
    private static final Duration RETRY_PAUSE = Duration.ofMillis(250);
    private static final Duration REST_AFTER = Duration.ofSeconds(10);
    private static final Duration RESTING_HEARTBEAT = Duration.ofMillis(500);
    private static final Duration MAX_GAP = Duration.ofMinutes(ChangeStore.MINUTES_KEPT / 2);

    private final Vertx vertx;
    private final Duration restAfter;
    private final ChangeStore store = new ChangeStore();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong epoch = new AtomicLong();
    private volatile long lastHeartbeatNanos;
    private volatile boolean isTrusted;
    private volatile boolean isClosed;
    private volatile boolean isAsked;
    private long askedNanos;
    private @Nullable Reading last; // null: nothing is known that a reading could go on from
    private @Nullable String lastPurge;

    public ChangeFeed(Vertx vertx) {
        this(vertx, REST_AFTER);
    }

    /** For tests that do not wait as long. */
    ChangeFeed(Vertx vertx, Duration restAfter) {
        this.vertx = vertx;
        this.restAfter = restAfter;
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

    /** The same; the reader is given the last snapshot, or null. */
    Future<Void> start(Function<@Nullable String, Future<Reading>> reader) {
        askedNanos = System.nanoTime();
        return sendHeartbeat(reader);
    }

    public boolean isUpToDate() {
        stayAwake();
        return isTrusted && System.nanoTime() - lastHeartbeatNanos < MAX_SILENCE.toNanos();
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

    private Future<Void> sendHeartbeat(Function<@Nullable String, Future<Reading>> reader) {
        if (isClosed) {
            return Future.succeededFuture();
        }
        var sentAt = System.nanoTime();
        var limit = last == null ? FIRST_RESPONSE_LIMIT : RESPONSE_LIMIT;
        return reader.apply(last == null ? null : last.snapshot())
                .timeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                .<Void>map(reading -> {
                    accept(reading, sentAt);
                    return null;
                })
                .onFailure(this::distrust)
                .onComplete(done -> {
                    var pause = isTrusted ? HEARTBEAT.minusNanos(System.nanoTime() - sentAt) : RETRY_PAUSE;
                    vertx.setTimer(Math.max(1, pause.toMillis()), next -> sendIfNeeded(reader));
                });
    }

    private void sendIfNeeded(Function<@Nullable String, Future<Reading>> reader) {
        var now = System.nanoTime();
        if (isAsked) {
            isAsked = false;
            askedNanos = now;
        }
        var isResting = now - askedNanos > restAfter.toNanos();
        if (isResting && isTrusted && now - lastHeartbeatNanos < RESTING_HEARTBEAT.toNanos()) {
            vertx.setTimer(HEARTBEAT.toMillis(), next -> sendIfNeeded(reader));
        } else {
            sendHeartbeat(reader);
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
        if (isTrusted) {
            isTrusted = false;
            if (!isClosed) {
                LOG.warn("The change feed cannot be read: caches are bypassed until it can: {}", failure.toString());
            }
            invalidateAll();
        }
    }

    private void invalidateAll() {
        epoch.incrementAndGet();
        listeners.forEach(Listener::changesMissed);
    }
}
