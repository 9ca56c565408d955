package dev.vestibule.user.imports;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.BodyLines;
import dev.vestibule.http.ReplyLines;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.imports.ImportResult.Status;
import dev.vestibule.user.imports.UserCreation.Recording;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One running import: reads lines, creates their users and writes a result for each, one batch after the other. So it
 * runs no faster than the database, and no faster than the client reads.
 */
final class UserImport {
    private static final int MAX_LINES = 250;
    private static final int FIRST_ANALYZE = 1000;

    /** The last line of the reply, so that the client knows it is complete. */
    private record Summary(
            boolean done,
            long created,
            long exists,
            long failed,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Boolean dryRun) {}

    /**
     * The connection of the client, which sends lines and gets a result for each.
     *
     * @param allowed fails once the client has lost the right to import
     */
    record Exchange(Context context, BodyLines lines, ReplyLines reply, Supplier<Future<Void>> allowed) {}

    private final Context context;
    private final ProjectId project;
    private final BodyLines lines;
    private final ReplyLines reply;
    private final Supplier<Future<Void>> allowed;
    private final ImportLine.Reader reader;
    private final UserCreation accounts;
    private final Recording recording;
    private final Clock clock;
    private final Duration limit;
    private final Instant deadline;
    private final long skip;
    private final Map<Status, Long> counts = new EnumMap<>(Status.class);
    private long lastRead;
    private long lastWritten;
    private long analyzeAt = FIRST_ANALYZE;

    UserImport(
            Exchange with,
            ProjectId project,
            ImportLine.Reader reader,
            UserCreation accounts,
            Recording recording,
            Clock clock,
            Duration limit,
            long skip) {
        this.context = with.context();
        this.project = project;
        this.lines = with.lines();
        this.reply = with.reply();
        this.allowed = with.allowed();
        this.reader = reader;
        this.accounts = accounts;
        this.recording = recording;
        this.clock = clock;
        this.limit = limit;
        this.deadline = clock.instant().plus(limit);
        this.skip = skip;
    }

    /** Succeeds when the results of all lines are written. */
    Future<Void> run() {
        Promise<Void> done = Promise.promise();
        step(done);
        return done.future();
    }

    /** The number of the last line whose result was written. */
    long lastWritten() {
        return lastWritten;
    }

    /**
     * Each step is a new task of the event loop, so that other requests get their turn and no chain of futures grows.
     */
    private void step(Promise<Void> done) {
        requireTime()
                .compose(inTime -> lines.next(MAX_LINES))
                .compose(read -> allowed.get().map(read))
                .compose(this::process)
                .onComplete(step -> {
                    if (step.failed()) {
                        done.fail(step.cause());
                    } else if (step.result()) {
                        context.runOnContext(next -> step(done));
                    } else {
                        end().onComplete(done);
                    }
                });
    }

    /** A client that sends or reads slowly must not block other imports for longer. */
    private Future<Void> requireTime() {
        return clock.instant().isAfter(deadline) ? Future.failedFuture(tooLong()) : Future.succeededFuture();
    }

    private ApiException tooLong() {
        return ApiException.of(
                ErrorCode.REQUEST_TIMEOUT,
                "The import took longer than " + limit.toSeconds()
                        + " seconds (imports.maxSeconds). Send the same lines again, with skip for those that are done.");
    }

    private Future<Void> write(List<ImportResult> results) {
        var left = Math.max(1, Duration.between(clock.instant(), deadline).toMillis());
        return reply.write(results)
                .timeout(left, TimeUnit.MILLISECONDS)
                .recover(late -> Future.failedFuture(late instanceof TimeoutException ? tooLong() : late));
    }

    /** Returns whether there may be more lines. */
    private Future<Boolean> process(List<Buffer> texts) {
        if (texts.isEmpty()) {
            return Future.succeededFuture(false);
        }
        Future<Void> all = Future.succeededFuture();
        for (var batch : ImportBatch.of(rows(texts))) {
            all = all.compose(before -> process(batch));
        }
        return all.map(true);
    }

    private List<ImportLine> rows(List<Buffer> texts) {
        var now = clock.instant();
        var rows = new ArrayList<ImportLine>(texts.size());
        for (var text : texts) {
            lastRead++;
            if (lastRead > skip && !isBlank(text)) {
                rows.add(ImportLine.read(lastRead, text, reader, now));
            }
        }
        return rows;
    }

    private static boolean isBlank(Buffer text) {
        return text.length() == 0 || (text.length() == 1 && text.getByte(0) == '\r');
    }

    private Future<Void> process(ImportBatch batch) {
        return accounts.create(project, batch.accounts(), recording).compose(made -> {
            var results = accounts.isDryRun() ? undone(batch.results(made)) : batch.results(made);
            if (results.isEmpty()) {
                return Future.succeededFuture();
            }
            results.forEach(result -> counts.merge(result.status(), 1L, Long::sum));
            lastWritten = results.get(results.size() - 1).line();
            return write(results).compose(written -> analyze());
        });
    }

    private static List<ImportResult> undone(List<ImportResult> results) {
        var undone = results.stream()
                .filter(result -> result.status() == Status.CREATED)
                .map(ImportResult::id)
                .collect(Collectors.toSet());
        return results.stream().map(result -> result.without(undone)).toList();
    }

    /** After 1,000 users, 10,000 users and so on. */
    private Future<Void> analyze() {
        if (count(Status.CREATED) < analyzeAt) {
            return Future.succeededFuture();
        }
        analyzeAt *= 10;
        return accounts.analyze();
    }

    private Future<Void> end() {
        return reply.end(new Summary(
                true,
                count(Status.CREATED),
                count(Status.EXISTS),
                count(Status.FAILED),
                accounts.isDryRun() ? true : null));
    }

    private long count(Status status) {
        return counts.getOrDefault(status, 0L);
    }
}
