package dev.vestibule.authentication.passkey;

import dev.vestibule.authentication.passkey.PasskeyNotifier.ChangeContext;
import dev.vestibule.database.Database;
import dev.vestibule.project.Project;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.Account;
import dev.vestibule.user.SignInMethodStore;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.UUID;

/** Removes a passkey; its owner cannot remove the last sign-in method, management can. */
final class PasskeyRemoval {
    private final Database database;
    private final UserStore users = new UserStore();
    private final SignInMethodStore methods = new SignInMethodStore();
    private final PasskeyStore store = new PasskeyStore();
    private final ActiveSessionStore sessions = new ActiveSessionStore();
    private final PasskeyNotifier news;
    private final Clock clock;

    PasskeyRemoval(Database database, PasskeyNotifier news, Clock clock) {
        this.database = database;
        this.news = news;
        this.clock = clock;
    }

    /** A 409 if the user could no longer sign in, or would have no second factor although the project requires one. */
    Future<Void> byOwner(Project project, UserId user, SessionId session, UUID passkey, ChangeContext context) {
        return database.inTransaction(transaction -> sessions.lockAccount(
                        transaction, project.id(), session, user, clock.instant())
                .compose(before -> remove(transaction, project, user, passkey)
                        .map(account -> requireSecondFactor(project, before, account)))
                .compose(account -> methods.requireOne(transaction, project, account)
                        .compose(allowed -> news.removed(transaction, account.user(), passkey, context))));
    }

    Future<Void> byManagement(Project project, UserId user, UUID passkey, ChangeContext context) {
        return database.inTransaction(transaction -> remove(transaction, project, user, passkey)
                .compose(account -> news.removedByManagement(transaction, account.user(), passkey, context)));
    }

    /** Returns the account without the passkey. */
    private Future<Account> remove(SqlConnection transaction, Project project, UserId user, UUID passkey) {
        return users.lockExisting(transaction, project.id(), user)
                .compose(account -> store.remove(transaction, project.id(), user, passkey))
                .compose(removed -> {
                    if (!removed) {
                        throw PasskeyErrors.unknown();
                    }
                    return users.lockExisting(transaction, project.id(), user);
                });
    }

    /** An error rolls the transaction back. */
    private static Account requireSecondFactor(Project project, Account before, Account account) {
        if (project.factors().requiresMfa() && before.hasSecondFactor(project) && !account.hasSecondFactor(project)) {
            throw UserErrors.lastSecondFactor();
        }
        return account;
    }
}
