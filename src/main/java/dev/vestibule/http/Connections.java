package dev.vestibule.http;

import dev.vestibule.config.HttpSettings;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.limits.NetworkBudget;
import io.netty.channel.ChannelOption;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop. Closes connections that exceed the limit for their network or the total, and those
 * that take too long to send the head or body of a request, or to read a response; and fails requests that are not
 * answered in time. One sweep over all connections does so, which costs a short request less than timers of its own.
 * Use it on its event loop only.
 */
public final class Connections {
    /** Enough time for a client to read a response that came before the client had sent its whole body. */
    private static final Duration LINGER = Duration.ofSeconds(5);

    private static final Duration SWEEP = Duration.ofMillis(250);

    /** Counts what happens to connections. */
    public interface Meter {
        /** A connection was refused because its network, or the server, had too many. */
        void refused();

        /** A connection was closed because too many had not sent a request yet. */
        void displaced();

        /** A connection was closed because a head, a body or the reading of a response took too long. */
        void timedOut();
    }

    private static final class OpenConnection {
        private final HttpConnection connection;
        private final NetworkBudget.Share share;
        private long since = System.nanoTime();
        private boolean hasSentRequest;
        private @Nullable HttpServerRequest request;
        private @Nullable RoutingContext limited;
        private boolean isStreamed;
        private long streamedBytes;
        private boolean isAnswered;

        OpenConnection(HttpConnection connection, NetworkBudget.Share share) {
            this.connection = connection;
            this.share = share;
        }

        /** Whether the time has passed since the last step. */
        boolean isOlderThan(Duration limit, long now) {
            return now - since > limit.toNanos();
        }
    }

    private final HttpSettings settings;
    private final NetworkBudget budget;
    private final ClientAddresses addresses;
    private final Meter meter;
    private final int maxSilent;
    private final Map<HttpConnection, OpenConnection> all = new HashMap<>();
    private final Set<OpenConnection> silent = new LinkedHashSet<>();

    /** The budget counts the connections of all event loops. */
    public Connections(HttpSettings settings, NetworkBudget budget, ClientAddresses addresses, Meter meter) {
        this.settings = settings;
        this.budget = budget;
        this.addresses = addresses;
        this.meter = meter;
        this.maxSilent = Math.max(1, settings.maxSilentConnections() / settings.eventLoops());
    }

    /** Starts checking timeouts; call it on the event loop. */
    public void start(Vertx vertx) {
        vertx.setPeriodic(SWEEP.toMillis(), tick -> sweep());
    }

    /** Counts a new connection, or closes it. */
    public void accept(HttpConnection connection) {
        var peer = ClientAddresses.of(connection.remoteAddress());
        var share = addresses.isTrusted(peer) ? budget.shareOfTotal() : budget.shareOf(peer);
        if (!share.tryAcquire(1)) {
            meter.refused();
            connection.close();
            return;
        }
        var open = new OpenConnection(connection, share);
        all.put(connection, open);
        silent.add(open);
        connection.closeHandler(closed -> forget(open));
        if (silent.size() > maxSilent) {
            meter.displaced();
            close(silent.iterator().next());
        }
    }

    /** Records each request before passing it on. */
    public Handler<HttpServerRequest> tracking(Handler<HttpServerRequest> next) {
        return request -> {
            var open = all.get(request.connection());
            if (open != null) {
                begin(open, request);
            }
            next.handle(request);
        };
    }

    /**
     * Exempts the body of the request from the time limit: its handler enforces its own. The connection is closed only
     * when nothing is read or written for as long as an idle one may stay.
     */
    public void allowStreaming(HttpServerRequest request) {
        var open = all.get(request.connection());
        if (open != null) {
            open.isStreamed = true;
        }
    }

    /** Fails the request with a 503 when it has not been answered in time. */
    public void limitTime(RoutingContext ctx) {
        var open = all.get(ctx.request().connection());
        if (open != null) {
            open.limited = ctx;
        }
    }

    private void begin(OpenConnection open, HttpServerRequest request) {
        if (!open.hasSentRequest) {
            open.hasSentRequest = true;
            silent.remove(open);
        }
        open.request = request;
        open.since = System.nanoTime();
        open.limited = null;
        open.isStreamed = false;
        open.streamedBytes = 0;
        open.isAnswered = false;
    }

    private void forget(OpenConnection open) {
        if (all.remove(open.connection) != null) {
            silent.remove(open);
            open.share.close();
        }
    }

    private void close(OpenConnection open) {
        silent.remove(open); // so that the next one that has to go is another
        cutOff(open.connection);
    }

    /**
     * Closes a connection at once; call it on its event loop. Its own {@code close}, and that of the channel, wait
     * until everything is written, which a client that reads nothing can delay forever. What the kernel still has to
     * send to such a client is dropped too.
     */
    public static void cutOff(HttpConnection connection) {
        var channel = ((ConnectionBase) connection).channel();
        var unwritten = channel.unsafe().outboundBuffer();
        if (unwritten == null) {
            return; // it is closed, and another socket may have its number by now
        }
        if (!unwritten.isEmpty()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        channel.unsafe().close(channel.newPromise());
    }

    private void sweep() {
        var now = System.nanoTime();
        new ArrayList<>(all.values()).forEach(open -> watch(open, now));
    }

    private void watch(OpenConnection open, long now) {
        var request = open.request;
        if (request == null) {
            if (open.isOlderThan(open.hasSentRequest ? settings.idleTimeout() : settings.headLimit(), now)) {
                timeOut(open);
            }
        } else if (!request.response().ended()) {
            watchUnanswered(open, request, now);
        } else if (request.isEnded()) {
            open.request = null; // releases everything that it holds
            open.limited = null;
            open.since = now;
        } else if (!open.isAnswered) {
            open.isAnswered = true;
            open.since = now;
        } else if (open.isOlderThan(LINGER, now)) {
            timeOut(open);
        }
    }

    private void watchUnanswered(OpenConnection open, HttpServerRequest request, long now) {
        if (open.isStreamed) {
            var bytes = request.bytesRead() + request.response().bytesWritten();
            if (bytes != open.streamedBytes) {
                open.streamedBytes = bytes;
                open.since = now;
            } else if (open.isOlderThan(settings.idleTimeout(), now)) {
                timeOut(open);
            }
        } else if (!request.isEnded() && open.isOlderThan(settings.bodyLimit(), now)) {
            refuseSlowBody(open, request);
        } else if (open.limited != null && open.isOlderThan(settings.requestLimit(), now)) {
            var late = open.limited;
            open.limited = null;
            late.fail(ErrorStatus.UNAVAILABLE.code());
        }
    }

    private void timeOut(OpenConnection open) {
        meter.timedOut();
        close(open);
    }

    private void refuseSlowBody(OpenConnection open, HttpServerRequest request) {
        if (request.response().headWritten()) {
            timeOut(open);
            return;
        }
        meter.timedOut();
        var reply = FailureHandler.reply(ApiException.of(
                ErrorCode.REQUEST_TIMEOUT,
                "The body did not arrive within " + settings.bodyLimit().toSeconds() + " seconds."));
        request.response().setStatusCode(reply.status());
        reply.headers().forEach(request.response()::putHeader);
        request.response().putHeader("Connection", "close");
        request.response().end(reply.body()).onComplete(ended -> close(open));
    }
}
