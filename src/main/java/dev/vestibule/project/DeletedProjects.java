package dev.vestibule.project;

import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.project.DeletedProjectStore.DeliveryKey;
import dev.vestibule.project.DeletedProjectStore.EntryKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Removes the rows of deleted projects in the background, in short statements, so that no other request waits, no
 * matter how big the project was. All progress is in the database: nodes share the work, and it continues after a
 * restart.
 */
public final class DeletedProjects {
    /**
     * The rows of a table that one statement removes. With their sessions and other data, 250 users are about a
     * thousand rows.
     */
    public static final int BATCH = 250;

    private static final int PROJECTS_PER_ROUND = 100;

    private final Database database;
    private final DeletedProjectStore store;
    private final int batch;

    public DeletedProjects(Database database, DeletedProjectStore store, int batch) {
        this.database = database;
        this.store = store;
        this.batch = batch;
    }

    /** Runs one round. If a request is still writing to a project, its row stays until a later round. */
    public Future<Void> purge() {
        return store.deleted(database.writes(), PROJECTS_PER_ROUND).compose(this::purgeEach);
    }

    /**
     * Purges the projects one after another. If one fails, the others are still purged, and the result is that failure.
     */
    private Future<Void> purgeEach(List<ProjectId> projects) {
        Future<Void> chain = Future.succeededFuture();
        for (var project : projects) {
            chain = chain.transform(before -> purge(project)
                    .compose(done -> before.failed() ? Future.failedFuture(before.cause()) : Future.succeededFuture()));
        }
        return chain;
    }

    private Future<Void> purge(ProjectId project) {
        return removeInOrder(
                        DeletedProjectStore.MIN_ID, last -> store.removeUsers(database.writes(), project, last, batch))
                .compose(done -> Batches.repeat(() ->
                        store.removeSome(database.writes(), project, batch).map(most -> most == batch)))
                .compose(done -> removeWebhookLog(project))
                .compose(done -> removeInOrder(
                        EntryKey.MIN, last -> store.removeAuditLog(database.writes(), project, last, batch)))
                .compose(done -> database.inTransaction(transaction -> removeProject(transaction, project)));
    }

    private Future<Void> removeWebhookLog(ProjectId project) {
        return removeInOrder(DeliveryKey.MIN, last -> store.removeDeliveries(database.writes(), project, last, batch))
                .compose(done -> removeInOrder(
                        DeletedProjectStore.MIN_ID,
                        last -> store.removeEvents(database.writes(), project, last, batch)));
    }

    /** Repeats a statement that removes a batch of rows after the given key and returns the last key removed. */
    private static <K> Future<Void> removeInOrder(K first, Function<K, Future<Optional<K>>> remove) {
        return Batches.repeat(new KeyCursor<>(first, remove)::next);
    }

    /** Continues after the last key: a search from the start would step over all dead rows each time. */
    private static final class KeyCursor<K> {
        private final Function<K, Future<Optional<K>>> remove;
        private K last;

        private KeyCursor(K first, Function<K, Future<Optional<K>>> remove) {
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

    /** Checks twice: the first snapshot may be older than the lock, but nothing can be written before the second. */
    private Future<Void> removeProject(SqlClient transaction, ProjectId project) {
        return store.lockIfEmpty(transaction, project)
                .compose(locked -> locked ? store.lockIfEmpty(transaction, project) : Future.succeededFuture(false))
                .compose(empty -> empty ? store.removeProject(transaction, project) : Future.succeededFuture());
    }
}
