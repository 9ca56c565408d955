package dev.vestibule.authentication.passkey;

import dev.vestibule.project.PasskeyDomain;
import dev.vestibule.project.Project;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.Map;

/** What other sign-in methods need to know about a user's passkeys, and do to them. */
public final class Passkeys {
    private final PasskeyStore store = new PasskeyStore();

    /** What is recorded about each that is removed. */
    public static final Map<String, String> DETAILS = Map.of("factor", "passkey");

    /** Whether the user can sign in with a passkey, under the project's current settings. */
    public Future<Boolean> canSignIn(SqlClient db, Project project, UserId user) {
        var rpId = PasskeyDomain.of(project);
        return rpId.isEmpty()
                ? Future.succeededFuture(false)
                : store.existsForDomain(db, project.id(), user, rpId.get());
    }

    /**
     * Removes those that were registered at this time or later, and cancels pending registrations; returns how many
     * there were. The transaction must hold the lock of the user's row.
     */
    public Future<Integer> removeSince(SqlClient transaction, User user, Instant since) {
        return store.removeSince(transaction, user.projectId(), user.id(), since);
    }
}
