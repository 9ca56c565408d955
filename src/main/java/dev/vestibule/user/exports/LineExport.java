package dev.vestibule.user.exports;

import dev.vestibule.config.ExportSettings;
import dev.vestibule.database.Database;
import dev.vestibule.http.ReplyLines;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One running export: reads a page, writes its lines, and continues when the client has read most of them. */
public final class LineExport<T> {
    private static final int PAGE_ROWS = 250;

    /** Reads the lines after the given one, in their order; the first lines if it is null. */
    @FunctionalInterface
    public interface Pages<T> {
        Future<List<T>> after(@Nullable T last, int limit);
    }

    private final Context context;
    private final SqlClient snapshot;
    private final Pages<T> pages;
    private final ReplyLines reply;
    private final ExportSettings limits;
    private final Clock clock;
    private final Instant deadline;
    private @Nullable T last;
    private long written;

    public LineExport(
            Context context, SqlClient snapshot, Pages<T> pages, ReplyLines reply, ExportSettings limits, Clock clock) {
        this.context = context;
        this.snapshot = snapshot;
        this.pages = pages;
        this.reply = reply;
        this.limits = limits;
        this.clock = clock;
        this.deadline = clock.instant().plus(limits.limit());
    }

    /** Succeeds when all lines are written, and returns their number. */
    public Future<Long> run() {
        Promise<Long> done = Promise.promise();
        step(done);
        return done.future();
    }

    /**
     * Each step is a new task of the event loop, so that other requests get their turn and no chain of futures grows.
     */
    private void step(Promise<Long> done) {
        pages.after(last, PAGE_ROWS).compose(this::write).onComplete(step -> {
            if (step.failed()) {
                done.fail(step.cause());
            } else if (step.result()) {
                context.runOnContext(next -> step(done));
            } else {
                done.complete(written);
            }
        });
    }

    /**
     * A client that reads anything within the stall time can continue until the deadline, and the export keeps its
     * snapshot for it.
     */
    private Future<Void> whileClientReads(Future<Void> room, long taken) {
        return room.timeout(limits.stallTime().toMillis(), TimeUnit.MILLISECONDS)
                .recover(late -> late instanceof TimeoutException && reply.taken() > taken && !isTooLate()
                        ? proceed(reply.taken())
                        : Future.failedFuture(late));
    }

    private Future<Void> proceed(long taken) {
        return Database.keepAlive(snapshot).compose(kept -> whileClientReads(reply.awaitRoom(), taken));
    }

    private boolean isTooLate() {
        return clock.instant().isAfter(deadline);
    }

    /** Returns whether there may be more lines. */
    private Future<Boolean> write(List<T> lines) {
        if (lines.isEmpty()) {
            return Future.succeededFuture(false);
        }
        if (isTooLate()) {
            return Future.failedFuture(
                    new TimeoutException("it took " + limits.limit().toSeconds() + " seconds (exports.maxSeconds)"));
        }
        last = lines.get(lines.size() - 1);
        var taken = reply.taken();
        return whileClientReads(reply.write(lines), taken).map(read -> {
            written += lines.size();
            return lines.size() == PAGE_ROWS;
        });
    }
}
