package dev.vestibule.database;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.UUID;

/**
 * Shows the other nodes on the database that this one is alive, while it holds claims. A claim names its holder. Other
 * nodes take the claims of a name that the database has not seen for six seconds. A node that might be taken for dead
 * must therefore not act on its claims any more: it lets its name die and goes on under a new one. A node measures time
 * by itself alone and the database judges by its own clock, so no difference of clocks can mislead them.
 */
public final class Presence {
    /** How often {@link #keep} must be called. */
    public static final Duration CHECK = Duration.ofSeconds(2);

    private static final Duration RECENT = Duration.ofSeconds(1); // a claim counts on a sight that is as old as this
    private static final Duration LIFE = Duration.ofSeconds(4); // less than others wait, so that this node stops first
    private static final Duration CALM = Duration.ofSeconds(3); // in which every other node renews its name
    private static final Duration SLOW = Duration.ofSeconds(2); // a statement that takes longer is like an outage

    private final NodeStore store = new NodeStore();
    private final Database database;
    private Name current = new Name();
    private long troubleNanos = System.nanoTime(); // when the database last failed, or this node began

    /** For the calling context: all methods must be called on it. */
    public Presence(Database database) {
        this.database = database;
    }

    /** The name to claim under. */
    public UUID name() {
        return current.id;
    }

    /** Whether other nodes may take this one for dead, now or soon; then it must {@link #rename}. */
    public boolean isLapsed() {
        return current.isOlderThan(LIFE);
    }

    /** Lets the name die, and all that is claimed under it go. */
    public void rename() {
        current = new Name();
    }

    /**
     * Whether the names that look dead are: after an outage every name does, until its node has renewed it. So nobody
     * takes claims from others until the database has answered for a while.
     */
    public boolean isCalm() {
        return System.nanoTime() - troubleNanos > CALM.toNanos();
    }

    /** To be called before a statement that claims under the name, and so renews it. */
    public Claiming claiming() {
        return new Claiming();
    }

    /** The database may hold claims under the name that this node knows nothing of. */
    public void doubt() {
        current.isInDoubt = true;
    }

    /** Renews the name while there are claims, and removes it when there are none. */
    public Future<Void> keep(boolean hasClaims) {
        var name = current;
        if (!name.isKnown) {
            return Future.succeededFuture();
        }
        if (!hasClaims) {
            current = new Name();
            return name.isInDoubt ? store.end(database.writes(), name.id) : store.remove(database.writes(), name.id);
        }
        if (!name.isOlderThan(RECENT) || name.isOlderThan(LIFE)) {
            return Future.succeededFuture();
        }
        var sentAt = System.nanoTime();
        return store.renew(database.writes(), name.id).onSuccess(renewed -> name.seen(sentAt));
    }

    /** Frees at once what is still claimed under the name; the result is a success in any case. */
    public Future<Void> end() {
        var name = current;
        rename();
        return name.isKnown ? store.end(database.writes(), name.id).otherwiseEmpty() : Future.succeededFuture();
    }

    /** One statement that claims. */
    public final class Claiming {
        private final Name by = current;
        private final long sentAt = System.nanoTime();

        private Claiming() {}

        /** The statement ended well. */
        public void succeeded(boolean hasClaimed) {
            if (hasClaimed) {
                by.seen(sentAt - RECENT.toNanos());
            }
            if (System.nanoTime() - sentAt > SLOW.toNanos()) {
                troubleNanos = System.nanoTime();
            }
        }

        /** It is unknown whether it claimed anything. */
        public void failed() {
            by.isInDoubt = true;
            troubleNanos = System.nanoTime();
        }
    }

    private static final class Name {
        private final UUID id = UUID.randomUUID();
        private long seenNanos = System.nanoTime();
        private boolean isKnown; // the database has a row of it
        private boolean isInDoubt;

        private void seen(long nanos) {
            isKnown = true;
            seenNanos = Math.max(seenNanos, nanos);
        }

        private boolean isOlderThan(Duration age) {
            return System.nanoTime() - seenNanos >= age.toNanos();
        }
    }
}
