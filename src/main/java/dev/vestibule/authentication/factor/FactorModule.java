package dev.vestibule.authentication.factor;

import dev.vestibule.access.Floor;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.passkey.Passkeys;
import dev.vestibule.database.Database;
import dev.vestibule.journal.JournalModule;
import dev.vestibule.mail.MailModule;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.session.SessionModule;
import dev.vestibule.token.TokenModule;
import io.vertx.core.Future;

/** Builds everything for second factors. */
public final class FactorModule {
    private final Factors factors;
    private final MfaChallenges challenges;
    private final EnrolmentStarts starts;
    private final NewAccounts accounts;
    private final FactorHandler operations;

    public FactorModule(
            Floor floor, JournalModule journal, SessionModule sessions, TokenModule tokens, MailModule mail) {
        var database = floor.database();
        var clock = floor.clock();
        this.factors = new Factors(
                floor.masterKeys(),
                floor.settings().limits(),
                sessions.knownNetworks(),
                journal.events(),
                floor.meters().factors(),
                clock);
        this.challenges = new MfaChallenges(clock);
        this.starts = new EnrolmentStarts(floor.masterKeys(), clock);
        this.accounts = new NewAccounts(starts, journal.events());
        var notices = new FactorNotices(mail.mails(), clock);
        var enrolment = new EnrolmentSignIn(
                database,
                challenges,
                factors,
                sessions.store(),
                tokens.issuer(),
                mail.mails().outbox(),
                notices,
                clock);
        this.operations = new FactorHandler(
                database,
                factors,
                new Passkeys(journal.events()),
                sessions.store(),
                enrolment,
                new RecentSignIn(clock),
                notices,
                clock);
    }

    public Factors factors() {
        return factors;
    }

    public MfaChallenges challenges() {
        return challenges;
    }

    public EnrolmentStarts starts() {
        return starts;
    }

    public NewAccounts accounts() {
        return accounts;
    }

    public FactorHandler operations() {
        return operations;
    }

    public SealedSecrets sealedSecrets() {
        return factors.sealedSecrets();
    }

    /**
     * Removes factors that nobody confirmed, sign ins that nobody completed, and expired data about deleted accounts.
     */
    public Future<Void> purge(Database database) {
        return factors.purge(database)
                .compose(purged -> challenges.purge(database))
                .compose(purged -> starts.purge(database));
    }
}
