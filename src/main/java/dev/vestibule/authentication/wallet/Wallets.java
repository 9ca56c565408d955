package dev.vestibule.authentication.wallet;

import dev.vestibule.journal.audit.AuditEvent;
import dev.vestibule.journal.audit.AuditTrail;
import dev.vestibule.journal.audit.Target;
import dev.vestibule.journal.event.Event;
import dev.vestibule.journal.event.EventKind;
import dev.vestibule.journal.event.EventOutbox;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.Map;

/** What other sign-in methods do to a user's wallets. */
public final class Wallets {
    private record Data(User user, Wallet wallet) {}

    private final WalletStore store = new WalletStore();
    private final EventOutbox events;

    public Wallets(EventOutbox events) {
        this.events = events;
    }

    /** Removes all, since the account's email was claimed. The transaction must hold the lock of the user's row. */
    public Future<Void> removeAll(AuditTrail trail, SqlConnection transaction, User user, Instant now) {
        return store.removeAll(transaction, user.projectId(), user.id())
                .compose(removed -> removed.isEmpty()
                        ? Future.succeededFuture()
                        : events.record(
                                        transaction,
                                        removed.stream()
                                                .map(wallet -> event(EventKind.WALLET_UNLINKED, user, wallet, now))
                                                .toList())
                                .compose(recorded -> trail.record(
                                        transaction,
                                        AuditEvent.WALLET_REMOVED,
                                        Target.user(user.id().value()),
                                        Map.of("wallets", removed.size(), "reason", "email_claimed"))));
    }

    static Event event(EventKind kind, User user, Wallet wallet, Instant now) {
        return Event.of(kind, user.projectId(), new Data(user, wallet), now);
    }
}
