package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Runs the statements of stores, each of which is a constant text. */
public final class Sql {
    private Sql() {}

    /** Runs a statement with the values of {@code $1} and so on; ids and instants become what the driver takes. */
    public static Future<RowSet<Row>> run(SqlClient db, String statement, @Nullable Object... values) {
        var parameters = Tuple.tuple();
        for (var value : values) {
            parameters.addValue(parameter(value));
        }
        return db.preparedQuery(statement).execute(parameters);
    }

    private static @Nullable Object parameter(@Nullable Object value) {
        if (value instanceof Id id) {
            return id.value();
        }
        return value instanceof Instant instant ? Rows.timestamp(instant) : value;
    }
}
