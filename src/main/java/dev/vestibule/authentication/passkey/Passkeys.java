package dev.vestibule.authentication.passkey;

import dev.vestibule.event.EventKind;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.Collections;

/** What other ways in must know of a user's passkeys, and do to them. */
public final class Passkeys {
    private final PasskeyStore store = new PasskeyStore();
    private final EventOutbox events;

    public Passkeys(EventOutbox events) {
        this.events = events;
    }

    /** Whether the user can sign in with a passkey, as the project is set now. */
    public Future<Boolean> letIn(SqlClient db, Project project, UserId user) {
        var rpId = RelyingParty.idIfAny(project);
        return rpId.isEmpty() ? Future.succeededFuture(false) : store.letsIn(db, project.id(), user, rpId.get());
    }

    /** Whether the user can sign in with a passkey that has verified the person, which is two factors by itself. */
    public Future<Boolean> letInByTwoFactors(SqlClient db, Project project, UserId user) {
        var rpId = RelyingParty.idIfAny(project);
        return rpId.isEmpty()
                ? Future.succeededFuture(false)
                : store.letsInByTwoFactors(db, project.id(), user, rpId.get());
    }

    /**
     * Removes all, and voids registrations that are under way; returns how many there were. The transaction must hold the
     * lock of the user's row.
     */
    public Future<Integer> removeAll(SqlConnection transaction, User user, Instant now) {
        ProjectId project = user.projectId();
        return store.removeAll(transaction, project, user.id())
                .compose(removed -> events.record(
                                transaction,
                                Collections.nCopies(removed, PasskeyEvents.of(EventKind.FACTOR_REMOVED, user, now)))
                        .map(removed));
    }
}
