package dev.vestibule.http;

import dev.vestibule.error.ApiError;
import dev.vestibule.error.ErrorStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.parsetools.RecordParser;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a body of any length, taken as fast as they are asked for: while enough of them wait here, the client is
 * not read from. For use on the request's event loop alone.
 */
public final class BodyLines {
    private static final int ENOUGH_BYTES = 256 * 1024;
    private static final Buffer LINE_FEED = Buffer.buffer("\n");

    private final HttpServerRequest request;
    private final int maxLineBytes;
    private final RecordParser parser = RecordParser.newDelimited("\n");
    private final Deque<Buffer> lines = new ArrayDeque<>();
    private int bytes;
    private boolean isEnded;
    private @Nullable Throwable failure;
    private @Nullable Promise<List<Buffer>> asked;
    private int mostAsked;

    private BodyLines(HttpServerRequest request, int maxLineBytes) {
        this.request = request;
        this.maxLineBytes = maxLineBytes;
    }

    /** Of a request that was held back ({@link StreamedBodyHandler}). */
    public static BodyLines of(HttpServerRequest request, int maxLineBytes) {
        var lines = new BodyLines(request, maxLineBytes);
        lines.parser.maxRecordSize(maxLineBytes);
        lines.parser.handler(lines::add);
        lines.parser.exceptionHandler(tooLong -> lines.fail(lines.tooLong()));
        request.handler(lines::receive);
        request.endHandler(ended -> lines.end());
        request.exceptionHandler(lines::breakOff);
        if (request.headers().contains(HttpHeaders.EXPECT, HttpHeaders.CONTINUE, true)) {
            request.response().writeContinue();
        }
        return lines;
    }

    /**
     * The next lines, as many as have come and at most so many; none where the body has ended. Fails where it broke off,
     * or, after all lines before, where a line is too long.
     */
    public Future<List<Buffer>> next(int most) {
        Promise<List<Buffer>> promise = Promise.promise();
        asked = promise;
        mostAsked = most;
        answer();
        if (bytes < ENOUGH_BYTES && failure == null) {
            request.resume();
        }
        return promise.future();
    }

    private void receive(Buffer chunk) {
        if (failure != null) {
            return;
        }
        parser.handle(chunk);
        if (bytes >= ENOUGH_BYTES || failure != null) {
            request.pause();
        }
        answer();
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

    /** The last line may have no end of its own. */
    private void end() {
        if (failure == null) {
            parser.handle(LINE_FEED);
            isEnded = true;
            answer();
        }
    }

    /** The client is gone, and with it whoever wants to know of the rest. */
    private void breakOff(Throwable closed) {
        lines.clear();
        fail(closed);
        answer();
    }

    private void fail(Throwable reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    private Throwable tooLong() {
        return ApiError.of(ErrorStatus.PAYLOAD_TOO_LARGE, "A line is longer than " + maxLineBytes + " bytes.")
                .asException();
    }

    private void answer() {
        var waiting = asked;
        if (waiting == null || (lines.isEmpty() && !isEnded && failure == null)) {
            return;
        }
        asked = null;
        if (lines.isEmpty() && failure != null) {
            waiting.fail(failure);
            return;
        }
        var taken = new ArrayList<Buffer>(Math.min(mostAsked, lines.size()));
        while (taken.size() < mostAsked && !lines.isEmpty()) {
            var line = lines.remove();
            bytes -= line.length() + 1;
            taken.add(line);
        }
        waiting.complete(taken);
    }
}
