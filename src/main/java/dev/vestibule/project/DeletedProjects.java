package dev.vestibule.project;

import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.project.DeletedProjectStore.DeliveryKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Removes what deleted projects leave behind, in short statements, so that whatever size they had nobody waits. All
 * that it needs to know is in the database: nodes share the work, and it goes on after a restart.
 */
public final class DeletedProjects {
    /** Rows removed at once; of users with their sessions, about a thousand rows. */
    public static final int BATCH = 250;

    private static final int PROJECTS = 100;

    private final Database database;
    private final DeletedProjectStore store;
    private final int batch;

    public DeletedProjects(Database database, DeletedProjectStore store, int batch) {
        this.database = database;
        this.store = store;
        this.batch = batch;
    }

    /** One round: a project that a request under way still writes to keeps its row until a later one. */
    public Future<Void> purge() {
        return store.deleted(database.writes(), PROJECTS).compose(this::purgeEach);
    }

    /** One after another; one that fails holds up no other, and is told of at the end. */
    private Future<Void> purgeEach(List<ProjectId> projects) {
        Future<Void> chain = Future.succeededFuture();
        for (var project : projects) {
            chain = chain.transform(before -> purge(project)
                    .compose(done -> before.failed() ? Future.failedFuture(before.cause()) : Future.succeededFuture()));
        }
        return chain;
    }

    private Future<Void> purge(ProjectId project) {
        return walk(DeletedProjectStore.BEFORE_ALL, last -> store.removeUsers(database.writes(), project, last, batch))
                .compose(done -> removeAll(limit -> store.removeFailures(database.writes(), project, limit)))
                .compose(done -> removeAll(limit -> store.removeCodes(database.writes(), project, limit)))
                .compose(done -> removeAll(limit -> store.removeMails(database.writes(), project, limit)))
                .compose(done -> removeWhatWasTold(project))
                .compose(done -> removeAll(limit -> store.removeOauthStates(database.writes(), project, limit)))
                .compose(done -> database.inTransaction(transaction -> removeProject(transaction, project)));
    }

    private Future<Void> removeWhatWasTold(ProjectId project) {
        return walk(DeliveryKey.BEFORE_ALL, last -> store.removeDeliveries(database.writes(), project, last, batch))
                .compose(done -> walk(
                        DeletedProjectStore.BEFORE_ALL,
                        last -> store.removeEvents(database.writes(), project, last, batch)));
    }

    /** By a statement that removes some rows after the given one, and names the last of them. */
    private static <K> Future<Void> walk(K first, Function<K, Future<Optional<K>>> remove) {
        return Batches.repeat(new Walk<>(first, remove)::next);
    }

    /** Goes on from the last row removed: to begin anew each time would be to step over all that is dead already. */
    private static final class Walk<K> {
        private final Function<K, Future<Optional<K>>> remove;
        private K last;

        private Walk(K first, Function<K, Future<Optional<K>>> remove) {
            this.last = first;
            this.remove = remove;
        }

        private Future<Boolean> next() {
            return remove.apply(last).map(removed -> {
                last = removed.orElse(last);
                return removed.isPresent();
            });
        }
    }

    /** By a statement that removes up to so many rows and tells how many. */
    private Future<Void> removeAll(IntFunction<Future<Integer>> remove) {
        return Batches.repeat(() -> remove.apply(batch).map(removed -> removed == batch));
    }

    /** The first look may be older than the lock that it takes; nobody can write while the second is taken. */
    private Future<Void> removeProject(SqlClient transaction, ProjectId project) {
        return store.lockIfEmpty(transaction, project)
                .compose(locked -> locked ? store.lockIfEmpty(transaction, project) : Future.succeededFuture(false))
                .compose(empty -> empty ? store.removeProject(transaction, project) : Future.succeededFuture());
    }
}
