package dev.vestibule.limits;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What clients may hold at the same time, such as connections or bytes: bounded in all, for each client network and, four
 * times as much, for each /48. All event loops share one; what is held is counted exactly, so nothing has to expire.
 */
public final class NetworkBudget {
    private static final int NETWORKS_OF_A_SITE = 4;

    private final long inAll;
    private final long perNetwork;
    private final AtomicLong held = new AtomicLong();
    private final ConcurrentMap<ByteBuffer, Long> heldByNetwork = new ConcurrentHashMap<>();

    public NetworkBudget(long inAll, long perNetwork) {
        this.inAll = inAll;
        this.perNetwork = perNetwork;
    }

    /** An empty share for a client of this address, which counts against its networks and in all. */
    public Share shareOf(@Nullable InetAddress address) {
        var limits = new ArrayList<Limit>(2);
        limits.add(new Limit(ByteBuffer.wrap(ClientNetwork.of(address)), perNetwork));
        ClientNetwork.siteOf(address)
                .ifPresent(site -> limits.add(new Limit(ByteBuffer.wrap(site), NETWORKS_OF_A_SITE * perNetwork)));
        return new Share(limits);
    }

    /** An empty share that only counts in all, for a proxy that serves many clients. */
    public Share shareInAll() {
        return new Share(List.of());
    }

    /** How much is held now. */
    public long held() {
        return held.get();
    }

    private record Limit(ByteBuffer network, long most) {}

    /** What one connection or request holds. Not for use by several threads at once. */
    public final class Share implements AutoCloseable {
        private final List<Limit> limits;
        private long amount;

        private Share(List<Limit> limits) {
            this.limits = limits;
        }

        /** Takes that much more; takes nothing and returns false where a limit does not allow it. */
        public boolean tryTake(long more) {
            amount += more;
            var fits = held.addAndGet(more) <= inAll;
            for (var limit : limits) {
                fits &= heldByNetwork.merge(limit.network(), more, Long::sum) <= limit.most();
            }
            if (!fits) {
                giveBack(more);
            }
            return fits;
        }

        /** Whether that much more could be taken now. */
        public boolean hasRoomFor(long more) {
            return held.get() + more <= inAll
                    && limits.stream()
                            .allMatch(limit -> heldByNetwork.getOrDefault(limit.network(), 0L) + more <= limit.most());
        }

        /** Gives everything back; may be called again. */
        @Override
        public void close() {
            if (amount > 0) {
                giveBack(amount);
            }
        }

        private void giveBack(long less) {
            amount -= less;
            held.addAndGet(-less);
            limits.forEach(limit -> heldByNetwork.computeIfPresent(
                    limit.network(), (network, before) -> before == less ? null : before - less));
        }
    }
}
