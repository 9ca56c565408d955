package dev.vestibule.http;

import dev.vestibule.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A streamed response of JSON lines. Lines that the client has not read yet wait here up to a limit; beyond it the
 * writer has to wait. Use it on the request's event loop only.
 */
public final class ReplyLines {
    public static final String TYPE = "application/x-ndjson";

    private static final int PIECE_BYTES = 16 * 1024;

    private final HttpServerResponse response;
    private final int maxWaitingBytes;
    private int waitingBytes;
    private long taken;
    private @Nullable Promise<Void> pending;
    private @Nullable Throwable failure;

    public ReplyLines(HttpServerResponse response, int maxWaitingBytes) {
        this.response = response;
        this.maxWaitingBytes = maxWaitingBytes;
    }

    /** Whether status 200 has been sent already, so that only a line can report a failure. */
    public boolean isBegun() {
        return response.headWritten() || waitingBytes > 0;
    }

    /** Whether nothing more can be sent, because the response has ended or the client has left. */
    public boolean isOver() {
        return failure != null || response.ended() || response.closed();
    }

    /** Sends the lines. Succeeds when there is room for more; fails if the client has closed the connection. */
    public Future<Void> write(List<?> lines) {
        begin();
        pieces(lines).forEach(this::send);
        return awaitRoom();
    }

    /** Sends piece by piece, so that a slow client visibly makes progress. */
    private void send(Buffer piece) {
        waitingBytes += piece.length();
        response.write(piece).onComplete(written -> {
            waitingBytes -= piece.length();
            if (written.failed()) {
                failure = written.cause();
            } else {
                taken += piece.length();
            }
            release();
        });
    }

    /** How many bytes the client, or the system's buffer for it, has accepted so far. */
    public long taken() {
        return taken;
    }

    /** Sends the last line. */
    public Future<Void> end(Object line) {
        begin();
        return response.end(text(line));
    }

    /** Ends the response after the last line. */
    public Future<Void> end() {
        begin();
        return response.end();
    }

    private void begin() {
        if (!response.headWritten()) {
            response.setChunked(true).putHeader("Content-Type", TYPE).putHeader("Cache-Control", "no-store");
        }
    }

    private static Buffer text(Object line) {
        return Json.encode(line).appendByte((byte) '\n');
    }

    private static List<Buffer> pieces(List<?> lines) {
        var pieces = new ArrayList<Buffer>();
        var piece = Buffer.buffer();
        for (var line : lines) {
            piece.appendBuffer(text(line));
            if (piece.length() >= PIECE_BYTES) {
                pieces.add(piece);
                piece = Buffer.buffer();
            }
        }
        if (piece.length() > 0) {
            pieces.add(piece);
        }
        return pieces;
    }

    /** Succeeds when there is room for more lines; fails if the client has closed the connection. */
    public Future<Void> awaitRoom() {
        Promise<Void> promise = Promise.promise();
        pending = promise;
        release();
        return promise.future();
    }

    private void release() {
        var promise = pending;
        if (promise == null) {
            return;
        }
        if (failure != null) {
            pending = null;
            promise.fail(failure);
        } else if (waitingBytes <= maxWaitingBytes) {
            pending = null;
            promise.complete();
        }
    }
}
