package dev.vestibule.authentication.passkey;

import dev.vestibule.access.RecentSignIn;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.Database;
import dev.vestibule.journal.event.EventOutbox;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.session.SessionStore;
import dev.vestibule.telemetry.metrics.FactorMeters;
import dev.vestibule.token.TokenIssuer;
import io.vertx.core.Future;
import java.time.Clock;

/** Builds everything for passkeys: the parts that all event loops share, and the handler of each. */
public final class PasskeyModule {
    private final PasskeyVerifier verifier = new PasskeyVerifier();
    private final PasskeyChallenges challenges;
    private final DecoyPasskeys decoys;
    private final PasskeyNotifier news;
    private final HashingPool workers;
    private final SessionStore sessions;
    private final TokenIssuer tokens;
    private final MailOutbox mails;
    private final FactorMeters meters;
    private final Clock clock;

    public PasskeyModule(
            MasterKeys masterKeys,
            HashingPool workers,
            SessionStore sessions,
            TokenIssuer tokens,
            EventOutbox events,
            MailOutbox mails,
            EmailChanges changes,
            FactorMeters meters,
            Clock clock) {
        this.challenges = new PasskeyChallenges(new KeyedHash(masterKeys, "emails of passkey sign ins"), clock);
        this.decoys = new DecoyPasskeys(new KeyedHash(masterKeys, "decoys of passkeys"));
        this.news = new PasskeyNotifier(events, mails, changes, clock);
        this.workers = workers;
        this.sessions = sessions;
        this.tokens = tokens;
        this.mails = mails;
        this.meters = meters;
        this.clock = clock;
    }

    /** Removes registrations and sign ins that nobody completed; maintenance calls it regularly. */
    public Future<Void> purge(Database database) {
        return challenges.purge(database);
    }

    /** For users who reauthenticate. */
    public PasskeyProof proof(Database database) {
        return new PasskeyProof(signIn(database));
    }

    private PasskeySignIn signIn(Database database) {
        return new PasskeySignIn(
                database, sessions, challenges, decoys, workers, verifier, news, mails, tokens, meters, clock);
    }

    public PasskeyHandler operations(Database database) {
        var registration =
                new PasskeyRegistration(database, challenges, decoys, workers, verifier, news, meters, clock);
        return new PasskeyHandler(
                database, registration, signIn(database), new PasskeyRemoval(database, news), new RecentSignIn(clock));
    }
}
