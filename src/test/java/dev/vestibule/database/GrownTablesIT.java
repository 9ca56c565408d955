package dev.vestibule.database;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class GrownTablesIT {
    private static final int MANY = 2_000;

    private final TestDatabase database;

    GrownTablesIT(TestDatabase database) {
        this.database = database;
    }

    private static void insertMany(Connection connection, String project) throws SQLException {
        try (var insert =
                connection.prepareStatement("INSERT INTO users (project_id, id, email, created_at, updated_at)"
                        + " SELECT ?::uuid, gen_random_uuid(), n || '@example.com', now(), now()"
                        + " FROM generate_series(1, " + MANY + ") AS n")) {
            insert.setString(1, project);
            insert.executeUpdate();
        }
    }

    private static long known(Sql sql, String column) {
        return sql.count("SELECT " + column + "::bigint FROM pg_class WHERE oid = 'users'::regclass");
    }

    /** Even if it was analyzed before they were committed. */
    @Test
    void aTableIsAnalyzedSoonAfterItHasGotManyRows() throws SQLException {
        try (var server = TestServer.start(database, Map.of());
                var inserting = server.sql().connect()) {
            var sql = server.sql();
            sql.update("ALTER TABLE users SET (autovacuum_enabled = off)");
            inserting.setAutoCommit(false);
            insertMany(inserting, server.newProject().id());
            Eventually.until("the planner knows its size", () -> known(sql, "relpages") > 8);
            inserting.commit();
            Eventually.until("and how many users there are", () -> known(sql, "reltuples") >= MANY);
        }
    }
}
