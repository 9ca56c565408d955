package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.PostgresProcesses;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Backup and restore as an operator types them, while users sign up and things are killed. */
@ExtendWith(WithServer.class)
@TakesLong("It starts the jar some twenty times, with a PostgreSQL each, and kills it on the way.")
class BackupCommandIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int SIGN_UPS = 50;

    private final TestDatabase databases;
    private final Path folder;
    private final Path file;
    private final JarCommand command;
    private final JarCommand elsewhere;
    private final List<PostgresProcesses> postgres;

    BackupCommandIT(TestDatabase databases, @TempDir Path folder) {
        this.databases = databases;
        this.folder = folder;
        file = folder.resolve("vestibule.backup");
        command = unlimited(JarCommand.withDatabaseIn(folder.resolve("a")));
        elsewhere = unlimited(JarCommand.in(folder.resolve("b")));
        postgres = List.of(
                new PostgresProcesses(folder.resolve("a/data")), new PostgresProcesses(folder.resolve("b/data")));
    }

    private static JarCommand unlimited(JarCommand command) {
        return command.with("VESTIBULE_LIMITS_ENABLED", "false")
                // That no sign up is refused must not depend on how busy the machine is.
                .with("VESTIBULE_DATABASE_POOL_WAIT_MILLIS", "30000")
                .with("VESTIBULE_DATABASE_CONNECT_TIMEOUT_MILLIS", "30000")
                .with("VESTIBULE_DATABASE_STATEMENT_TIMEOUT_MILLIS", "30000")
                .with("VESTIBULE_HTTP_REQUEST_SECONDS", "60");
    }

    @AfterEach
    void leaveNothingRunning() {
        postgres.forEach(PostgresProcesses::kill);
    }

    private static String run(int code, JarCommand command, String... arguments) {
        var process = command.arguments(arguments).launch();
        assertThat(process.awaitExit(LIMIT)).as(process.output()).isEqualTo(code);
        return process.output();
    }

    /** What an application knows about one of its users. */
    private record Visitor(String email, String accessToken, String refreshToken) {
        static Visitor of(ApiClient.Response signUp) {
            return new Visitor(signUp.text("user/email"), signUp.accessToken(), signUp.refreshToken());
        }

        void goesOn(TestProject at) {
            at.signIn(email);
            at.me(accessToken).expect(200);
            at.refresh(refreshToken).expect(200);
        }
    }

    @Test
    void everythingAnsweredBeforeABackupUnderTrafficIsRestoredElsewhere() throws IOException {
        try (var server = command.start()) {
            var project = server.firstProject();
            var visitors = Stream.generate(() -> Visitor.of(project.signUp()))
                    .limit(20)
                    .toList();
            var storm = new SignUpStorm(project);
            Eventually.until("the storm is under way", () -> storm.answered() >= SIGN_UPS);
            var output = run(0, command, "backup", file.toString());
            storm.end();
            assertThat(output).contains("Backed up the database in ", "The master secret is in " + file + ".secret");
            assertThat(storm.statuses()).containsOnlyKeys(201);
            assertThat(storm.brokenPromises(project)).isEmpty();
            for (var written : List.of(file, Path.of(file + ".secret"))) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(written)))
                        .isEqualTo("rw-------");
            }

            assertThat(run(0, elsewhere, "restore", file.toString())).contains("is ready: start the server on it.");
            try (var restored = elsewhere.start()) {
                visitors.forEach(visitor -> visitor.goesOn(project.through(restored.api())));
                var total = project.through(restored.api())
                        .manage("GET", "/v1/dashboard/users?limit=1")
                        .expect(200)
                        .text("total");
                assertThat(Integer.parseInt(total)).isGreaterThanOrEqualTo(SIGN_UPS + 20);
            }
            assertThat(run(1, elsewhere, "restore", file.toString())).contains("is a database already");
        }
        // and with nothing running
        assertThat(run(1, command, "backup", file.toString())).contains("is there already");
        run(0, command, "backup", file + "-2");
    }

    @Test
    void aBackupIsRestoredWithItsSecretAloneAndAlsoInAGivenDatabase() throws IOException {
        Visitor visitor;
        TestProject project;
        try (var server = command.start()) {
            project = server.firstProject();
            visitor = Visitor.of(project.signUp());
        }
        run(0, command, "backup", file.toString());
        var secret = Files.readString(Path.of(file + ".secret")).strip();

        withoutItsSecretItIsNotRestored();
        aKilledRestoreLeavesAFolderWithoutADatabase(elsewhere.with("VESTIBULE_SECRET", secret));

        var given = new Sql(databases.createDatabase());
        var name = "moved_" + System.nanoTime();
        given.update("CREATE DATABASE " + name);
        var target = elsewhere
                .with("VESTIBULE_DATABASE_URL", given.databaseUrl().replaceFirst("/test_[^?]*", "/" + name))
                .with("VESTIBULE_SECRET", secret);
        run(0, target, "restore", file.toString());
        try (var restored = target.start()) {
            visitor.goesOn(project.through(restored.api()));
            assertThat(run(1, target, "restore", file.toString()))
                    .contains("this one is not: it has tables of Vestibule");
        }
    }

    private void withoutItsSecretItIsNotRestored() throws IOException {
        Files.delete(Path.of(file + ".secret"));
        assertThat(run(1, elsewhere, "restore", file.toString()))
                .contains(file + ".secret is missing, and nothing can be read without the master secret");
        assertThat(run(1, elsewhere.with("VESTIBULE_SECRET", TestServer.SECRET), "restore", file.toString()))
                .containsPattern(
                        "does not fit the backup: .*needs the master secret [0-9a-f]{8}\\. Given are [0-9a-f]{8}");
        assertThat(folder.resolve("b/data/postgres")).doesNotExist();
    }

    private void aKilledRestoreLeavesAFolderWithoutADatabase(JarCommand withSecret) {
        var restore = withSecret.arguments("restore", file.toString()).launch();
        // The first table: after the last, a busy machine may kill it too late.
        Eventually.until("it loads", () -> restore.output().contains(" rows") || !restore.isAlive());
        restore.kill();
        assertThat(folder.resolve("b/data/postgres")).as(restore.output()).doesNotExist();
        assertThat(run(0, withSecret, "restore", file.toString())).contains("is ready");
    }

    @Test
    void aKilledBackupLeavesNoFileWithThatNameAndHarmsNothing() throws IOException {
        try (var server = command.start()) {
            var project = server.firstProject();
            var storm = new SignUpStorm(project);
            Eventually.until("the storm is under way", () -> storm.answered() >= SIGN_UPS);
            var backup = command.arguments("backup", file.toString()).launch();
            Eventually.until("it writes", () -> hasPart() || !backup.isAlive());
            backup.kill();
            Files.deleteIfExists(file); // it may have been as quick as that
            storm.end();
            assertThat(storm.statuses()).containsOnlyKeys(201);
            assertThat(storm.brokenPromises(project)).isEmpty();
            var again = run(0, command, "backup", file.toString());
            try (var leftovers = Files.newDirectoryStream(folder, "*.part")) {
                leftovers.forEach(leftover -> assertThat(again)
                        .contains(leftover + " is of a backup that was interrupted, unless another one runs"));
            }
            run(0, elsewhere, "restore", file.toString());
        }
    }

    @Test
    void aServerThatIsKilledDuringABackupLosesNothingAndLeavesNoTruncatedFile() throws IOException {
        var server = command.start();
        var project = server.firstProject();
        var visitors =
                Stream.generate(() -> Visitor.of(project.signUp())).limit(20).toList();
        var backup = command.arguments("backup", file.toString()).launch();
        Eventually.until("it writes", () -> hasPart() || !backup.isAlive());
        postgres.get(0).kill();
        server.kill();
        int code = backup.awaitExit(LIMIT);
        assertThat(Files.exists(file)).as(backup.output()).isEqualTo(code == 0);
        try (var again = command.start()) {
            visitors.forEach(visitor -> visitor.goesOn(project.through(again.api())));
        }
        if (code != 0) {
            assertThat(code).isEqualTo(1);
            run(0, command, "backup", file.toString());
        }
        run(0, elsewhere, "restore", file.toString());
    }

    private boolean hasPart() {
        try (var files = Files.list(folder)) {
            return files.anyMatch(path -> path.toString().endsWith(".part") || path.equals(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void aFolderWithoutADatabaseIsNotBackedUp() {
        assertThat(run(1, elsewhere, "backup", file.toString())).contains("There is no database in ");
        assertThat(file).doesNotExist();
    }
}
