package dev.vestibule.project;

import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.database.PerShard;
import dev.vestibule.project.ApiKeyStore.ApiKeyUse;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tracks when API keys were last used. Every request records it in memory, without a lock or an allocation;
 * {@link #flush} writes it to the database from time to time.
 */
public final class ApiKeyUsage {
    private static final int MAX_KEYS = 100_000;
    private static final int BATCH = 1000;
    private static final long FLUSHED = Long.MIN_VALUE;

    /** The time in milliseconds, or {@link #FLUSHED} once a flush has taken it. */
    private record LastUse(ProjectId project, AtomicLong at) {}

    private final PerShard<Map<UUID, LastUse>> lastUses = new PerShard<>(ConcurrentHashMap::new);
    private final ApiKeyStore store;
    private final Clock clock;

    public ApiKeyUsage(ApiKeyStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Records that the key is used now. */
    public void recordUse(ProjectId project, UUID key) {
        recordUse(lastUses.here(), project, key, clock.millis());
    }

    private static void recordUse(Map<UUID, LastUse> lastUses, ProjectId project, UUID key, long now) {
        var isRecorded = false;
        while (!isRecorded) {
            var lastUse = lastUses.get(key);
            isRecorded = lastUse == null ? add(lastUses, project, key, now) : update(lastUses, key, lastUse, now);
        }
    }

    /** Drops a use above the maximum, so that memory stays bounded. */
    private static boolean add(Map<UUID, LastUse> lastUses, ProjectId project, UUID key, long now) {
        return lastUses.size() >= MAX_KEYS
                || lastUses.putIfAbsent(key, new LastUse(project, new AtomicLong(now))) == null;
    }

    private static boolean update(Map<UUID, LastUse> lastUses, UUID key, LastUse lastUse, long now) {
        var recorded = lastUse.at().get();
        if (recorded == FLUSHED) {
            lastUses.remove(key, lastUse);
            return false;
        }
        return recorded >= now || lastUse.at().compareAndSet(recorded, now);
    }

    /** Writes what was recorded so far of the keys in this database; if that fails, keeps it for the next call. */
    public Future<Void> flush(Database database) {
        var here = lastUses.of(database.shard());
        var taken = take(here);
        return Batches.repeat(() -> writeBatch(database.writes(), taken))
                .onFailure(failure -> taken.forEach(use ->
                        recordUse(here, use.project(), use.key(), use.at().toEpochMilli())));
    }

    private static Deque<ApiKeyUse> take(Map<UUID, LastUse> lastUses) {
        var taken = new ArrayDeque<ApiKeyUse>();
        lastUses.forEach((key, lastUse) -> {
            var at = lastUse.at().getAndSet(FLUSHED);
            lastUses.remove(key, lastUse);
            if (at != FLUSHED) {
                taken.add(new ApiKeyUse(lastUse.project(), key, Instant.ofEpochMilli(at)));
            }
        });
        return taken;
    }

    private Future<Boolean> writeBatch(SqlClient db, Deque<ApiKeyUse> taken) {
        var batch = taken.stream().limit(BATCH).toList();
        if (batch.isEmpty()) {
            return Future.succeededFuture(false);
        }
        return store.updateLastUsed(db, batch).map(written -> {
            batch.forEach(use -> taken.remove());
            return true;
        });
    }
}
