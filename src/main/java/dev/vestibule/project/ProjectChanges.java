package dev.vestibule.project;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs changes to data of a project that nodes cache. This node drops its cached data before the caller gets the result;
 * the others do so when they read the notification that is part of the transaction, about 50 ms later.
 */
public final class ProjectChanges {
    private static final String PREFIX = "project ";

    private final Database database;
    private final ChangeFeed feed;

    public ProjectChanges(Database database, ChangeFeed feed) {
        this.database = database;
        this.feed = feed;
    }

    /** Runs the work in a transaction that also tells all nodes. See {@link Database#inTransaction} for the rules. */
    public <T> Future<T> inTransaction(ProjectId project, Function<SqlConnection, Future<T>> work) {
        var payload = PREFIX + project;
        return database.<T>inTransaction(transaction -> work.apply(transaction)
                        .compose(done -> feed.publish(transaction, payload).map(done)))
                .onSuccess(committed -> feed.apply(payload));
    }

    /** The project that a notification is about; empty if it is about something else. */
    public static Optional<ProjectId> projectOf(String payload) {
        return payload.startsWith(PREFIX) ? ProjectId.parse(payload.substring(PREFIX.length())) : Optional.empty();
    }
}
