package dev.vestibule.database;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import io.vertx.sqlclient.SqlResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Rows that anybody can add, and that end by themselves. A project has at most so many of a kind, of which one network
 * gets a hundredth of what is still free, and 20 in any case: so a few networks never use up what all others need
 * (dynamic thresholds, Choudhury and Hahne, 1998).
 */
public final class OpenRows {
    private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

    /**
     * Every row has the hash of a secret, so that a slice of the hashes tells how many there are in all: one that holds
     * about a thousand when the table is full. A small limit is counted exactly.
     */
    private static final String HAS_ROOM = """
            (SELECT total < $%4$d::bigint AND ($%3$d::bytea IS NULL OR greatest(20, ($%4$d - total) / 100) > (
                SELECT count(*) FROM (
                    SELECT FROM %1$s WHERE project_id = $1 AND network = $%3$d LIMIT greatest(20, $%4$d / 100)) AS own))
            FROM (
                SELECT count(*) * greatest(1, $%4$d / 1000) AS total FROM (
                    SELECT FROM %1$s
                    WHERE project_id = $1
                      AND %2$s < substring(int8send(4294967295 / greatest(1, $%4$d / 1000)) FROM 5)
                    ORDER BY project_id, %2$s
                    LIMIT $%4$d) AS slice) AS open)
            """;

    private OpenRows() {}

    /**
     * SQL that is true if one more row has room. Its first parameter is the project.
     *
     * @param hash the column that, after the project, is the key
     * @param network the number of the parameter with the widest network that the row is asked for from, as in the
     *     column of that name, or null if it has no limit of its own; the parameter after it is the limit of the
     *     project
     */
    public static String hasRoom(String table, String hash, int network) {
        return HAS_ROOM.formatted(table, hash, network, network + 1);
    }

    /** A 503 if the row that was to be added had no room. */
    public static @Nullable Void requireAdded(SqlResult<?> rows) {
        if (rows.rowCount() == 0) {
            throw ApiException.of(
                    ErrorCode.UNAVAILABLE, "Too many sign ins are in progress. Try again later.", RETRY_AFTER);
        }
        return null;
    }
}
