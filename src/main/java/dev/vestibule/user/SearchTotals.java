package dev.vestibule.user;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import dev.vestibule.database.Entered;
import dev.vestibule.database.Shard;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserListStore.SearchStatistics;
import dev.vestibule.user.UserListStore.VersionedTotal;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;

/**
 * Counts the users who match a term that many users match. Counting reads every user of the project, so the total is
 * cached. It stays correct as long as the project's users do not change; if users were only added since, the matches
 * among them are added to it. The database numbers all changes, so both cases are certain. Another database, to which
 * the project may move, numbers them again, and so does this one when it comes back; the change feed tells of that. In
 * a large project somebody changes their name all the time, and counting takes seconds, so its totals may be a minute
 * old.
 */
final class SearchTotals {
    private static final int MAX_ADDED = 5_000;

    /** @param generation a new one after each change of the project, so that earlier totals are not found any more */
    private record Key(ProjectId project, Shard database, Object generation, String term) {}

    /** @param at when the total was exact */
    private record Counted(VersionedTotal total, Instant at) {}

    private final Database database;
    private final UserListStore lists;
    private final FullReads reads;
    private final Clock clock;
    private final Cache<Key, Counted> known;
    private final Cache<UUID, Object> generations;

    SearchTotals(
            Database database, UserListStore lists, FullReads reads, ChangeFeed feed, int maximumSize, Clock clock) {
        this.database = database;
        this.lists = lists;
        this.reads = reads;
        this.clock = clock;
        this.known = Caffeine.newBuilder().maximumSize(maximumSize).build();
        this.generations = Caffeine.newBuilder().maximumSize(maximumSize).build();
        feed.subscribe(new ChangeFeed.Listener() {
            @Override
            public void changed(UUID project) {
                generations.invalidate(project);
            }

            @Override
            public void changesMissed() {
                // that a project has moved away and back just now is too unlikely to count all users again
            }
        });
    }

    Future<Long> of(ProjectId project, SearchStatistics statistics) {
        var generation = generations.get(project.value(), first -> new Object());
        var key = new Key(project, Entered.here(), generation, statistics.term().folded());
        var last = known.getIfPresent(key);
        if (last == null) {
            return count(key, statistics);
        }
        var changes = statistics.changes() - last.total().version().changes();
        if (changes == 0) {
            return Future.succeededFuture(last.total().total());
        }
        return changes > MAX_ADDED ? countAgain(key, statistics, last) : update(key, statistics, last);
    }

    private Future<Long> update(Key key, SearchStatistics statistics, Counted last) {
        var before = last.total();
        return lists.countAdded(database.writes(), key.project(), key.term(), before.version())
                .compose(added -> added.users()
                                == added.version().changes() - before.version().changes()
                        ? Future.succeededFuture(
                                keep(key, new VersionedTotal(before.total() + added.matches(), added.version())))
                        : countAgain(key, statistics, last));
    }

    private Future<Long> countAgain(Key key, SearchStatistics statistics, Counted last) {
        return FullReads.areLong(statistics.users())
                        && clock.instant().isBefore(last.at().plus(FullReads.KEPT))
                ? Future.succeededFuture(last.total().total())
                : count(key, statistics);
    }

    private Future<Long> count(Key key, SearchStatistics statistics) {
        return reads.run(key.project(), statistics.users(), db -> lists.countMatches(db, key.project(), key.term()))
                .map(total -> keep(key, total));
    }

    private long keep(Key key, VersionedTotal counted) {
        known.put(key, new Counted(counted, clock.instant()));
        return counted.total();
    }
}
