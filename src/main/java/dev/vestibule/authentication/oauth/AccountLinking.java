package dev.vestibule.authentication.oauth;

import dev.vestibule.authentication.EmailProof;
import dev.vestibule.authentication.factor.EnrolmentStarts;
import dev.vestibule.authentication.factor.LinkedIdentity;
import dev.vestibule.authentication.factor.MfaChallenges;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.Mails;
import dev.vestibule.mail.Notice;
import dev.vestibule.oauth.client.ProviderTokens;
import dev.vestibule.oauth.identity.LinkedIdentities;
import dev.vestibule.oauth.identity.LinkedIdentities.ConcurrentChangeException;
import dev.vestibule.oauth.identity.ProviderLogin;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.session.SessionStore.SignIn;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.FactorRequired;
import dev.vestibule.token.SignInResult.VerificationRequired;
import dev.vestibule.user.Account;
import dev.vestibule.user.SecondFactor;
import dev.vestibule.user.User;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.UserStore.ProviderUser;
import dev.vestibule.user.organization.ConnectionSignIns;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds or creates the account of a user whom a provider has authenticated, and opens a session, in one transaction. An
 * email leads to an account only if the provider has verified it. If this server never verified it, the person who
 * created the account may not own the email, so what that person may have left in it is removed
 * ({@link dev.vestibule.authentication.EmailProof}).
 *
 * <p>An identity that is already linked signs in to its account. One that leads there by its email proves only access
 * to the mailbox, since providers give an identity to anyone who can read it. So it is worth as much as a mailed code,
 * which does not replace a second factor. Opening the session links it, so a sign in that stops at a second factor does
 * not.
 *
 * <p>The connection of an organization leads only to accounts with emails of the domains that the organization has
 * proven, at each sign in, and makes their owners members. It alone decides who has such an email: an identity that it
 * names for the first time takes the place of its former one, whose sessions end.
 */
public final class AccountLinking {
    private static final int MAX_ATTEMPTS = 4;

    /** Only Variant A has sign in with a provider. */
    private static final ApiVariant VARIANT = ApiVariant.A;

    /**
     * The account that an identity leads to.
     *
     * @param isLinked whether the identity was linked already, or was found by its email
     * @param isFirstProof whether this is the first proof of the account's email: then there is nobody else to notify
     */
    private record Found(Account account, boolean isLinked, boolean isFirstProof) {
        static Found linked(Account account) {
            return new Found(account, true, false);
        }
    }

    private final Database database;
    private final UserStore users = new UserStore();
    private final LinkedIdentities identities;
    private final EmailProof proof;
    private final MfaChallenges challenges;
    private final EnrolmentStarts starts;
    private final SessionStore sessions;
    private final ConnectionSignIns connections;
    private final MailOutbox mails;
    private final EmailChanges changes;
    private final Clock clock;

    public AccountLinking(
            Database database,
            LinkedIdentities identities,
            EmailProof proof,
            MfaChallenges challenges,
            EnrolmentStarts starts,
            SessionStore sessions,
            Mails mails,
            Clock clock) {
        this.database = database;
        this.identities = identities;
        this.proof = proof;
        this.challenges = challenges;
        this.starts = starts;
        this.sessions = sessions;
        this.connections = new ConnectionSignIns(database, clock);
        this.mails = mails.outbox();
        this.changes = mails.changes();
        this.clock = clock;
    }

    /**
     * The language is for a mail to the user, if there is something to tell.
     *
     * @param asksForFactor whether the caller can ask for a second factor if one is needed; otherwise a 403
     */
    public Future<SignInResult> signIn(ProviderLogin login, Language language, boolean asksForFactor) {
        return signIn(login, language, asksForFactor, MAX_ATTEMPTS);
    }

    /** Retries after a concurrent change, such as another first sign in of the same person. */
    private Future<SignInResult> signIn(
            ProviderLogin login, Language language, boolean asksForFactor, int attemptsLeft) {
        return database.inTransaction(transaction -> tryOnce(transaction, login, language, asksForFactor))
                .recover(failure -> {
                    if (!ConcurrentChangeException.isConcurrentChange(failure)) {
                        return Future.failedFuture(failure);
                    }
                    return attemptsLeft > 1
                            ? signIn(login, language, asksForFactor, attemptsLeft - 1)
                            : Future.failedFuture(UserErrors.beingChanged());
                });
    }

    private Future<SignInResult> tryOnce(
            SqlConnection transaction, ProviderLogin login, Language language, boolean asksForFactor) {
        return requireOwnEmail(transaction, login)
                .compose(own -> identities.findUser(transaction, login))
                .compose(known -> known.isPresent()
                        ? findLinked(transaction, login, known.get())
                        : findOrCreate(transaction, login))
                .compose(found -> requireOwnAccount(
                                transaction, login, found.account().user())
                        .compose(allowed -> openSession(transaction, login, language, found, asksForFactor))
                        .compose(result ->
                                join(transaction, login, found.account().user()).map(result)));
    }

