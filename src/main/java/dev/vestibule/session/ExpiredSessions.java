package dev.vestibule.session;

import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import io.vertx.core.Future;
import java.time.Clock;

/** Removes sessions past their time, a batch after another; until then they are merely dead. */
public final class ExpiredSessions {
    private static final int BATCH = 1000;

    private final Database database;
    private final SessionStore store;
    private final Clock clock;

    public ExpiredSessions(Database database, SessionStore store, Clock clock) {
        this.database = database;
        this.store = store;
        this.clock = clock;
    }

    public Future<Void> purge() {
        return Batches.repeat(() ->
                store.purgeExpired(database.writes(), clock.instant(), BATCH).map(removed -> removed == BATCH));
    }
}
