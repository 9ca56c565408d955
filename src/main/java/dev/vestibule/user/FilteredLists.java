package dev.vestibule.user;

import dev.vestibule.database.Database;
import dev.vestibule.user.UserListStore.UserPage;
import dev.vestibule.user.UserListStore.UserPage.ListedUser;
import io.vertx.core.Future;
import java.util.List;

/**
 * Lists the users who match a filter. First they are counted, since their number tells how to find those of the page.
 */
final class FilteredLists {
    /** In the time in which a walk passes one user, this many are gathered; measured with ten million. */
    private static final long GATHERED_IN_A_STEP = 6;

    private final Database database;
    private final UserListStore lists;
    private final FullReads reads;

    FilteredLists(Database database, UserListStore lists, FullReads reads) {
        this.database = database;
        this.lists = lists;
        this.reads = reads;
    }

    Future<UserPage> find(UserListRequest request) {
        return lists.count(database.writes(), request.project())
                .compose(users -> total(request, users)
                        .compose(total -> page(request, users, total)
                                .map(found ->
                                        UserPage.of(found, total, request.page().limit()))));
    }

    private Future<Long> total(UserListRequest request, long users) {
        return request.selectsAll()
                ? Future.succeededFuture(users)
                : reads.run(request.project(), users, db -> lists.countFiltered(db, request));
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
