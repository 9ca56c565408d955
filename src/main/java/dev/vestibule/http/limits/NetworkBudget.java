package dev.vestibule.http.limits;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Limits what clients can hold at the same time, such as connections or bytes: in total, for each client network and,
 * four times as much, for each /48. All event loops share one budget; it counts exactly what is held, so nothing has to
 * expire.
 */
public final class NetworkBudget {
    private static final int NETWORKS_OF_A_SITE = 4;

    private final long total;
    private final long perNetwork;
    private final AtomicLong held = new AtomicLong();
    private final ConcurrentMap<ByteBuffer, Long> heldByNetwork = new ConcurrentHashMap<>();

    public NetworkBudget(long total, long perNetwork) {
        this.total = total;
        this.perNetwork = perNetwork;
    }

    /** An empty share for a client with this address, which counts against its networks and the total. */
    public Share shareOf(@Nullable InetAddress address) {
        var limits = new ArrayList<Limit>(2);
        limits.add(new Limit(ByteBuffer.wrap(ClientNetwork.of(address)), perNetwork));
        ClientNetwork.siteOf(address)
                .ifPresent(site -> limits.add(new Limit(ByteBuffer.wrap(site), NETWORKS_OF_A_SITE * perNetwork)));
        return new Share(limits);
    }

    /** An empty share that counts only against the total, for a proxy that serves many clients. */
    public Share shareOfTotal() {
        return new Share(List.of());
    }

    /** How much is held now. */
    public long held() {
        return held.get();
    }

    private record Limit(ByteBuffer network, long max) {}

    /** What one connection or request holds. Not thread-safe. */
    public final class Share implements AutoCloseable {
        private final List<Limit> limits;
        private long amount;

        private Share(List<Limit> limits) {
            this.limits = limits;
        }

        /** Acquires this amount; acquires nothing and returns false if a limit does not allow it. */
        public boolean tryAcquire(long increase) {
            amount += increase;
            var fits = held.addAndGet(increase) <= total;
            for (var limit : limits) {
                fits &= heldByNetwork.merge(limit.network(), increase, Long::sum) <= limit.max();
            }
            if (!fits) {
                release(increase);
            }
            return fits;
        }

        /** Acquires this amount whatever it is, up to the total, if its networks hold nothing else. */
        public boolean tryAcquireAlone(long increase) {
            var isAlone = !limits.isEmpty()
                    && limits.stream().noneMatch(limit -> heldByNetwork.containsKey(limit.network()))
                    && held.get() + increase <= total;
            if (isAlone) {
                acquire(increase);
            }
            return isAlone;
        }

        /** Acquires this amount even beyond the limits. */
        public void acquire(long increase) {
            amount += increase;
            held.addAndGet(increase);
            limits.forEach(limit -> heldByNetwork.merge(limit.network(), increase, Long::sum));
        }

        /** Whether this amount could be acquired now. */
        public boolean hasRoomFor(long increase) {
            return held.get() + increase <= total
                    && limits.stream()
                            .allMatch(
                                    limit -> heldByNetwork.getOrDefault(limit.network(), 0L) + increase <= limit.max());
        }

        /** Releases everything; can be called again. */
        @Override
        public void close() {
            if (amount > 0) {
                release(amount);
            }
        }

        private void release(long decrease) {
            amount -= decrease;
            held.addAndGet(-decrease);
            limits.forEach(limit -> heldByNetwork.computeIfPresent(
                    limit.network(), (network, before) -> before == decrease ? null : before - decrease));
        }
    }
}
