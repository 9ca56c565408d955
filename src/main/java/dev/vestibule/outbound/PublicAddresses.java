package dev.vestibule.outbound;

import dev.vestibule.config.AddressRange;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decides which addresses are public, by the IANA registries of special-purpose addresses. In doubt an address is not
 * public: the list also includes ranges that are reserved, deprecated or without hosts.
 */
public final class PublicAddresses {
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final int MAPPED_PREFIX_BYTES = IPV6_BYTES - IPV4_BYTES;
    private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private static final List<AddressRange> IPV4_SPECIAL = ranges(
            "0.0.0.0/8", // this network
            "10.0.0.0/8", // private
            "100.64.0.0/10", // shared, behind a provider's NAT; metadata of Alibaba Cloud
            "127.0.0.0/8", // loopback
            "168.63.129.16", // the host of Azure's virtual machines
            "169.254.0.0/16", // link-local; metadata of most clouds
            "172.16.0.0/12", // private
            "192.0.0.0/24", // protocol assignments; metadata of Oracle Cloud
            "192.0.2.0/24", // documentation
            "192.31.196.0/24", // AS112
            "192.52.193.0/24", // AMT
            "192.88.99.0/24", // 6to4 relays
            "192.168.0.0/16", // private
            "192.175.48.0/24", // AS112
            "198.18.0.0/15", // benchmarks
            "198.51.100.0/24", // documentation
            "203.0.113.0/24", // documentation
            "224.0.0.0/4", // multicast
            "240.0.0.0/4"); // reserved, and broadcast

    /** All other ranges (loopback, mapped, local, multicast, site-local) are not global unicast. */
    private static final AddressRange IPV6_GLOBAL = AddressRange.parse("2000::/3");

    private static final List<AddressRange> IPV6_SPECIAL = ranges(
            "2001::/23", // protocol assignments: Teredo, benchmarks, ORCHID
            "2001:db8::/32", // documentation
            "2002::/16", // 6to4, which leads to any IPv4 address
            "2620:4f:8000::/48", // AS112
            "3fff::/20"); // documentation

    /** How IPv6-only hosts reach IPv4: an address leads to the IPv4 address in its last four bytes. */
    private static final AddressRange NAT64 = AddressRange.parse("64:ff9b::/96");

    private PublicAddresses() {}

    public static boolean isPublic(InetAddress address) {
        var bytes = address.getAddress();
        if (bytes.length == IPV4_BYTES) {
            return isOutside(IPV4_SPECIAL, address);
        }
        if (isMapped(bytes) || NAT64.contains(address)) {
            return isPublic(embeddedIpv4(bytes));
        }
        return IPV6_GLOBAL.contains(address) && isOutside(IPV6_SPECIAL, address);
    }

    private static boolean isOutside(List<AddressRange> special, InetAddress address) {
        return special.stream().noneMatch(range -> range.contains(address));
    }

    private static boolean isMapped(byte[] bytes) {
        return Arrays.equals(bytes, 0, MAPPED_PREFIX_BYTES, MAPPED_PREFIX, 0, MAPPED_PREFIX_BYTES);
    }

    private static InetAddress embeddedIpv4(byte[] bytes) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, MAPPED_PREFIX_BYTES, IPV6_BYTES));
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("four bytes are an address", impossible);
        }
    }

    private static List<AddressRange> ranges(String... texts) {
        return Stream.of(texts).map(AddressRange::parse).toList();
    }
}
