package dev.vestibule.authentication.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;

/** No other parser sees another host in a URL that is accepted, or a redirect could lead elsewhere. */
public final class RedirectUrlTarget {
    private RedirectUrlTarget() {}

    public static void check(String text) {
        RedirectUrl.parse(text).filter(RedirectUrl::isUri).ifPresent(url -> {
            var other = URI.create(text);
            assertThat(other.getRawUserInfo()).isNull();
            assertThat(other.getRawQuery()).isEqualTo(url.query());
            if (other.getHost() != null) {
                assertThat(other.getHost()).isEqualToIgnoringCase(url.host());
            }
        });
    }
}
