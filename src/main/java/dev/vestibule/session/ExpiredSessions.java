package dev.vestibule.session;

import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import io.vertx.core.Future;
import java.time.Clock;

/** Removes expired sessions in batches, which records their events. Statements ignore them until then. */
public final class ExpiredSessions {
    private static final int BATCH = 1000;

    private final Database database;
    private final SessionStore sessions;
    private final Clock clock;

    public ExpiredSessions(Database database, SessionStore sessions, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.clock = clock;
    }

    public Future<Void> purge() {
        return Batches.repeat(
                () -> database.inTransaction(transaction -> sessions.sweep(transaction, clock.instant(), BATCH))
                        .map(swept -> swept == BATCH));
    }
}
