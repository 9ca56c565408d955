package dev.vestibule.database;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Work with statements that may take another time than all others, and few of them at once for each project, so that a
 * project that has much leaves connections to the rest.
 */
public final class LongStatements {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final Database database;
    private final int atOnce;
    private final Duration longest;
    private final String busy;
    private final Map<Id, Integer> running = new ConcurrentHashMap<>();

    /**
     * @param atOnce how much work of a project runs at once on this node
     * @param longest how long a statement may take before PostgreSQL ends it
     * @param busy the message of the 503 for further work
     */
    public LongStatements(Database database, int atOnce, Duration longest, String busy) {
        this.database = database;
        this.atOnce = atOnce;
        this.longest = longest;
        this.busy = busy;
    }

    /** Runs the work in a transaction, or fails with a 503 if enough of the project's is running. */
    public <T> Future<T> run(Id project, Function<SqlConnection, Future<T>> work) {
        if (running.merge(project, 1, Integer::sum) > atOnce) {
            end(project);
            return Future.failedFuture(ApiException.of(ErrorCode.UNAVAILABLE, busy, RETRY_AFTER));
        }
        return Future.succeededFuture(work)
                .compose(begin -> database.withStatementTime(longest, begin))
                .onComplete(ended -> end(project));
    }

    private void end(Id project) {
        running.computeIfPresent(project, (same, count) -> count == 1 ? null : count - 1);
    }
}
