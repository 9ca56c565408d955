package dev.vestibule.outbound;

import dev.vestibule.outbound.OutboundException.Reason;
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
 * An HTTP client for addresses that strangers name: it connects only to public ones. A name is looked up here, and the
 * address that was looked at is the one connected to; the name still decides about the certificate. It follows no
 * redirect, keeps no cookie and unpacks nothing. Not Vert.x' web client, which cannot end an exchange in the middle:
 * its timeout begins anew with each byte, and it takes a body of any size.
 */
public final class OutboundClient {
    private static final int MOST_ADDRESSES = 3;

    private final Vertx vertx;
    private final HttpClient client;
    private final List<ContextInternal> loops;
    private final Limits limits;
    private final AddressLookup lookup;
    private final boolean allowPrivate;

    /**
     * What an exchange may take.
     *
     * @param timeout of the whole, from the name's lookup to the last byte
     * @param maxBodyBytes beyond it, the connection is closed and the answer is cut
     * @param maxConnectionsPerHost more exchanges at once wait, and their time runs
     * @param keepAlive how long a connection waits for its next request
     */
    public record Limits(
            Duration connectTimeout,
            Duration timeout,
            int maxBodyBytes,
            int maxConnectionsPerHost,
            Duration keepAlive) {}

    /**
     * An answer of any status.
     *
     * @param isCut whether the body goes on where this one ends: it was too long, too slow, or broke off
     * @param duration of the whole exchange
     */
    public record Response(int status, MultiMap headers, Buffer body, boolean isCut, Duration duration) {}

    public OutboundClient(Vertx vertx, Limits limits, boolean allowPrivate) {
        this(vertx, limits, allowPrivate, new HttpClientOptions(), new DnsLookup(vertx));
    }

    OutboundClient(Vertx vertx, Limits limits, boolean allowPrivate, HttpClientOptions options, AddressLookup lookup) {
        var internal = (VertxInternal) vertx;
        this.vertx = vertx;
        this.limits = limits;
        this.allowPrivate = allowPrivate;
        this.lookup = lookup;
        this.client = vertx.httpClientBuilder()
                .with(new HttpClientOptions(options)
                        .setConnectTimeout((int) limits.connectTimeout().toMillis())
                        .setKeepAliveTimeout((int) limits.keepAlive().toSeconds()))
                .with(new PoolOptions().setHttp1MaxSize(limits.maxConnectionsPerHost()))
                // What goes wrong on a connection, its exchange tells; strangers shall not fill the log.
                .withConnectHandler(connection -> connection.exceptionHandler(failure -> {}))
                .build();
        this.loops = Stream.generate(internal::createEventLoopContext)
                .limit(Runtime.getRuntime().availableProcessors())
                .toList();
    }

    /**
     * The answer, whatever its status, or an {@link OutboundException}; on the caller's context. Once the head of an
     * answer has come, the answer counts, however its body ends.
     */
    public Future<Response> send(HttpMethod method, URI url, MultiMap headers, @Nullable Buffer body) {
        return send(method, Destination.of(url), headers, body);
    }

    /** The same, for whoever sends to a URL often. */
    public Future<Response> send(HttpMethod method, Destination to, MultiMap headers, @Nullable Buffer body) {
        var answered = ((VertxInternal) vertx).getOrCreateContext().<Response>promise();
        // All connections to a host on one event loop: an exchange then never moves between threads.
        var loop = loops.get(Math.floorMod(31 * to.host().hashCode() + to.port(), loops.size()));
        loop.runOnContext(start -> exchange(method, to, headers, body).onComplete(answered));
        return answered.future();
    }

    /**
     * Looks the host up and sends nothing: fails with an {@link OutboundException} where it has no address, none in the
     * time that a connection may take, or one that is not public. On the caller's context.
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

    private Future<Response> exchange(HttpMethod method, Destination to, MultiMap headers, @Nullable Buffer body) {
        var exchange = new Exchange(vertx, limits.timeout(), limits.maxBodyBytes());
        addresses(to)
                .compose(addresses -> connect(
                        to.request(method, headers),
                        addresses.subList(0, Math.min(addresses.size(), MOST_ADDRESSES)),
                        exchange))
                .onSuccess(request -> exchange.send(request, body))
                .onFailure(exchange::fail);
        return exchange.answer();
    }

    private Future<List<InetAddress>> addresses(Destination to) {
        if (to.host().isEmpty()) {
            return Future.failedFuture(new OutboundException(Reason.NAME_NOT_FOUND, Duration.ZERO));
        }
        var literal = to.literal();
        var found = literal.isPresent() ? Future.succeededFuture(List.of(literal.get())) : lookup.all(to.host());
        return found.compose(this::onlyPublic);
    }

    /** Of a name that has one address of each kind, nobody knows which is meant. */
    private Future<List<InetAddress>> onlyPublic(List<InetAddress> addresses) {
        if (addresses.isEmpty()) {
            return Future.failedFuture(new OutboundException(Reason.NAME_NOT_FOUND, Duration.ZERO));
        }
        return allowPrivate || addresses.stream().allMatch(PublicAddresses::isPublic)
                ? Future.succeededFuture(addresses)
                : Future.failedFuture(new OutboundException(Reason.NOT_PUBLIC, Duration.ZERO));
    }

    /** Tries the addresses in turn, as long as nothing was sent. */
    private Future<HttpClientRequest> connect(RequestOptions options, List<InetAddress> addresses, Exchange exchange) {
        // A literal, which nobody looks up again.
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
