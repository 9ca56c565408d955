package dev.vestibule.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.config.AddressRange;
import dev.vestibule.config.HttpSettings.ForwardingHeader;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server that returns the client address that it sees; 127.0.0.1, from where the test calls, and 10.0.0.0/8 are
 * trusted.
 */
class ClientAddressesTest {
    private static final String PEER = "127.0.0.1";

    private static final Vertx VERTX = Vertx.vertx();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static int trusting;
    private static int trustingForwarded;
    private static int trustingNobody;

    @BeforeAll
    static void start() {
        var proxies = List.of(AddressRange.parse("127.0.0.1"), AddressRange.parse("10.0.0.0/8"));
        trusting = serve(proxies, ForwardingHeader.X_FORWARDED_FOR);
        trustingForwarded = serve(proxies, ForwardingHeader.FORWARDED);
        trustingNobody = serve(List.of(), ForwardingHeader.X_FORWARDED_FOR);
    }

    @AfterAll
    static void stop() {
        VERTX.close().await();
    }

    @Test
    void withoutAHeaderTheAddressIsThePeers() {
        assertThat(seen(trusting)).isEqualTo(PEER);
        assertThat(seen(trustingNobody)).isEqualTo(PEER);
    }

    @Test
    void headersOfAnUntrustedPeerAreIgnored() {
        assertThat(seen(trustingNobody, "X-Forwarded-For", "203.0.113.1")).isEqualTo(PEER);
        assertThat(seen(trustingNobody, "Forwarded", "for=203.0.113.1")).isEqualTo(PEER);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "203.0.113.1 | 203.0.113.1",
                "198.51.100.9, 203.0.113.1 | 203.0.113.1",
                "203.0.113.1, 10.1.2.3 | 203.0.113.1",
                "198.51.100.9, 203.0.113.1 ,10.1.2.3,10.3.2.1 | 203.0.113.1",
                "10.1.2.3 | 10.1.2.3",
                "2001:db8::1 | 2001:db8:0:0:0:0:0:1",
                "[2001:db8::1] | 2001:db8:0:0:0:0:0:1",
                "::ffff:203.0.113.1 | 203.0.113.1",
                "203.0.113.1:4711 | 203.0.113.1",
                "[2001:db8::1]:4711 | 2001:db8:0:0:0:0:0:1",
                "203.0.113.1, garbage | 127.0.0.1",
                "203.0.113.1, garbage, 10.1.2.3 | 10.1.2.3",
                "unknown | 127.0.0.1",
                "203.0.113.1, | 127.0.0.1",
                "999.1.1.1 | 127.0.0.1",
                "localhost | 127.0.0.1",
                "203.0.113.1:port | 127.0.0.1",
            })
    void forwardedForIsReadFromTheRightAsFarAsTrustedProxiesWroteIt(String header, String address) {
        assertThat(seen(trusting, "X-Forwarded-For", header)).isEqualTo(address);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "for=203.0.113.1 | 203.0.113.1",
                "For=203.0.113.1;proto=https;by=10.0.0.1 | 203.0.113.1",
                "proto=https; for=203.0.113.1 | 203.0.113.1",
                "for=203.0.113.1;ext=\"a, b; c=d\" | 203.0.113.1",
                "for=198.51.100.9, for=203.0.113.1;ext=\"x, for=192.0.2.66\" | 203.0.113.1",
                "for=203.0.113.1;ext=\"\\\", for=192.0.2.66, \\\"\" | 203.0.113.1",
                "for=203.0.113.1;ext=\"\\\\\" | 203.0.113.1",
                "ext=\"for=192.0.2.66\";for=203.0.113.1 | 203.0.113.1",
                ";;for=203.0.113.1; | 203.0.113.1",
                "for=\"203.0.113.1:4711\" | 203.0.113.1",
                "for=203.0.113.1:4711 | 203.0.113.1",
                "for=\"203.0.113.1:_port\" | 203.0.113.1",
                "for=\"20\\3.0.113.1\" | 203.0.113.1",
                "for=\"[2001:db8::1]\" | 2001:db8:0:0:0:0:0:1",
                "for=[2001:db8::1] | 2001:db8:0:0:0:0:0:1",
                "for=\"[2001:db8::1]:4711\";by=\"[::1]\" | 2001:db8:0:0:0:0:0:1",
                "for=\"[::ffff:203.0.113.1]\" | 203.0.113.1",
                "for=198.51.100.9, for=203.0.113.1, for=10.1.2.3 | 203.0.113.1",
                "for=198.51.100.9, for=_hidden, for=10.1.2.3 | 10.1.2.3",
                "for=unknown | 127.0.0.1",
                "for=\"unknown:80\" | 127.0.0.1",
                "for=_hidden | 127.0.0.1",
                "by=203.0.113.1 | 127.0.0.1",
                "xfor=203.0.113.1 | 127.0.0.1",
                "for= | 127.0.0.1",
                "for=\"\" | 127.0.0.1",
                "for=203.0.113.1;for=198.51.100.9 | 127.0.0.1",
                "for = 203.0.113.1 | 127.0.0.1",
                "for=203.0.113.1 for=198.51.100.9 | 127.0.0.1",
                "for=\"203.0.113.1\"x | 127.0.0.1",
                "for=\"203.0.113.1 | 127.0.0.1",
                "for=\"203.0.113.1\\ | 127.0.0.1",
                "for=203.0.113.1, | 127.0.0.1",
                "for=203.0.113.1,, | 127.0.0.1",
                "for=203.0.113.1, garbage | 127.0.0.1",
                "garbage | 127.0.0.1",
                "\" | 127.0.0.1",
                "= | 127.0.0.1",
                "203.0.113.1 | 127.0.0.1"
            })
    void forwardedIsReadByItsGrammar(String header, String address) {
        assertThat(seen(trustingForwarded, "Forwarded", header)).isEqualTo(address);
    }

    /** The client writes the beginning of the header, the proxy adds its element at the end. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "for=192.0.2.66",
                "for=\"192.0.2.66",
                "for=\"",
                "for=\"\\",
                "\\",
                "for=\"a\\\"",
                "\",\",\"",
                "for=10.1.1.1, for=\"10.2.2.2"
            })
    void textFromAClientDoesNotHideWhatTheProxyAdds(String ofClient) {
        assertThat(seen(trustingForwarded, "Forwarded", ofClient + ", for=\"[2001:db8::1]:4711\";proto=https"))
                .isEqualTo("2001:db8:0:0:0:0:0:1");
        assertThat(seen(trustingForwarded, "Forwarded", ofClient, "Forwarded", "for=203.0.113.1"))
                .isEqualTo("203.0.113.1");
    }

    @Test
    void severalHeadersAreOneList() {
        assertThat(seen(trusting, "X-Forwarded-For", "198.51.100.9", "X-Forwarded-For", "203.0.113.1"))
                .isEqualTo("203.0.113.1");
        assertThat(seen(trusting, "X-Forwarded-For", "203.0.113.1", "X-Forwarded-For", "10.1.2.3"))
                .isEqualTo("203.0.113.1");
    }

    @Test
    void onlyTheHeaderThatTheProxyWritesIsRead() {
        assertThat(seen(trustingForwarded, "X-Forwarded-For", "192.0.2.66", "Forwarded", "for=203.0.113.1"))
                .isEqualTo("203.0.113.1");
        assertThat(seen(trusting, "X-Forwarded-For", "203.0.113.1", "Forwarded", "for=192.0.2.66"))
                .isEqualTo("203.0.113.1");
        assertThat(seen(trusting, "Forwarded", "for=192.0.2.66")).isEqualTo(PEER);
        assertThat(seen(trustingForwarded, "X-Forwarded-For", "192.0.2.66")).isEqualTo(PEER);
    }

    @Test
    void clientsOfAProxyThatDoesNotTellThemApartAreIndistinct() {
        assertThat(isIndistinct(trustingNobody, "X-Forwarded-For", "203.0.113.1"))
                .isTrue();
        assertThat(isIndistinct(trustingNobody, "Via", "1.1 proxy")).isTrue();
        assertThat(isIndistinct(trusting, "Forwarded", "for=203.0.113.1")).isTrue();
        assertThat(isIndistinct(trusting, "X-Forwarded-For", "10.1.2.3")).isTrue();
        assertThat(isIndistinct(trusting, "X-Forwarded-For", "unknown")).isTrue();

        assertThat(isIndistinct(trusting, "X-Forwarded-For", "203.0.113.1")).isFalse();
        assertThat(isIndistinct(trustingForwarded, "Forwarded", "for=203.0.113.1"))
                .isFalse();
        assertThat(isIndistinct(trusting)).isFalse();
        assertThat(isIndistinct(trustingNobody)).isFalse();
    }

    private static boolean isIndistinct(int port, String... headers) {
        return answer(port, "/indistinct", headers).equals("true");
    }

    private static String seen(int port, String... headers) {
        return answer(port, "/address", headers);
    }

    private static int serve(List<AddressRange> trustedProxies, ForwardingHeader header) {
        var addresses = new ClientAddresses(trustedProxies, header, Clock.systemUTC());
        return VERTX.createHttpServer()
                .requestHandler(request -> {
                    var address = addresses.of(request);
                    request.response()
                            .end(
                                    request.path().equals("/indistinct")
                                            ? "" + addresses.isIndistinct(request)
                                            : Objects.requireNonNull(address).getHostAddress());
                })
                .listen(0, PEER)
                .await()
                .actualPort();
    }

    private static String answer(int port, String path, String... headers) {
        var request = HttpRequest.newBuilder(URI.create("http://" + PEER + ":" + port + path));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString()).body();
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
