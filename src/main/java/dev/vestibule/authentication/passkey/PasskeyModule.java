package dev.vestibule.authentication.passkey;

import dev.vestibule.access.Floor;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.database.Database;
import dev.vestibule.mail.MailModule;
import dev.vestibule.session.SessionModule;
import dev.vestibule.token.TokenModule;
import io.vertx.core.Future;

/** Builds everything for passkeys. */
public final class PasskeyModule {
    private final PasskeyChallenges challenges;
    /** Proves who users are when they reauthenticate. */
    public final PasskeyProof proof;

    public final PasskeyHandler operations;

    public PasskeyModule(Floor floor, SessionModule sessions, TokenModule tokens, MailModule mail) {
        var database = floor.database();
        var clock = floor.clock();
        var meters = floor.meters().factors;
        this.challenges = new PasskeyChallenges(new KeyedHash(floor.masterKeys(), "emails of passkey sign ins"), clock);
        var decoys = new DecoyPasskeys(new KeyedHash(floor.masterKeys(), "decoys of passkeys"));
        var news = new PasskeyNotifier(mail.mails, clock);
        var checks = new PasskeyChecks(floor.workers());
        var signIn = new PasskeySignIn(database, sessions.store, challenges, decoys, checks, news, meters, clock);
        this.proof = new PasskeyProof(signIn);
        this.operations = new PasskeyHandler(
                database,
                new PasskeyRegistration(database, challenges, decoys, checks, news, meters, clock),
                signIn,
                new PasskeyRemoval(database, news, clock),
                tokens.issuer,
                new RecentSignIn(clock));
    }

    /** Removes registrations and sign ins that nobody completed; maintenance calls it regularly. */
    public Future<Void> purge(Database database) {
        return challenges.purge(database);
    }
}
