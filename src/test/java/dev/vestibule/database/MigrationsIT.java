package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.vestibule.Server;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.LoggedLines;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.server.StartException;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** When a start can skip Flyway. */
@ExtendWith(WithServer.class)
class MigrationsIT {
    private final Vertx vertx = Vertx.vertx();
    private final Sql sql;
    private final Database database;

    MigrationsIT(TestDatabase databases) {
        var url = databases.createDatabase();
        sql = new Sql(url);
        database = TestDatabase.connect(vertx, url, 1);
    }

    @BeforeEach
    void allHaveRun() {
        assertThat(isDone()).isTrue();
    }

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private boolean isDone() {
        return isDone(database);
    }

    private static boolean isDone(Database database) {
        return Migrations.isDone(database.reads(), Migrations.inJar()).await();
    }

    @Test
    void aFileThatHasNotRunIsNotDone() {
        var files = new HashMap<>(Migrations.inJar());
        files.put("V9999__later.sql", 1);
        assertThat(Migrations.isDone(database.reads(), files).await()).isFalse();
    }

    @Test
    void aFileThatFailedIsNotDone() {
        sql.update("UPDATE schema_history SET success = false WHERE version = '1'");
        assertThat(isDone()).isFalse();
    }

    @Test
    void aFileThatWasChangedIsNotDone() {
        var files = new HashMap<>(Migrations.inJar());
        files.computeIfPresent("V1__schema.sql", (name, checksum) -> checksum + 1);
        assertThat(Migrations.isDone(database.reads(), files).await()).isFalse();
    }

    @Test
    void aSchemaOfALaterReleaseIsRefusedAndLeftUnchanged() {
        sql.update("INSERT INTO schema_history SELECT 9999, '9999', 'later', type, 'V9999__later.sql', 1, installed_by,"
                + " now(), 1, true FROM schema_history WHERE version = '1'");
        assertThat(isDone()).isFalse();
        assertThatThrownBy(() -> TestServer.startOn(sql.databaseUrl(), Map.of(), Clock.systemUTC()))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("version 9999, which a newer Vestibule has made")
                .hasMessageContaining("backup");
        assertThat(sql.count("SELECT count(*) FROM users")).isZero();
    }

    /** Waiting does not make a wrong password right. */
    @Test
    void aWrongLoginEndsTheStartImmediately() {
        try (var attempts = new LoggedLines(Flyway.class.getPackage().getName())) {
            for (var wrong : List.of(
                    sql.databaseUrl().replaceFirst("//([^:]+):[^@]+@", "//$1:wrong@"),
                    sql.databaseUrl().replaceFirst("//[^:]+:", "//nobody:"),
                    sql.databaseUrl().replaceFirst("/test_", "/none_"))) {
                assertThatThrownBy(() -> TestServer.startOn(wrong, Map.of(), Clock.systemUTC()))
                        .isInstanceOf(StartException.class)
                        .hasMessageMatching("The database at .* cannot be used: FATAL: .*(nobody|postgres|none_).*");
            }
            assertThat(attempts.text()).doesNotContain("Retrying");
        }
    }

    @Test
    void aNodeWithALocalUrlWarnsWhatThatBreaks() {
        try (var lines = new LoggedLines(Server.class)) {
            TestServer.startOn(sql.databaseUrl(), Map.of(), Clock.systemUTC()).close();
            assertThat(lines.all())
                    .filteredOn(line -> line.getThreadName()
                            .equals(Thread.currentThread().getName())) // others start such servers, too
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .noneMatch(message -> message.contains("publicUrl"));
            TestServer.startOn(
                            sql.databaseUrl(),
                            Map.of("VESTIBULE_PUBLIC_URL", "http://localhost:8080"),
                            Clock.systemUTC())
                    .close();
            assertThat(lines.text())
                    .contains(
                            "publicUrl (VESTIBULE_PUBLIC_URL) is http://localhost:8080",
                            "issuer",
                            "same on every node");
        }
    }

    @Test
    void aHistoryInAnotherSchemaIsNotDone() {
        sql.update("CREATE SCHEMA mine");
        sql.update(
                "ALTER DATABASE " + sql.texts("SELECT current_database()").get(0) + " SET search_path = mine, public");
        assertThat(isDone(TestDatabase.connect(vertx, sql.databaseUrl(), 1))).isFalse();
    }

    @Test
    void aRoleThatMayNotReadTheHistoryLeavesItToFlyway() {
        sql.update("ALTER TABLE schema_history OWNER TO pg_monitor");
        sql.update("DO $$BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'reader') THEN"
                + " CREATE ROLE reader LOGIN PASSWORD 'reader'; END IF; END$$");
        var asReader = sql.databaseUrl().replaceFirst("//[^@]+@", "//reader:reader@");
        assertThat(isDone(TestDatabase.connect(vertx, asReader, 1))).isFalse();
    }

    @Test
    void anEmptyDatabaseIsNotDone() {
        sql.update("DROP TABLE schema_history");
        assertThat(isDone()).isFalse();
    }

    /** Creating one in any other way blocks sign ups, even on nodes of the previous release. */
    @Test
    void aMigrationCanCreateAnIndexConcurrently(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("V9999__an_index.sql"), "CREATE INDEX CONCURRENTLY an_index ON users (email)");
        Files.writeString(folder.resolve("V9999__an_index.sql.conf"), "executeInTransaction=false");
        var address = URI.create(sql.databaseUrl());
        var userAndPassword = address.getUserInfo().split(":", 2);
        var jdbcUrl = "jdbc:postgresql://" + address.getHost() + ":" + address.getPort() + address.getPath();
        var migration =
                CompletableFuture.runAsync(() -> Migrations.flyway(jdbcUrl, userAndPassword[0], userAndPassword[1])
                        .locations("classpath:db/migration", "filesystem:" + folder)
                        .load()
                        .migrate());
        assertThat(migration).succeedsWithin(Duration.ofSeconds(60));
        assertThat(sql.count("SELECT count(*) FROM pg_index WHERE indexrelid = 'an_index'::regclass AND indisvalid"))
                .isOne();
    }

    /** The timeout is for requests, and with a pooler only the role can set it. */
    @Test
    void aMigrationCanTakeLongerThanTheStatementTimeoutOfTheRole(TestDatabase databases) throws Exception {
        var watching =
                new Sql(databases.createDatabase()); // the limit of the other one holds for the one who looks as well
        var name = sql.texts("SELECT current_database()").get(0);
        var address = URI.create(sql.databaseUrl());
        var userAndPassword = address.getUserInfo().split(":", 2);
        var jdbcUrl = "jdbc:postgresql://" + address.getHost() + ":" + address.getPort() + address.getPath();
        try (var other = sql.connect();
                var statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE schema_history");
            sql.update("ALTER DATABASE " + name + " SET statement_timeout = 200");
            var migration =
                    CompletableFuture.runAsync(() -> Migrations.run(jdbcUrl, userAndPassword[0], userAndPassword[1]));
            Eventually.until(
                    "it has ended, or waited for longer than that",
                    () -> migration.isDone()
                            || watching.count(
                                            "SELECT count(*) FROM pg_stat_activity WHERE datname = ?"
                                                    + " AND wait_event_type = 'Lock'"
                                                    + " AND query_start < now() - interval '1 s'",
                                            name)
                                    > 0);
            other.rollback();
            assertThat(migration).succeedsWithin(Duration.ofSeconds(60));
        }
    }
}
