package dev.vestibule.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.RawConnection;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server with responses of 100 kB, so that a few of them fill the buffers of a connection. */
class UnreadResponsesTest {
    private static final int REQUESTS = 500;
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final Buffer RESPONSE = Buffer.buffer(new byte[100_000]);

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger answered = new AtomicInteger();
    private final URI server = serve();

    private URI serve() {
        var port = vertx.createHttpServer(new HttpServerOptions()
                        .setHttp2ClearTextEnabled(false)
                        .setPerFrameWebSocketCompressionSupported(false)
                        .setPerMessageWebSocketCompressionSupported(false)
                        .setSendBufferSize(RESPONSE.length())) // which the kernel then leaves as it is
                .requestHandler(new UnreadResponses(request -> {
                    answered.incrementAndGet();
                    request.response().end(RESPONSE);
                }))
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
        return URI.create("http://127.0.0.1:" + port);
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    @Test
    void aClientThatDoesNotReadGetsNoFurtherResponses() {
        try (var client = RawConnection.to(server)) {
            client.send(REQUEST.repeat(REQUESTS));
            Eventually.until("the server has begun", () -> answered.get() > 0);
            assertThat(client.receive().status()).isEqualTo(200);
            assertThat(answered.get()).isLessThan(REQUESTS / 2);
        }
    }

    @Test
    void aClientThatReadsGetsAllResponses() {
        try (var client = RawConnection.to(server)) {
            client.send(REQUEST.repeat(50));
            for (int i = 0; i < 50; i++) {
                assertThat(client.receive().status()).isEqualTo(200);
            }
        }
        assertThat(answered.get()).isEqualTo(50);
    }
}
