package dev.vestibule.user;

import dev.vestibule.database.Database;
import dev.vestibule.json.Page;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserListStore.SearchStatistics;
import io.vertx.core.Future;

/**
 * Finds users by a part of their email or display name, ignoring case. A term that many users match is found soon by a
 * scan from the newest user on, one that few match by the trigram index. This class chooses and not the planner, which
 * does not know the term.
 */
final class UserSearch {
    private static final int SMALL_PROJECT = 10_000;
    private static final int FEW_OF_NEWEST = 5; // of 1,000: of a million users 5,000, which the index gives in 20 ms
    private static final int FIRST_BEYOND_ASCII = 128;

    private final Database database;
    private final UserListStore lists;
    private final SearchTotals totals;

    UserSearch(Database database, UserListStore lists, SearchTotals totals) {
        this.database = database;
        this.lists = lists;
        this.totals = totals;
    }

    Future<UserList> find(ProjectId project, String term, Page page) {
        return lists.statistics(database.writes(), project, term)
                .compose(statistics -> isScanned(statistics)
                        ? scan(project, statistics, page)
                        : lists.find(database.writes(), project, statistics.term(), page));
    }

    private static boolean isScanned(SearchStatistics statistics) {
        var term = statistics.term();
        var isIndexed = term.length() > 1 || term.codePoints().anyMatch(c -> c >= FIRST_BEYOND_ASCII);
        return statistics.matches() > FEW_OF_NEWEST || statistics.users() <= SMALL_PROJECT || !isIndexed;
    }

    private Future<UserList> scan(ProjectId project, SearchStatistics statistics, Page page) {
        var total = totals.of(database.writes(), project, statistics);
        return lists.scan(database.writes(), project, statistics.term(), page)
                .compose(users -> total.map(count -> new UserList(users, count)));
    }
}
