package dev.vestibule.authentication;

import dev.vestibule.access.Floor;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.email.EmailChange;
import dev.vestibule.authentication.email.EmailHandler;
import dev.vestibule.authentication.email.EmailVerification;
import dev.vestibule.authentication.factor.FactorModule;
import dev.vestibule.authentication.password.CurrentPassword;
import dev.vestibule.authentication.password.OwnerProof;
import dev.vestibule.authentication.password.PasswordChange;
import dev.vestibule.authentication.password.PasswordHandler;
import dev.vestibule.authentication.password.PasswordReset;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.database.Database;
import dev.vestibule.journal.JournalModule;
import dev.vestibule.mail.MailModule;
import dev.vestibule.mail.Mails;
import dev.vestibule.mail.sms.SmsModule;
import dev.vestibule.session.SessionModule;
import dev.vestibule.session.SessionRefreshes;
import dev.vestibule.token.TokenModule;
import dev.vestibule.user.DisposableEmails;
import dev.vestibule.user.password.PasswordModule;

/** Builds sign up and sign in with a password, what follows them, and what protects them from guessing. */
public final class SignInModule {
    private final Floor floor;
    private final SessionModule sessions;
    private final SmsModule sms;
    private final FactorModule factors;
    public final Mails mails;
    private final KeyedHash emailHash;
    public final RefusedAttempts refused;
    /** Addresses that a project may not want for new accounts. */
    public final DisposableEmails disposable;

    public final EmailProof proof;
    /** Locks emails after too many wrong passwords. */
    public final SignInLockout lockout;

    public final CurrentPassword currentPassword;
    /** Sign up with a password, which the registration of dashboard users runs too. */
    public final PasswordSignUp registration;

    public final SignUpHandler signUp;
    public final SignInHandler signIn;
    public final TokenHandler tokens;
    public final MeHandler me;
    public final AccountChanges changes;
    public final EmailHandler email;
    public final PasswordHandler password;

    public SignInModule(
            Floor floor,
            JournalModule journal,
            SessionModule sessions,
            TokenModule tokenModule,
            PasswordModule passwords,
            MailModule mail,
            SmsModule sms,
            FactorModule factors) {
        this.floor = floor;
        this.sessions = sessions;
        this.sms = sms;
        this.factors = factors;
        this.mails = mail.mails;
        this.emailHash = new KeyedHash(floor.masterKeys(), "failed sign ins");
        this.refused = new RefusedAttempts(journal.journal, floor.masterKeys());
        this.proof = new EmailProof(sessions.store, factors.factors);
        var database = floor.database();
        var clock = floor.clock();
        this.lockout = lockout(database);
        this.currentPassword = new CurrentPassword(lockout, passwords.hasher);
        var ownerProof = new OwnerProof(currentPassword);
        var recent = new RecentSignIn(clock);
        this.disposable =
                new DisposableEmails(floor.settings().captcha().disposableDomainsFile(), floor.meters().captcha);
        this.registration = new PasswordSignUp(
                database,
                sessions.store,
                factors.starts,
                passwords.newPasswords,
                tokenModule.issuer,
                mails.outbox(),
                disposable,
                clock);
        this.signUp = new SignUpHandler(registration, passwords.newPasswords, disposable);
        this.signIn = new SignInHandler(
                database,
                new PasswordSignIn(
                        database,
                        sessions.store,
                        lockout,
                        passwords.hasher,
                        mails.outbox(),
                        factors.challenges,
                        refused,
                        clock),
                new MfaSignIn(
                        database,
                        sessions.store,
                        lockout,
                        factors.challenges,
                        factors.factors,
                        tokenModule.issuer,
                        mails.outbox(),
                        clock),
                new TestingSignIn(database, sessions.store, tokenModule.issuer, clock),
                tokenModule.issuer);
        this.tokens =
                new TokenHandler(refresh(journal, tokenModule), database, sessions.store, tokenModule.issuer, clock);
        this.changes =
                new AccountChanges(database, sessions.store, passwords.newPasswords, unlock(database), mails, clock);
        this.me = new MeHandler(database, ownerProof, deletion(), recent, clock);
        this.email = new EmailHandler(
                database,
                mails.outbox(),
                new EmailVerification(
                        database, mails, sessions.store, proof, factors.challenges, tokenModule.issuer, refused, clock),
                new EmailChange(database, sessions.store, proof, mails, factors.starts, clock),
                ownerProof,
                disposable,
                recent);
        this.password = new PasswordHandler(
                database,
                mails.outbox(),
                refused,
                new PasswordReset(
                        database, proof, sessions.store, lockout, mails, passwords.newPasswords, refused, clock),
                new PasswordChange(database, sessions.store, mails, currentPassword, passwords.newPasswords, clock),
                passwords.newPasswords,
                recent);
    }

    private TokenRefresh refresh(JournalModule journal, TokenModule tokenModule) {
        var database = floor.database();
        var clock = floor.clock();
        var grace = floor.settings().sessions().refreshGrace();
        return new TokenRefresh(
                database,
                new SessionRefreshes(database, journal.journal, clock, grace),
                sessions.store,
                tokenModule.refreshTokens,
                tokenModule.issuer,
                clock,
                grace,
                journal.auditLog.recordsRefreshes());
    }

    /** Locks emails in a caller's transaction. */
    public SignInLockout lockout(Database database) {
        return new SignInLockout(
                database,
                emailHash,
                sessions.networks,
                refused,
                mails.outbox(),
                floor.settings().limits(),
                floor.clock());
    }

    /** Removes these locks in a caller's transaction. */
    public AccountUnlock unlock(Database database) {
        return new AccountUnlock(lockout(database), mails.codes(), sms.codes, factors.factors);
    }

    /** Deletes accounts. */
    public AccountDeletion deletion() {
        return new AccountDeletion(sessions.store, lockout, mails.outbox(), factors.starts, floor.clock());
    }
}
