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
import java.util.UUID;

/**
 * Counts the users who match a term that many users match. Counting reads every user of the project, so the total is
 * cached. It stays correct as long as the project's users do not change; if users were only added since, the matches
 * among them are added to it. The database numbers all changes, so both cases are certain. Another database, to which
 * the project may move, numbers them again, and so does this one when it comes back; the change feed tells of that.
 */
final class SearchTotals {
    private static final int MAX_ADDED = 5_000;

    /** @param generation a new one after each change of the project, so that earlier totals are not found any more */
    private record Key(ProjectId project, Shard database, Object generation, String term) {}

    private final Database database;
    private final UserListStore lists;
    private final FullReads reads;
    private final Cache<Key, VersionedTotal> known;
    private final Cache<UUID, Object> generations;

    SearchTotals(Database database, UserListStore lists, FullReads reads, ChangeFeed feed, int maximumSize) {
        this.database = database;
        this.lists = lists;
        this.reads = reads;
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
        if (last == null || statistics.changes() - last.version().changes() > MAX_ADDED) {
            return count(key, statistics);
        }
        return last.version().changes() == statistics.changes()
                ? Future.succeededFuture(last.total())
                : update(key, statistics, last);
    }

    private Future<Long> count(Key key, SearchStatistics statistics) {
        return reads.run(key.project(), statistics.users(), db -> lists.countMatches(db, key.project(), key.term()))
                .map(total -> keep(key, total));
    }

    private Future<Long> update(Key key, SearchStatistics statistics, VersionedTotal last) {
        return lists.countAdded(database.writes(), key.project(), key.term(), last.version())
                .compose(added -> added.users()
                                == added.version().changes() - last.version().changes()
                        ? Future.succeededFuture(
                                keep(key, new VersionedTotal(last.total() + added.matches(), added.version())))
                        : count(key, statistics));
    }

    private long keep(Key key, VersionedTotal counted) {
        known.put(key, counted);
        return counted.total();
    }
}
