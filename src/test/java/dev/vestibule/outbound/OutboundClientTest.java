package dev.vestibule.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.outbound.OutboundException.Reason;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OutboundClientTest extends OutboundFixture {
    @Test
    void theRequestIsSentUnchangedToTheAddressThatWasLookedUp() {
        var port = serve(request -> request.body()
                .onSuccess(body -> request.response()
                        .setStatusCode(201)
                        .end(String.join(
                                " ",
                                request.method().name(),
                                String.valueOf(request.getHeader("host")),
                                request.uri(),
                                request.getHeader("x-test"),
                                body.toString()))));

        var response = post(client(true, always("127.0.0.1")), "http://" + NAME + ":" + port + "?a=%20b");

        assertThat(response.status()).isEqualTo(201);
        assertThat(response.body()).hasToString("POST " + NAME + ":" + port + " /?a=%20b yes hello");
        assertThat(response.isTruncated()).isFalse();
        assertThat(lookedUp).containsExactly(NAME);
    }

    @Test
    void theCertificateMustBeValidForTheName() {
        var port = serve(
                new HttpServerOptions().setSsl(true).setSni(true).setKeyCertOptions(CERTIFICATE.keyCertOptions()),
                request -> request.response()
                        .end(String.valueOf(request.connection().indicatedServerName())));
        var client = client(true, always("127.0.0.1"));

        assertThat(post(client, "https://" + NAME + ":" + port).body()).hasToString(NAME);
        assertFails(Reason.TLS_FAILED, client, "https://other.example.com:" + port);
        assertFails(Reason.TLS_FAILED, client, "https://127.0.0.1:" + port);
    }

    @Test
    void aCertificateOfAnUnknownIssuerIsRefused() {
        var port = serve(
                new HttpServerOptions().setSsl(true).setKeyCertOptions(CERTIFICATE.keyCertOptions()),
                request -> request.response().end());
        var client = new OutboundClient(vertx, LIMITS, true, new HttpClientOptions(), always("127.0.0.1"));

        assertFails(Reason.TLS_FAILED, client, "https://" + NAME + ":" + port);
    }

    @Test
    void nothingIsSentToAnAddressThatIsNotPublic() {
        var requests = new AtomicInteger();
        var port = serve(request -> {
            requests.incrementAndGet();
            request.response().end();
        });

        for (var host : List.of("127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0")) {
            assertFails(Reason.NOT_PUBLIC, client(false, always()), "http://" + host + ":" + port);
        }
        for (var address : List.of("127.0.0.1", "::1", "10.0.0.1", "169.254.169.254", "fd00::1")) {
            assertFails(Reason.NOT_PUBLIC, client(false, always(address)), "http://" + NAME + ":" + port);
            assertFails(Reason.NOT_PUBLIC, client(false, always("8.8.8.8", address)), "http://" + NAME + ":" + port);
        }
        assertThat(requests).hasValue(0);
    }

    /** From the second lookup on, the name has another address: the request goes to the one that was checked. */
    @Test
    void aNameIsLookedUpOnceForEachRequest() {
        var port = serve(request -> request.response().end("the one that was looked at"));
        vertx.createHttpServer()
                .requestHandler(request -> request.response().end("another"))
                .listen(port, "127.0.0.2")
                .await();
        var answers = new ArrayDeque<>(List.of(addresses("127.0.0.1"), addresses("127.0.0.2")));
        var client = client(true, name -> {
            lookedUp.add(name);
            return Future.succeededFuture(answers.size() > 1 ? answers.remove() : answers.element());
        });

        assertThat(post(client, "http://" + NAME + ":" + port).body()).hasToString("the one that was looked at");
        assertThat(lookedUp).hasSize(1);
        assertThat(post(client, "http://" + NAME + ":" + port).body()).hasToString("another");
    }

    @Test
    void theNextAddressIsTriedIfOneCannotBeReached() {
        var port = serve(request -> request.response().end("here"));

        var response = post(client(true, always("127.0.0.9", "127.0.0.1")), "http://" + NAME + ":" + port);

        assertThat(response.body()).hasToString("here");
    }

    @Test
    void aRedirectIsNotFollowed() {
        var requests = new AtomicInteger();
        var port = serve(request -> {
            requests.incrementAndGet();
            request.response()
                    .setStatusCode(302)
                    .putHeader("location", "http://127.0.0.1/")
                    .end();
        });

        assertThat(post(client(true, always("127.0.0.1")), "http://" + NAME + ":" + port)
                        .status())
                .isEqualTo(302);
        assertThat(requests).hasValue(1);
    }

    @Test
    void aConnectionServesManyRequests() {
        var connections = new AtomicInteger();
        var port = vertx.createHttpServer()
                .connectionHandler(connection -> connections.incrementAndGet())
                .requestHandler(request -> request.response().end("b".repeat(900)))
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
        var client = client(true, always("127.0.0.1"));

        for (int i = 0; i < 10; i++) {
            assertThat(post(client, "http://" + NAME + ":" + port).body().length())
                    .isEqualTo(900);
        }

        assertThat(connections).hasValue(1);
    }

    @Test
    void everyFailureHasItsReason() {
        var closing = vertx.createNetServer()
                .connectHandler(socket -> socket.handler(request -> socket.close()))
                .listen(0, "127.0.0.1")
                .await();
        var babbling = vertx.createNetServer()
                .connectHandler(
                        socket -> socket.handler(request -> socket.end(Buffer.buffer("220 smtp ready\r\n\r\n"))))
                .listen(0, "127.0.0.1")
                .await();
        var client = client(true, always("127.0.0.1"));

        assertFails(Reason.CLOSED, client, "http://" + NAME + ":" + closing.actualPort());
        assertFails(Reason.NO_HTTP, client, "http://" + NAME + ":" + babbling.actualPort());
        assertFails(Reason.NO_CONNECTION, client, "http://" + NAME + ":1");
        assertFails(
                Reason.NAME_NOT_FOUND,
                client(true, name -> Future.failedFuture(new UnknownHostException(name))),
                "http://" + NAME);
        assertFails(Reason.NAME_NOT_FOUND, client(true, always()), "http://" + NAME);
    }

    @Test
    void theLookupReadsTheHostsFile() {
        var port = serve(request -> request.response().end("here"));
        var client = new OutboundClient(vertx, LIMITS, true);

        assertThat(post(client, "http://localhost:" + port).body()).hasToString("here");
        assertFails(Reason.NOT_PUBLIC, new OutboundClient(vertx, LIMITS, false), "http://localhost:" + port);
        client.lookUp(URI.create("http://localhost")).await();
        assertLookUpFails(Reason.NOT_PUBLIC, new OutboundClient(vertx, LIMITS, false), "http://localhost");
    }

    @Test
    void aNameIsLookedUpWithoutARequest() {
        client(false, always("8.8.8.8")).lookUp(URI.create("http://" + NAME)).await();
        client(false, always()).lookUp(URI.create("http://8.8.8.8:1")).await();
        assertLookUpFails(Reason.NOT_PUBLIC, client(false, always("8.8.8.8", "10.0.0.1")), "http://" + NAME);
        assertLookUpFails(Reason.NOT_PUBLIC, client(false, always()), "http://[::1]");
        assertLookUpFails(Reason.NAME_NOT_FOUND, client(true, always()), "http://" + NAME);
        assertLookUpFails(
                Reason.NAME_NOT_FOUND,
                client(true, name -> Future.failedFuture(new UnknownHostException(name))),
                "http://" + NAME);
        assertLookUpFails(
                Reason.NAME_NOT_FOUND,
                client(
                        SHORT_LIMITS,
                        true,
                        name -> Promise.<List<InetAddress>>promise().future()),
                "http://" + NAME);
    }

    private static void assertLookUpFails(Reason reason, OutboundClient client, String url) {
        assertThatThrownBy(() -> client.lookUp(URI.create(url)).await())
                .isInstanceOfSatisfying(
                        OutboundException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(reason));
    }

    @Test
    void theResponseArrivesOnTheCallersContext() throws Exception {
        var port = serve(request -> request.response().end());
        var client = client(true, always("127.0.0.1"));
        var context = vertx.getOrCreateContext();
        var same = new CompletableFuture<Boolean>();
        context.runOnContext(start -> client.send(
                        HttpMethod.GET,
                        URI.create("http://" + NAME + ":" + port),
                        MultiMap.caseInsensitiveMultiMap(),
                        null)
                .onComplete(answer -> same.complete(answer.succeeded() && Vertx.currentContext() == context)));

        assertThat(same.get(60, TimeUnit.SECONDS)).isTrue();
    }
}
