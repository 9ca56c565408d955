package dev.vestibule.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.maxmind.db.Reader;
import dev.vestibule.config.AddressRange;
import dev.vestibule.config.HttpSettings.ForwardingHeader;
import dev.vestibule.http.ClientAddresses;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that returns how it reads a request's device; it trusts 127.0.0.1, from which the test calls. */
class DeviceReaderTest {
    private static final Path COUNTRIES = Path.of("src/test/resources/geo/countries.mmdb");

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {"203.0.113.77, DE", "2001:db8:1:2::3, JP", "198.51.100.1, null", "192.0.2.1, null"})
    void theFileGivesTheCountry(String address, String country) {
        var port = serve(new DeviceReader(trusting(), Optional.empty(), Optional.of(countries())));
        assertThat(device(port, "X-Forwarded-For", address).getString("country"))
                .isEqualTo(country);
    }

    @Test
    void theProxysHeaderWinsOverTheFile() {
        var port = serve(new DeviceReader(trusting(), Optional.of("CF-IPCountry"), Optional.of(countries())));
        var address = "203.0.113.1";
        assertThat(device(port, "X-Forwarded-For", address, "CF-IPCountry", " fr ")
                        .getString("country"))
                .isEqualTo("FR");
        assertThat(device(port, "X-Forwarded-For", address).getString("country"))
                .isEqualTo("DE");
    }

    @ParameterizedTest
    @CsvSource({"Germany", "D", "D1", "'<>'", "''"})
    void aHeaderThatIsNotACountryIsIgnored(String value) {
        var port = serve(new DeviceReader(trusting(), Optional.of("CF-IPCountry"), Optional.of(countries())));
        assertThat(device(port, "X-Forwarded-For", "203.0.113.1", "CF-IPCountry", value)
                        .getString("country"))
                .isEqualTo("DE");
    }

    @Test
    void onlyATrustedProxysHeaderIsUsed() {
        var untrusting = new ClientAddresses(List.of(), ForwardingHeader.X_FORWARDED_FOR, Clock.systemUTC());
        var port = serve(new DeviceReader(untrusting, Optional.of("CF-IPCountry"), Optional.empty()));
        assertThat(device(port, "CF-IPCountry", "FR").getString("country")).isNull();
    }

    @Test
    void withoutHeaderAndFileNoCountryIsKnown() {
        var port = serve(new DeviceReader(trusting(), Optional.empty(), Optional.empty()));
        var device = device(port, "X-Forwarded-For", "203.0.113.1", "CF-IPCountry", "FR");
        assertThat(device.getString("country")).isNull();
        assertThat(device.getString("ipAddress")).isEqualTo("203.0.113.1");
    }

    @Test
    void theUserAgentIsTruncated() {
        var port = serve(new DeviceReader(trusting(), Optional.empty(), Optional.empty()));
        assertThat(device(port, "User-Agent", "Browser/1.0").getString("userAgent"))
                .isEqualTo("Browser/1.0");
        assertThat(device(port, "User-Agent", "B".repeat(2000)).getString("userAgent"))
                .isEqualTo("B".repeat(512));
        assertThat(device(port, "User-Agent", " ").getString("userAgent")).isNull();
        assertThat(device(port, "User-Agent", "a\tb").getString("userAgent")).isEqualTo("a b");
    }

    private static ClientAddresses trusting() {
        return new ClientAddresses(
                List.of(AddressRange.parse("127.0.0.1")), ForwardingHeader.X_FORWARDED_FOR, Clock.systemUTC());
    }

    private static Reader countries() {
        try {
            return new Reader(COUNTRIES.toFile());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private int serve(DeviceReader devices) {
        var router = Router.router(vertx);
        router.route().handler(ctx -> {
            var device = devices.read(ctx);
            ctx.end(new JsonObject()
                    .put("userAgent", device.userAgent())
                    .put("ipAddress", device.ipAddress())
                    .put("country", device.country())
                    .toBuffer());
        });
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
    }

    private JsonObject device(int port, String... headers) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return new JsonObject(
                    client.send(request.build(), BodyHandlers.ofString()).body());
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
