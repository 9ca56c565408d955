package dev.vestibule.authentication;

import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.dashboard.DashboardAccountHandler;
import dev.vestibule.authentication.dashboard.DashboardSessionHandler;
import dev.vestibule.authentication.dashboard.ImpersonationHandler;
import dev.vestibule.authentication.dashboard.Impersonations;
import dev.vestibule.authentication.dashboard.InvitationAcceptance;
import dev.vestibule.authentication.dashboard.OperatorAccounts;
import dev.vestibule.authentication.dashboard.RefreshCookie;
import dev.vestibule.authentication.dashboard.RegistrationPolicy;
import dev.vestibule.authentication.dashboard.SetupCode;
import dev.vestibule.authentication.email.EmailChange;
import dev.vestibule.authentication.email.EmailHandler;
import dev.vestibule.authentication.email.EmailVerification;
import dev.vestibule.authentication.factor.FactorModule;
import dev.vestibule.authentication.passkey.PasskeyModule;
import dev.vestibule.authentication.passkey.Passkeys;
import dev.vestibule.authentication.password.CurrentPassword;
import dev.vestibule.authentication.password.OwnerProof;
import dev.vestibule.authentication.password.PasswordChange;
import dev.vestibule.authentication.password.PasswordHandler;
import dev.vestibule.authentication.password.PasswordReset;
import dev.vestibule.authentication.passwordless.PasswordlessHandler;
import dev.vestibule.authentication.passwordless.PasswordlessModule;
import dev.vestibule.authentication.phone.PhoneModule;
import dev.vestibule.authentication.reauthentication.Reauthentication;
import dev.vestibule.authentication.reauthentication.ReauthenticationHandler;
import dev.vestibule.config.Settings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.database.Database;
import dev.vestibule.journal.audit.AuditLog;
import dev.vestibule.journal.event.EventOutbox;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.PasswordlessMails;
import dev.vestibule.project.member.Invitations;
import dev.vestibule.session.ImpersonationStore;
import dev.vestibule.session.SessionHandler;
import dev.vestibule.session.SessionRefreshes;
import dev.vestibule.session.SessionStore;
import dev.vestibule.session.SignInNetworks;
import dev.vestibule.telemetry.metrics.FactorMeters;
import dev.vestibule.token.TokenModule;
import dev.vestibule.user.password.NewPasswords;
import java.time.Clock;

/** Builds sign up and sign in: the parts that all event loops share, and the handlers of each. */
public final class AuthenticationModule {
    /** The parts of other packages that this one uses. */
    public record Collaborators(
            AuditLog auditLog,
            SessionStore sessions,
            SignInNetworks networks,
            EventOutbox events,
            TokenModule tokens,
            EmailCodes codes,
            EmailChanges emailChanges,
            PasswordlessMails passwordless,
            PhoneModule phones,
            MailOutbox mails,
            FactorModule factors,
            PasskeyModule passkeys,
            FactorMeters factorMeters,
            Invitations invitations,
            PasswordHasher hasher,
            NewPasswords passwords) {}

    private final Settings settings;
    private final Collaborators with;
    private final Clock clock;
    private final KeyedHash emailHash;
    private final RefusedAttempts refused;
    private final SetupCode setupCode;

    public AuthenticationModule(Settings settings, MasterKeys masterKeys, Collaborators with, Clock clock) {
        this.settings = settings;
        this.with = with;
        this.clock = clock;
        this.emailHash = new KeyedHash(masterKeys, "failed sign ins");
        this.refused = new RefusedAttempts(with.auditLog(), masterKeys);
        this.setupCode = new SetupCode(masterKeys);
    }

    /** The code that allows the first registration from another machine. */
    public SetupCode setupCode() {
        return setupCode;
    }

    /** Locks emails after too many wrong passwords. */
    public SignInLockout lockout(Database database) {
        return new SignInLockout(database, emailHash, with.networks(), refused, with.mails(), settings.limits(), clock);
    }

    /** Removes these locks manually. */
    public AccountUnlock unlock(SignInLockout lockout) {
        return new AccountUnlock(
                lockout, with.codes(), with.phones().codes(), with.factors().factors());
    }

    /** The operator's changes to dashboard accounts. */
    public OperatorAccounts operatorAccounts(Database database) {
        return new OperatorAccounts(
                database,
                proof(),
                with.sessions(),
                unlock(lockout(database)),
                with.passwords(),
                with.auditLog(),
                clock);
    }

