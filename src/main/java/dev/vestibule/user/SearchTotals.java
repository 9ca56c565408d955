package dev.vestibule.user;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Entered;
import dev.vestibule.database.Shard;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserListStore.SearchStatistics;
import dev.vestibule.user.UserListStore.VersionedTotal;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.UUID;

/**
 * Counts the users who match a term that many users match. Counting reads every user of the project, so the total is
 * cached. It stays correct as long as the project's users do not change; if users were only added since, the matches
 * among them are added to it. The database numbers all changes, so both cases are certain. Another database, to which
 * the project may move, numbers them again, and so does this one when it comes back; the change feed tells of that.
 */
public final class SearchTotals {
    private static final int MAX_ADDED = 5_000;

    /** @param generation a new one after each change of the project, so that earlier totals are not found any more */
    private record Key(ProjectId project, Shard database, Object generation, String term) {}

    private final UserListStore lists;
    private final Cache<Key, VersionedTotal> known;
    private final Cache<UUID, Object> generations;

    public SearchTotals(UserListStore lists, ChangeFeed feed, int maximumSize) {
        this.lists = lists;
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

    Future<Long> of(SqlClient db, ProjectId project, SearchStatistics statistics) {
        var generation = generations.get(project.value(), first -> new Object());
        var key = new Key(project, Entered.here(), generation, statistics.term().folded());
        var last = known.getIfPresent(key);
        if (last == null || statistics.changes() - last.version().changes() > MAX_ADDED) {
            return count(db, key);
        }
        return last.version().changes() == statistics.changes()
                ? Future.succeededFuture(last.total())
                : update(db, key, last);
    }

    private Future<Long> count(SqlClient db, Key key) {
        return lists.countMatches(db, key.project(), key.term()).map(counted -> keep(key, counted));
    }

    private Future<Long> update(SqlClient db, Key key, VersionedTotal last) {
        return lists.countAdded(db, key.project(), key.term(), last.version())
                .compose(added -> added.users()
                                == added.version().changes() - last.version().changes()
                        ? Future.succeededFuture(
                                keep(key, new VersionedTotal(last.total() + added.matches(), added.version())))
                        : count(db, key));
    }

    private long keep(Key key, VersionedTotal counted) {
        known.put(key, counted);
        return counted.total();
    }
}
