package dev.vestibule.outbound;

import dev.vestibule.outbound.OutboundException.Reason;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, on one event loop. The time and the body size are limited, whatever the server does.
 */
final class Exchange {
    private final Promise<OutboundResponse> response = Promise.promise();
    private final Buffer body = Buffer.buffer();
    private final Vertx vertx;
    private final int maxBodyBytes;
    private final long deadline;
    private final long startedAtNanos = System.nanoTime();
    private @Nullable HttpClientRequest request;
    private @Nullable HttpClientResponse head;
    private boolean isOver;

    /** The timeout starts now. */
    Exchange(Vertx vertx, Duration timeout, int maxBodyBytes) {
        this.vertx = vertx;
        this.maxBodyBytes = maxBodyBytes;
        this.deadline = vertx.setTimer(timeout.toMillis(), due -> abort(Reason.TIMEOUT));
    }

    boolean isOver() {
        return isOver;
    }

    Future<OutboundResponse> response() {
        return response.future();
    }

    void send(HttpClientRequest ready, @Nullable Buffer content) {
        if (isOver) {
            ready.reset(); // the connection came after the timeout
            return;
        }
        request = ready;
        (content == null ? ready.send() : ready.send(content))
                .onSuccess(this::receive)
                .onFailure(this::fail);
    }

    private void receive(HttpClientResponse received) {
        head = received;
        received.exceptionHandler(this::fail)
                .endHandler(end -> end(received, false))
                .handler(this::append);
    }

    private void append(Buffer chunk) {
        var room = maxBodyBytes - body.length();
        if (chunk.length() > room) {
            body.appendBuffer(chunk, 0, room);
            abort(Reason.CLOSED);
        } else {
            body.appendBuffer(chunk);
        }
    }

    /**
     * Closes the connection. If the head of the response has arrived, the response counts, with the part of the body
     * that has arrived.
     */
    private void abort(Reason reason) {
        fail(new OutboundException(reason, duration()));
        if (request != null) {
            request.reset();
        }
    }

    void fail(Throwable failure) {
        if (head != null) {
            end(head, true);
        } else if (!isOver) {
            finish();
            response.fail(OutboundException.of(failure, duration()));
        }
    }

    private void end(HttpClientResponse received, boolean isTruncated) {
        if (!isOver) {
            finish();
            response.complete(
                    new OutboundResponse(received.statusCode(), received.headers(), body, isTruncated, duration()));
        }
    }

    private Duration duration() {
        return Duration.ofNanos(System.nanoTime() - startedAtNanos);
    }

    private void finish() {
        isOver = true;
        vertx.cancelTimer(deadline);
    }
}
