package dev.vestibule.outbound;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.InetAddress;
import java.net.URI;
import java.util.Optional;

/** Where the requests to a URL go, parsed once, so that a caller that sends many can keep it. */
public final class Destination {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    private final String host; // empty if the URL has none
    private final int port;
    private final boolean isTls;
    private final String target;
    private final Optional<InetAddress> literal;

    private Destination(String host, int port, boolean isTls, String target) {
        this.host = host;
        this.port = port;
        this.isTls = isTls;
        this.target = target;
        this.literal = TargetUrl.literal(host);
    }

    /** Accepts any URL, even one that no request can be sent to. */
    public static Destination of(URI url) {
        var isTls = "https".equalsIgnoreCase(url.getScheme());
        var port = url.getPort() > 0 ? url.getPort() : isTls ? HTTPS : HTTP;
        return new Destination(url.getHost() == null ? "" : url.getHost(), port, isTls, target(url));
    }

    private static String target(URI url) {
        var path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    }

    String host() {
        return host;
    }

    int port() {
        return port;
    }

    /** The address, if the host is an address and not a name. */
    Optional<InetAddress> literal() {
        return literal;
    }

    RequestOptions request(HttpMethod method, MultiMap headers) {
        return new RequestOptions()
                .setMethod(method)
                .setHost(host)
                .setPort(port)
                .setSsl(isTls)
                .setURI(target)
                .setHeaders(HttpHeaders.headers().setAll(headers)) // a copy, because the request adds its own
                .setFollowRedirects(false);
    }
}
