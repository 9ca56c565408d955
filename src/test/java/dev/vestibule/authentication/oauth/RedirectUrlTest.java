package dev.vestibule.authentication.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedirectUrlTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/callback",
                "//app.example.com/",
                "https:app.example.com",
                "https:/app.example.com",
                "https:///app.example.com",
                "ftp://app.example.com/",
                "javascript:alert(1)",
                "javascript://app.example.com/%0aalert(1)",
                "data:text/html,x",
                "https://user@app.example.com/",
                "https://app.example.com@evil.example/",
                "https://app.example.com:pass@evil.example/",
                "https://app.example.com\\@evil.example/",
                "https://evil.example\\.app.example.com/",
                "https://app.example.com/\\evil.example",
                "https://app.example.com\t/",
                " https://app.example.com/",
                "https://app.example.com/\r\nLocation: https://evil.example",
                "https://app.example.com/\u0000",
                "https://app.example.com/%0d%0a",
                "https://app.example.com/%00",
                "https://app.example.com/a//b",
                "https://app.example.com//evil.example",
                "https://app.example.com/../b",
                "https://app.example.com/a/..",
                "https://app.example.com/./a",
                "https://app.example.com/%2e%2E/a",
                "https://app.example.com/%2f%2fevil.example",
                "https://app.example.com/a%5Cb",
                "https://app.example.com/%zz",
                "https://app.example.com/a@evil.example",
                "https://app.example.com./",
                "https://.app.example.com/",
                "https://app.example.com:0/",
                "https://app.example.com:65536/",
                "https://app.example.com:/",
                "https://app.example.com:443:443/",
                "https://\u0430pp.example.com/",
                "https://app\uff0eexample.com/",
                "https://app.example.com\u3002evil.example/",
                "https://app.example.com/caf\u00e9",
                "https://app.example.com/\"onload",
                "https://app.example.com/<script>",
                "https://[::1",
                "https://[::1]evil.example/"
            })
    void ambiguousUrlsAreRefused(String text) {
        assertThat(RedirectUrl.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "https://app.example.com, https://app.example.com",
        "HTTPS://APP.example.COM:443/Path?q, https://app.example.com",
        "http://app.example.com:80/, http://app.example.com",
        "http://app.example.com:443/, http://app.example.com:443",
        "http://localhost:3000/a?b=c#d, http://localhost:3000",
        "https://app.example.com:65535/, https://app.example.com:65535",
        "https://my_host.internal/, https://my_host.internal",
        "https://[2001:DB8::1]:8443/x, https://[2001:db8::1]:8443",
        "https://xn--mnchen-3ya.example/, https://xn--mnchen-3ya.example"
    })
    void anOriginIsWrittenAsBrowsersDo(String text, String origin) {
        assertThat(RedirectUrl.of(text).origin()).isEqualTo(origin);
    }

    @ParameterizedTest
    @CsvSource({
        "https://a.example, https://a.example/, true",
        "https://A.example:443/x?y=1, https://a.example/x?y=1, true",
        "https://a.example/x, https://a.example/x/, false",
        "https://a.example/x, https://a.example/X, false",
        "https://a.example/x, https://a.example/x?, false",
        "https://a.example/x?y=1, https://a.example/x?y=1&z=2, false",
        "https://a.example/x, http://a.example/x, false",
        "https://a.example/x, https://a.example:8443/x, false",
        "https://a.example/x, https://a.example.evil.example/x, false",
        "https://a.example/x, https://a.example/x/../y, false"
    })
    void twoUrlsAreTheSameIfEveryPartIs(String one, String other, boolean same) {
        assertThat(RedirectUrl.parse(other)
                        .filter(RedirectUrl.of(one)::isSameAs)
                        .isPresent())
                .isEqualTo(same);
    }

    @Test
    void aUrlHasUpTo2048Characters() {
        var text = "https://app.example.com/" + "a".repeat(2048 - 24);
        assertThat(RedirectUrl.parse(text)).isPresent();
        assertThat(RedirectUrl.parse(text + "a")).isEmpty();
    }

    @Test
    void aParameterIsAddedAfterTheOthersAndBeforeTheFragment() {
        assertThat(RedirectUrl.of("https://a.example").with("p", "v")).isEqualTo("https://a.example?p=v");
        assertThat(RedirectUrl.of("https://a.example/x?y=1#/route?z").with("p", "v"))
                .isEqualTo("https://a.example/x?y=1&p=v#/route?z");
    }
}
