package dev.vestibule.http;

import dev.vestibule.config.WebOrigin;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The web origins whose pages may call restricted paths: the server's own, and configured ones. */
public final class TrustedOrigins {
    private final Set<String> origins;
    private final boolean isForDevelopment;

    public TrustedOrigins(URI publicUrl, List<String> others) {
        this.origins = new HashSet<>(others);
        this.origins.add(WebOrigin.of(publicUrl));
        this.isForDevelopment = HostNames.isLoopback(publicUrl.getAuthority());
    }

    /** Throws a 403, which the page can read, if a browser sends the request from a page of another origin. */
    public void require(RoutingContext ctx) {
        var request = ctx.request();
        var host = request.getHeader(HttpHeaders.HOST);
        for (var origin : request.headers().getAll(HttpHeaders.ORIGIN)) {
            if (!contains(origin, host)) {
                CorsHandler.withdrawCredentials(ctx);
                throw ApiException.of(
                        ErrorCode.ORIGIN_NOT_ALLOWED,
                        "Pages of this origin cannot call this path: it is not the server's own (publicUrl), and not"
                                + " in dashboard.allowedOrigins.");
            }
        }
    }

    /**
     * Whether a page of this origin may send a request to this host. While the public URL is not set, every IP address
     * of the server counts as its own origin, but no name does: an attacker can point any name to this machine (DNS
     * rebinding).
     */
    boolean contains(String origin, @Nullable String host) {
        return origins.contains(origin)
                || (isForDevelopment
                        && host != null
                        && HostNames.isLoopbackOrAddress(host)
                        && origin.equalsIgnoreCase("http://" + host));
    }
}
