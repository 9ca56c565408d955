package dev.vestibule.http.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class NetworkBudgetTest {
    private final NetworkBudget budget = new NetworkBudget(100, 10);

    @Test
    void aNetworkHasItsShareAndOthersHaveTheirs() throws UnknownHostException {
        var first = share("192.0.2.1");
        assertThat(first.tryAcquire(10)).isTrue();
        assertThat(first.tryAcquire(1)).isFalse();
        assertThat(share("192.0.2.1").tryAcquire(1)).isFalse();
        assertThat(share("192.0.2.2").tryAcquire(10)).isTrue();
        assertThat(budget.held()).isEqualTo(20);
    }

    @Test
    void aSiteHasFourTimesTheShareOfANetwork() throws UnknownHostException {
        for (int i = 0; i < 4; i++) {
            assertThat(share("2001:db8:1:" + i + "::1").tryAcquire(10)).isTrue();
        }
        assertThat(share("2001:db8:1:ffff::1").tryAcquire(1)).isFalse();
        assertThat(share("2001:db8:2::1").tryAcquire(10)).isTrue();
    }

    @Test
    void allNetworksTogetherHaveALimit() throws UnknownHostException {
        var shares = new ArrayList<NetworkBudget.Share>();
        for (int i = 0; i < 10; i++) {
            shares.add(share("192.0.2." + i));
            assertThat(shares.get(i).tryAcquire(10)).isTrue();
        }
        assertThat(share("192.0.2.99").tryAcquire(1)).isFalse();
        assertThat(share("192.0.2.99").hasRoomFor(1)).isFalse();
        shares.get(0).close();
        assertThat(share("192.0.2.99").hasRoomFor(10)).isTrue();
        assertThat(share("192.0.2.99").hasRoomFor(11)).isFalse();
    }

    @Test
    void whatANetworkHoldsLeavesItLessRoom() throws UnknownHostException {
        assertThat(share("192.0.2.1").tryAcquire(6)).isTrue();
        assertThat(share("192.0.2.1").hasRoomFor(4)).isTrue();
        assertThat(share("192.0.2.1").hasRoomFor(5)).isFalse();
        assertThat(share("192.0.2.2").hasRoomFor(10)).isTrue();
    }

    @Test
    void aProxyCountsOnlyAgainstTheTotal() {
        var proxy = budget.shareOfTotal();
        assertThat(proxy.tryAcquire(100)).isTrue();
        assertThat(proxy.tryAcquire(1)).isFalse();
    }

    @Test
    void aShareIsReleasedOnlyOnce() throws UnknownHostException {
        var share = share("192.0.2.1");
        share.tryAcquire(4);
        share.tryAcquire(5);
        share.tryAcquire(5);
        share.close();
        share.close();
        assertThat(budget.held()).isZero();
        assertThat(share("192.0.2.1").hasRoomFor(10)).isTrue();
    }

    @Test
    void manyThreadsLoseNothing() throws UnknownHostException {
        var address = InetAddress.getByName("2001:db8::1");
        var workers = new ArrayList<CompletableFuture<Void>>();
        for (int worker = 0; worker < 8; worker++) {
            workers.add(CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 10_000; i++) {
                    try (var share = budget.shareOf(address)) {
                        share.tryAcquire(i % 7);
                    }
                }
            }));
        }
        CompletableFuture.allOf(workers.toArray(CompletableFuture[]::new)).join();
        assertThat(budget.held()).isZero();
        assertThat(budget.shareOf(address).hasRoomFor(10)).isTrue();
        assertThat(List.of(
                        budget.shareOf(address).tryAcquire(10),
                        budget.shareOf(address).tryAcquire(1)))
                .containsExactly(true, false);
    }

    private NetworkBudget.Share share(String address) throws UnknownHostException {
        return budget.shareOf(InetAddress.getByName(address));
    }
}
