package dev.vestibule.http;

import io.netty.util.NetUtil;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/** Distinguishes a request from a person at this machine from one that a local proxy has forwarded. */
public final class LocalRequest {
    private LocalRequest() {}

    /**
     * Whether the request comes from a loopback address, names this machine as its host, and shows no sign of a proxy.
     * HTTP/1.0 is a sign: nginx speaks it by default, without a header that would give it away.
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
