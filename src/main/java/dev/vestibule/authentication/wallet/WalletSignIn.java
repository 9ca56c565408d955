package dev.vestibule.authentication.wallet;

import dev.vestibule.authentication.factor.EnrolmentStarts;
import dev.vestibule.authentication.factor.LinkedIdentity;
import dev.vestibule.authentication.factor.MfaChallenges;
import dev.vestibule.authentication.wallet.WalletLinks.Proved;
import dev.vestibule.authentication.wallet.WalletLinks.Signer;
import dev.vestibule.authentication.wallet.WalletStore.OwnedWallet;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Target;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.session.SessionStore.SignIn;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.FactorRequired;
import dev.vestibule.user.Account;
import dev.vestibule.user.SecondFactor;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.UserStore.ProviderUser;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Signs in the user of a wallet, or signs up a new one if the project allows it. */
final class WalletSignIn {
    private static final List<String> METHODS = List.of(Authentication.WALLET);

    private final Database database;
    private final UserStore users = new UserStore();
    private final WalletStore store = new WalletStore();
    private final WalletLinks links;
    private final SessionStore sessions;
    private final MfaChallenges challenges;
    private final EnrolmentStarts starts;
    private final MailOutbox mails;
    private final Clock clock;

    WalletSignIn(
            Database database,
            WalletLinks links,
            SessionStore sessions,
            MfaChallenges challenges,
            EnrolmentStarts starts,
            MailOutbox mails,
            Clock clock) {
        this.database = database;
        this.links = links;
        this.sessions = sessions;
        this.challenges = challenges;
        this.starts = starts;
        this.mails = mails;
        this.clock = clock;
    }

    /** A 401 if the message is not one of this server's, or not signed by the wallet. */
    Future<SignInResult> run(Signer signer, ApiVariant variant) {
        return links.prove(signer)
                .compose(proved -> database.inTransaction(transaction -> store.lockAddress(
                                transaction, signer.project().id(), signer.address())
                        .compose(locked ->
                                store.find(transaction, signer.project().id(), signer.address()))
                        .compose(found -> found.isPresent()
                                ? signIn(
                                        transaction,
                                        signer,
                                        variant,
                                        WalletLinks.requireSame(signer, proved, found.get()))
                                : signUp(transaction, signer, variant, proved))));
    }

    private Future<SignInResult> signUp(SqlConnection transaction, Signer signer, ApiVariant variant, Proved proved) {
        var project = signer.project();
        if (!project.factors().passwordlessSignUp()) {
            signer.refuse(Target.NONE, "unknown_wallet");
            throw WalletLinks.refused();
        }
        if (project.requireEmailVerification()) {
            signer.refuse(Target.NONE, "email_not_verified");
            throw emailRequired();
        }
        var now = clock.instant();
        var address = signer.address();
        var identity = LinkedIdentity.ofWallet(address.chain().text(), address.text());
        var user = new ProviderUser(UserId.next(), null, false, null, null, now);
        return users.insert(transaction, project.id(), user)
                .map(Optional::orElseThrow)
                .compose(created -> starts.resume(transaction, project, created, List.of(identity)))
                .compose(created -> signer.trail()
                        .as(created.id().value())
                        .record(transaction, Published.SIGNED_UP, created, Map.of("amr", METHODS))
                        .compose(recorded -> links.linkToNew(transaction, signer, created, proved))
                        .compose(linked -> open(transaction, signer, variant, new Account(created, null))));
    }

    /** Looks at the owner again under the lock: the wallet may have been removed before it. */
    private Future<SignInResult> signIn(
            SqlConnection transaction, Signer signer, ApiVariant variant, OwnedWallet found) {
        var project = signer.project();
        return users.lock(transaction, project.id(), found.owner())
                .map(account -> account.orElseThrow(UserErrors::beingChanged))
                .compose(account -> store.find(transaction, project.id(), signer.address())
                        .map(still -> {
                            if (!still.equals(Optional.of(found))) {
                                throw UserErrors.beingChanged();
                            }
                            return requireAllowed(signer, account);
                        }))
                .compose(account -> account.secondFactor(project) == SecondFactor.TOTP
                        ? challenges
                                .issueAfter(transaction, account, variant, METHODS)
                                .map(FactorRequired::of)
                        : open(transaction, signer, variant, account));
    }

    private static Account requireAllowed(Signer signer, Account account) {
        var target = Target.user(account.user().id().value());
        if (account.user().isBanned()) {
            signer.refuse(target, "banned");
            throw UserErrors.banned();
        }
        if (account.secondFactor(signer.project()) == SecondFactor.PASSKEY) {
            signer.refuse(target, "passkey_required");
            throw UserErrors.passkeyRequired();
        }
        if (signer.project().requireEmailVerification() && !account.user().emailVerified()) {
            signer.refuse(target, "email_not_verified");
            throw emailRequired();
        }
        return account;
    }

    private static ApiException emailRequired() {
        return ApiException.of(
                ErrorCode.VERIFICATION_REQUIRED, "This project requires a verified email. Sign in another way.");
    }

    private Future<SignInResult> open(SqlConnection transaction, Signer signer, ApiVariant variant, Account account) {
        var session = SessionId.next();
        var authentication = Authentication.by(Authentication.WALLET, clock.instant());
        if (MfaChallenges.mustEnrol(signer.project(), account, authentication.at())) {
            return challenges
                    .issueForEnrolment(transaction, account, variant, authentication)
                    .map(required -> required);
        }
        var signIn = SignIn.withoutPassword(session, variant, account, signer.device(), authentication);
        return sessions.open(transaction, signer.project(), signIn)
                .map(opened -> opened.orElseThrow(UserErrors::beingChanged))
                .compose(opened -> mails.notifyOfSignIn(transaction, opened, signer.device(), signer.language()))
                .map(user -> new Completed(session, authentication, user));
    }
}
