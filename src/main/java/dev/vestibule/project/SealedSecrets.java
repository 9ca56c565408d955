package dev.vestibule.project;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.util.List;
import java.util.Optional;

/** A table with secrets of projects, sealed under the master secret. */
public interface SealedSecrets {
    /** The sealed secrets of one row; the owner is the row's primary key without the project. */
    record SealedRow(ProjectId project, String owner, List<Buffer> sealed) {
        public SealedRow {
            sealed = List.copyOf(sealed);
        }
    }

    /** The owners of the secrets in words for the log, such as "webhooks". */
    String owners();

    /** Whether the configuration has previous master secrets; if not, no row can be outdated. */
    boolean hasPreviousSecrets();

    /** The next rows after the given one, in the order of keys, that are sealed under a previous master secret. */
    Future<List<SealedRow>> outdated(SqlClient db, Optional<SealedRow> after, int limit);

    /**
     * Fails with an {@code UnknownMasterSecretException} if a row was sealed under a master secret that is not
     * configured. Skips tables with a row for each user or mail: a start must not read them all.
     */
    default Future<Void> checkAreKnown(SqlClient db) {
        return Future.succeededFuture();
    }

    /** Seals the row under the current master secret, unless the row has changed since it was read. */
    Future<Void> reseal(SqlClient db, SealedRow row);
}
