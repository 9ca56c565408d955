package dev.vestibule.http;

import io.netty.util.NetUtil;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/** Tells a request of a person at this machine from one that a proxy on it has passed on. */
public final class LocalRequest {
    private LocalRequest() {}

    /**
     * Whether it comes from a loopback address, is for this machine by its host, and nothing shows a proxy. HTTP/1.0 does:
     * it is what nginx speaks, without a header that tells, unless it is configured otherwise.
     */
    public static boolean is(HttpServerRequest request) {
        var remote = request.remoteAddress();
        var peer = remote == null ? null : NetUtil.createInetAddressFromIpAddressString(remote.hostAddress());
        return peer != null
                && peer.isLoopbackAddress()
                && request.version() != HttpVersion.HTTP_1_0
                && HostNames.isLoopback(request.getHeader(HttpHeaders.HOST))
                && !ProxyHeaders.in(request);
    }
}
