package dev.vestibule.project;

import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;

/**
 * Removes what deleted projects leave behind, in short statements, so that whatever size they had nobody waits. All
 * that it needs to know is in the database: nodes share the work, and it goes on after a restart.
 */
public final class DeletedProjects {
    /** Users removed at once; with their sessions, about a thousand rows. */
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
        return removeUsers(project)
                .compose(done -> removeAll(limit -> store.removeFailures(database.writes(), project, limit)))
                .compose(done -> removeAll(limit -> store.removeCodes(database.writes(), project, limit)))
                .compose(done -> removeAll(limit -> store.removeMails(database.writes(), project, limit)))
                .compose(done -> database.inTransaction(transaction -> removeProject(transaction, project)));
    }

    private Future<Void> removeUsers(ProjectId project) {
        return Batches.repeat(new Walk(project)::removeUsers);
    }

    /** Goes on from the last user removed: to begin anew each time would be to step over all that is dead already. */
    private final class Walk {
        private final ProjectId project;
        private UUID last = DeletedProjectStore.BEFORE_ALL;

        private Walk(ProjectId project) {
            this.project = project;
        }

        private Future<Boolean> removeUsers() {
            return store.removeUsers(database.writes(), project, last, batch).map(removed -> {
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
