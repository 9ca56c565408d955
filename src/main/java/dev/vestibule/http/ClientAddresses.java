package dev.vestibule.http;

import dev.vestibule.config.AddressRange;
import dev.vestibule.config.HttpSettings.ForwardingHeader;
import io.netty.util.NetUtil;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.time.Clock;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address that a request comes from. The header that the trusted proxies write ({@code http.forwardedHeader}) is
 * read from right to left, and only the part that they have written: the client can invent everything to the left of
 * it, and all other headers.
 */
public final class ClientAddresses {
    private static final String X_FORWARDED_FOR = "X-Forwarded-For";
    private static final String FORWARDED = "Forwarded";

    /** Some proxies also write the client's port, which RFC 7239 allows them to obfuscate. */
    private static final Pattern WITH_PORT =
            Pattern.compile("(?:\\[([0-9A-Fa-f.:]+)]|([0-9.]+)):(?:\\d{1,5}|_[A-Za-z0-9._-]+)");

    private final List<AddressRange> trustedProxies;
    private final ForwardingHeader header;
    private final ProxyWarning warning;

    public ClientAddresses(List<AddressRange> trustedProxies, ForwardingHeader header, Clock clock) {
        this.trustedProxies = List.copyOf(trustedProxies);
        this.header = header;
        this.warning = new ProxyWarning(clock);
    }

    /** Null if the connection has no IP address. */
    public @Nullable InetAddress of(HttpServerRequest request) {
        var address = peer(request);
        if (address == null || !isTrusted(address)) {
            if (warning.isDue() && ProxyHeaders.in(request)) {
                warning.warn();
            }
            return address;
        }
        var last = address;
        for (var hop : hopsFromTheRight(request)) {
            var before = address(hop);
            if (before == null) {
                return last;
            }
            if (!isTrusted(before)) {
                return before;
            }
            last = before;
        }
        return last;
    }

    /** Whether the connection comes from a trusted proxy, so that its headers can be believed. */
    public boolean isFromTrustedProxy(HttpServerRequest request) {
        return isTrusted(peer(request));
    }

    /**
     * Whether the request came through a proxy that does not distinguish its clients: it is not trusted, or it does not
     * write the header that is read. Then {@link #of} returns the same address for all its clients.
     */
    public boolean isIndistinct(HttpServerRequest request) {
        if (!ProxyHeaders.in(request)) {
            return false;
        }
        var address = of(request);
        return address == null || isTrusted(address) || address.equals(peer(request));
    }

    /**
     * The connection's, since vertx-web reads all forwarding headers to answer for a request, and then ignores them.
     */
    private static @Nullable InetAddress peer(HttpServerRequest request) {
        return of(request.connection().remoteAddress());
    }

    /** The address of the other end of a connection; null if it has no IP address. */
    static @Nullable InetAddress of(@Nullable SocketAddress remote) {
        return remote == null ? null : NetUtil.createInetAddressFromIpAddressString(remote.hostAddress());
    }

    /** Whether it is the address of a trusted proxy. */
    boolean isTrusted(@Nullable InetAddress address) {
        return address != null && trustedProxies.stream().anyMatch(range -> range.contains(address));
    }

    /** The unparsed hops; several lines of a header form one list (RFC 9110, 5.3). */
    private List<String> hopsFromTheRight(HttpServerRequest request) {
        var lines = request.headers().getAll(header == ForwardingHeader.FORWARDED ? FORWARDED : X_FORWARDED_FOR);
        if (lines.isEmpty()) {
            return List.of();
        }
        var list = String.join(",", lines);
        if (header == ForwardingHeader.FORWARDED) {
            return ForwardedElement.splitFromTheRight(list);
        }
        var hops = Arrays.asList(list.split(",", -1));
        Collections.reverse(hops);
        return hops;
    }

    /** Null if the hop does not name an address: then it is unknown who wrote the hops to the left. */
    private @Nullable InetAddress address(String hop) {
        var node = header == ForwardingHeader.FORWARDED ? ForwardedElement.nodeFor(hop) : hop.strip();
        if (node == null) {
            return null;
        }
        var withPort = WITH_PORT.matcher(node);
        return NetUtil.createInetAddressFromIpAddressString(
                withPort.matches() ? Objects.requireNonNullElse(withPort.group(1), withPort.group(2)) : node);
    }
}
