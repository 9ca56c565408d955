package dev.vestibule.project;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.util.List;
import java.util.Optional;

/** What projects keep sealed under the master secret in one table. */
public interface SealedSecrets {
    /** The secrets of one row, as they are sealed; the owner is what the row's key has beside the project. */
    record SealedRow(ProjectId project, String owner, List<Buffer> sealed) {
        public SealedRow {
            sealed = List.copyOf(sealed);
        }
    }

    /** Whose secrets they are, in words. */
    String owners();

    /** Whether there are earlier master secrets, so that anything can be outdated. */
    boolean hasPreviousSecrets();

    /** Of all projects, in the order of keys, the first rows after this one with what an earlier master secret sealed. */
    Future<List<SealedRow>> outdated(SqlClient db, Optional<SealedRow> after, int limit);

    /** Seals anew, under the current master secret, unless somebody has changed the row meanwhile. */
    Future<Void> reseal(SqlClient db, SealedRow row);
}
