package dev.vestibule.project.administration;

import dev.vestibule.config.Release;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** Tells the database, and so every node, that this node runs and how it is. */
public final class NodeReports {
    /** How often {@link #send} must be called; a node that was silent for three times as long counts as lost. */
    public static final Duration INTERVAL = Duration.ofSeconds(10);

    private final UUID node = UUID.randomUUID();
    private final NodeReportStore store = new NodeReportStore();
    private final ChangeFeed feed;
    private final HashingPool hashing;
    private final Instant startedAt;

    NodeReports(ChangeFeed feed, HashingPool hashing, Clock clock) {
        this.feed = feed;
        this.hashing = hashing;
        this.startedAt = clock.instant();
    }

    /** The name of this node, which it has until it stops. */
    UUID node() {
        return node;
    }

    /** Replaces the last report of this node, and removes those of nodes that were lost a day ago. */
    public Future<Void> send(Database database) {
        return store.put(
                database.writes(),
                node,
                Release.version(),
                startedAt,
                feed.isHealthy(),
                hashing.waiting(),
                hashing.running());
    }

    /** This node stops, so nobody needs to look for it. */
    public Future<Void> end(Database database) {
        return store.remove(database.writes(), node);
    }
}
