package dev.vestibule.outbound;

import io.vertx.core.http.HttpClosedException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** There is no response. The message says why; it is safe to show to clients and quotes nothing from the other side. */
public final class OutboundException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why there is no response. */
    public enum Reason {
        NOT_PUBLIC("the target is not a public address"),
        NAME_NOT_FOUND("the name of the host was not found"),
        NO_CONNECTION("the connection was refused or not possible"),
        TLS_FAILED("TLS failed: the certificate or the protocol is not acceptable"),
        TIMEOUT("no response in time"),
        CLOSED("the connection was closed before a response"),
        NO_HTTP("the response was not valid HTTP");

        private final String text;

        Reason(String text) {
            this.text = text;
        }
    }

    private final Reason reason;
    private final Duration duration;

    OutboundException(Reason reason, Duration duration) {
        super(reason.text, null, false, false);
        this.reason = reason;
        this.duration = duration;
    }

    public Reason reason() {
        return reason;
    }

    /** How long the exchange took until it failed. */
    public Duration duration() {
        return duration;
    }

    static OutboundException of(Throwable failure, Duration duration) {
        return failure instanceof OutboundException known
                ? new OutboundException(known.reason, duration)
                : new OutboundException(reasonOf(failure), duration);
    }

    private static Reason reasonOf(Throwable failure) {
        if (failure instanceof UnknownHostException) {
            return Reason.NAME_NOT_FOUND;
        }
        if (failure instanceof ConnectException || failure instanceof NoRouteToHostException) {
            return Reason.NO_CONNECTION; // also Netty's exception for a connection that takes too long
        }
        if (failure instanceof SSLException) {
            return Reason.TLS_FAILED;
        }
        if (failure instanceof TimeoutException) {
            return Reason.TIMEOUT;
        }
        // The remaining failures of Vert.x are parser errors and broken connections.
        return failure instanceof HttpClosedException || failure instanceof IOException
                ? Reason.CLOSED
                : Reason.NO_HTTP;
    }
}
