package dev.vestibule.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DestinationTest {
    @ParameterizedTest
    @CsvSource({
        "https://app.example.com, app.example.com, 443, true, /",
        "http://app.example.com, app.example.com, 80, false, /",
        "HTTPS://app.example.com/a, app.example.com, 443, true, /a",
        "https://app.example.com:8443/a/b?c=%20d, app.example.com, 8443, true, /a/b?c=%20d",
        "http://app.example.com:1?x, app.example.com, 1, false, /?x",
        "http://app.example.com:0/, app.example.com, 80, false, /",
        "mailto:nobody, '', 80, false, /"
    })
    void aRequestGoesWhereItsUrlSays(String url, String host, int port, boolean isTls, String target) {
        var destination = Destination.of(URI.create(url));
        var request = destination.request(HttpMethod.GET, MultiMap.caseInsensitiveMultiMap());
        assertThat(destination.host()).isEqualTo(host);
        assertThat(destination.port()).isEqualTo(port);
        assertThat(request.getPort()).isEqualTo(port);
        assertThat(request.isSsl()).isEqualTo(isTls);
        assertThat(request.getURI()).isEqualTo(target);
    }
}
