package dev.vestibule.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.vestibule.config.AddressRange;
import dev.vestibule.config.HttpSettings.ForwardingHeader;
import dev.vestibule.fixture.LoggedLines;
import dev.vestibule.fixture.TestClock;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the log says about proxies that the settings do not name. */
@Isolated("servers of other tests log it too")
class ProxyWarningTest {
    private final Vertx vertx = Vertx.vertx();
    private final TestClock clock = new TestClock();
    private final LoggedLines heard = new LoggedLines(ProxyWarning.class);

    @AfterEach
    void stop() {
        heard.close();
        vertx.close().await();
    }

    private URI serve(List<AddressRange> trusted) {
        var addresses = new ClientAddresses(trusted, ForwardingHeader.X_FORWARDED_FOR, clock);
        var server = vertx.createHttpServer()
                .requestHandler(request -> request.response().end(String.valueOf(addresses.of(request))))
                .listen(0, "127.0.0.1")
                .await();
        return URI.create("http://127.0.0.1:" + server.actualPort());
    }

    private static void ask(URI server, String... headers) {
        var request = HttpRequest.newBuilder(server);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpClient.newHttpClient().send(request.build(), BodyHandlers.discarding());
        } catch (IOException failure) {
            throw new AssertionError(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"})
    void theWarningAboutAnUnknownProxyNamesTheSetting(String header) {
        ask(serve(List.of()), header, "198.51.100.66 evil");

        assertThat(heard.all()).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage())
                    .contains("http.trustedProxies")
                    .doesNotContain("198.51.100.66", "evil");
        });
    }

    @Test
    void theWarningIsLoggedAtMostOnceAMinute() {
        var server = serve(List.of());
        ask(server, "X-Forwarded-For", "198.51.100.66");
        ask(server, "X-Forwarded-For", "198.51.100.67");
        clock.advance(Duration.ofSeconds(59));
        ask(server, "X-Forwarded-For", "198.51.100.66");
        assertThat(heard.all()).hasSize(1);
        clock.advance(Duration.ofSeconds(1));
        ask(server, "X-Forwarded-For", "198.51.100.66");
        assertThat(heard.all()).hasSize(2);
    }

    @Test
    void thereIsNoWarningWithoutAProxyOrWithATrustedOne() {
        ask(serve(List.of()));
        ask(serve(List.of(AddressRange.parse("127.0.0.1"))), "X-Forwarded-For", "198.51.100.66");
        assertThat(heard.all()).isEmpty();
    }
}
