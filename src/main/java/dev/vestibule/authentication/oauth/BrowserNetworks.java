package dev.vestibule.authentication.oauth;

import dev.vestibule.http.ClientAddresses;
import dev.vestibule.http.limits.ClientNetwork;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/** Tells the networks of browsers apart, as far as the proxies in front of this server allow. */
final class BrowserNetworks {
    /** A network that cannot be told: two of these do not count as the same one. */
    static final Buffer UNKNOWN = Buffer.buffer();

    private final ClientAddresses addresses;
    private final boolean isBehindProxy;

    /** This server does not terminate TLS, so if its public URL is https there must be a proxy in front of it. */
    BrowserNetworks(ClientAddresses addresses, RedirectUrl ownRedirect) {
        this.addresses = addresses;
        this.isBehindProxy = ownRedirect.scheme().equals("https");
    }

    /** {@link #UNKNOWN} if all clients of a proxy would look like one. */
    Buffer of(HttpServerRequest request) {
        return addresses.isIndistinct(request) || isFromSilentProxy(request)
                ? UNKNOWN
                : Buffer.buffer(ClientNetwork.of(addresses.of(request)));
    }

    /** A proxy that adds no header, like nginx by default; it speaks HTTP/1.0, which browsers do not. */
    private boolean isFromSilentProxy(HttpServerRequest request) {
        return !addresses.isFromTrustedProxy(request) && (isBehindProxy || request.version() == HttpVersion.HTTP_1_0);
    }
}
