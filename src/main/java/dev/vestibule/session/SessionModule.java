package dev.vestibule.session;

import dev.vestibule.access.Floor;
import dev.vestibule.journal.JournalModule;
import dev.vestibule.user.DomainConnections;

/** Builds what opens, lists and ends sessions, and what remembers the networks that they were opened from. */
public final class SessionModule {
    private final SignInNetworks networks;
    private final KnownNetworks knownNetworks;
    private final DomainConnections connections;
    private final SessionStore store;
    private final SessionHandler operations;

    public SessionModule(Floor floor, JournalModule journal) {
        this.networks = new SignInNetworks(floor.masterKeys(), floor.settings().limits());
        this.knownNetworks = new KnownNetworks(networks, floor.clock());
        this.connections =
                new DomainConnections(floor.feed(), floor.settings().projects().cacheSize());
        this.store = new SessionStore(journal.journal(), networks, journal.activity(), connections);
        this.operations = new SessionHandler(floor.database(), store, floor.clock());
    }

    public SignInNetworks networks() {
        return networks;
    }

    public KnownNetworks knownNetworks() {
        return knownNetworks;
    }

    /** Which connections of organizations sign in whom. */
    public DomainConnections connections() {
        return connections;
    }

    public SessionStore store() {
        return store;
    }

    public SessionHandler operations() {
        return operations;
    }
}
