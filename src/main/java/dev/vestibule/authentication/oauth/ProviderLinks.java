package dev.vestibule.authentication.oauth;

import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.Mails;
import dev.vestibule.mail.Notice;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.identity.IdentityStore;
import dev.vestibule.oauth.identity.LinkedIdentities;
import dev.vestibule.oauth.identity.LinkedIdentities.ConcurrentChangeException;
import dev.vestibule.oauth.identity.ProviderLogin;
import dev.vestibule.oauth.provider.ProviderStore;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.SecondFactorStore;
import dev.vestibule.user.SignInMethodStore;
import dev.vestibule.user.User;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Map;

/** Links and unlinks providers of a signed-in user, but never removes the last sign-in method. */
public final class ProviderLinks {
    private static final int MAX_ATTEMPTS = 3;

    private final Database database;
    private final ActiveSessionStore sessions = new ActiveSessionStore();
    private final IdentityStore store = new IdentityStore();
    private final SecondFactorStore secondFactors = new SecondFactorStore();
    private final SignInMethodStore methods = new SignInMethodStore();
    private final LinkedIdentities identities;
    private final MailOutbox mails;
    private final EmailChanges changes;
    private final Clock clock;

    public ProviderLinks(Database database, LinkedIdentities identities, Mails mails, Clock clock) {
        this.database = database;
        this.identities = identities;
        this.mails = mails.outbox();
        this.changes = mails.changes();
        this.clock = clock;
    }

    /**
     * Links the verified identity; linking the same identity again only replaces its stored tokens. A 401 if the
     * session has ended while the person was at the provider.
     */
    Future<Void> link(ProviderLogin login, UserId user, SessionId session, Language language) {
        return link(login, user, session, language, MAX_ATTEMPTS);
    }

    private Future<Void> link(
            ProviderLogin login, UserId user, SessionId session, Language language, int attemptsLeft) {
        return database.inTransaction(transaction -> sessions.lockAccount(
                                transaction, login.project().id(), session, user, clock.instant())
                        .compose(account -> linkTo(transaction, login, language, account.user())))
                .recover(failure -> {
                    if (!ConcurrentChangeException.isConcurrentChange(failure)) {
                        return Future.failedFuture(failure);
                    }
                    return attemptsLeft > 1
                            ? link(login, user, session, language, attemptsLeft - 1)
                            : Future.failedFuture(UserErrors.beingChanged());
                });
    }

    private Future<Void> linkTo(SqlConnection transaction, ProviderLogin login, Language language, User user) {
        return identities.findUser(transaction, login).compose(owner -> {
            if (owner.isEmpty()) {
                var now = clock.instant();
                var notice = Notice.of(now, login.device()).withProvider(login.title());
                return identities.linkAndTell(
                        transaction, login, user, now, changes.to(login.project(), user, notice, language));
            }
            if (!owner.get().equals(user.id())) {
                throw ApiException.of(
                        ErrorCode.IDENTITY_TAKEN, "This account at the provider is linked to another user.");
            }
            return identities.replaceTokens(transaction, login);
        });
    }

    /** A 409 if the user could not sign in any more. */
    Future<Void> unlink(
            Trail trail,
            Project where,
            UserId user,
            SessionId session,
            Provider provider,
            Device device,
            Language language) {
        var project = where.id();
        var notice = Notice.of(clock.instant(), device);
        return database.inTransaction(transaction -> sessions.lockAccount(
                        transaction, project, session, user, clock.instant())
                .compose(account -> store.unlink(transaction, project, user, provider)
                        .map(ProviderLinks::requireLinked)
                        .compose(unlinked -> secondFactors.endSignIns(transaction, project, user))
                        .compose(ended -> methods.requireOne(transaction, where, account))
                        .compose(done -> ProviderStore.title(transaction, project, provider))
                        .compose(title -> trail.record(
                                transaction,
                                Noticed.PROVIDER_UNLINKED,
                                account.user(),
                                Map.of("provider", provider.name()),
                                mails.to(account.user(), notice.withProvider(title), language)))));
    }

    private static Void requireLinked(boolean unlinked) {
        if (!unlinked) {
            throw ApiException.of(ErrorCode.NOT_FOUND, "This provider is not linked.");
        }
        return null;
    }
}
