package dev.vestibule.oauth.server;

import dev.vestibule.database.Database;
import dev.vestibule.database.SharedStatement;
import dev.vestibule.oauth.server.GrantStore.Check;
import dev.vestibule.oauth.server.GrantStore.Live;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Looks up live grants. Every use of an access token asks the database; requests that arrive on an event loop during a
 * query share the next one, as those of sessions do.
 */
final class Grants {
    private final GrantStore store = new GrantStore();
    private final SharedStatement<Check, Optional<Live>> checks;

    Grants(Database database, Clock clock) {
        this.checks = database.shared(asked -> store.findLive(database.reads(), asked, clock.instant()));
    }

    /** Empty if the grant, or its session, user or client, has ended. */
    Future<Optional<Live>> find(ProjectId project, UUID grant, BooleanSupplier isGone) {
        return checks.ask(new Check(project, grant), isGone);
    }
}
