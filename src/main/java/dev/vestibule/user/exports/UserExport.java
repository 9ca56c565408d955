package dev.vestibule.user.exports;

import dev.vestibule.config.ExportSettings;
import dev.vestibule.http.ReplyLines;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One running export: reads a page, writes its lines, and goes on when the client has read most of them. */
final class UserExport {
    private static final int PAGE_ROWS = 250;
    private static final UUID BEFORE_ALL = new UUID(0, 0);

    private final Context context;
    private final SqlClient snapshot;
    private final UserExportStore store;
    private final ProjectId project;
    private final boolean withHashes;
    private final ReplyLines reply;
    private final ExportSettings limits;
    private final Clock clock;
    private final Instant deadline;
    private UUID last = BEFORE_ALL;
    private long written;

    UserExport(
            Context context,
            SqlClient snapshot,
            UserExportStore store,
            ProjectId project,
            boolean withHashes,
            ReplyLines reply,
            ExportSettings limits,
            Clock clock) {
        this.context = context;
        this.snapshot = snapshot;
        this.store = store;
        this.project = project;
        this.withHashes = withHashes;
        this.reply = reply;
        this.limits = limits;
        this.clock = clock;
        this.deadline = clock.instant().plus(limits.limit());
    }

    /** Succeeds when all users are written, and returns how many they are. */
    Future<Long> run() {
        Promise<Long> done = Promise.promise();
        step(done);
        return done.future();
    }

    /** Each step runs in a new task of the event loop, so that other requests get their turn and no chain of futures grows. */
    private void step(Promise<Long> done) {
        store.page(snapshot, project, last, PAGE_ROWS, withHashes)
                .compose(this::write)
                .onComplete(step -> {
                    if (step.failed()) {
                        done.fail(step.cause());
                    } else if (step.result()) {
                        context.runOnContext(next -> step(done));
                    } else {
                        done.complete(written);
                    }
                });
    }

    /** Returns whether there may be more users. */
    private Future<Boolean> write(List<ExportedUser> users) {
        if (users.isEmpty()) {
            return Future.succeededFuture(false);
        }
        if (clock.instant().isAfter(deadline)) {
            return Future.failedFuture(
                    new TimeoutException("it took " + limits.limit().toSeconds() + " seconds (exports.maxSeconds)"));
        }
        last = users.get(users.size() - 1).id().value();
        return reply.write(users)
                .timeout(limits.stallTime().toMillis(), TimeUnit.MILLISECONDS)
                .map(read -> {
                    written += users.size();
                    return users.size() == PAGE_ROWS;
                });
    }
}
