package dev.vestibule.server;

import dev.vestibule.config.HttpSettings;
import dev.vestibule.http.BodyReader;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.http.Connections;
import dev.vestibule.http.limits.NetworkBudget;
import dev.vestibule.telemetry.metrics.HttpMeters;

/** The limits on the connections and request bodies that all event loops hold together. */
public final class Admission {
    private final HttpSettings settings;
    private final ClientAddresses addresses;
    private final HttpMeters meters;
    private final NetworkBudget connections;
    private final NetworkBudget bodyBytes;

    public Admission(HttpSettings settings, ClientAddresses addresses, HttpMeters meters) {
        this.settings = settings;
        this.addresses = addresses;
        this.meters = meters;
        this.connections = new NetworkBudget(settings.maxConnections(), settings.maxConnectionsPerNetwork());
        this.bodyBytes = new NetworkBudget(settings.maxBodyBytesInFlight(), settings.maxBodyBytesPerNetwork());
        meters.register(connections::held, bodyBytes::held);
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
        return new BodyReader(bodyBytes, addresses, maxBytes, meters::bodyRefused);
    }
}
