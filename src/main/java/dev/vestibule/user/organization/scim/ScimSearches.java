package dev.vestibule.user.organization.scim;

import dev.vestibule.database.Database;
import dev.vestibule.database.SqlFailures;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Runs the statements that compare all of a directory with a filter. Anybody who signs up can have a directory and fill
 * it, so these have little time and few connections.
 */
final class ScimSearches {
    private static final int AT_ONCE = 2;
    private static final Duration LONGEST = Duration.ofSeconds(2);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final Database database;
    private final Map<ProjectId, Integer> running = new ConcurrentHashMap<>();

    ScimSearches(Database database) {
        this.database = database;
    }

    /** Only a search that is not quick is limited. */
    <T> Future<T> run(Provisioner by, boolean isQuick, Function<SqlClient, Future<T>> work) {
        return isQuick ? work.apply(database.writes()) : limited(by.project(), work);
    }

    private <T> Future<T> limited(ProjectId project, Function<SqlClient, Future<T>> work) {
        if (running.merge(project, 1, Integer::sum) > AT_ONCE) {
            end(project);
            return Future.failedFuture(ApiException.of(
                    ErrorCode.UNAVAILABLE,
                    "The project's directories are being searched by other filters. Try again in a moment.",
                    RETRY_AFTER));
        }
        return database.<T>withStatementTime(LONGEST, work::apply)
                .onComplete(ended -> end(project))
                .recover(failure -> Future.failedFuture(
                        SqlFailures.isCanceled(failure)
                                ? ScimErrors.tooMany("The search takes too long. Ask for userName, externalId or id"
                                        + " alone, or displayName of groups, which are in an index.")
                                : failure));
    }

    private void end(ProjectId project) {
        running.computeIfPresent(project, (same, count) -> count == 1 ? null : count - 1);
    }
}
