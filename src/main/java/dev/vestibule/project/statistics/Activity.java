package dev.vestibule.project.statistics;

import dev.vestibule.config.StatisticsSettings;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.database.PerShard;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the activity in projects, in memory; {@link #flush} writes the counts to the database from time to time. */
public final class Activity {
    private static final Logger LOG = LoggerFactory.getLogger(Activity.class);
    private static final int BATCH = 500;

    private final PerShard<Unwritten> unwritten;
    private final LongAdder dropped = new LongAdder();
    private final StatisticsStore store = new StatisticsStore();
    private final StatisticsSettings settings;
    private final Clock clock;

    public Activity(StatisticsSettings settings, Clock clock) {
        this.unwritten = new PerShard<>(() ->
                new Unwritten(new ConcurrentHashMap<>(), new LinkedBlockingQueue<>(settings.projects()), this.dropped));
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * What was counted in the projects of one database.
     *
     * @param waiting counts of past hours, and counts that could not be written yet
     */
    private record Unwritten(Map<ProjectId, CurrentHour> hours, BlockingQueue<HourlyCounts> waiting, LongAdder dropped)
            implements Consumer<HourlyCounts> {
        /** Keeps counts for later. */
        @Override
        public void accept(HourlyCounts counts) {
            if (!waiting.offer(counts)) {
                dropped.add(counts.sum());
            }
        }

        boolean discard(ProjectId project, CurrentHour hour) {
            hours.remove(project, hour);
            return false;
        }
    }

    /** Counts an event immediately. */
    public void count(ProjectId project, Counted counted) {
        var here = unwritten.here();
        var now = CurrentHour.hourOf(clock.millis());
        var isCounted = false;
        while (!isCounted) {
            var hour = hour(here, project, now);
            if (hour == null) {
                dropped.increment();
                return;
            }
            isCounted = hour.count(now, counted, here) || here.discard(project, hour);
        }
    }

    /** Counts an event of the transaction after it has committed. */
    public void countAfterCommit(SqlClient transaction, ProjectId project, Counted counted) {
        Database.afterCommit(transaction, () -> count(project, counted));
    }

    /** Records that a user is active; a user who was already active in the same hour costs only a look-up. */
    public void markActive(ProjectId project, UUID user) {
        var here = unwritten.here();
        var now = CurrentHour.hourOf(clock.millis());
        var isMarked = false;
        while (!isMarked) {
            var hour = hour(here, project, now);
            if (hour == null) {
                dropped.increment();
                return;
            }
            isMarked = hour.markActive(now, user, here) || here.discard(project, hour);
        }
    }

    /** Null if no more projects fit. */
    private @Nullable CurrentHour hour(Unwritten here, ProjectId project, long now) {
        var hours = here.hours();
        var known = hours.get(project);
        if (known != null) {
            return known;
        }
        return hours.size() >= settings.projects()
                ? null
                : hours.computeIfAbsent(project, added -> new CurrentHour(added, now));
    }

    /** Writes what was counted so far in this database; if that fails, keeps it for the next call. */
    public Future<Void> flush(Database database) {
        warnOfDropped();
        var here = unwritten.of(database.shard());
        var taken = take(here);
        return Batches.repeat(() -> writeBatch(database, taken)).onFailure(failure -> taken.forEach(here));
    }

    private void warnOfDropped() {
        var lost = dropped.sumThenReset();
        if (lost > 0) {
            LOG.warn(
                    "{} sign ups, sign ins, requests and deliveries are missing in the statistics of projects: more than {}"
                            + " projects were active at once (setting statistics.projects)",
                    lost,
                    settings.projects());
        }
    }

    private Deque<HourlyCounts> take(Unwritten here) {
        var hours = here.hours();
        var now = CurrentHour.hourOf(clock.millis());
        var isTight = hours.size() > settings.projects() / 2;
        var taken = new ArrayList<HourlyCounts>();
        here.waiting().drainTo(taken);
        hours.forEach((project, hour) -> {
            hour.take(now, isTight).ifPresent(taken::add);
            if (hour.isOver()) {
                hours.remove(project, hour);
            }
        });
        // A statement can add to a row only once.
        var byKey = new TreeMap<HourlyCounts, HourlyCounts>(HourlyCounts.BY_KEY);
        for (var counts : taken) {
            var earlier = byKey.putIfAbsent(counts, counts);
            if (earlier != null) {
                earlier.add(counts);
            }
        }
        return new ArrayDeque<>(byKey.values());
    }

    private Future<Boolean> writeBatch(Database database, Deque<HourlyCounts> taken) {
        var batch = taken.stream().limit(BATCH).toList();
        if (batch.isEmpty()) {
            return Future.succeededFuture(false);
        }
        return database.inTransaction(transaction -> store.add(transaction, batch)
                        .map(stored -> merge(batch, stored))
                        .compose(changed ->
                                changed.isEmpty() ? Future.succeededFuture() : store.setUsers(transaction, changed)))
                .map(written -> {
                    batch.forEach(counts -> taken.remove());
                    return true;
                });
    }

    /** The rows that lack users of the batch, with these users added; the transaction holds the locks of the rows. */
    private static List<HourlyCounts> merge(List<HourlyCounts> batch, List<HourlyCounts> stored) {
        var here = new TreeMap<HourlyCounts, HourlyCounts>(HourlyCounts.BY_KEY);
        batch.forEach(counts -> here.put(counts, counts));
        return stored.stream()
                .filter(row ->
                        row.users().addAll(Objects.requireNonNull(here.get(row)).users()))
                .toList();
    }

    /** Removes rows that are older than any period of the API. */
    public Future<Void> purge(Database database) {
        var before = clock.instant().minus(Duration.ofDays(settings.retentionDays()));
        return StatisticsStore.OLD.remove(database, before);
    }
}
