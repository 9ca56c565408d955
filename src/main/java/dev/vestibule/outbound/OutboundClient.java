package dev.vestibule.outbound;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.vestibule.outbound.OutboundException.Reason;
import dev.vestibule.telemetry.trace.WorkTracer;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.SocketAddress;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client for URLs that customers enter: it connects only to public addresses. It resolves a name, checks the
 * addresses and connects to one of them, so the name cannot change in between; the certificate must still be valid for
 * the name. It follows no redirects, keeps no cookies and decompresses nothing.
 */
public final class OutboundClient {
    private static final int MAX_ADDRESSES = 3;

    private final Vertx vertx;
    private final HttpClient client;
    private final List<ContextInternal> loops;
    private final @Nullable WorkTracer tracer;
    private final Limits limits;
    private final AddressLookup lookup;
    private final boolean allowPrivate;

    /**
     * The limits of one exchange.
     *
     * @param timeout for the whole exchange, from the lookup of the name to the last byte
     * @param maxBodyBytes a longer body is truncated and its connection closed
     * @param maxConnectionsPerHost further exchanges wait, within their timeout
     * @param keepAlive how long a connection waits for its next request
     */
    public record Limits(
            Duration connectTimeout,
            Duration timeout,
            int maxBodyBytes,
            int maxConnectionsPerHost,
            Duration keepAlive) {}

    public OutboundClient(Vertx vertx, Limits limits, boolean allowPrivate) {
        this(
                vertx,
                limits,
                allowPrivate,
                new HttpClientOptions(),
                new RecentAddresses(AddressLookup.byDns(vertx), Ticker.systemTicker()));
    }

    OutboundClient(Vertx vertx, Limits limits, boolean allowPrivate, HttpClientOptions options, AddressLookup lookup) {
        var internal = (VertxInternal) vertx;
        this.vertx = vertx;
        this.tracer = WorkTracer.of(vertx);
        this.limits = limits;
        this.allowPrivate = allowPrivate;
        this.lookup = lookup;
        this.client = vertx.httpClientBuilder()
                .with(new HttpClientOptions(options)
                        .setConnectTimeout((int) limits.connectTimeout().toMillis())
                        .setKeepAliveTimeout((int) limits.keepAlive().toSeconds()))
                .with(new PoolOptions().setHttp1MaxSize(limits.maxConnectionsPerHost()))
                // The exchange reports what goes wrong on its connection; foreign servers must not fill the log.
                .withConnectHandler(connection -> connection.exceptionHandler(failure -> {}))
                .build();
        // A client that nobody closes is kept by a thread of Vert.x, and by it the whole instance, though that is
        // closed.
        internal.addCloseHook(closed -> client.close().onComplete(closed));
        this.loops = Stream.generate(internal::createEventLoopContext)
                .limit(Runtime.getRuntime().availableProcessors())
                .toList();
    }

    /**
     * Returns the response, whatever its status, or fails with an {@link OutboundException}; on the caller's context.
     * Once the head of a response has arrived, the response counts, however its body ends.
     */
    public Future<OutboundResponse> send(HttpMethod method, URI url, MultiMap headers, @Nullable Buffer body) {
        return send(method, Destination.of(url), headers, body);
    }

    /** Sends to a URL that was parsed before, for callers that send to it often. */
    public Future<OutboundResponse> send(HttpMethod method, Destination to, MultiMap headers, @Nullable Buffer body) {
        var caller = ((VertxInternal) vertx).getOrCreateContext();
        var answered = caller.<OutboundResponse>promise();
        // All connections to a host on one event loop: an exchange then never moves between threads.
        var loop = loops.get(Math.floorMod(31 * to.host().hashCode() + to.port(), loops.size()));
        var place = tracer == null ? loop : tracer.onBehalfOf(List.of(caller), loop);
        place.runOnContext(start -> exchange(method, to, headers, body).onComplete(answered));
        return answered.future();
    }

    /**
     * Looks the host up and sends nothing. Fails with an {@link OutboundException} if the host has no address, if the
     * lookup takes longer than a connection may, or if an address is not public. On the caller's context.
     */
    public Future<Void> lookUp(URI url) {
        var found = ((VertxInternal) vertx).getOrCreateContext().<Void>promise();
        addresses(Destination.of(url))
                .timeout(limits.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .recover(failure -> Future.failedFuture(
                        failure instanceof TimeoutException
                                ? new OutboundException(Reason.NAME_NOT_FOUND, limits.connectTimeout())
                                : OutboundException.of(failure, Duration.ZERO)))
                .<Void>mapEmpty()
                .onComplete(found);
        return found.future();
    }

    private Future<OutboundResponse> exchange(
            HttpMethod method, Destination to, MultiMap headers, @Nullable Buffer body) {
        var exchange = new Exchange(vertx, limits.timeout(), limits.maxBodyBytes());
        addresses(to)
                .compose(addresses -> connect(
                        to.request(method, headers),
                        addresses.subList(0, Math.min(addresses.size(), MAX_ADDRESSES)),
                        exchange))
                .onSuccess(request -> exchange.send(request, body))
                .onFailure(exchange::fail);
        return exchange.response();
    }

    private Future<List<InetAddress>> addresses(Destination to) {
        if (to.host().isEmpty()) {
            return Future.failedFuture(new OutboundException(Reason.NAME_NOT_FOUND, Duration.ZERO));
        }
        var literal = to.literal();
        var found = literal.isPresent() ? Future.succeededFuture(List.of(literal.get())) : lookup.all(to.host());
        return found.compose(this::requirePublic);
    }

    /** Refuses a name that has both public and private addresses, because it is unclear which one is meant. */
    private Future<List<InetAddress>> requirePublic(List<InetAddress> addresses) {
        if (addresses.isEmpty()) {
            return Future.failedFuture(new OutboundException(Reason.NAME_NOT_FOUND, Duration.ZERO));
        }
        return allowPrivate || addresses.stream().allMatch(PublicAddresses::isPublic)
                ? Future.succeededFuture(addresses)
                : Future.failedFuture(new OutboundException(Reason.NOT_PUBLIC, Duration.ZERO));
    }

    /** Tries the next address if one cannot be reached, since nothing was sent then. */
    private Future<HttpClientRequest> connect(RequestOptions options, List<InetAddress> addresses, Exchange exchange) {
        // Connects to the address and not the name, so that the name is not looked up again.
        var address = SocketAddress.inetSocketAddress(
                options.getPort(), addresses.get(0).getHostAddress());
        var rest = addresses.subList(1, addresses.size());
        return client.request(options.setServer(address))
                .recover(failure -> isUnreachable(failure) && !rest.isEmpty() && !exchange.isOver()
                        ? connect(options, rest, exchange)
                        : Future.failedFuture(failure));
    }

    private static boolean isUnreachable(Throwable failure) {
        return failure instanceof ConnectException || failure instanceof NoRouteToHostException;
    }

    public Future<Void> close() {
        return client.close();
    }
}
