package dev.vestibule.database;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.UUID;

/**
 * Shows the other nodes on the database that this one is alive, while it holds claims. A claim names its holder. Other
 * nodes take over the claims of a name that the database has not seen for six seconds. So a node that other nodes might
 * consider dead must no longer act on its claims: it lets its name expire and continues under a new one. Each node
 * measures time only with its own clock, and the database only with its own, so clock differences cannot mislead them.
 */
public final class NodeLease {
    /** How often {@link #renewOrRemove} must be called. */
    public static final Duration CHECK = Duration.ofSeconds(2);

    private static final Duration RECENT = Duration.ofSeconds(1); // a claim may rely on a name seen this recently
    private static final Duration LIFE = Duration.ofSeconds(4); // less than others wait, so that this node stops first
    private static final Duration STABLE = Duration.ofSeconds(3); // within which every other node renews its name
    private static final Duration SLOW = Duration.ofSeconds(2); // a statement that takes longer counts as an outage

    private final NodeStore store = new NodeStore();
    private final Database database;
    private Name current = new Name();
    private long troubleNanos = System.nanoTime(); // when the database last failed, or this node started

    /** Runs on the calling context: call all methods on it. */
    public NodeLease(Database database) {
        this.database = database;
    }

    /** The name to claim under. */
    public UUID name() {
        return current.id;
    }

    /** Whether other nodes may consider this one dead, now or soon; then it must call {@link #replaceName}. */
    public boolean isExpired() {
        return current.isOlderThan(LIFE);
    }

    /** Lets the name expire, and gives up everything that is claimed under it. */
    public void replaceName() {
        current = new Name();
    }

    /**
     * Whether the names that look dead really are. After an outage every name looks dead until its node has renewed it,
     * so a node takes no claims from others until the database has answered for a while.
     */
    public boolean isStable() {
        return System.nanoTime() - troubleNanos > STABLE.toNanos();
    }

    /** Call this before a statement that claims under the name, and so renews it. */
    public ClaimAttempt beginClaim() {
        return new ClaimAttempt();
    }

    /** The database may hold claims under the name that this node knows nothing of. */
    public void markUncertain() {
        current.isUncertain = true;
    }

    /** Renews the name while there are claims, and removes it when there are none. */
    public Future<Void> renewOrRemove(boolean hasClaims) {
        var name = current;
        if (!name.isKnown) {
            return Future.succeededFuture();
        }
        if (!hasClaims) {
            current = new Name();
            return name.isUncertain ? store.end(database.writes(), name.id) : store.remove(database.writes(), name.id);
        }
        if (!name.isOlderThan(RECENT) || name.isOlderThan(LIFE)) {
            return Future.succeededFuture();
        }
        var sentAt = System.nanoTime();
        return store.renew(database.writes(), name.id).onSuccess(renewed -> name.seen(sentAt));
    }

    /** Immediately frees everything that is still claimed under the name; the future always succeeds. */
    public Future<Void> end() {
        var name = current;
        replaceName();
        return name.isKnown ? store.end(database.writes(), name.id).otherwiseEmpty() : Future.succeededFuture();
    }

    /** A statement that claims. */
    public final class ClaimAttempt {
        private final Name by = current;
        private final long sentAt = System.nanoTime();

        private ClaimAttempt() {}

        /** The statement succeeded. */
        public void succeeded(boolean hasClaimed) {
            if (hasClaimed) {
                by.seen(sentAt - RECENT.toNanos());
            }
            if (System.nanoTime() - sentAt > SLOW.toNanos()) {
                troubleNanos = System.nanoTime();
            }
        }

        /** The statement failed, so it is unknown whether it claimed anything. */
        public void failed() {
            by.isUncertain = true;
            troubleNanos = System.nanoTime();
        }
    }

    private static final class Name {
        private final UUID id = UUID.randomUUID();
        private long seenNanos = System.nanoTime();
        private boolean isKnown; // the database has a row for it
        private boolean isUncertain;

        private void seen(long nanos) {
            isKnown = true;
            seenNanos = Math.max(seenNanos, nanos);
        }

        private boolean isOlderThan(Duration age) {
            return System.nanoTime() - seenNanos >= age.toNanos();
        }
    }
}
