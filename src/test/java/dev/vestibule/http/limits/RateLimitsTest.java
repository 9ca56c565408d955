package dev.vestibule.http.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.config.LimitSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RateLimitsTest {
    private static final int QUOTA = 3;

    private final RateLimits limits = new RateLimits(settings(true));

    @Test
    void addressesOfOneIpv6NetworkAreOneClient() throws UnknownHostException {
        assertThat(isAllowed("2001:db8:0:1::1")).isTrue();
        assertThat(isAllowed("2001:db8:0:1:ffff:ffff:ffff:ffff")).isTrue();
        assertThat(isAllowed("2001:db8:0:1::2")).isTrue();
        assertThat(isAllowed("2001:db8:0:1::3")).isFalse();
        assertThat(isAllowed("2001:db8:0:2::1")).isTrue();
    }

    @Test
    void networksOfOneIpv6SiteShareTenTimesAsMuch() throws UnknownHostException {
        for (int i = 0; i < 10 * QUOTA; i++) {
            assertThat(isAllowed("2001:db8:0:" + Integer.toHexString(i) + "::1"))
                    .isTrue();
        }
        assertThat(isAllowed("2001:db8:0:ffff::1")).isFalse();
        assertThat(isAllowed("2001:db8:1::1")).isTrue();
    }

    @Test
    void lookingDoesNotCount() throws UnknownHostException {
        var address = InetAddress.getByName("2001:db8::1");
        for (int i = 0; i < 100 * QUOTA; i++) {
            assertThat(limits.look(Quota.SIGN_IN, "", address).isAllowed()).isTrue();
        }
        for (int i = 0; i < QUOTA; i++) {
            limits.tryConsume(Quota.SIGN_IN, "", address);
        }
        assertThat(limits.look(Quota.SIGN_IN, "", address).isAllowed()).isFalse();
    }

    @Test
    void everyIpv4AddressIsASeparateClient() throws UnknownHostException {
        for (int i = 0; i < QUOTA; i++) {
            assertThat(isAllowed("192.0.2.1")).isTrue();
        }
        assertThat(isAllowed("192.0.2.1")).isFalse();
        assertThat(isAllowed("192.0.2.2")).isTrue();
    }

    @Test
    void anIpv4AddressInIpv6FormIsTheSameClient() throws UnknownHostException {
        for (int i = 0; i < QUOTA; i++) {
            assertThat(isAllowed("::ffff:192.0.2.1")).isTrue();
        }
        assertThat(isAllowed("192.0.2.1")).isFalse();
    }

    @Test
    void operationsAndProjectsAreCountedSeparately() throws UnknownHostException {
        var address = InetAddress.getByName("192.0.2.1");
        for (int i = 0; i < QUOTA; i++) {
            limits.tryConsume(Quota.SIGN_IN, "one", address);
        }
        assertThat(limits.tryConsume(Quota.SIGN_IN, "one", address).isAllowed()).isFalse();
        assertThat(limits.tryConsume(Quota.SIGN_IN, "other", address).isAllowed())
                .isTrue();
        assertThat(limits.tryConsume(Quota.SIGN_UP, "one", address).isAllowed()).isTrue();
    }

    @Test
    void clientsWithoutAnAddressShareAQuota() {
        for (int i = 0; i < QUOTA; i++) {
            assertThat(limits.tryConsume(Quota.SIGN_IN, "", null).isAllowed()).isTrue();
        }
        assertThat(limits.tryConsume(Quota.SIGN_IN, "", null).isAllowed()).isFalse();
    }

    @Test
    void aRefusalSaysHowLongToWait() throws UnknownHostException {
        var address = InetAddress.getByName("192.0.2.1");
        for (int i = 0; i < QUOTA; i++) {
            limits.tryConsume(Quota.SIGN_IN, "", address);
        }
        assertThat(limits.tryConsume(Quota.SIGN_IN, "", address).retryAfter())
                .isPositive()
                .isLessThanOrEqualTo(Duration.ofSeconds(60 / QUOTA));
    }

    @Test
    void nothingIsRefusedWhileLimitsAreOff() {
        var off = new RateLimits(settings(false));
        for (int i = 0; i < 10 * QUOTA; i++) {
            assertThat(off.tryConsume(Quota.SIGN_IN, "", null).isAllowed()).isTrue();
        }
    }

    @Test
    void eachQuotaUsesItsOwnSetting() {
        var minute = Duration.ofMinutes(1);
        var numbered = new RateLimits(new LimitSettings(
                true, 1, 2, 3, 22, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, minute, minute, minute,
                1, 20, 1000, 1000, 1000, 1000));
        assertThat(Arrays.stream(Quota.values())
                        .map(quota -> quota.text() + " "
                                + numbered.look(quota, "", null).quota()))
                .containsExactlyInAnyOrder(
                        "signup 1",
                        "signin 2",
                        "refresh 3",
                        "change 22",
                        "code 4",
                        "oauth 5",
                        "oauth-server 6",
                        "oauth-poll 7",
                        "dashboard-register 8",
                        "dashboard-login 9",
                        "dashboard-members 10",
                        "bad-credentials 14",
                        "signing-keys 15",
                        "branding 16",
                        "page 17",
                        "captcha 18",
                        "scim 19");
    }

    private boolean isAllowed(String address) throws UnknownHostException {
        return limits.tryConsume(Quota.SIGN_IN, "", InetAddress.getByName(address))
                .isAllowed();
    }

    private static LimitSettings settings(boolean enabled) {
        var minute = Duration.ofMinutes(1);
        return new LimitSettings(
                enabled, QUOTA, QUOTA, QUOTA, QUOTA, QUOTA, QUOTA, QUOTA, QUOTA, QUOTA, QUOTA, QUOTA, QUOTA, QUOTA,
                QUOTA, QUOTA, QUOTA, QUOTA, QUOTA, QUOTA, QUOTA, 10, minute, minute, minute, 1, 20, 1000, 1000, 1000,
                1000);
    }
}
