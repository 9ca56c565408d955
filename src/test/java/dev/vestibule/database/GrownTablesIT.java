package dev.vestibule.database;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
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

    @Test
    void aTableIsAnalyzedSoonAfterItHasGrown() {
        try (var server = TestServer.start(database, Map.of())) {
            var sql = server.sql();
            sql.update("ALTER TABLE users SET (autovacuum_enabled = off)");
            sql.update(
                    "INSERT INTO users (project_id, id, email, created_at, updated_at)"
                            + " SELECT ?::uuid, gen_random_uuid(), n || '@example.com', now(), now()"
                            + " FROM generate_series(1, " + MANY + ") AS n",
                    server.newProject().id());
            Eventually.until(
                    "the planner knows how many users there are",
                    () -> sql.count("SELECT reltuples::bigint FROM pg_class WHERE oid = 'users'::regclass") >= MANY);
        }
    }
}
