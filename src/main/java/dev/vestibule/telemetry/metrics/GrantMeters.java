package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Meters of the authorization server. Their tags come from lists of this server, so what clients send adds none. */
public final class GrantMeters {
    private final MeterRegistry registry;

    GrantMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * A client has asked for tokens.
     *
     * @param type the type of the grant
     * @param outcome {@code issued}, or the error
     */
    public void asked(String type, String outcome) {
        Counter.builder("vestibule.oauth.server.tokens")
                .description("Requests of clients for tokens, by the type of the grant and what became of them")
                .tag("grant", type)
                .tag("outcome", outcome)
                .register(registry)
                .increment();
    }

    /** A person, or an owner of the project, has withdrawn the access of a client. */
    public void withdrawn(int grants) {
        Counter.builder("vestibule.oauth.server.withdrawn")
                .description("Grants that ended because somebody withdrew the access of a client")
                .register(registry)
                .increment(grants);
    }
}
