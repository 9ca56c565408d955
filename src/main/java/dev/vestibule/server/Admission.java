package dev.vestibule.server;

import dev.vestibule.config.HttpSettings;
import dev.vestibule.http.BodyBudget;
import dev.vestibule.http.BodyReader;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.http.Connections;
import dev.vestibule.http.Reply;
import dev.vestibule.http.ReplyHandler;
import dev.vestibule.http.limits.NetworkBudget;
import dev.vestibule.telemetry.metrics.HttpMeters;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Function;

/** The limits on the connections, request bodies and unread responses that all event loops hold together. */
public final class Admission {
    private static final int RESPONSES_TO_BODIES = 4;

    private final HttpSettings settings;
    private final ClientAddresses addresses;
    private final HttpMeters meters;
    private final NetworkBudget connections;
    private final BodyBudget bodies;
    private final BodyBudget responses;

    public Admission(HttpSettings settings, ClientAddresses addresses, HttpMeters meters) {
        this.settings = settings;
        this.addresses = addresses;
        this.meters = meters;
        this.connections = new NetworkBudget(settings.maxConnections(), settings.maxConnectionsPerNetwork());
        var bodyBytes = new NetworkBudget(settings.maxBodyBytesInFlight(), settings.maxBodyBytesPerNetwork());
        // a client holds an unread response for longer than it may take to send a body, so nobody gets much of the room
        var responseBytes = new NetworkBudget(
                settings.maxBodyBytesInFlight(), settings.maxBodyBytesPerNetwork() / RESPONSES_TO_BODIES);
        this.bodies = new BodyBudget(bodyBytes, addresses, meters::bodyRefused);
        this.responses = new BodyBudget(responseBytes, addresses, meters::bodyRefused);
        meters.register(connections::held, bodyBytes::held, responseBytes::held);
    }

    /** The connections of the calling event loop. */
    Connections connections() {
        return new Connections(settings, connections, addresses, new Connections.Meter() {
            @Override
            public void refused() {
                meters.connectionRefused();
            }

            @Override
            public void displaced() {
                meters.connectionDisplaced();
            }

            @Override
            public void timedOut() {
                meters.connectionTimedOut();
            }
        });
    }

    BodyReader bodies(int maxBytes) {
        return new BodyReader(bodies, maxBytes);
    }

    ReplyHandler replies(Function<RoutingContext, Future<Reply>> operation) {
        return new ReplyHandler(responses, operation);
    }
}
