package dev.vestibule.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.vestibule.fixture.TestDns;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentAddressesTest {
    private static final String NAME = "hooks.example.com";
    private static final InetAddress ADDRESS = address(1);

    private final AtomicLong now = new AtomicLong();

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {8, 8, 8, (byte) last});
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException(impossible);
        }
    }

    private void passLifetime() {
        now.addAndGet(RecentAddresses.LIFETIME.toNanos() + 1);
    }

    @Test
    void aNameIsAskedForOnceInTenSeconds() {
        var asked = new AtomicInteger();
        var addresses = new RecentAddresses(
                name -> {
                    asked.incrementAndGet();
                    return Future.succeededFuture(List.of(ADDRESS));
                },
                now::get);

        addresses.all(NAME).await();
        assertThat(addresses.all(NAME).await()).containsExactly(ADDRESS);
        assertThat(asked).hasValue(1);

        passLifetime();
        addresses.all(NAME).await();
        assertThat(asked).hasValue(2);
    }

    /** Netty would keep them for two years, and any number of them. */
    @Test
    void nothingIsKeptForAsLongAsARecordSays() {
        try (var dns = TestDns.start()) {
            dns.put(NAME, ADDRESS);
            var vertx = Vertx.vertx(new VertxOptions()
                    .setAddressResolverOptions(new AddressResolverOptions().addServer("127.0.0.1:" + dns.port())));
            try {
                var addresses = new RecentAddresses(AddressLookup.byDns(vertx), now::get);
                assertThat(addresses.all(NAME).await()).containsExactly(ADDRESS);
                assertThat(dns.addressQuestions()).isEqualTo(1);

                dns.put(NAME, address(2));
                passLifetime();
                assertThat(addresses.all(NAME).await()).containsExactly(address(2));
                assertThat(dns.addressQuestions()).isEqualTo(2);
            } finally {
                vertx.close().await();
            }
        }
    }

    @Test
    void namesAndAddressesOfStrangersTakeLimitedMemory() {
        var addresses = new RecentAddresses(
                name -> Future.succeededFuture(Collections.nCopies(4000, ADDRESS)), Ticker.disabledTicker());
        for (var i = 0; i < 100; i++) {
            addresses.all("x" + i + ".example.com").await();
        }
        assertThat(addresses.weight()).isBetween(4000L, (long) RecentAddresses.MAX_WEIGHT);

        var names = new RecentAddresses(name -> Future.succeededFuture(List.of()), Ticker.disabledTicker());
        for (var i = 0; i < RecentAddresses.MAX_WEIGHT; i++) {
            names.all("x" + i + ".example.com").await();
        }
        assertThat(names.weight()).isBetween(4000L, (long) RecentAddresses.MAX_WEIGHT);
    }
}
