package dev.vestibule.limits;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The network that stands for one customer: an IPv4 address, or the /64 that an IPv6 one is in. */
public final class ClientNetwork {
    private static final int IPV6_NETWORK_BYTES = 8;
    private static final byte LOOPBACK = 127;

    private ClientNetwork() {}

    /** No bytes where there is no address. */
    public static byte[] of(@Nullable InetAddress address) {
        if (address == null) {
            return new byte[0];
        }
        if (address.isLoopbackAddress()) {
            return new byte[] {LOOPBACK}; // of either family: one machine
        }
        var bytes = address.getAddress();
        return address instanceof Inet6Address ? Arrays.copyOf(bytes, IPV6_NETWORK_BYTES) : bytes;
    }
}
