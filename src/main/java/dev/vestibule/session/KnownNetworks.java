package dev.vestibule.session;

import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether an account recently signed in from the network of a request: then the tries that strangers use up do not
 * affect it.
 */
public final class KnownNetworks {
    private final KnownNetworkStore store = new KnownNetworkStore();
    private final SignInNetworks networks;
    private final Clock clock;

    public KnownNetworks(SignInNetworks networks, Clock clock) {
        this.networks = networks;
        this.clock = clock;
    }

    /** Empty if it is not known or there is no account; one statement looks up both. */
    public Future<Optional<KnownNetwork>> find(
            SqlClient db, ProjectId project, @Nullable String email, @Nullable Device device) {
        return find(db, project, email, device, false);
    }

    /**
     * A network from which it signed in with both factors. One factor is not enough where somebody may be guessing the
     * second: anyone who has the first one can sign in and reset the password from as many networks as they like.
     */
    public Future<Optional<KnownNetwork>> findForFactor(
            SqlClient db, ProjectId project, @Nullable String email, Device device) {
        return find(db, project, email, device, true);
    }

    /** Of the account that owns the number: a network in which its user has entered a code sent to it. */
    public Future<Optional<KnownNetwork>> findByPhone(SqlClient db, ProjectId project, String phone, Device device) {
        var key = networks.key(project, phone, device);
        return key.equals(SignInNetworks.NONE)
                ? Future.succeededFuture(Optional.empty())
                : store.findByPhone(db, project, phone, key, networks.knownSince(clock.instant()));
    }

    private Future<Optional<KnownNetwork>> find(
            SqlClient db, ProjectId project, @Nullable String email, @Nullable Device device, boolean byBothFactors) {
        var key = email == null || device == null ? SignInNetworks.NONE : networks.key(project, email, device);
        return key.equals(SignInNetworks.NONE)
                ? Future.succeededFuture(Optional.empty())
                : store.find(db, project, email, key, networks.knownSince(clock.instant()), byBothFactors);
    }
}
