package dev.vestibule.user.organization.scim;

import dev.vestibule.database.Database;
import dev.vestibule.database.LongStatements;
import dev.vestibule.database.SqlFailures;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.util.function.Function;

/**
 * Runs the statements that compare all of a directory with a filter. Anybody who signs up can have a directory and fill
 * it, so these have little time and few connections.
 */
final class ScimSearches {
    private static final int AT_ONCE = 2;
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final Database database;
    private final LongStatements searches;

    ScimSearches(Database database) {
        this.database = database;
        this.searches = new LongStatements(
                database,
                AT_ONCE,
                LONGEST,
                "The project's directories are being searched by other filters. Try again in a moment.");
    }

    /** Only a search that is not quick is limited. */
    <T> Future<T> run(Provisioner by, boolean isQuick, Function<SqlClient, Future<T>> work) {
        return isQuick ? work.apply(database.writes()) : limited(by.project(), work);
    }

    private <T> Future<T> limited(ProjectId project, Function<SqlClient, Future<T>> work) {
        return searches.<T>run(project, work::apply)
                .recover(failure -> Future.failedFuture(
                        SqlFailures.isCanceled(failure)
                                ? ScimErrors.tooMany("The search takes too long. Ask for userName, externalId or id"
                                        + " alone, or displayName of groups, which are in an index.")
                                : failure));
    }
}
