package dev.vestibule.project;

import dev.vestibule.database.Database;
import dev.vestibule.project.SealedSecrets.SealedRow;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals the secrets of projects again after the master secret has changed, so that the previous one can be removed from
 * the configuration.
 */
public final class SecretResealing {
    private static final Logger LOG = LoggerFactory.getLogger(SecretResealing.class);
    private static final int BATCH = 100;

    private final Database database;
    private final List<SealedSecrets> tables;

    public SecretResealing(Database database, List<SealedSecrets> tables) {
        this.database = database;
        this.tables = List.copyOf(tables);
    }

    /** Processes all tables once. Several nodes can do so at the same time. */
    public Future<Void> run() {
        Future<Void> chain = Future.succeededFuture();
        for (var table : tables) {
            chain = chain.compose(done -> reseal(table));
        }
        return chain;
    }

    private Future<Void> reseal(SealedSecrets table) {
        return resealAfter(table, Optional.empty());
    }

    private Future<Void> resealAfter(SealedSecrets table, Optional<SealedRow> last) {
        return table.outdated(database.writes(), last, BATCH)
                .compose(batch -> resealEach(table, batch).compose(done -> continueAfter(table, batch)));
    }

    private Future<Void> continueAfter(SealedSecrets table, List<SealedRow> batch) {
        if (batch.isEmpty()) {
            return Future.succeededFuture();
        }
        LOG.info("Sealed the secrets of {} {} under the current master secret", batch.size(), table.owners());
        return resealAfter(table, Optional.of(batch.get(batch.size() - 1)));
    }

    private Future<Void> resealEach(SealedSecrets table, List<SealedRow> batch) {
        Future<Void> chain = Future.succeededFuture();
        for (var row : batch) {
            chain = chain.compose(done -> table.reseal(database.writes(), row))
                    .recover(failure -> skipDamaged(table, row, failure));
        }
        return chain;
    }

    /** Skips a secret that does not open: it is damaged, and must not block the others. */
    private static Future<Void> skipDamaged(SealedSecrets table, SealedRow row, Throwable failure) {
        if (!(failure instanceof IllegalStateException)) {
            return Future.failedFuture(failure);
        }
        LOG.warn(
                "Cannot decrypt the secret of {} in project {} ({}) with any configured master secret: set it again",
                row.owner(),
                row.project(),
                table.owners());
        return Future.succeededFuture();
    }
}
