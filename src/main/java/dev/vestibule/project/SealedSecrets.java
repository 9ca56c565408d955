package dev.vestibule.project;

import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Rows;
import dev.vestibule.database.SealedTable;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table with secrets of projects, sealed under the master secret.
 *
 * @param owners the owners of the secrets in words for the log, such as "webhooks"
 * @param hasFewRows not one for each user or mail, so that a start can look at all of them
 */
public record SealedSecrets(String owners, SealedTable table, boolean hasFewRows, Sealer sealer, Context context) {
    /** The bytes that a secret is bound to, so that it cannot be opened for another owner. */
    @FunctionalInterface
    public interface Context {
        /**
         * The bytes that were sealed with the secret.
         *
         * @param key the row's primary key without the project
         */
        byte[] of(ProjectId project, Tuple key);
    }

    /** The sealed secrets of one row, null where a column has none. */
    record SealedRow(ProjectId project, Tuple key, Tuple sealed) {
        Tuple wholeKey() {
            var whole = Tuple.of(project.value());
            addAll(whole, key);
            return whole;
        }

        String owner() {
            return IntStream.range(0, key.size())
                    .mapToObj(at -> String.valueOf(key.getValue(at)))
                    .collect(Collectors.joining(" "));
        }
    }

    /** The next rows after the given one, in the order of keys, that are sealed under a previous master secret. */
    Future<List<SealedRow>> outdated(SqlClient db, Optional<SealedRow> after, int limit) {
        var prefixes = sealer.outdatedPrefixes().stream().map(Buffer::buffer).toArray(Buffer[]::new);
        if (prefixes.length == 0) {
            return Future.succeededFuture(List.of());
        }
        return after.map(row -> table.findNext(db, prefixes, limit, row.wholeKey()))
                .orElseGet(() -> table.find(db, prefixes, limit))
                .map(rows -> Rows.all(rows, this::sealedRow));
    }

    private SealedRow sealedRow(Row row) {
        return new SealedRow(
                new ProjectId(row.getUUID("project_id")), values(row, table.key()), values(row, table.columns()));
    }

    private static Tuple values(Row row, List<String> columns) {
        var values = Tuple.tuple();
        columns.forEach(column -> values.addValue(row.getValue(column)));
        return values;
    }

    private static void addAll(Tuple to, Tuple from) {
        for (var at = 0; at < from.size(); at++) {
            to.addValue(from.getValue(at));
        }
    }

    /**
     * Fails with an {@code UnknownMasterSecretException} if a row was sealed under a master secret that is not
     * configured. Skips tables with many rows.
     */
    public Future<Void> checkAreKnown(SqlClient db) {
        return hasFewRows
                ? table.prefixes(db).map(prefixes -> {
                    prefixes.forEach(prefix -> sealer.checkIsKnown(prefix.getBytes()));
                    return null;
                })
                : Future.succeededFuture();
    }

    /** Seals the row under the current master secret, unless the row has changed since it was read. */
    Future<Void> reseal(SqlClient db, SealedRow row) {
        var bound = context.of(row.project(), row.key());
        var values = row.wholeKey();
        for (var at = 0; at < row.sealed().size(); at++) {
            values.addValue(renewed(row.sealed().getBuffer(at), bound));
        }
        addAll(values, row.sealed());
        return table.replace(db, values);
    }

    private @Nullable Buffer renewed(@Nullable Buffer sealed, byte[] bound) {
        return sealed == null ? null : Buffer.buffer(sealer.seal(sealer.open(sealed.getBytes(), bound), bound));
    }
}
