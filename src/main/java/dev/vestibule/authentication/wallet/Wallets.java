package dev.vestibule.authentication.wallet;

import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Trail;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.Map;

/** What other sign-in methods do to a user's wallets. */
public final class Wallets {
    private final WalletStore store = new WalletStore();

    /** Removes all, since the account's email was claimed. The transaction must hold the lock of the user's row. */
    public Future<Void> removeAll(Trail trail, SqlConnection transaction, User user) {
        return store.removeAll(transaction, user.projectId(), user.id())
                .compose(removed -> removed.isEmpty()
                        ? Future.succeededFuture()
                        : trail.record(
                                transaction,
                                Published.WALLETS_OF_STRANGER_REMOVED,
                                user,
                                Map.of("wallets", removed.size(), "reason", "email_claimed"),
                                removed.stream().map(Wallets::details).toList()));
    }

    /** What is recorded about one that is linked or unlinked. */
    static Map<String, Wallet> details(Wallet wallet) {
        return Map.of("wallet", wallet);
    }
}
