package dev.vestibule.project;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.function.Function;

/**
 * Runs changes to data of a project that nodes cache. This node drops its cached data before the caller gets the result;
 * the others do so when they read the change, which is a part of the transaction, and use no cache while they cannot.
 */
public final class ProjectChanges {
    private final Database database;
    private final ChangeFeed feed;

    public ProjectChanges(Database database, ChangeFeed feed) {
        this.database = database;
        this.feed = feed;
    }

    /** Runs the work in a transaction that also tells all nodes. See {@link Database#inTransaction} for the rules. */
    public <T> Future<T> inTransaction(ProjectId project, Function<SqlConnection, Future<T>> work) {
        return database.<T>inTransaction(transaction -> work.apply(transaction)
                        .compose(done ->
                                feed.publish(transaction, project.value()).map(done)))
                .onSuccess(committed -> feed.apply(project.value()));
    }
}
