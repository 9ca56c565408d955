package dev.vestibule.config;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Arrays;

/** An IP address or a network of them, such as {@code 10.0.0.0/8} or {@code fd00::/8}. */
public record AddressRange(InetAddress network, int prefixLength) {
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        // Only literal addresses: a host name would be resolved, and anyone who owns its DNS would be trusted.
        InetAddress network = NetUtil.createInetAddressFromIpAddressString(address);
        if (network == null) {
            throw new IllegalArgumentException("not an address");
        }
        int bits = network.getAddress().length * Byte.SIZE;
        int prefixLength = slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1));
        if (prefixLength < 0 || prefixLength > bits) {
            throw new IllegalArgumentException("not a prefix length");
        }
        return new AddressRange(network, prefixLength);
    }

    public boolean contains(InetAddress address) {
        byte[] ours = network.getAddress();
        byte[] theirs = address.getAddress();
        int whole = prefixLength / Byte.SIZE;
        int rest = prefixLength % Byte.SIZE;
        return ours.length == theirs.length
                && Arrays.equals(ours, 0, whole, theirs, 0, whole)
                && (rest == 0 || (ours[whole] & 0xff) >> (8 - rest) == (theirs[whole] & 0xff) >> (8 - rest));
    }

    @Override
    public String toString() {
        return network.getHostAddress() + "/" + prefixLength;
    }
}
