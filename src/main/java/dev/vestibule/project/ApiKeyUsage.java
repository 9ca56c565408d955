package dev.vestibule.project;

import dev.vestibule.database.Batches;
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

/** When API keys were last used: every request notes it in memory, and now and then it is written down. */
public final class ApiKeyUsage {
    private static final int MOST = 100_000;
    private static final int BATCH = 1000;
    private static final long TAKEN = Long.MIN_VALUE;

    /** The time is in milliseconds, and {@link #TAKEN} from the moment that it is on its way to the database. */
    private record Note(ProjectId project, AtomicLong at) {}

    private final Map<UUID, Note> notes = new ConcurrentHashMap<>();
    private final ApiKeyStore store;
    private final Clock clock;

    public ApiKeyUsage(ApiKeyStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Costs no memory but at a key's first use since the last time that uses were written. */
    public void recordUse(ProjectId project, UUID key) {
        note(project, key, clock.millis());
    }

    private void note(ProjectId project, UUID key, long now) {
        var isNoted = false;
        while (!isNoted) {
            var note = notes.get(key);
            isNoted = note == null ? begin(project, key, now) : raise(key, note, now);
        }
    }

    /** Beyond so many keys, some uses are not told of: better than memory without bounds. */
    private boolean begin(ProjectId project, UUID key, long now) {
        return notes.size() >= MOST || notes.putIfAbsent(key, new Note(project, new AtomicLong(now))) == null;
    }

    private boolean raise(UUID key, Note note, long now) {
        var noted = note.at().get();
        if (noted == TAKEN) {
            notes.remove(key, note);
            return false;
        }
        return noted >= now || note.at().compareAndSet(noted, now);
    }

    /** Writes all that was noted until now; what could not be written is noted again. */
    public Future<Void> flush(SqlClient db) {
        var taken = take();
        return Batches.repeat(() -> writeBatch(db, taken))
                .onFailure(failure -> taken.forEach(
                        use -> note(use.project(), use.key(), use.at().toEpochMilli())));
    }

    private Deque<ApiKeyUse> take() {
        var taken = new ArrayDeque<ApiKeyUse>();
        notes.forEach((key, note) -> {
            var at = note.at().getAndSet(TAKEN);
            notes.remove(key, note);
            if (at != TAKEN) {
                taken.add(new ApiKeyUse(note.project(), key, Instant.ofEpochMilli(at)));
            }
        });
        return taken;
    }

    private Future<Boolean> writeBatch(SqlClient db, Deque<ApiKeyUse> taken) {
        var batch = taken.stream().limit(BATCH).toList();
        if (batch.isEmpty()) {
            return Future.succeededFuture(false);
        }
        return store.used(db, batch).map(written -> {
            batch.forEach(use -> taken.remove());
            return true;
        });
    }
}
