package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
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
 * Hears what other nodes changed: whoever changes cached data sends {@code NOTIFY} in the same transaction, and every
 * node listens on a connection of its own. Caches may answer only while {@link #isHeard}: a heartbeat on that
 * connection proves that no notification can have been missed.
 */
public final class ChangeFeed {
    /** What a cache does with a notification. */
    public interface Listener {
        void changed(String payload);

        /** Notifications may have been missed: nothing that is cached can be trusted. */
        void missed();
    }

    public static final String CHANNEL = "vestibule_changes";

    private static final String NOTIFY = "SELECT pg_notify('" + CHANNEL + "', $1)";

    private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);
    private static final Duration BEAT = Duration.ofMillis(50);
    private static final Duration SILENCE = Duration.ofMillis(100);
    private static final Duration BEAT_LIMIT = Duration.ofSeconds(2);
    private static final Duration RECONNECT = Duration.ofMillis(250);

    private final Vertx vertx;
    private final PgConnectOptions address;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong epoch = new AtomicLong();
    private volatile long heardAtNanos;
    private volatile boolean connected;
    private volatile boolean closed;
    private volatile @Nullable PgConnection connection;

    public ChangeFeed(Vertx vertx, PgConnectOptions address) {
        this.vertx = vertx;
        this.address = address;
    }

    public void subscribe(Listener listener) {
        listeners.add(listener);
    }

    /** Connects and listens, again and again until {@link #close}; the result tells of the first try. */
    public Future<Void> start() {
        return connect().onFailure(failure -> reconnect());
    }

    public boolean isHeard() {
        return connected && System.nanoTime() - heardAtNanos < SILENCE.toNanos();
    }

    /** Grows with every notification: what was loaded under an older epoch must not be cached. */
    public long epoch() {
        return epoch.get();
    }

    /** Tells every node when the transaction commits; whoever commits it calls {@link #announce} then. */
    public Future<Void> publish(SqlClient transaction, String payload) {
        return transaction.preparedQuery(NOTIFY).execute(Tuple.of(payload)).mapEmpty();
    }

    /** Acts on a change of this node's own at once, instead of when the notification of it arrives. */
    public void announce(String payload) {
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
        return PgConnection.connect(vertx, address)
                .compose(fresh -> {
                    connection = fresh;
                    fresh.notificationHandler(this::hear);
                    fresh.closeHandler(gone -> lose(fresh));
                    return fresh.query("LISTEN " + CHANNEL)
                            .execute()
                            .timeout(BEAT_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                            .onFailure(failure -> fresh.close());
                })
                .map(listening -> {
                    forgetEverything();
                    LOG.info("The change feed listens");
                    heardAtNanos = System.nanoTime();
                    connected = true;
                    beat();
                    return null;
                });
    }

    private void hear(PgNotification notification) {
        announce(notification.getPayload());
    }

    private void beat() {
        var beating = connection;
        if (beating == null || !connected) {
            return;
        }
        var sentAt = System.nanoTime();
        var answered = beating.query("SELECT 1").execute().timeout(BEAT_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        answered.onComplete(answer -> {
            if (answer.succeeded()) {
                heardAtNanos = sentAt;
                vertx.setTimer(BEAT.toMillis(), next -> beat());
            } else {
                lose(beating); // before it is closed, which may take as long as the answer
                beating.close();
            }
        });
    }

    private void lose(PgConnection lost) {
        if (connected && lost.equals(connection)) {
            connected = false;
            if (!closed) {
                LOG.warn("The change feed lost its connection: caches are bypassed until it is back");
            }
            forgetEverything();
            reconnect();
        }
    }

    private void forgetEverything() {
        epoch.incrementAndGet();
        listeners.forEach(Listener::missed);
    }

    private void reconnect() {
        if (!closed) {
            vertx.setTimer(RECONNECT.toMillis(), again -> connect().onFailure(failure -> reconnect()));
        }
    }
}
