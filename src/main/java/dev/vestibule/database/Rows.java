package dev.vestibule.database;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Maps rows and columns to the types of records, and values to parameters of statements. */
public final class Rows {
    private Rows() {}

    public static <T> List<T> all(RowSet<Row> rows, Function<Row, T> mapping) {
        var list = new ArrayList<T>(rows.size());
        for (var row : rows) {
            list.add(mapping.apply(row));
        }
        return list;
    }

    public static <T> Optional<T> first(RowSet<Row> rows, Function<Row, T> mapping) {
        var rowIterator = rows.iterator();
        return rowIterator.hasNext() ? Optional.of(mapping.apply(rowIterator.next())) : Optional.empty();
    }

    /** The row of a statement that always returns exactly one, such as a total. */
    public static <T> T single(RowSet<Row> rows, Function<Row, T> mapping) {
        return mapping.apply(rows.iterator().next());
    }

    /**
     * One result for each of many questions, whose number, from 1, is in a column {@code position}; empty without a
     * row.
     */
    public static <T> List<Optional<T>> inOrder(RowSet<Row> rows, int size, Function<Row, T> mapping) {
        var list = new ArrayList<Optional<T>>(Collections.nCopies(size, Optional.empty()));
        for (var row : rows) {
            list.set(row.getInteger("position") - 1, Optional.of(mapping.apply(row)));
        }
        return list;
    }

    /** The values of one column of many rows, as an array parameter for {@code unnest}. */
    public static <R, C> C[] column(List<R> rows, Function<R, @Nullable C> value, IntFunction<C[]> array) {
        return rows.stream().map(value).toArray(array);
    }

    public static Instant instant(Row row, String column) {
        return row.getOffsetDateTime(column).toInstant();
    }

    public static @Nullable Instant optionalInstant(Row row, String column) {
        var time = row.getOffsetDateTime(column);
        return time == null ? null : time.toInstant();
    }

    public static @Nullable Duration optionalSeconds(Row row, String column) {
        var seconds = row.getInteger(column);
        return seconds == null ? null : Duration.ofSeconds(seconds);
    }

    /** An instant as a parameter of a statement. */
    public static OffsetDateTime timestamp(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