    /**
     * An organization's provider could say that anybody has any email, so it is believed only about its own domains.
     */
    private Future<Void> requireOwnEmail(SqlConnection transaction, ProviderLogin login) {
        var organization = login.connectedBy();
        if (organization == null) {
            return Future.succeededFuture();
        }
        var identity = login.identity();
        var email = identity.email();
        if (email == null) {
            throw ApiException.of(
                    ErrorCode.PROVIDER_SENDS_NO_EMAIL,
                    "The organization's identity provider sends no email. Its administrator has to add the email to what"
                            + " it sends.");
        }
        if (!identity.emailVerified()) {
            throw ApiException.of(
                    ErrorCode.UNVERIFIED_EMAIL,
                    "The organization's identity provider says that nobody has verified this email.");
        }
        return connections.requireOwn(transaction, login.project().id(), organization, email);
    }

    /**
     * The account may have had its email changed since the identity was linked. And somebody who signs in by another
     * organization's connection, or by no connection, may have to use this one.
     */
    private Future<Void> requireOwnAccount(SqlConnection transaction, ProviderLogin login, User user) {
        var organization = login.connectedBy();
        var project = login.project().id();
        return (organization == null
                        ? Future.<Void>succeededFuture()
                        : connections.requireOwn(transaction, project, organization, user.email()))
                .compose(
                        own -> sessions.connections().requireAllowed(transaction, project, user.email(), organization));
    }

    /** People whom an organization's connection identifies become members. */
    private Future<Void> join(SqlConnection transaction, ProviderLogin login, User user) {
        var organization = login.connectedBy();
        return organization == null
                ? Future.succeededFuture()
                : connections.join(
                        transaction, login.project(), identities.trail(login, user), organization, user.id());
    }

    /** Checks the link again after locking the user: it may have been removed before the lock. */
    private Future<Found> findLinked(SqlConnection transaction, ProviderLogin login, UserId user) {
        return lock(transaction, login, user)
                .compose(account -> identities
                        .findUser(transaction, login)
                        .map(linked -> {
                            if (!linked.equals(Optional.of(user))) {
                                throw new ConcurrentChangeException();
                            }
                            return linked;
                        })
                        .compose(linked -> login.identity().tokens().equals(ProviderTokens.NONE)
                                ? Future.succeededFuture()
                                : identities.replaceTokens(transaction, login))
                        .map(Found.linked(account)));
    }

    private Future<Found> findOrCreate(SqlConnection transaction, ProviderLogin login) {
        var email = login.identity().email();
        if (email == null) {
            return create(transaction, login);
        }
        return users.idOf(transaction, login.project().id(), email)
                .compose(owner -> owner.isEmpty()
                        ? create(transaction, login)
                        : findByEmail(transaction, login, owner.get(), email));
    }

    private Future<Found> create(SqlConnection transaction, ProviderLogin login) {
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
                .compose(created -> starts.resume(
                        transaction,
                        login.project(),
                        created,
                        List.of(new LinkedIdentity(identity.provider().name(), identity.issuer(), identity.subject()))))
                .compose(created -> identities
                        .trail(login, created)
                        .record(
                                transaction,
                                Published.SIGNED_UP,
                                created,
                                Map.of("amr", List.of(Authentication.PROVIDER)))
                        .compose(recorded -> linkFirst(transaction, login, created, now))
                        .map(linked -> Found.linked(new Account(created, null))));
    }

    private Future<Found> findByEmail(SqlConnection transaction, ProviderLogin login, UserId owner, String email) {
        if (!login.identity().emailVerified()) {
            return identities.findUser(transaction, login).map(linked -> {
                throw linked.isPresent() ? new ConcurrentChangeException() : emailNotVerified();
            });
        }
        return lock(transaction, login, owner).compose(account -> {
            if (!email.equals(account.user().email())) {
                throw new ConcurrentChangeException();
            }
            return account.user().emailVerified()
                    ? Future.succeededFuture(new Found(account, false, false))
                    : reclaim(transaction, login, account).map(owned -> new Found(owned, false, true));
        });
    }

    private static RuntimeException emailNotVerified() {
        return ApiException.of(
                ErrorCode.LINK_REQUIRED,
                "There is an account with this email, but the provider has not verified the email."
                        + " Sign in to that account another way, and link the provider there.");
    }

