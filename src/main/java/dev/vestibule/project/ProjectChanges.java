package dev.vestibule.project;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.function.Function;

/**
 * Runs changes of project data that nodes cache. This node drops its cached data before the caller gets the result. The
 * other nodes drop theirs when they read the notification, which is part of the transaction; while they cannot read
 * notifications, they do not use the cache.
 */
public final class ProjectChanges {
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
}
