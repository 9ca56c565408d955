package dev.vestibule.http;

import dev.vestibule.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer of JSON lines that is sent while it comes to be. What the client does not read yet piles up here, to a
 * bound; then the writer has to wait. For use on the request's event loop alone.
 */
public final class ReplyLines {
    private final HttpServerResponse response;
    private final int mostWaiting;
    private int waiting;
    private @Nullable Promise<Void> room;
    private @Nullable Throwable failure;

    public ReplyLines(HttpServerResponse response, int mostWaiting) {
        this.response = response;
        this.mostWaiting = mostWaiting;
    }

    /** Whether the client has been told of success already, so that only a line can tell of a failure. */
    public boolean isBegun() {
        return response.headWritten() || waiting > 0;
    }

    /** Sends the lines, and succeeds when there is room for more; fails where the client is gone. */
    public Future<Void> write(List<?> lines) {
        var text = text(lines);
        begin();
        waiting += text.length();
        response.write(text).onComplete(written -> {
            waiting -= text.length();
            if (written.failed()) {
                failure = written.cause();
            }
            release();
        });
        return awaitRoom();
    }

    /** Sends the last line. */
    public Future<Void> end(Object line) {
        begin();
        return response.end(text(List.of(line)));
    }

    private void begin() {
        if (!response.headWritten()) {
            response.setChunked(true)
                    .putHeader("Content-Type", "application/x-ndjson")
                    .putHeader("Cache-Control", "no-store");
        }
    }

    private static Buffer text(List<?> lines) {
        var text = Buffer.buffer();
        lines.forEach(line -> text.appendBuffer(Json.encode(line)).appendByte((byte) '\n'));
        return text;
    }

    private Future<Void> awaitRoom() {
        Promise<Void> promise = Promise.promise();
        room = promise;
        release();
        return promise.future();
    }

    private void release() {
        var promise = room;
        if (promise == null) {
            return;
        }
        if (failure != null) {
            room = null;
            promise.fail(failure);
        } else if (waiting <= mostWaiting) {
            room = null;
            promise.complete();
        }
    }
}
