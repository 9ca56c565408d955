package dev.vestibule.http;

import dev.vestibule.config.AddressRange;
import io.netty.util.NetUtil;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address that a request comes from. {@code X-Forwarded-For}, or {@code Forwarded} (RFC 7239) without it, is read
 * from right to left, and only as far as trusted proxies have written it: the client can invent everything to the left.
 */
public final class ClientAddresses {
    private static final Pattern FOR =
            Pattern.compile("(?i)(?:^|[;\\s])for=\"?\\[?([0-9A-Fa-f.:]+?)]?(?::\\d+)?\"?(?:;|$|\\s)");

    /** Some proxies write the client's port as well. */
    private static final Pattern WITH_PORT = Pattern.compile("(?:\\[([0-9A-Fa-f.:]+)]|([0-9.]+)):\\d{1,5}");

    private final List<AddressRange> trustedProxies;

    public ClientAddresses(List<AddressRange> trustedProxies) {
        this.trustedProxies = List.copyOf(trustedProxies);
    }

    /** Null if the connection has no IP address. */
    public @Nullable InetAddress of(HttpServerRequest request) {
        var address = peer(request);
        if (address == null || !isTrusted(address)) {
            return address;
        }
        var last = address;
        for (var hop : hopsFromTheRight(request)) {
            if (hop == null) {
                return last;
            }
            if (!isTrusted(hop)) {
                return hop;
            }
            last = hop;
        }
        return last;
    }

    /** Whether the connection comes from a trusted proxy, so that its headers can be believed. */
    public boolean isFromTrustedProxy(HttpServerRequest request) {
        var address = peer(request);
        return address != null && isTrusted(address);
    }

    private static @Nullable InetAddress peer(HttpServerRequest request) {
        var remote = request.remoteAddress();
        return remote == null ? null : NetUtil.createInetAddressFromIpAddressString(remote.hostAddress());
    }

    private boolean isTrusted(InetAddress address) {
        return trustedProxies.stream().anyMatch(range -> range.contains(address));
    }

    private static List<@Nullable InetAddress> hopsFromTheRight(HttpServerRequest request) {
        var forwardedFor = request.headers().getAll("X-Forwarded-For");
        var isPlain = !forwardedFor.isEmpty();
        var values = isPlain ? forwardedFor : request.headers().getAll("Forwarded");
        var hops = Arrays.asList(String.join(",", values).split(",", -1));
        Collections.reverse(hops);
        var addresses = new ArrayList<@Nullable InetAddress>(hops.size());
        hops.forEach(hop -> addresses.add(isPlain ? plain(hop.strip()) : forwarded(hop.strip())));
        return addresses;
    }

    private static @Nullable InetAddress plain(String hop) {
        var withPort = WITH_PORT.matcher(hop);
        if (withPort.matches()) {
            return NetUtil.createInetAddressFromIpAddressString(
                    withPort.group(1) == null ? withPort.group(2) : withPort.group(1));
        }
        return NetUtil.createInetAddressFromIpAddressString(hop);
    }

    private static @Nullable InetAddress forwarded(String element) {
        Matcher parameter = FOR.matcher(element);
        return parameter.find() ? plain(parameter.group(1)) : null;
    }
}
