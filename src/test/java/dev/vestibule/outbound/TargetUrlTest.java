package dev.vestibule.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.error.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetUrlTest {
    private static final String SETTING = "a.setting";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://example.com", "http://example.com/", "HTTPS://EXAMPLE.COM:8443/a/b?c=d&e=%2F",
                "https://hooks.example.com./in", "https://xn--bcher-kva.example/", "https://93.184.216.34/in",
                "https://[2606:4700:4700::1111]:8443/in", "https://1password.example/", "https://a.b-c.d1/",
                "https://example.com:65535/?"
            })
    void aPublicWebUrlIsAccepted(String url) {
        assertThat(TargetUrl.of(url, false, SETTING)).hasToString(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "example.com",
                "/in",
                "//example.com/in",
                "ftp://example.com",
                "file:///etc/passwd",
                "gopher://example.com",
                "javascript:alert(1)",
                "https:",
                "https://",
                "https:///in",
                "https:example.com",
                "https://exa mple.com",
                "https://example.com/ a",
                "https://example.com/\u0000",
                "https://example.com/\n",
                "https://example.com/\ud800",
                "https://bücher.example/",
                "https://example.com/bücher",
                "https://%65xample.com/",
                "https://example.com:x/",
                "https://example.com:0/",
                "https://example.com:65536/",
                "https://example..com/",
                "https://-example.com/",
                "https://.example.com/",
                "https://[example]/",
                "https://[::1%25lo]/",
                "https://[fe80::1%25eth0]/",
                "https://[::1/",
                "https://1.2.3/",
                "https://1.2.3.4.5/",
                "https://256.1.1.1/",
                "https://1.1.1.1./",
                "https://example.1/",
                "https://example.0x1/"
            })
    void anythingButAWebUrlIsRefused(String url) {
        assertThatThrownBy(() -> TargetUrl.of(url, true, SETTING)).isInstanceOf(InvalidValueException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://user@example.com/", "https://user:password@example.com/", "https://@example.com/",
                "https://example.com@127.0.0.1/", "https://example.com/#part", "https://example.com/#"
            })
    void credentialsAndFragmentsAreRefused(String url) {
        assertThatThrownBy(() -> TargetUrl.of(url, true, SETTING)).isInstanceOf(InvalidValueException.class);
    }

    /** Some parsers read them as addresses, and no real URL needs them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://2130706433/",
                "http://0177.0.0.1/",
                "http://0177.1/",
                "http://0x7f.1/",
                "http://0x7f000001/",
                "http://0X7F.0X0.0X0.0X1/",
                "http://127.1/",
                "http://127.0.1/",
                "http://0/",
                "http://017700000001/",
                "http://127.0.0.01/",
                "http://127.0.0.1./",
                "http://127.0.0.0x1/",
                "http://4294967295/",
                "http://①②⑦.⓪.⓪.①/",
                "http://１２７.0.0.1/",
                "http://127。0。0。1/"
            })
    void oddSpellingsOfAddressesAreRefused(String url) {
        assertThatThrownBy(() -> TargetUrl.of(url, true, SETTING)).isInstanceOf(InvalidValueException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1/",
                "http://127.9.9.9:8080/",
                "http://10.0.0.1/",
                "http://169.254.169.254/latest/meta-data",
                "http://0.0.0.0/",
                "http://[::1]/",
                "http://[::]/",
                "http://[::ffff:127.0.0.1]/",
                "http://[::ffff:7f00:1]/",
                "http://[fd00::1]/",
                "http://[fe80::1]/",
                "http://[64:ff9b::7f00:1]/",
                "http://localhost/",
                "http://LOCALHOST./",
                "http://app.localhost:3000/"
            })
    void aPrivateTargetIsRefusedUnlessAllowed(String url) {
        assertThatThrownBy(() -> TargetUrl.of(url, false, SETTING))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("must lead to a public address (the server's setting a.setting allows others)");
        assertThat(TargetUrl.of(url, true, SETTING)).hasToString(url);
    }

    @Test
    void aLongUrlIsRefused() {
        var url = "https://example.com/" + "a".repeat(2028);
        assertThat(TargetUrl.of(url, false, SETTING)).hasToString(url);
        assertThatThrownBy(() -> TargetUrl.of(url + "a", false, SETTING)).isInstanceOf(InvalidValueException.class);
    }
}
