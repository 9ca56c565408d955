package dev.vestibule.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.outbound.OutboundClient.Limits;
import dev.vestibule.outbound.OutboundException.Reason;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SelfSignedCertificate;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Servers on the loopback interface, and clients with a lookup of their own. */
@Timeout(120)
abstract class OutboundFixture {
    /** Longer than any answer takes on a busy machine. */
    static final Limits LIMITS =
            new Limits(Duration.ofSeconds(30), Duration.ofSeconds(30), 1000, 10, Duration.ofSeconds(60));

    /** The limits of exchanges that never end by themselves. */
    static final Limits SHORT_LIMITS =
            new Limits(Duration.ofSeconds(2), Duration.ofSeconds(2), 1000, 10, Duration.ofSeconds(60));

    static final String NAME = "hooks.example.com";

    /** All tests share it, since a program of the JDK takes a second to make one. */
    static final SelfSignedCertificate CERTIFICATE = SelfSignedCertificate.create(NAME);

    final Vertx vertx = Vertx.vertx();
    final Queue<String> lookedUp = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    int serve(Handler<HttpServerRequest> handler) {
        return serve(new HttpServerOptions(), handler);
    }

    int serve(HttpServerOptions options, Handler<HttpServerRequest> handler) {
        return vertx.createHttpServer(options)
                .requestHandler(handler)
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
    }

    OutboundClient client(boolean allowPrivate, AddressLookup lookup) {
        return client(LIMITS, allowPrivate, lookup);
    }

    OutboundClient client(Limits limits, boolean allowPrivate, AddressLookup lookup) {
        var options = new HttpClientOptions().setTrustOptions(CERTIFICATE.trustOptions());
        return new OutboundClient(vertx, limits, allowPrivate, options, lookup);
    }

    /** A lookup that finds these addresses for every name. */
    AddressLookup always(String... addresses) {
        return name -> {
            lookedUp.add(name);
            return Future.succeededFuture(addresses(addresses));
        };
    }

    static List<InetAddress> addresses(String... texts) {
        var addresses = new ArrayList<InetAddress>();
        for (var text : texts) {
            try {
                addresses.add(InetAddress.getByName(text));
            } catch (UnknownHostException impossible) {
                throw new IllegalArgumentException(impossible);
            }
        }
        return addresses;
    }

    static OutboundResponse post(OutboundClient client, String url) {
        return client.send(
                        HttpMethod.POST,
                        URI.create(url),
                        MultiMap.caseInsensitiveMultiMap().set("x-test", "yes"),
                        Buffer.buffer("hello"))
                .await();
    }

    static void assertFails(Reason reason, OutboundClient client, String url) {
        assertThatThrownBy(() -> post(client, url))
                .isInstanceOfSatisfying(
                        OutboundException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(reason));
    }
}
