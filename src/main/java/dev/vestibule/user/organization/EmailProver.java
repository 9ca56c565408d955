package dev.vestibule.user.organization;

import dev.vestibule.journal.Trail;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import org.jspecify.annotations.Nullable;

/** Does what the first proof of an account's email does: the person who was in the account before is out. */
@FunctionalInterface
interface EmailProver {
    /**
     * The transaction holds the lock of the user's row.
     *
     * @param session of the prover; null if they are not signed in
     */
    Future<User> prove(Trail trail, SqlConnection transaction, User user, @Nullable SessionId session);
}
