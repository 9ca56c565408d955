package dev.vestibule.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.config.HttpSettings.ForwardingHeader;
import dev.vestibule.error.ApiException;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.RawConnection;
import dev.vestibule.http.limits.NetworkBudget;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server with room for two large responses that one network does not read, of four. */
class ReplyHandlerTest {
    private static final byte[] LARGE = new byte[400_000];
    private static final byte[] HUGE = new byte[3 * LARGE.length];

    private final Vertx vertx = Vertx.vertx();
    private final NetworkBudget bytes = new NetworkBudget(4 * LARGE.length, 2 * LARGE.length);
    private final AtomicInteger refused = new AtomicInteger();
    private final URI server = serve();

    private URI serve() {
        var budget = new BodyBudget(
                bytes,
                new ClientAddresses(List.of(), ForwardingHeader.X_FORWARDED_FOR, Clock.systemUTC()),
                refused::incrementAndGet);
        var shared = CompressibleBody.of(LARGE);
        var router = Router.router(vertx);
        router.route("/made").handler(new ReplyHandler(budget, ctx -> reply(LARGE)));
        router.route("/huge").handler(new ReplyHandler(budget, ctx -> reply(HUGE)));
        router.get("/shared")
                .handler(new ReplyHandler(budget, ctx -> Future.succeededFuture(shared.reply(ctx, 200, Map.of()))));
        router.route()
                .failureHandler(new FailureHandler(
                        failure -> failure instanceof ApiException known ? Optional.of(known) : Optional.empty()));
        var port = vertx.createHttpServer(new HttpServerOptions()
                        .setHttp2ClearTextEnabled(false)
                        .setPerFrameWebSocketCompressionSupported(false)
                        .setPerMessageWebSocketCompressionSupported(false)
                        .setSendBufferSize(16_384)) // which the kernel then leaves as it is
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
        return URI.create("http://127.0.0.1:" + port);
    }

    private static Future<Reply> reply(byte[] body) {
        return Future.succeededFuture(new Reply(200, Buffer.buffer(body), Map.of()));
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    private RawConnection ask(String path) {
        return ask("GET", path);
    }

    private RawConnection ask(String method, String path) {
        return RawConnection.to(server).send(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    @Test
    void largeResponsesThatNobodyReadsHaveALimitTogether() {
        try (var first = ask("/made")) {
            try (var second = ask("/made")) {
                Eventually.until("both are held", () -> bytes.held() == 2 * LARGE.length);
                try (var third = ask("/made")) {
                    assertThat(third.receive().status()).isEqualTo(503);
                }
                assertThat(refused.get()).isEqualTo(1);
                assertThat(first.receive().status()).isEqualTo(200);
                Eventually.until("what was read is not held", () -> bytes.held() == LARGE.length);
                try (var fourth = ask("/made")) {
                    assertThat(fourth.receive().status()).isEqualTo(200);
                }
                assertThat(second.isDropped()).as("it still has time to read").isFalse();
            }
            Eventually.until("nothing is held for a client that is gone", () -> bytes.held() == 0);
        }
    }

    /** Its client would not know what has happened. */
    @Test
    void theResponseToAChangeIsAlwaysSent() {
        try (var first = ask("/made");
                var second = ask("/made")) {
            Eventually.until("both are held", () -> bytes.held() == 2 * LARGE.length);
            try (var change = ask("POST", "/made")) {
                assertThat(change.receive().status()).isEqualTo(200);
            }
            assertThat(first.receive().status()).isEqualTo(200);
            assertThat(second.receive().status()).isEqualTo(200);
        }
        assertThat(refused.get()).isZero();
    }

    @Test
    void aNetworkThatHoldsNothingGetsAResponseLargerThanItsShare() {
        try (var huge = ask("/huge")) {
            assertThat(huge.receive().status()).isEqualTo(200);
        }
        Eventually.until("it is read", () -> bytes.held() == 0);
        try (var first = ask("/made")) {
            Eventually.until("it is held", () -> bytes.held() == LARGE.length);
            try (var huge = ask("/huge")) {
                assertThat(huge.receive().status()).isEqualTo(503);
            }
            assertThat(first.receive().status()).isEqualTo(200);
        }
    }

    @Test
    void whatIsTheSameForEverybodyIsInMemoryOnce() {
        try (var first = ask("/shared");
                var second = ask("/shared")) {
            assertThat(first.receive().status()).isEqualTo(200);
            assertThat(second.receive().status()).isEqualTo(200);
        }
        assertThat(bytes.held()).isZero();
        assertThat(refused.get()).isZero();
        assertThat(CompressibleBody.isShared(CompressibleBody.of(LARGE).bytes()))
                .as("the network reads it from where it is")
                .isTrue();
    }
}
