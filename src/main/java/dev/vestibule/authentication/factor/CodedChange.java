package dev.vestibule.authentication.factor;

import dev.vestibule.database.Database;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Optional;

/** A change of a user's own factors that a code allows: in one transaction, under the lock of the user's row. */
final class CodedChange {
    /** What to do once the code is right, and what to answer then. */
    interface Change {
        Future<Reply> make(SqlConnection transaction, User user);
    }

    /** Whether the code is right; a wrong one may be counted. */
    interface Check {
        Future<Boolean> make(SqlConnection transaction, Account account);
    }

    private final Database database;
    private final ActiveSessionStore sessions = new ActiveSessionStore();
    private final Clock clock;

    CodedChange(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** A 401 for a wrong code, whose count is committed. */
    Future<Reply> run(User user, SessionId session, Trail trail, Check check, Change change) {
        return database.inTransaction(transaction -> sessions.lockAccount(
                                transaction, user.projectId(), session, user.id(), clock.instant())
                        .compose(locked -> check.make(transaction, locked)
                                .compose(isRight -> isRight
                                        ? change.make(transaction, locked.user())
                                                .map(Optional::of)
                                        : Future.succeededFuture(Optional.<Reply>empty()))))
                .map(made -> made.orElseThrow(() -> {
                    trail.enqueue(Logged.FACTOR_FAILED, Target.user(user.id().value()), Factors.WRONG_CODE);
                    return Factors.wrongCode();
                }));
    }
}
