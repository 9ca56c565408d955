package dev.vestibule.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.outbound.OutboundException.Reason;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetServer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A hostile server can neither take long nor send much. */
class BadServersTest extends OutboundFixture {
    @Test
    void aServerThatNeverRespondsTimesOut() {
        var port = serve(request -> {});

        assertFails(Reason.TIMEOUT, client(SHORT_LIMITS, true, always("127.0.0.1")), "http://" + NAME + ":" + port);
    }

    @Test
    void aResponseHeadThatDripsTimesOut() {
        var server = dripping("HTTP/1.1 200 OK\r\nx-long: ");

        assertFails(
                Reason.TIMEOUT,
                client(SHORT_LIMITS, true, always("127.0.0.1")),
                "http://" + NAME + ":" + server.actualPort());
    }

    @Test
    void aBodyThatDripsIsTruncatedAtTheTimeout() {
        var server = dripping("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n");

        var response =
                post(client(SHORT_LIMITS, true, always("127.0.0.1")), "http://" + NAME + ":" + server.actualPort());

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.isTruncated()).isTrue();
        assertThat(response.body().length()).isBetween(1, 100);
    }

    private NetServer dripping(String start) {
        return vertx.createNetServer()
                .connectHandler(socket -> {
                    socket.write(start);
                    var drip = vertx.setPeriodic(50, due -> socket.write("a"));
                    socket.closeHandler(closed -> vertx.cancelTimer(drip));
                })
                .listen(0, "127.0.0.1")
                .await();
    }

    @Test
    void aBodyOverTheLimitIsTruncatedAndItsConnectionClosed() {
        var closed = new AtomicInteger();
        var port = serve(request -> {
            request.connection().closeHandler(end -> closed.incrementAndGet());
            request.response().setChunked(true);
            endlessly(request);
        });

        var response = post(client(true, always("127.0.0.1")), "http://" + NAME + ":" + port);

        assertThat(response.isTruncated()).isTrue();
        assertThat(response.body().length()).isEqualTo(LIMITS.maxBodyBytes());
        Eventually.until("its connection is closed", () -> closed.get() == 1);
    }

    private static void endlessly(HttpServerRequest request) {
        request.response().write("a".repeat(10_000)).onSuccess(written -> endlessly(request));
    }
}
