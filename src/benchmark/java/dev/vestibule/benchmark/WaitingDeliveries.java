package dev.vestibule.benchmark;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/** Writes waiting deliveries, all copies of one event, into the embedded database of a running server. */
final class WaitingDeliveries implements AutoCloseable {
    private static final String EVENTS = """
            WITH events AS (
                INSERT INTO webhook_events (project_id, id, type, payload, created_at)
                SELECT event.project_id, uuidv7(), type, payload, now()
                FROM (SELECT * FROM webhook_events WHERE project_id = ? LIMIT 1) AS event, generate_series(1, ?)
                RETURNING project_id, id)
            INSERT INTO webhook_deliveries (project_id, webhook_id, event_id, created_at, next_attempt_at)
            SELECT project_id, ?, id, now(), now() FROM events
            """;

    private final Connection connection;

    private WaitingDeliveries(Connection connection) {
        this.connection = connection;
    }

    static WaitingDeliveries in(EmbeddedDatabase database) throws SQLException {
        return new WaitingDeliveries(database.connect());
    }

    /** The project must have an event already. */
    void add(UUID project, UUID webhook, int count) throws SQLException {
        try (var insert = connection.prepareStatement(EVENTS);
                var analyze = connection.createStatement()) {
            insert.setObject(1, project);
            insert.setInt(2, count);
            insert.setObject(3, webhook);
            insert.executeUpdate();
            analyze.execute("VACUUM ANALYZE");
        }
    }

    String payload() throws SQLException {
        return text("SELECT payload FROM webhook_events LIMIT 1");
    }

    boolean any() throws SQLException {
        return text("SELECT EXISTS (SELECT FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL)")
                .equals("t");
    }

    private String text(String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
