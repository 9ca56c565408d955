package dev.vestibule.http.limits;

import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address. Providers give a customer up
 * to a /48, which contains 65,536 such networks, so the /48 is counted too, as the client's site.
 */
public final class ClientNetwork {
    private static final int IPV6_NETWORK_BYTES = 8;
    private static final int IPV6_SITE_BYTES = 6;
    private static final byte LOOPBACK = 127;

    private ClientNetwork() {}

    /** The network's bytes; empty if there is no address. */
    public static byte[] of(@Nullable InetAddress address) {
        if (address == null) {
            return new byte[0];
        }
        if (address.isLoopbackAddress()) {
            return new byte[] {LOOPBACK}; // IPv4 and IPv6 loopback are the same machine
        }
        var bytes = address.getAddress();
        return address instanceof Inet6Address ? Arrays.copyOf(bytes, IPV6_NETWORK_BYTES) : bytes;
    }

    /** The widest network that one customer can have: the /48 of an IPv6 address; otherwise the same as {@link #of}. */
    public static byte[] widestOf(@Nullable InetAddress address) {
        return siteOf(address).orElseGet(() -> of(address));
    }

    /** The same of the text of an address; empty if there is none. */
    public static Optional<byte[]> widestOf(@Nullable String address) {
        return Optional.ofNullable(address)
                .map(NetUtil::createInetAddressFromIpAddressString)
                .map(ClientNetwork::widestOf);
    }

    /** The bytes of the /48 of an IPv6 address; empty for any other address. */
    public static Optional<byte[]> siteOf(@Nullable InetAddress address) {
        return address instanceof Inet6Address && !address.isLoopbackAddress()
                ? Optional.of(Arrays.copyOf(address.getAddress(), IPV6_SITE_BYTES))
                : Optional.empty();
    }
}
