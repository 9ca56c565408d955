package dev.vestibule.project;

import dev.vestibule.database.Database;
import dev.vestibule.project.SealedSecrets.SealedRow;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Seals projects' secrets anew after a change of the master secret, so that the one before it can be dropped. */
public final class SecretResealing {
    private static final Logger LOG = LoggerFactory.getLogger(SecretResealing.class);
    private static final int BATCH = 100;

    private final Database database;
    private final List<SealedSecrets> tables;

    public SecretResealing(Database database, List<SealedSecrets> tables) {
        this.database = database;
        this.tables = List.copyOf(tables);
    }

    /** One round over all projects; rounds of several nodes at once do no harm. */
    public Future<Void> run() {
        Future<Void> chain = Future.succeededFuture();
        for (var table : tables) {
            chain = chain.compose(done -> renew(table));
        }
        return chain;
    }

    private Future<Void> renew(SealedSecrets table) {
        return table.hasPreviousSecrets() ? renewAfter(table, Optional.empty()) : Future.succeededFuture();
    }

    private Future<Void> renewAfter(SealedSecrets table, Optional<SealedRow> last) {
        return table.outdated(database.writes(), last, BATCH)
                .compose(batch -> renewEach(table, batch).compose(done -> goOnAfter(table, batch)));
    }

    private Future<Void> goOnAfter(SealedSecrets table, List<SealedRow> batch) {
        if (batch.isEmpty()) {
            return Future.succeededFuture();
        }
        LOG.info("The secrets of {} {} are sealed under the current master secret now", batch.size(), table.owners());
        return renewAfter(table, Optional.of(batch.get(batch.size() - 1)));
    }

    private Future<Void> renewEach(SealedSecrets table, List<SealedRow> batch) {
        Future<Void> chain = Future.succeededFuture();
        for (var row : batch) {
            chain = chain.compose(done -> table.reseal(database.writes(), row))
                    .recover(failure -> passOver(table, row, failure));
        }
        return chain;
    }

    /** What does not open is damaged: it must not keep the others from being renewed. */
    private static Future<Void> passOver(SealedSecrets table, SealedRow row, Throwable failure) {
        if (!(failure instanceof IllegalStateException)) {
            return Future.failedFuture(failure);
        }
        LOG.warn("The secret of {} in project {}, of {}, does not open", row.owner(), row.project(), table.owners());
        return Future.succeededFuture();
    }
}
