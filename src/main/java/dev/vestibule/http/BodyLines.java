package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.parsetools.RecordParser;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a body of any length, read only as fast as they are consumed: while {@value #BUFFER_BYTES} bytes wait
 * here, the request is paused. A client that sends no whole line for too long gets a 408. Use it on the request's event
 * loop only.
 */
public final class BodyLines {
    private static final int BUFFER_BYTES = 256 * 1024;
    private static final Buffer LINE_FEED = Buffer.buffer("\n");

    private final Vertx vertx;
    private final HttpServerRequest request;
    private final int maxLineBytes;
    private final Duration lineTimeout;
    private final RecordParser parser = RecordParser.newDelimited("\n");
    private final Deque<Buffer> lines = new ArrayDeque<>();
    private int bytes;
    private boolean isEnded;
    private @Nullable Throwable failure;
    private @Nullable Promise<List<Buffer>> pending;
    private int maxLines;

    private BodyLines(Vertx vertx, HttpServerRequest request, int maxLineBytes, Duration lineTimeout) {
        this.vertx = vertx;
        this.request = request;
        this.maxLineBytes = maxLineBytes;
        this.lineTimeout = lineTimeout;
    }

    /** Starts to read the request, which {@link StreamedBodyHandler} has paused. */
    public static BodyLines of(Vertx vertx, HttpServerRequest request, int maxLineBytes, Duration lineTimeout) {
        var lines = new BodyLines(vertx, request, maxLineBytes, lineTimeout);
        lines.parser.maxRecordSize(maxLineBytes);
        lines.parser.handler(lines::add);
        lines.parser.exceptionHandler(tooLong -> lines.fail(lines.tooLong()));
        if (request.isEnded()) { // one without a body, which waited until earlier responses were read
            lines.end();
            return lines;
        }
        request.handler(lines::receive);
        request.endHandler(ended -> lines.end());
        request.exceptionHandler(lines::abort);
        if (request.response().closed()) { // closed while a guard was working: no event reports it any more
            lines.abort(new HttpClosedException("The connection was closed"));
            return lines;
        }
        if (request.headers().contains(HttpHeaders.EXPECT, HttpHeaders.CONTINUE, true)) {
            request.response().writeContinue();
        }
        return lines;
    }

    /**
     * The next lines: at least one and at most {@code max}, or none at the end of the body. Fails if the connection
     * broke, a line is too long or none arrives in time; the lines before one that is too long are delivered first.
     */
    public Future<List<Buffer>> next(int max) {
        Promise<List<Buffer>> promise = Promise.promise();
        pending = promise;
        maxLines = max;
        deliver();
        if (bytes < BUFFER_BYTES && failure == null) {
            request.resume();
        }
        if (pending != null) {
            var late = vertx.setTimer(lineTimeout.toMillis(), timer -> giveUp());
            promise.future().onComplete(done -> vertx.cancelTimer(late));
        }
        return promise.future();
    }

    private void giveUp() {
        fail(ApiException.of(
                ErrorCode.REQUEST_TIMEOUT, "No complete line arrived for " + lineTimeout.toSeconds() + " seconds."));
        deliver();
    }

    private void receive(Buffer chunk) {
        if (failure != null) {
            return;
        }
        parser.handle(chunk);
        if (bytes >= BUFFER_BYTES || failure != null) {
            request.pause();
        }
        deliver();
    }

    private void add(Buffer line) {
        if (line.length() > maxLineBytes) {
            fail(tooLong());
        }
        if (failure == null) {
            lines.add(line);
            bytes += line.length() + 1;
        }
    }

    private void end() {
        if (failure == null) {
            parser.handle(LINE_FEED); // the last line may lack its line feed
            isEnded = true;
            deliver();
        }
    }

    /** The client has closed the connection, so nobody waits for the remaining lines. */
    private void abort(Throwable closed) {
        lines.clear();
        fail(closed instanceof HttpClosedException ? closed : new HttpClosedException(closed.toString()));
        deliver();
    }

    private void fail(Throwable reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    private Throwable tooLong() {
        return ApiException.of(ErrorCode.PAYLOAD_TOO_LARGE, "A line is longer than " + maxLineBytes + " bytes.");
    }

    private void deliver() {
        var promise = pending;
        if (promise == null || (lines.isEmpty() && !isEnded && failure == null)) {
            return;
        }
        pending = null;
        if (lines.isEmpty() && failure != null) {
            promise.fail(failure);
            return;
        }
        var next = new ArrayList<Buffer>(Math.min(maxLines, lines.size()));
        while (next.size() < maxLines && !lines.isEmpty()) {
            var line = lines.remove();
            bytes -= line.length() + 1;
            next.add(line);
        }
        promise.complete(next);
    }
}
