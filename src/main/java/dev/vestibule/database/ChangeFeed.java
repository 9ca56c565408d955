package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgNotification;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells this node what other nodes have changed. A transaction that changes cached data sends {@code NOTIFY}, and every
 * node listens on a connection of its own. A heartbeat on that connection proves that no notification was missed;
 * caches may answer only while {@link #isUpToDate}.
 */
public final class ChangeFeed {
    /** Reacts to changes of cached data. */
    public interface Listener {
        void changed(String payload);

        /** Notifications may have been missed, so everything that is cached may be stale. */
        void changesMissed();
    }

    public static final String CHANNEL = "vestibule_changes";

    private static final String NOTIFY = "SELECT pg_notify('" + CHANNEL + "', $1)";

    private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);
    private static final Duration HEARTBEAT = Duration.ofMillis(50);
    private static final Duration MAX_SILENCE = Duration.ofMillis(100);
    private static final Duration RESPONSE_LIMIT = Duration.ofSeconds(2);
    private static final Duration RECONNECT_PAUSE = Duration.ofMillis(250);

    private final Vertx vertx;
    private final Servers servers;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong epoch = new AtomicLong();
    private volatile long lastHeartbeatNanos;
    private volatile boolean connected;
    private volatile boolean closed;
    private volatile @Nullable PgConnection connection;

    public ChangeFeed(Vertx vertx, Servers servers) {
        this.vertx = vertx;
        this.servers = servers;
    }

    public void subscribe(Listener listener) {
        listeners.add(listener);
    }

    /** Connects and listens, and reconnects until {@link #close}. The result is that of the first attempt. */
    public Future<Void> start() {
        return connect().onFailure(failure -> reconnect());
    }

    public boolean isUpToDate() {
        return connected && System.nanoTime() - lastHeartbeatNanos < MAX_SILENCE.toNanos();
    }

    /** Increases with every notification. What was loaded in an earlier epoch must not be cached. */
    public long epoch() {
        return epoch.get();
    }

    /** Notifies every node when the transaction commits. After the commit, call {@link #apply}. */
    public Future<Void> publish(SqlClient transaction, String payload) {
        return transaction.preparedQuery(NOTIFY).execute(Tuple.of(payload)).mapEmpty();
    }

    /** Tells the listeners of a change; of this node's own changes at once, without waiting for the notification. */
    public void apply(String payload) {
        epoch.incrementAndGet();
        listeners.forEach(listener -> listener.changed(payload));
    }

    public void close() {
        closed = true;
        if (connection != null) {
            connection.close();
        }
    }

    private Future<Void> connect() {
        return servers.next()
                .compose(server -> PgConnection.connect(vertx, server))
                .compose(fresh -> {
                    connection = fresh;
                    fresh.notificationHandler(this::notified);
                    fresh.closeHandler(end -> connectionLost(fresh));
                    return fresh.query("LISTEN " + CHANNEL)
                            .execute()
                            .timeout(RESPONSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                            .onFailure(failure -> fresh.close());
                })
                .map(listening -> {
                    invalidateAll();
                    LOG.info("The change feed is connected");
                    lastHeartbeatNanos = System.nanoTime();
                    connected = true;
                    sendHeartbeat();
                    return null;
                });
    }

    private void notified(PgNotification notification) {
        apply(notification.getPayload());
    }

    private void sendHeartbeat() {
        var used = connection;
        if (used == null || !connected) {
            return;
        }
        var sentAt = System.nanoTime();
        var response = used.query("SELECT 1").execute().timeout(RESPONSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        response.onComplete(received -> {
            if (received.succeeded()) {
                lastHeartbeatNanos = sentAt;
                vertx.setTimer(HEARTBEAT.toMillis(), next -> sendHeartbeat());
            } else {
                connectionLost(used); // before closing, which may take as long as the response
                used.close();
            }
        });
    }

    private void connectionLost(PgConnection lost) {
        if (connected && lost.equals(connection)) {
            connected = false;
            if (!closed) {
                LOG.warn("The change feed lost its connection: caches are bypassed until it reconnects");
            }
            invalidateAll();
            reconnect();
        }
    }

    private void invalidateAll() {
        epoch.incrementAndGet();
        listeners.forEach(Listener::changesMissed);
    }

    private void reconnect() {
        if (!closed) {
            vertx.setTimer(RECONNECT_PAUSE.toMillis(), again -> connect().onFailure(failure -> reconnect()));
        }
    }
}
