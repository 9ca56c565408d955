package dev.vestibule.authentication.factor;

import dev.vestibule.access.Floor;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.passkey.Passkeys;
import dev.vestibule.database.Database;
import dev.vestibule.mail.MailModule;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.session.SessionModule;
import dev.vestibule.token.TokenModule;
import io.vertx.core.Future;

/** Builds everything for second factors. */
public final class FactorModule {
    public final Factors factors;
    public final MfaChallenges challenges;
    public final EnrolmentStarts starts;
    public final FactorHandler operations;

    public FactorModule(Floor floor, SessionModule sessions, TokenModule tokens, MailModule mail) {
        var database = floor.database();
        var clock = floor.clock();
        this.factors = new Factors(
                floor.masterKeys(), floor.settings().limits(), sessions.knownNetworks, floor.meters().factors, clock);
        this.challenges = new MfaChallenges(clock);
        this.starts = new EnrolmentStarts(floor.masterKeys(), clock);
        var enrolment =
                new EnrolmentSignIn(database, challenges, factors, sessions.store, tokens.issuer, mail.mails, clock);
        this.operations = new FactorHandler(
                database,
                factors,
                new Passkeys(),
                sessions.store,
                enrolment,
                new RecentSignIn(clock),
                mail.mails,
                clock);
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
