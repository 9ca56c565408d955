package dev.vestibule.outbound;

import dev.vestibule.outbound.OutboundClient.Response;
import dev.vestibule.outbound.OutboundException.Reason;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One request and its answer, on one event loop: whatever the other side does, it ends in time and stays small. */
final class Exchange {
    private final Promise<Response> answer = Promise.promise();
    private final Buffer body = Buffer.buffer();
    private final Vertx vertx;
    private final int maxBodyBytes;
    private final long deadline;
    private final long startedAtNanos = System.nanoTime();
    private @Nullable HttpClientRequest request;
    private @Nullable HttpClientResponse head;
    private boolean isOver;

    /** The time runs from now on. */
    Exchange(Vertx vertx, Duration timeout, int maxBodyBytes) {
        this.vertx = vertx;
        this.maxBodyBytes = maxBodyBytes;
        this.deadline = vertx.setTimer(timeout.toMillis(), due -> breakOff(Reason.TIMEOUT));
    }

    boolean isOver() {
        return isOver;
    }

    Future<Response> answer() {
        return answer.future();
    }

    void send(HttpClientRequest obtained, @Nullable Buffer content) {
        if (isOver) {
            obtained.reset(); // it waited for its connection for too long
            return;
        }
        request = obtained;
        (content == null ? obtained.send() : obtained.send(content))
                .onSuccess(this::receive)
                .onFailure(this::fail);
    }

    private void receive(HttpClientResponse received) {
        head = received;
        received.exceptionHandler(this::fail)
                .endHandler(end -> end(received, false))
                .handler(this::take);
    }

    private void take(Buffer chunk) {
        var room = maxBodyBytes - body.length();
        if (chunk.length() > room) {
            body.appendBuffer(chunk, 0, room);
            breakOff(Reason.CLOSED);
        } else {
            body.appendBuffer(chunk);
        }
    }

    /** Closes the connection; what has come of an answer counts. */
    private void breakOff(Reason reason) {
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
            answer.fail(OutboundException.of(failure, duration()));
        }
    }

    private void end(HttpClientResponse received, boolean isCut) {
        if (!isOver) {
            finish();
            answer.complete(new Response(received.statusCode(), received.headers(), body, isCut, duration()));
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
