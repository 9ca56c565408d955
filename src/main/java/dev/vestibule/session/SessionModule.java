package dev.vestibule.session;

import dev.vestibule.access.Floor;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.journal.JournalModule;
import dev.vestibule.user.DomainConnections;
import io.vertx.core.Future;
import java.time.Clock;

/** Builds what opens, lists and ends sessions, and what remembers the networks that they were opened from. */
public final class SessionModule {
    private static final int BATCH = 1000;

    public final SignInNetworks networks;
    public final KnownNetworks knownNetworks;
    /** Which connections of organizations sign in whom. */
    public final DomainConnections connections;

    public final SessionStore store;
    public final SessionHandler operations;
    private final Clock clock;

    public SessionModule(Floor floor, JournalModule journal) {
        this.networks = new SignInNetworks(floor.masterKeys(), floor.settings().limits());
        this.knownNetworks = new KnownNetworks(networks, floor.clock());
        this.connections =
                new DomainConnections(floor.feed(), floor.settings().projects().cacheSize());
        this.store = new SessionStore(floor.database(), journal.journal, networks, connections);
        this.operations = new SessionHandler(floor.database(), store, floor.clock());
        this.clock = floor.clock();
    }

    /** Removes expired sessions, which records their events; statements ignore them until then. */
    public Future<Void> purge(Database database) {
        return Batches.repeat(
                () -> database.inTransaction(transaction -> store.sweep(transaction, clock.instant(), BATCH))
                        .map(swept -> swept == BATCH));
    }
}
