package dev.vestibule.project.transfer;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs statements with values for their question marks on one JDBC connection. */
final class Statements {
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private final Connection connection;

    Statements(Connection connection) {
        this.connection = connection;
    }

    /** The first row; empty if there is none, or the reader finds null. */
    <T> Optional<T> first(String sql, Reader<T> reader, @Nullable Object... values) throws SQLException {
        try (var statement = prepare(sql, values);
                var rows = statement.executeQuery()) {
            return rows.next() ? Optional.ofNullable(reader.read(rows)) : Optional.empty();
        }
    }

    /** The number of rows that it has changed. */
    int update(String sql, @Nullable Object... values) throws SQLException {
        try (var statement = prepare(sql, values)) {
            return statement.executeUpdate();
        }
    }

    private PreparedStatement prepare(String sql, @Nullable Object... values) throws SQLException {
        var statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
