package dev.vestibule.http;

import dev.vestibule.json.UnicodeText;
import io.netty.util.NetUtil;
import io.vertx.core.net.HostAndPort;
import org.jspecify.annotations.Nullable;

/** Classifies the host of a request or URL, with or without a port, by its text alone: no name is ever looked up. */
public final class HostNames {
    private static final String LOCALHOST = "localhost";

    private HostNames() {}

    /** Whether it is a loopback address, or a name that is always one (RFC 6761, 6.3). */
    public static boolean isLoopback(@Nullable String hostAndPort) {
        var host = host(hostAndPort);
        var address = NetUtil.createInetAddressFromIpAddressString(host);
        return address == null ? host.equals(LOCALHOST) || host.endsWith("." + LOCALHOST) : address.isLoopbackAddress();
    }

    /** Whether it is a loopback host, or any other IP address. */
    static boolean isLoopbackOrAddress(@Nullable String hostAndPort) {
        return isLoopback(hostAndPort) || NetUtil.createInetAddressFromIpAddressString(host(hostAndPort)) != null;
    }

    /** The host in lower case; empty if the text is not a host. */
    private static String host(@Nullable String hostAndPort) {
        var parsed = hostAndPort == null ? null : HostAndPort.parseAuthority(hostAndPort, -1);
        return parsed == null ? "" : UnicodeText.lowerAscii(parsed.host());
    }
}
