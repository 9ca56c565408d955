package dev.vestibule.user;

import dev.vestibule.database.Database;
import dev.vestibule.database.Entered;
import dev.vestibule.database.ExpiringCache;
import dev.vestibule.database.Shard;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserListRequest.UserFilter;
import dev.vestibule.user.UserListStore.UserPage;
import dev.vestibule.user.UserListStore.UserPage.ListedUser;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * Lists the users who match a filter. First they are counted, since their number tells how to find those of the page.
 * The total of a large project, where that takes seconds, is kept for a minute: it is not counted again for each page,
 * and a request that could not wait for it finds it at the next attempt.
 */
final class FilteredLists {
    private static final Duration KEPT = Duration.ofMinutes(1);

    /** In the time in which a walk passes one user, this many are gathered; measured with ten million. */
    private static final long GATHERED_IN_A_STEP = 6;

    private record Key(ProjectId project, Shard database, String term, UserFilter filter) {}

    private final Database database;
    private final UserListStore lists;
    private final FullReads reads;
    private final ExpiringCache<Key, Long> totals;

    FilteredLists(
            Vertx vertx, Database database, UserListStore lists, FullReads reads, int maximumTotals, Clock clock) {
        this.database = database;
        this.lists = lists;
        this.reads = reads;
        this.totals = new ExpiringCache<>(vertx, maximumTotals, KEPT, clock);
    }

    Future<UserPage> find(UserListRequest request) {
        return lists.count(database.writes(), request.project())
                .compose(users -> total(request, users)
                        .compose(total -> page(request, users, total)
                                .map(found ->
                                        UserPage.of(found, total, request.page().limit()))));
    }

    private Future<Long> total(UserListRequest request, long users) {
        if (request.selectsAll()) {
            return Future.succeededFuture(users);
        }
        if (!FullReads.areLong(users)) {
            return count(request, users);
        }
        var key = new Key(request.project(), Entered.here(), request.term(), request.filter());
        return totals.get(key, () -> count(request, users));
    }

    private Future<Long> count(UserListRequest request, long users) {
        return reads.run(request.project(), users, db -> lists.countFiltered(db, request));
    }

    private Future<List<ListedUser>> page(UserListRequest request, long users, long total) {
        if (total == 0) {
            return Future.succeededFuture(List.of());
        }
        return isWalked(request, total)
                ? lists.walk(database.writes(), request)
                : reads.run(request.project(), users, db -> lists.gather(db, request));
    }

    /** Whether a walk that passes users until it has found those of the page is likely faster than reading all. */
    private static boolean isWalked(UserListRequest request, long total) {
        var page = request.page();
        return total >= GATHERED_IN_A_STEP * (page.offset() + page.limit());
    }
}
