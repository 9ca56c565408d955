package dev.vestibule.project;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.Optional;
import java.util.function.Function;

/**
 * Changes what nodes cache of a project: this node acts on the change from the moment that the caller hears of it, all
 * others within moments, by the notification that is part of the transaction.
 */
public final class ProjectChanges {
    private static final String PREFIX = "project ";

    private final Database database;
    private final ChangeFeed feed;

    public ProjectChanges(Database database, ChangeFeed feed) {
        this.database = database;
        this.feed = feed;
    }

    /** Runs the work in a transaction; the rules of {@link Database#inTransaction} hold. */
    public <T> Future<T> inTransaction(ProjectId project, Function<SqlConnection, Future<T>> work) {
        var payload = PREFIX + project;
        return database.<T>inTransaction(transaction -> work.apply(transaction)
                        .compose(done -> feed.publish(transaction, payload).map(done)))
                .onSuccess(committed -> feed.announce(payload));
    }

    /** The project that a notification is about, where it is about one. */
    public static Optional<ProjectId> projectOf(String payload) {
        return payload.startsWith(PREFIX) ? ProjectId.parse(payload.substring(PREFIX.length())) : Optional.empty();
    }
}
