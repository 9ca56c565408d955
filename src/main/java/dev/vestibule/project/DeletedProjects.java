package dev.vestibule.project;

import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.project.DeletedProjectStore.DeliveryKey;
import dev.vestibule.project.DeletedProjectStore.EntryKey;
import dev.vestibule.project.DeletedProjectStore.Gone;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Removes the rows of projects that are no longer in a database, because they were deleted or have moved to another
 * one. It does so in the background, in short statements, so that no other request waits, no matter how big the project
 * was. All progress is in the database: nodes share the work, and it continues after a restart.
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
    private final BiFunction<SqlClient, ProjectId, Future<Void>> access;
    private final Function<ProjectId, Future<Void>> atHome;
    private final int batch;

    /**
     * The rows in one database.
     *
     * @param access removes the keys and webhook endpoints, which a deletion has removed at once, and a move leaves
     * @param atHome makes sure that home does not know a deleted project any more, as after a crash between the commits
     *     of a deletion
     */
    DeletedProjects(
            Database database,
            DeletedProjectStore store,
            BiFunction<SqlClient, ProjectId, Future<Void>> access,
            Function<ProjectId, Future<Void>> atHome,
            int batch) {
        this.database = database;
        this.store = store;
        this.access = access;
        this.atHome = atHome;
        this.batch = batch;
    }

    /** Runs one round. If a request is still writing to a project, its row stays until a later round. */
    public Future<Void> purge() {
        return store.gone(database.writes(), PROJECTS_PER_ROUND).compose(gone -> Batches.each(gone, this::purge));
    }

    private Future<Void> purge(Gone project) {
        var id = project.id();
        return removeAccess(project)
                .compose(done -> removeInOrder(
                        project, DeletedProjectStore.MIN_ID, (db, last) -> store.removeUsers(db, id, last, batch)))
                .compose(done -> Batches.repeat(() -> remove(
                                project, 0L, db -> store.removeSome(db, id, batch, !staysKnown(project)))
                        .map(most -> most == batch)))
                .compose(done -> removeWebhookLog(project))
                .compose(done ->
                        removeInOrder(project, EntryKey.MIN, (db, last) -> store.removeAuditLog(db, id, last, batch)))
                .compose(done -> database.inTransaction(transaction -> removeProject(transaction, project)));
    }

    private Future<Void> removeAccess(Gone project) {
        if (project.hasMoved()) {
            return remove(
                            project,
                            false,
                            transaction ->
                                    access.apply(transaction, project.id()).map(true))
                    .mapEmpty();
        }
        return database.shard().isHome() ? Future.succeededFuture() : atHome.apply(project.id());
    }

    private Future<Void> removeWebhookLog(Gone project) {
        var id = project.id();
        return removeInOrder(project, DeliveryKey.MIN, (db, last) -> store.removeDeliveries(db, id, last, batch))
                .compose(done -> removeInOrder(
                        project, DeletedProjectStore.MIN_ID, (db, last) -> store.removeEvents(db, id, last, batch)));
    }

    /** Runs one statement. A deleted project stays deleted, but one that has moved could come back. */
    private <T> Future<T> remove(Gone project, T nothing, Function<SqlClient, Future<T>> statement) {
        return project.hasMoved()
                ? database.inTransaction(transaction -> store.lockIfLeft(transaction, project.id())
                        .compose(isLeft -> isLeft ? statement.apply(transaction) : Future.succeededFuture(nothing)))
                : statement.apply(database.writes());
    }

    /** Repeats a statement that removes a batch of rows after the given key and returns the last key removed. */
    private <K> Future<Void> removeInOrder(
            Gone project, K first, BiFunction<SqlClient, K, Future<Optional<K>>> remove) {
        return Batches.repeat(new KeyCursor<K>(
                first, last -> remove(project, Optional.empty(), db -> remove.apply(db, last)))::next);
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
    private Future<Void> removeProject(SqlClient transaction, Gone project) {
        var all = !staysKnown(project);
        return store.lockIfEmpty(transaction, project.id(), all)
                .compose(locked ->
                        locked ? store.lockIfEmpty(transaction, project.id(), all) : Future.succeededFuture(false))
                .compose(empty -> empty ? removeRest(transaction, project) : Future.succeededFuture());
    }

    /** Home knows all projects, and the other databases only those that they have. */
    private boolean staysKnown(Gone project) {
        return project.hasMoved() && database.shard().isHome();
    }

    private Future<Void> removeRest(SqlClient transaction, Gone project) {
        return staysKnown(project)
                ? store.keepStub(transaction, project.id())
                : store.removeProject(transaction, project.id());
    }
}
