package dev.vestibule.authentication.factor;

import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.passkey.Passkeys;
import dev.vestibule.config.LimitSettings;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.Database;
import dev.vestibule.journal.event.EventOutbox;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.session.KnownNetworks;
import dev.vestibule.session.SessionStore;
import dev.vestibule.telemetry.metrics.FactorMeters;
import dev.vestibule.token.TokenIssuer;
import io.vertx.core.Future;
import java.time.Clock;

/** Builds everything for second factors: the parts that all event loops share, and the handler of each. */
public final class FactorModule {
    private final Factors factors;
    private final MfaChallenges challenges;
    private final EnrolmentStarts starts;
    private final Passkeys passkeys;
    private final SessionStore sessions;
    private final FactorNotices notices;
    private final MailOutbox mails;
    private final TokenIssuer tokens;
    private final Clock clock;

    public FactorModule(
            MasterKeys masterKeys,
            LimitSettings limits,
            KnownNetworks networks,
            SessionStore sessions,
            EventOutbox events,
            MailOutbox mails,
            EmailChanges changes,
            TokenIssuer tokens,
            FactorMeters meters,
            Clock clock) {
        this.factors = new Factors(masterKeys, limits, networks, events, meters, clock);
        this.challenges = new MfaChallenges(clock);
        this.starts = new EnrolmentStarts(masterKeys, clock);
        this.passkeys = new Passkeys(events);
        this.sessions = sessions;
        this.notices = new FactorNotices(mails, changes, clock);
        this.mails = mails;
        this.tokens = tokens;
        this.clock = clock;
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

    public FactorHandler operations(Database database) {
        var enrolment = new EnrolmentSignIn(database, challenges, factors, sessions, tokens, mails, notices, clock);
        return new FactorHandler(
                database, factors, passkeys, sessions, enrolment, new RecentSignIn(clock), notices, clock);
    }
}
