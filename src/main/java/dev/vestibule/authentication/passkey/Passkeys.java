package dev.vestibule.authentication.passkey;

import dev.vestibule.journal.event.EventKind;
import dev.vestibule.journal.event.EventOutbox;
import dev.vestibule.project.PasskeyDomain;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.Collections;

/** What other sign-in methods need to know about a user's passkeys, and do to them. */
public final class Passkeys {
    private final PasskeyStore store = new PasskeyStore();
    private final EventOutbox events;

    public Passkeys(EventOutbox events) {
        this.events = events;
    }

    /** Whether the user can sign in with a passkey, under the project's current settings. */
    public Future<Boolean> canSignIn(SqlClient db, Project project, UserId user) {
        var rpId = PasskeyDomain.of(project);
        return rpId.isEmpty()
                ? Future.succeededFuture(false)
                : store.existsForDomain(db, project.id(), user, rpId.get());
    }

    /**
     * Removes all, and cancels pending registrations; returns how many there were. The transaction must hold the lock
     * of the user's row.
     */
    public Future<Integer> removeAll(SqlConnection transaction, User user, Instant now) {
        return removeSince(transaction, user, Instant.EPOCH, now);
    }

    /** Removes those that were registered at this time or later. */
    public Future<Integer> removeSince(SqlConnection transaction, User user, Instant since, Instant now) {
        ProjectId project = user.projectId();
        return store.removeSince(transaction, project, user.id(), since)
                .compose(removed -> events.record(
                                transaction,
                                Collections.nCopies(removed, PasskeyEvents.of(EventKind.FACTOR_REMOVED, user, now)))
                        .map(removed));
    }
}
