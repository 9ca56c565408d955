package dev.vestibule.user;

import dev.vestibule.database.Database;
import dev.vestibule.database.LongStatements;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.function.Function;

/**
 * Runs statements that read every user of a project. A million users are read in a second, so those of a large project
 * may take longer than other statements, and only two of them run at once.
 */
final class FullReads {
    private static final long MANY_USERS = 2_000_000;
    private static final int AT_ONCE = 2; // of a project
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Database database;
    private final LongStatements longReads;

    FullReads(Database database) {
        this.database = database;
        this.longReads = new LongStatements(
                database,
                AT_ONCE,
                LONGEST,
                "The users whom other searches find are being counted. Try again in a moment.");
    }

    /**
     * Runs the work in a transaction.
     *
     * @param users how many the project has
     */
    <T> Future<T> run(ProjectId project, long users, Function<SqlConnection, Future<T>> read) {
        return users > MANY_USERS ? longReads.run(project, read) : database.inTransaction(read);
    }
}