    private EmailProof proof() {
        return new EmailProof(
                new Passkeys(with.events()), with.sessions(), with.factors().factors(), with.events());
    }

    /** Sign in with a mailed code or link, and with a code by SMS. */
    public PasswordlessHandler passwordless(Database database) {
        return new PasswordlessModule(
                        with.passwordless(),
                        with.sessions(),
                        with.factors().challenges(),
                        with.factors().starts(),
                        with.events(),
                        with.mails(),
                        with.tokens().issuer(),
                        refused,
                        with.factorMeters(),
                        clock)
                .operations(database, proof(), with.phones().signIn(database));
    }

    /** Dashboard users sign out with the handler of all sessions. */
    public AuthenticationHandlers handlers(Database database, SessionHandler sessions) {
        var lockout = lockout(database);
        var issuer = with.tokens().issuer();
        var signUp = new PasswordSignUp(
                database,
                with.sessions(),
                with.events(),
                with.passwords(),
                issuer,
                with.mails(),
                with.factors().starts(),
                with.auditLog(),
                clock);
        var signIn = new PasswordSignIn(
                database,
                with.sessions(),
                lockout,
                with.hasher(),
                issuer,
                with.mails(),
                with.factors().challenges(),
                refused,
                clock);
        var mfaSignIn = new MfaSignIn(
                database,
                with.sessions(),
                lockout,
                with.factors().challenges(),
                with.factors().factors(),
                issuer,
                with.mails(),
                clock);
        var proof = proof();
        var reset = new PasswordReset(
                database,
                proof,
                with.sessions(),
                lockout,
                with.codes(),
                with.mails(),
                with.emailChanges(),
                with.passwords(),
                refused,
                clock);
        var currentPassword = new CurrentPassword(lockout, with.hasher());
        var ownerProof = new OwnerProof(currentPassword);
        var recent = new RecentSignIn(clock);
        var change = new PasswordChange(
                database,
                with.sessions(),
                with.events(),
                with.mails(),
                with.emailChanges(),
                currentPassword,
                with.passwords(),
                clock);
        var reauthentication = new Reauthentication(
                database,
                currentPassword,
                with.passkeys().proof(database),
                with.factors().factors(),
                with.passwordless(),
                issuer,
                clock);
        var verification = new EmailVerification(
                database,
                with.codes(),
                with.sessions(),
                proof,
                with.factors().challenges(),
                with.mails(),
                issuer,
                refused,
                clock);
        var emailChange = new EmailChange(
                database,
                with.sessions(),
                proof,
                with.emailChanges(),
                with.codes(),
                with.factors().starts(),
                with.mails(),
                clock);
        var refresh = new TokenRefresh(
                database,
                new SessionRefreshes(
                        database,
                        with.sessions().activity(),
                        clock,
                        settings.sessions().refreshGrace()),
                with.sessions(),
                with.tokens().refreshTokens(),
                issuer,
                clock,
                settings.sessions().refreshGrace(),
                with.auditLog().recordsRefreshes());
        var registration = new RegistrationPolicy(settings.dashboard().registration(), setupCode);
        var invitations = new InvitationAcceptance(database, with.invitations(), proof, clock);
        var impersonations = new Impersonations(database, new ImpersonationStore(with.events()), issuer, clock);
        var testing = new TestingSignIn(database, with.sessions(), with.events(), issuer, with.auditLog(), clock);
        var deletion = new AccountDeletion(
                with.sessions(),
                with.events(),
                lockout,
                with.mails(),
                with.factors().starts(),
                clock);
        var cookie = new RefreshCookie(settings.publicUrl());
        var signInHandler = new SignInHandler(signIn, mfaSignIn, testing);
        var tokens = new TokenHandler(refresh);
        var email = new EmailHandler(database, with.mails(), verification, emailChange, ownerProof, recent);
        return new AuthenticationHandlers(
                new SignUpHandler(signUp, with.passwords()),
                signInHandler,
                tokens,
                new MeHandler(database, with.events(), ownerProof, deletion, recent, clock),
                email,
                new PasswordHandler(database, with.mails(), refused, reset, change, with.passwords(), recent),
                new ReauthenticationHandler(reauthentication),
                new DashboardAccountHandler(database, registration, invitations, signUp, with.passwords(), cookie),
                new DashboardSessionHandler(signInHandler, email, tokens, sessions, cookie),
                new ImpersonationHandler(impersonations));
    }
}
