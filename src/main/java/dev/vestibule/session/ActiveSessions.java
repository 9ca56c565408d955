package dev.vestibule.session;

import dev.vestibule.database.Database;
import dev.vestibule.database.SharedStatement;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.ActiveSessionStore.Check;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks up active sessions. Every signed-in request asks the database; requests that arrive on an event loop during a
 * query share the next one.
 */
public final class ActiveSessions {
    private final ActiveSessionStore store = new ActiveSessionStore();
    private final SharedStatement<Check, Optional<User>> checks;

    public ActiveSessions(Database database, Clock clock) {
        this.checks = database.shared(asked -> store.findUsers(database.reads(), asked, clock.instant()));
    }

    /**
     * The user of an active session; empty if the session has ended, its user is banned, or no longer has this role in
     * the organization.
     */
    public Future<Optional<User>> findUser(
            ProjectId project,
            SessionId session,
            UserId user,
            @Nullable UUID organization,
            @Nullable String role,
            BooleanSupplier isGone) {
        return checks.ask(new Check(project, session, user, organization, role), isGone);
    }
}
