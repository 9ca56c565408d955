package dev.vestibule.oauth.identity;

import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.event.EventKind;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.identity.LinkedIdentities.ConcurrentChangeException;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.Account;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;

/** What a signed-in user does with the providers of the account: one more, or one less, but never none to sign in with. */
public final class ProviderLinks {
    private static final int TRIES = 3;

    private final Database database;
    private final UserStore users;
    private final IdentityStore store;
    private final LinkedIdentities identities;
    private final EventOutbox events;
    private final Clock clock;

    public ProviderLinks(
            Database database,
            UserStore users,
            IdentityStore store,
            LinkedIdentities identities,
            EventOutbox events,
            Clock clock) {
        this.database = database;
        this.users = users;
        this.store = store;
        this.identities = identities;
        this.events = events;
        this.clock = clock;
    }

    /** Links who the user has shown to be; to link the same once more changes nothing. */
    Future<Void> link(ProviderLogin login, UserId user) {
        return link(login, user, TRIES);
    }

    private Future<Void> link(ProviderLogin login, UserId user, int tries) {
        return database.inTransaction(
                        transaction -> lock(transaction, login.project().id(), user)
                                .compose(account -> linkTo(transaction, login, account)))
                .recover(failure -> {
                    if (!ConcurrentChangeException.isOne(failure)) {
                        return Future.failedFuture(failure);
                    }
                    return tries > 1 ? link(login, user, tries - 1) : Future.failedFuture(UserErrors.beingChanged());
                });
    }

    private Future<Void> linkTo(SqlConnection transaction, ProviderLogin login, Account account) {
        var user = account.user();
        return identities.userOf(transaction, login).compose(owner -> {
            if (owner.isEmpty()) {
                return identities.link(transaction, login, user, clock.instant());
            }
            if (!owner.get().equals(user.id())) {
                throw ApiException.conflict("This account at the provider is linked to another user.");
            }
            return identities.keepTokens(transaction, login);
        });
    }

    /** A 409 where nothing would be left to sign in with: no password, and no provider that the project has enabled. */
    Future<Void> unlink(ProjectId project, UserId user, Provider provider) {
        return database.inTransaction(transaction -> lock(transaction, project, user)
                .compose(account -> store.hasOthers(transaction, project, user, provider)
                        .compose(others -> store.unlink(transaction, project, user, provider)
                                .map(unlinked -> check(unlinked, others || hasPassword(account))))
                        .compose(done -> events.record(
                                transaction,
                                ProviderEvents.of(
                                        EventKind.PROVIDER_UNLINKED,
                                        account.user(),
                                        provider.name(),
                                        clock.instant())))));
    }

    /** What is refused here rolls back. */
    private static Void check(boolean unlinked, boolean canStillSignIn) {
        if (!unlinked) {
            throw ApiException.notFound("This provider is not linked.");
        }
        if (!canStillSignIn) {
            throw ApiException.conflict(
                    "This is the last way to sign in. Set a password or link another provider first.");
        }
        return null;
    }

    private static boolean hasPassword(Account account) {
        return account.passwordHash() != null && account.user().email() != null;
    }

    private Future<Account> lock(SqlConnection transaction, ProjectId project, UserId user) {
        return users.lock(transaction, project, user).map(found -> found.orElseThrow(UserErrors::notFound));
    }
}
