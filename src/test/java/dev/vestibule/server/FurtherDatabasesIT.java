package dev.vestibule.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.Server;
import dev.vestibule.fixture.LoggedLines;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class FurtherDatabasesIT {
    @Test
    void aConnectionThatDoesNotCheckWhoAnswersIsWarnedOf(TestDatabase database) {
        var settings = Map.of(
                "VESTIBULE_DATABASE_SHARDS",
                "eu=postgresql://u:p@database.invalid/auth?sslmode=require",
                "VESTIBULE_DATABASE_CONNECT_TIMEOUT_MILLIS",
                "100");
        try (var logged = new LoggedLines(Server.class);
                var server = TestServer.start(database, settings)) {
            assertThat(logged.about("database.invalid"))
                    .hasSize(1)
                    .allMatch(line -> line.contains("does not check who answers"));
            server.newProject().signUp();
        }
    }

    /** The next heartbeat would read them again, and each one after it. */
    @Test
    void aStartRemovesTheChangesThatAreACopyOfAnotherServersOnEachDatabase(TestDatabase database) {
        var further = new Sql(database.createDatabase());
        var settings = Map.of("VESTIBULE_DATABASE_SHARDS", "eu=" + further.databaseUrl());
        try (var server = TestServer.start(database, settings)) {
            for (var each : List.of(server.sql(), further)) {
                each.update("INSERT INTO project_changes (project_id, transaction_id)"
                        + " VALUES (gen_random_uuid(), '9000000000000')");
            }

            TestServer.startOn(server.databaseUrl(), settings, Clock.systemUTC())
                    .close();

            for (var each : List.of(server.sql(), further)) {
                assertThat(each.texts("SELECT transaction_id FROM project_changes"))
                        .doesNotContain("9000000000000");
            }
        }
    }
}
