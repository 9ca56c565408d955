package dev.vestibule.database;

import dev.vestibule.database.ChangeStore.Reading;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells this node what other nodes have changed. A transaction that changes cached data of a project records that in a
 * table, and every node has a heartbeat that reads what became visible there since the last one. Caches may answer only
 * while {@link #isUpToDate}, that is, while the last heartbeat is recent and a primary answered it; or after
 * {@link #catchUp}.
 *
 * <p>Each database has a heartbeat of its own, and a call is about that in which its context works.
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

    /** A node that has heard nothing of a database for so long changes no project there: a move counts on that. */
    public static final Duration LONGEST_SILENCE = Heartbeat.LONGEST_SILENCE;

    private static final Duration MAX_WAIT = Duration.ofMillis(250);
    private static final Duration IDLE_AFTER = Duration.ofSeconds(10);

    private final ChangeStore store = new ChangeStore();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong epoch = new AtomicLong();
    private final Heartbeat home;
    private final Map<Shard, Heartbeat> others = new HashMap<>();
    private final Map<Shard, String> lastPurges = new ConcurrentHashMap<>();

    /** The feed of one database. */
    public ChangeFeed(Vertx vertx) {
        this(vertx, List.of());
    }

    /** The feed of home and these other databases. */
    public ChangeFeed(Vertx vertx, List<Shard> others) {
        this(vertx, others, IDLE_AFTER, MAX_WAIT);
    }

    /** For tests that need other times. */
    ChangeFeed(Vertx vertx, List<Shard> others, Duration idleAfter, Duration maxWait) {
        var internal = (VertxInternal) vertx;
        var news = new News();
        this.home = new Heartbeat(news, Shard.HOME, internal, idleAfter, maxWait);
        others.forEach(shard -> this.others.put(shard, new Heartbeat(news, shard, internal, idleAfter, maxWait)));
    }

    private Heartbeat here() {
        return others.isEmpty() ? home : of(Entered.here());
    }

    private Heartbeat of(Shard shard) {
        return shard.isHome() ? home : Objects.requireNonNull(others.get(shard));
    }

    public void subscribe(Listener listener) {
        listeners.add(listener);
    }

    /** As {@link #start(Shard, SqlClient)}, of home. */
    public Future<Void> start(SqlClient reads) {
        return start(Shard.HOME, reads);
    }

    /**
     * Reads changes with the given client until {@link #close}, each time in one statement that needs no connection of
     * its own. The future completes with the first reading.
     */
    public Future<Void> start(Shard shard, SqlClient reads) {
        return of(shard).start(snapshot -> store.read(reads, snapshot));
    }

    /** Reads changes with this reader, which receives the last snapshot, or null the first time. */
    Future<Void> start(Function<@Nullable String, Future<Reading>> reader) {
        return home.start(reader);
    }

    public boolean isUpToDate() {
        return here().isUpToDate();
    }

    /**
     * Whether the feed works, in every database, without waking it: while the node is idle, heartbeats are rarer than
     * caches need.
     */
    public boolean isHealthy() {
        return home.isHealthy() && others.values().stream().allMatch(Heartbeat::isHealthy);
    }

    /** Whether the last reading continued the one before. Where none ever does, all of them empty the caches. */
    boolean isContinuous() {
        return here().isContinuous();
    }

    /**
     * True as soon as the feed is up to date again, or a heartbeat sent after this call has told the listeners of
     * everything that was committed before it. False if neither happens soon. When a heartbeat is late, everything is
     * late, and asking the database for cached data would make it worse: so one statement answers all waiting callers.
     */
    public Future<Boolean> catchUp() {
        return here().catchUp();
    }

    /**
     * Keeps heartbeats frequent. On an idle node they are rare, so that it costs next to nothing. Code that relies on
     * what listeners were told, and does not call {@link #isUpToDate}, must call this.
     */
    public void keepAwake() {
        here().keepAwake();
    }

    /**
     * A 503 if the project leaves the database, or if this node would not know: a move waits for longer than a node
     * takes to hear of it.
     */
    void requireStays(Shard shard, UUID project) {
        var heartbeat = of(shard);
        if (heartbeat.leaves(project)) {
            throw ShardErrors.moving();
        }
        if (heartbeat.isSilent()) {
            throw ShardErrors.silent();
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

    /** Makes rows readable that were copied from another server; each start calls it, before requests are answered. */
    public Future<Void> renumber(SqlClient db) {
        return store.renumber(db);
    }

    /** Removes changes that every node has read; maintenance calls it repeatedly. */
    public Future<Void> purge(Shard shard, SqlClient db) {
        return store.purge(db, lastPurges.get(shard))
                .onSuccess(purge -> lastPurges.put(shard, purge))
                .mapEmpty();
    }

    public void close() {
        home.close();
        others.values().forEach(Heartbeat::close);
    }

    /** Tells the listeners what the heartbeats read. */
    private final class News implements Heartbeat.Reader {
        @Override
        public void changed(UUID project) {
            apply(project);
        }

        /** If there are very many, some may be missing in the reading. */
        @Override
        public void revoked(List<UUID> revoked) {
            if (!revoked.isEmpty()) {
                Predicate<UUID> projects =
                        revoked.size() > ChangeStore.MAX_READ ? any -> true : Set.copyOf(revoked)::contains;
                listeners.forEach(listener -> listener.tokensRevoked(projects));
            }
        }

        @Override
        public void missed() {
            epoch.incrementAndGet();
            listeners.forEach(Listener::changesMissed);
        }
    }
}