    /** The account was created by someone who never verified the email, and who may know its password. */
    private Future<Account> reclaim(SqlConnection transaction, ProviderLogin login, Account account) {
        var user = account.user();
        return proof.accept(
                        identities.trail(login, user),
                        transaction,
                        user,
                        UserChange.none().withoutPassword(),
                        clock.instant())
                .map(owned -> new Account(owned, null));
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

    private Future<SignInResult> openSession(
            SqlConnection transaction, ProviderLogin login, Language language, Found found, boolean asksForFactor) {
        var account = found.account();
        if (mustVerify(login.project(), account)) {
            return Future.succeededFuture(VerificationRequired.of(emailToVerify(account.user())));
        }
        var secondFactor = secondFactor(login, found);
        if (secondFactor == SecondFactor.PASSKEY) {
            throw UserErrors.passkeyRequired();
        }
        if (secondFactor == SecondFactor.TOTP) {
            if (!asksForFactor) {
                throw secondFactorNeeded(found);
            }
            return challenges
                    .issueAfterProvider(transaction, account, VARIANT, login.connectedBy())
                    .map(FactorRequired::of);
        }
        var session = SessionId.next();
        var authentication = Authentication.by(Authentication.PROVIDER, clock.instant());
        if (MfaChallenges.mustEnrol(login.project(), account, authentication.at())) {
            return challenges
                    .issueForEnrolment(transaction, account, VARIANT, authentication, login.connectedBy())
                    .map(required -> required);
        }
        var signIn = SignIn.withoutPassword(session, VARIANT, account, login.device(), authentication)
                .connectedBy(login.connectedBy());
        return replaceFormer(transaction, login, found, authentication.at())
                .compose(replaced -> link(transaction, login, language, found, authentication.at()))
                .compose(linked -> sessions.open(transaction, login.project(), signIn))
                .map(opened -> opened.orElseThrow(ConcurrentChangeException::new))
                .compose(opened -> mails.notifyOfSignIn(transaction, opened, login.device(), language))
                .map(owner -> new Completed(session, authentication, owner));
    }

    /** An organization decides itself what its provider asks its people for. */
    private static SecondFactor secondFactor(ProviderLogin login, Found found) {
        var project = login.project();
        return (found.isLinked() || login.connectedBy() != null)
                        && !project.factors().requiresMfa()
                ? SecondFactor.NONE
                : found.account().secondFactor(project);
    }

    /**
     * Only this connection's provider can sign in with this email, so the account loses no identity but that of the
     * connection. The person may have got the email of somebody who left.
     */
    private Future<Void> replaceFormer(SqlConnection transaction, ProviderLogin login, Found found, Instant now) {
        if (found.isLinked() || login.connectedBy() == null) {
            return Future.succeededFuture();
        }
        var user = found.account().user();
        return identities
                .unlinkFormer(transaction, login, user)
                .compose(isReplaced -> isReplaced
                        ? sessions.endAll(
                                        transaction, login.project().id(), user.id(), EndReason.IDENTITY_REPLACED, now)
                                .compose(ended -> identities
                                        .trail(login, user)
                                        .record(
                                                transaction,
                                                Published.IDENTITY_REPLACED,
                                                user,
                                                Map.of(
                                                        "provider",
                                                        login.identity()
                                                                .provider()
                                                                .name(),
                                                        "reason",
                                                        EndReason.IDENTITY_REPLACED.text())))
                        : Future.succeededFuture());
    }

    /** Links an identity that was found by the email, and tells the owner. */
    private Future<Void> link(
            SqlConnection transaction, ProviderLogin login, Language language, Found found, Instant now) {
        if (found.isLinked()) {
            return Future.succeededFuture();
        }
        var user = found.account().user();
        if (found.isFirstProof()) {
            return linkFirst(transaction, login, user, now);
        }
        var notice = Notice.of(now, login.device()).withProvider(login.title());
        return identities.linkAndTell(
                transaction, login, user, now, changes.to(login.project(), user, notice, language));
    }

    private Future<Void> linkFirst(SqlConnection transaction, ProviderLogin login, User user, Instant now) {
        return identities.link(
                transaction,
                login,
                user,
                now,
                (trail, details) -> trail.record(transaction, Published.PROVIDER_LINKED_AT_SIGN_IN, user, details));
    }

    private boolean mustVerify(Project project, Account account) {
        return (project.requireEmailVerification() && !account.user().emailVerified())
                || MfaChallenges.mustVerifyFirst(project, account, clock.instant());
    }

    /** We cannot know which factors another system asked for. */
    private static RuntimeException secondFactorNeeded(Found found) {
        return found.isLinked() ? secondFactorRequired() : notLinked();
    }

    private static RuntimeException notLinked() {
        return ApiException.of(
                ErrorCode.MFA_REQUIRED,
                "This account has a second factor, so a provider that is not linked to it cannot open it."
                        + " Sign in with the password or a passkey, and link the provider there.");
    }

    private static RuntimeException secondFactorRequired() {
        return ApiException.of(
                ErrorCode.MFA_REQUIRED,
                "This project requires the second factor of this account at every sign in."
                        + " Sign in with the password or a passkey.");
    }

    private static String emailToVerify(User user) {
        var email = user.email();
        if (email == null) {
            throw ApiException.of(
                    ErrorCode.PROVIDER_SENDS_NO_EMAIL,
                    "This project requires a verified email, but the provider sends none.");
        }
        return email;
    }
}
