package dev.vestibule.journal.audit;

import dev.vestibule.config.AuditSettings;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the partitions of the coming months, and drops those that are older than the retention. */
public final class AuditPartitions {
    private static final Logger LOG = LoggerFactory.getLogger(AuditPartitions.class);

    private final AuditPartitionStore store = new AuditPartitionStore();
    private final Database database;
    private final AuditSettings settings;
    private final Clock clock;

    public AuditPartitions(Database database, AuditSettings settings, Clock clock) {
        this.database = database;
        this.settings = settings;
        this.clock = clock;
    }

    /** Runs once before the server accepts traffic, and regularly after that. */
    public Future<Void> maintain() {
        var before = clock.instant().minus(Duration.ofDays(settings.retentionDays()));
        return store.createMonths(database.writes(), clock.instant())
                .compose(created -> Batches.repeat(() -> store.dropOldest(database.writes(), before)
                        .map(dropped -> {
                            dropped.ifPresent(name -> LOG.info(
                                    "Dropped {}: the audit log is kept for {} days", name, settings.retentionDays()));
                            return dropped.isPresent();
                        })));
    }
}
