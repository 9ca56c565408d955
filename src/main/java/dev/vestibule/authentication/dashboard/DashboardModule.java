package dev.vestibule.authentication.dashboard;

import dev.vestibule.access.Floor;
import dev.vestibule.authentication.SignInModule;
import dev.vestibule.database.Database;
import dev.vestibule.journal.JournalModule;
import dev.vestibule.project.member.Invitations;
import dev.vestibule.session.ImpersonationStore;
import dev.vestibule.session.SessionModule;
import dev.vestibule.token.TokenModule;
import dev.vestibule.user.password.NewPasswords;
import dev.vestibule.user.password.PasswordModule;

/** Builds the accounts and sign ins of dashboard users, which use the flows of all users. */
public final class DashboardModule {
    private final Floor floor;
    private final JournalModule journal;
    private final SessionModule sessionModule;
    private final NewPasswords newPasswords;
    private final SignInModule signIns;
    /** The code that allows the first registration from another machine. */
    public final SetupCode setupCode;

    public final DashboardAccountHandler accounts;
    public final DashboardSessionHandler sessions;
    public final ImpersonationHandler impersonations;

    public DashboardModule(
            Floor floor,
            JournalModule journal,
            SessionModule sessionModule,
            TokenModule tokens,
            PasswordModule passwords,
            Invitations invitations,
            SignInModule signIns) {
        this.floor = floor;
        this.journal = journal;
        this.sessionModule = sessionModule;
        this.newPasswords = passwords.newPasswords;
        this.signIns = signIns;
        var database = floor.database();
        var clock = floor.clock();
        this.setupCode = new SetupCode(floor.masterKeys());
        var registration = new RegistrationPolicy(floor.settings().dashboard().registration(), setupCode);
        var acceptance = new InvitationAcceptance(database, invitations, signIns.proof, clock);
        var cookie = new RefreshCookie(floor.settings().publicUrl());
        this.accounts = new DashboardAccountHandler(
                database, registration, acceptance, signIns.registration, newPasswords, cookie);
        this.sessions = new DashboardSessionHandler(
                signIns.signIn, signIns.email, signIns.tokens, sessionModule.operations, cookie);
        this.impersonations = new ImpersonationHandler(
                new Impersonations(database, new ImpersonationStore(database, journal.journal), tokens.issuer, clock));
    }

    /** The operator's changes to dashboard accounts. */
    public OperatorAccounts operatorAccounts(Database database) {
        return new OperatorAccounts(
                database,
                signIns.proof,
                sessionModule.store,
                signIns.unlock(database),
                newPasswords,
                signIns.mails.outbox(),
                journal.journal,
                floor.clock());
    }
}
