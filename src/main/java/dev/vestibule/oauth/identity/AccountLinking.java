package dev.vestibule.oauth.identity;

import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.event.Event;
import dev.vestibule.event.EventKind;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.oauth.identity.LinkedIdentities.ConcurrentChangeException;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.session.SessionStore.SignIn;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.VerificationRequired;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserEvents;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.UserStore.ProviderUser;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the account of somebody whom a provider knows, or makes one, and opens a session, in one transaction. An email
 * leads to an account only where the provider has verified it; and where we never had, whoever made the account before
 * may not be its owner, so nothing of theirs stays good: no password, no session, no linked provider.
 */
public final class AccountLinking {
    private static final int TRIES = 4;

    private final Database database;
    private final UserStore users;
    private final LinkedIdentities identities;
    private final SessionStore sessions;
    private final EventOutbox events;
    private final Clock clock;

    public AccountLinking(
            Database database,
            UserStore users,
            LinkedIdentities identities,
            SessionStore sessions,
            EventOutbox events,
            Clock clock) {
        this.database = database;
        this.users = users;
        this.identities = identities;
        this.sessions = sessions;
        this.events = events;
        this.clock = clock;
    }

    public Future<SignInResult> signIn(ProviderLogin login) {
        return signIn(login, TRIES);
    }

    /** Who meets another sign in of the same person looks again, and finds what that one made. */
    private Future<SignInResult> signIn(ProviderLogin login, int tries) {
        return database.inTransaction(transaction -> tryOnce(transaction, login))
                .recover(failure -> {
                    if (!ConcurrentChangeException.isOne(failure)) {
                        return Future.failedFuture(failure);
                    }
                    return tries > 1 ? signIn(login, tries - 1) : Future.failedFuture(UserErrors.beingChanged());
                });
    }

    private Future<SignInResult> tryOnce(SqlConnection transaction, ProviderLogin login) {
        return identities
                .userOf(transaction, login)
                .compose(known -> known.isPresent()
                        ? findLinked(transaction, login, known.get())
                        : findOrCreate(transaction, login))
                .compose(account -> openSession(transaction, login, account));
    }

    /** Looked at once more behind the lock: the identity may have been taken from the user meanwhile. */
    private Future<Account> findLinked(SqlConnection transaction, ProviderLogin login, UserId user) {
        return lock(transaction, login, user)
                .compose(account -> identities
                        .userOf(transaction, login)
                        .map(still -> {
                            if (!still.equals(Optional.of(user))) {
                                throw new ConcurrentChangeException();
                            }
                            return still;
                        })
                        .compose(still -> identities.keepTokens(transaction, login))
                        .map(account));
    }

    private Future<Account> findOrCreate(SqlConnection transaction, ProviderLogin login) {
        var email = login.identity().email();
        if (email == null) {
            return create(transaction, login);
        }
        return users.idOf(transaction, login.project().id(), email)
                .compose(owner -> owner.isEmpty()
                        ? create(transaction, login)
                        : linkByEmail(transaction, login, owner.get(), email));
    }

    private Future<Account> create(SqlConnection transaction, ProviderLogin login) {
        var identity = login.identity();
        var now = clock.instant();
        var user = new ProviderUser(
                UserId.next(),
                identity.email(),
                identity.email() != null && identity.emailVerified(),
                identity.displayName(),
                identity.avatarUrl(),
                now);
        return users.insert(transaction, login.project().id(), user)
                .map(inserted -> inserted.orElseThrow(ConcurrentChangeException::new))
                .compose(created -> events.record(transaction, UserEvents.of(EventKind.USER_CREATED, created, now))
                        .compose(told -> identities.link(transaction, login, created, now))
                        .map(linked -> new Account(created, null)));
    }

    private Future<Account> linkByEmail(SqlConnection transaction, ProviderLogin login, UserId owner, String email) {
        if (!login.identity().emailVerified()) {
            return identities.userOf(transaction, login).map(meanwhile -> {
                throw meanwhile.isPresent() ? new ConcurrentChangeException() : notShown();
            });
        }
        return lock(transaction, login, owner)
                .compose(account -> {
                    if (!email.equals(account.user().email())) {
                        throw new ConcurrentChangeException();
                    }
                    return account.user().emailVerified()
                            ? Future.succeededFuture(account)
                            : reclaim(transaction, login, account.user());
                })
                .compose(account -> identities
                        .link(transaction, login, account.user(), clock.instant())
                        .map(account));
    }

    private static RuntimeException notShown() {
        return ApiException.conflict("This email has an account here, and the provider does not say that it is yours."
                + " Sign in to that account another way, and link the provider there.");
    }

    /** Somebody made this account without ever showing that the email is theirs; now its owner has come. */
    private Future<Account> reclaim(SqlConnection transaction, ProviderLogin login, User user) {
        var project = login.project().id();
        var now = clock.instant();
        var change = UserChange.none().withEmailVerified().withoutPassword();
        return sessions.endAll(transaction, project, user.id(), EndReason.EMAIL_CLAIMED, now)
                .compose(ended -> identities.unlinkAll(transaction, project, user.id()))
                .compose(unlinked -> users.update(transaction, project, user.id(), change, now)
                        .map(updated -> updated.orElseThrow(ConcurrentChangeException::new))
                        .compose(owned -> events.record(transaction, reclaimed(owned, unlinked, now))
                                .map(told -> new Account(owned, null))));
    }

    private static List<Event> reclaimed(User owned, List<String> unlinked, Instant now) {
        var told = new ArrayList<Event>();
        unlinked.forEach(provider -> told.add(ProviderEvents.of(EventKind.PROVIDER_UNLINKED, owned, provider, now)));
        told.add(UserEvents.of(EventKind.USER_UPDATED, owned, now));
        return told;
    }

    private Future<Account> lock(SqlConnection transaction, ProviderLogin login, UserId user) {
        return users.lock(transaction, login.project().id(), user).map(found -> {
            var account = found.orElseThrow(ConcurrentChangeException::new);
            if (account.user().isBanned()) {
                throw UserErrors.banned();
            }
            return account;
        });
    }

    private Future<SignInResult> openSession(SqlConnection transaction, ProviderLogin login, Account account) {
        var user = account.user();
        if (login.project().requireEmailVerification() && !user.emailVerified()) {
            return Future.succeededFuture(VerificationRequired.of(emailToVerify(user)));
        }
        var session = SessionId.next();
        var signIn = SignIn.withoutPassword(session, account, login.device(), clock.instant());
        return sessions.open(transaction, login.project(), signIn)
                .map(opened -> new Completed(session, opened.orElseThrow(ConcurrentChangeException::new)));
    }

    private static String emailToVerify(User user) {
        var email = user.email();
        if (email == null) {
            throw ApiException.forbidden("A verified email is needed here, and the provider tells none.");
        }
        return email;
    }
}
