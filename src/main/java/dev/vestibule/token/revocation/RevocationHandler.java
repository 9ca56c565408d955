package dev.vestibule.token.revocation;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.project.ProjectId;
import dev.vestibule.token.revocation.RevocationStore.Page;
import dev.vestibule.token.revocation.WaitingReaders.Reader;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

/** Tells applications which sessions and grants have ended, so that they can verify tokens without asking. */
public final class RevocationHandler {
    private static final int DEFAULT_LIMIT = 1000;
    private static final int MAX_LIMIT = 10_000;
    /** As long as the change feed stays awake after a request. */
    private static final int MAX_WAIT_MILLIS = 10_000;

    private final Database database;
    private final ChangeFeed feed;
    private final WaitingReaders waiting;
    private final RevocationStore store = new RevocationStore();
    private final Clock clock;

    /** At most so many requests wait at once on this node, for one project and in total. */
    public RevocationHandler(
            Database database, ChangeFeed feed, int waitingOfProject, int waitingInTotal, Clock clock) {
        this.database = database;
        this.feed = feed;
        this.waiting = new WaitingReaders(waitingOfProject, waitingInTotal);
        this.clock = clock;
        feed.subscribe(waiting);
    }

    private record Asked(RevocationCursor after, int limit, Duration patience) {}

    /**
     * {@code GET /v1/backend/revocations}: what has ended since the cursor. If nothing has, the response waits for the
     * next for as long as was asked.
     */
    public Future<Reply> list(ApiRequest request) {
        var project = request.project().id();
        var asked = request.query(fields -> new Asked(
                Objects.requireNonNullElse(fields.optional("after", RevocationCursor::read), RevocationCursor.START),
                Objects.requireNonNullElse(fields.optional("limit", Query.integer(1, MAX_LIMIT)), DEFAULT_LIMIT),
                Duration.ofMillis(Objects.requireNonNullElse(
                        fields.optional("waitMilliseconds", Query.integer(0, MAX_WAIT_MILLIS)), 0))));
        if (asked.patience().isZero()) {
            return read(project, asked).map(Reply::ok);
        }
        var vertx = (VertxInternal) request.vertx();
        var reader = waiting.add(project, () -> vertx.getOrCreateContext().promise());
        var timer = vertx.setTimer(asked.patience().toMillis(), due -> reader.stop());
        request.context().addEndHandler(ended -> reader.stop());
        feed.keepAwake();
        return next(project, asked, reader)
                .onComplete(done -> {
                    vertx.cancelTimer(timer);
                    waiting.remove(project, reader);
                })
                .map(Reply::ok);
    }

    private Future<Page> read(ProjectId project, Asked asked) {
        return store.read(database.reads(), project, asked.after(), asked.limit(), clock.instant());
    }

    /** At the end it looks once more, unless the change feed would have reported a change. */
    private Future<Page> next(ProjectId project, Asked asked, Reader reader) {
        reader.rearm();
        return read(project, asked)
                .compose(page -> !page.revocations().isEmpty() || reader.isOver()
                        ? Future.succeededFuture(page)
                        : reader.woken()
                                .compose(woken -> reader.isOver() && feed.isUpToDate()
                                        ? Future.succeededFuture(page)
                                        : next(project, asked, reader)));
    }

    /** How many requests wait. */
    public int waiting() {
        return waiting.size();
    }

    /** Removes what no token can belong to any more; maintenance calls this regularly. */
    public Future<Void> purge(Database at) {
        return RevocationStore.EXPIRED.remove(at, clock.instant());
    }
}
