package dev.vestibule.database;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.net.SocketException;
import java.time.Duration;

/**
 * One PostgreSQL server and how to connect to it.
 *
 * <p>If {@code sslmode} leaves TLS to the server, this class asks the server first, on a connection that it closes
 * immediately. The client asks too, but when the answer is no, it opens another connection and leaves the first one
 * open until PostgreSQL's authentication timeout (InitiateSslHandler of vertx-pg-client 5.0.12 fails its promise and
 * closes nothing). The answer is not cached, so that TLS is used as soon as the server offers it. This gives an
 * attacker nothing more than {@code prefer} does: anyone who can answer in the server's place can also present their
 * own certificate, and only {@code verify-full} stops them.
 */
final class DatabaseHost {
    /** The SSLRequest message of PostgreSQL's protocol: its length, and a number that is not a protocol version. */
    private static final Buffer SSL_REQUEST = Buffer.buffer().appendInt(8).appendInt(80877103);

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

    private final NetClient network;
    private final PgConnectOptions options;
    private final CoalescedCall<PgConnectOptions> negotiated = new CoalescedCall<>(this::negotiate);

    DatabaseHost(Vertx vertx, PgConnectOptions options, NetClientOptions transport) {
        this.network = vertx.createNetClient(transport);
        ((VertxInternal) vertx).addCloseHook(closed -> network.close().onComplete(closed));
        this.options = options;
    }

    /** The options, with the SSL mode that fits what the server offers now. */
    Future<PgConnectOptions> options() {
        var mode = options.getSslMode();
        return mode == SslMode.PREFER || mode == SslMode.ALLOW ? negotiated.get() : Future.succeededFuture(options);
    }

    private Future<PgConnectOptions> negotiate() {
        return network.connect(options.getPort(), options.getHost())
                .compose(socket -> offersTls(socket).eventually(socket::close))
                .map(offersTls -> offersTls ? options : Connection.copy(options).setSslMode(SslMode.DISABLE));
    }

    private Future<Boolean> offersTls(NetSocket socket) {
        Promise<Byte> answer = Promise.promise();
        socket.handler(bytes -> answer.tryComplete(bytes.getByte(0)));
        socket.exceptionHandler(answer::tryFail);
        socket.closeHandler(closed -> answer.tryFail(new SocketException("PostgreSQL closed the connection")));
        socket.write(SSL_REQUEST);
        return answer.future().timeout(ANSWER_LIMIT.toMillis(), MILLISECONDS).compose(code -> switch (code) {
            // After the handshake the server accepts that the client closes the connection; before it, the server
            // would log an error.
            case 'S' -> socket.upgradeToSsl(options.getSslOptions()).map(true).otherwise(true);
            case 'N' -> Future.succeededFuture(false);
            default -> Future.succeededFuture(true); // an error, which the client will also get and report
        });
    }
}
