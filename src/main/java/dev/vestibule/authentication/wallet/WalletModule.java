package dev.vestibule.authentication.wallet;

import dev.vestibule.access.Floor;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.factor.FactorModule;
import dev.vestibule.database.Database;
import dev.vestibule.mail.MailModule;
import dev.vestibule.session.SessionModule;
import dev.vestibule.token.TokenModule;
import io.vertx.core.Future;

/** Builds everything for wallets. */
public final class WalletModule {
    private final WalletMessages messages;
    public final WalletHandler operations;

    public WalletModule(
            Floor floor, SessionModule sessions, TokenModule tokens, MailModule mail, FactorModule factors) {
        var database = floor.database();
        var clock = floor.clock();
        this.messages = new WalletMessages(database, floor.settings().publicUrl(), clock);
        var links = new WalletLinks(
                database,
                messages,
                floor.workers(),
                new ContractWallets(floor.vertx(), floor.settings().wallets()),
                mail.mails,
                floor.meters().factors,
                clock);
        var signIn = new WalletSignIn(
                database, links, sessions.store, factors.challenges, factors.starts, mail.mails.outbox(), clock);
        this.operations = new WalletHandler(database, messages, signIn, links, tokens.issuer, new RecentSignIn(clock));
    }

    /** Removes messages that nobody signed; maintenance calls it regularly. */
    public Future<Void> purge(Database database) {
        return messages.purge(database);
    }
}
