package dev.vestibule.project;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import dev.vestibule.database.Shard;
import dev.vestibule.error.ApiException;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs changes of project data that nodes cache. This node drops its cached data before the caller gets the result. The
 * other nodes drop theirs when they read the notification, which is part of the transaction; while they cannot read
 * notifications, they do not use the cache.
 */
public final class ProjectChanges {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectChanges.class);

    private final ProjectStore projects = new ProjectStore();
    private final Database database;
    private final ChangeFeed feed;

    public ProjectChanges(Database database, ChangeFeed feed) {
        this.database = database;
        this.feed = feed;
    }

    /**
     * Runs the work in a transaction that also notifies all nodes. See {@link Database#inTransaction} for the rules.
     */
    public <T> Future<T> inTransaction(ProjectId project, Function<SqlConnection, Future<T>> work) {
        return database.<T>inTransaction(transaction -> work.apply(transaction)
                        .compose(done ->
                                feed.publish(transaction, project.value()).map(done)))
                .onSuccess(committed -> feed.apply(project.value()));
    }

    /**
     * Runs work at home that ends with work in the database of the project, which commits first. If home's commit then
     * fails, the project's database follows what home knows: it hides a project that home does not know, and gets back
     * the name and slug of the others. (After a crash between the two commits, the project is out of date until its
     * next change, or nobody can reach it.)
     */
    <T> Future<T> homeLast(Shard shard, ProjectId project, Instant now, Function<SqlConnection, Future<T>> work) {
        return database.home().inTransaction(work).onFailure(failure -> {
            if (!shard.isHome() && !(failure instanceof ApiException)) { // which is an answer, and nothing has failed
                follow(shard, project, now)
                        .onFailure(second -> LOG.warn(
                                "Project {} may be out of date in the database {}: {}",
                                project,
                                shard,
                                second.getMessage()));
            }
        });
    }

    private Future<Void> follow(Shard shard, ProjectId project, Instant now) {
        return database.home()
                .inTransaction(home -> projects.lockStub(home, project)
                        .compose(known -> database.at(shard)
                                .inTransaction(transaction -> (known.isPresent()
                                                ? projects.follow(transaction, known.get())
                                                : projects.hide(transaction, project, now))
                                        .compose(done -> feed.publish(transaction, project.value())))))
                .onSuccess(followed -> feed.apply(project.value()));
    }
}
