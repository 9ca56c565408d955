package dev.vestibule.user;

import dev.vestibule.database.Database;
import dev.vestibule.user.UserListRequest.UserFilter;
import dev.vestibule.user.UserListStore.SearchStatistics;
import dev.vestibule.user.UserListStore.UserPage;
import io.vertx.core.Future;

/**
 * Lists users, newest first. Finds them by a part of their email or display name, ignoring case: a small project's, and
 * those of a term that many users match, by a scan from the newest user on, others with the trigram index.
 */
final class UserSearch {
    private static final int SMALL_PROJECT = 10_000;

    private final Database database;
    private final UserListStore lists;
    private final SearchTotals totals;
    private final FilteredLists filteredLists;

    UserSearch(Database database, UserListStore lists, SearchTotals totals, FilteredLists filteredLists) {
        this.database = database;
        this.lists = lists;
        this.totals = totals;
        this.filteredLists = filteredLists;
    }

    Future<UserPage> find(UserListRequest request) {
        if (!request.filter().equals(UserFilter.NONE)) {
            return filteredLists.find(request);
        }
        return request.term().isEmpty()
                ? all(request)
                : lists.statistics(database.writes(), request.project(), request.term())
                        .compose(statistics -> isScanned(statistics)
                                ? scan(statistics, request)
                                : lists.find(
                                        database.writes(), statistics.term().folded(), request));
    }

    private Future<UserPage> all(UserListRequest request) {
        var total = lists.count(database.writes(), request.project());
        return lists.page(database.writes(), request)
                .compose(users -> total.map(
                        count -> UserPage.of(users, count, request.page().limit())));
    }

    private static boolean isScanned(SearchStatistics statistics) {
        return statistics.users() <= SMALL_PROJECT || !statistics.term().isRare();
    }

    private Future<UserPage> scan(SearchStatistics statistics, UserListRequest request) {
        var total = totals.of(request.project(), statistics);
        return lists.scan(database.writes(), statistics.term().folded(), request)
                .compose(users -> total.map(
                        count -> UserPage.of(users, count, request.page().limit())));
    }
}
