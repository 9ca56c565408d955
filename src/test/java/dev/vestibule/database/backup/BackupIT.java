package dev.vestibule.database.backup;

import static dev.vestibule.database.backup.BackupFixture.catalogue;
import static dev.vestibule.database.backup.BackupFixture.content;
import static dev.vestibule.database.backup.BackupFixture.emptyDatabase;
import static dev.vestibule.database.backup.BackupFixture.isEmpty;
import static dev.vestibule.database.backup.BackupFixture.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.config.Secret;
import dev.vestibule.database.Migrations;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a backup contains, and what a restore accepts and refuses. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BackupIT {
    private static final String USERS = """
            INSERT INTO users (project_id, id, email, display_name, public_metadata, created_at, updated_at)
            SELECT (SELECT id FROM projects), gen_random_uuid(), 'user' || n || '@example.com',
                   E'Zoë \\\\ \\t\\n "' || n, '{"plan": "a\\tb"}', now(), now()
            FROM generate_series(1, 300) AS n
            """;
    private static final String SESSIONS = """
            INSERT INTO sessions (project_id, id, user_id, rotated_at, created_at, last_active_at,
                                  authenticated_at, amr, variant, expires_at, sweep_at)
            SELECT project_id, gen_random_uuid(), id, now(), now(), now(), now(), '{}', 'A', 'infinity', 'infinity'
            FROM users
            """;
    private static final String WEBHOOK = """
            INSERT INTO webhooks (project_id, id, url, events, status, sealed_secret, created_at, updated_at)
            SELECT id, gen_random_uuid(), 'https://example.com', '{"user.created", "a b,{}"}', 'active', '\\x00ff5c',
                   now(), now() FROM projects
            """;
    private static final String CLAIMED = """
            INSERT INTO webhook_deliveries (project_id, webhook_id, event_id, created_at, next_attempt_at, claimed_until,
                                            claimed_by)
            SELECT project_id, id, gen_random_uuid(), now(), now(), now() + interval '1 hour', gen_random_uuid()
            FROM webhooks
            """;

    /** Rows of a month that no migration creates any more, of this month, and of no month. */
    private static final String AUDIT_LOG = """
            INSERT INTO audit_log (project_id, created_at, id, actor_type, event, metadata)
            SELECT (SELECT id FROM projects), created_at, gen_random_uuid(), 'system', 'auth.signin', '{"a": "b"}'
            FROM unnest(ARRAY['2020-02-01T00:00:00Z', now(), '2099-01-01T00:00:00Z']::timestamptz[]) AS created_at
            """;

    private final TestDatabase databases;
    private final Sql source;
    private final Path wholeBackup;
    private final List<String> lines = new ArrayList<>();
    private Path folder;
    private Path file;

    /** Most tests restore one backup of one database. */
    BackupIT(TestDatabase databases, @TempDir Path shared) {
        this.databases = databases;
        source = seeded();
        wholeBackup = shared.resolve("whole");
        Backup.write(login(source), wholeBackup, lines::add);
        folder = shared;
        file = wholeBackup;
    }

    @BeforeEach
    void use(@TempDir Path own) throws IOException {
        lines.clear();
        folder = own;
        file = own.resolve("vestibule.backup");
        Files.copy(wholeBackup, file);
    }

    private Sql seeded() {
        var database = new Sql(databases.createDatabase());
        database.update(USERS);
        database.update(SESSIONS);
        database.update(WEBHOOK);
        database.texts("SELECT make_audit_log_month('2020-02-29T23:00:00Z')");
        database.update(AUDIT_LOG);
        return database;
    }

    private Manifest backUp(Sql database) throws IOException {
        Files.deleteIfExists(file);
        return Backup.write(login(database), file, lines::add);
    }

    private Sql restored() {
        var target = emptyDatabase(source);
        restore(login(target));
        return target;
    }

    private void restore(Login into) {
        try (var backup = BackupFile.open(file, lines::add)) {
            Restore.load(backup, into, lines::add);
        }
    }

    @Test
    void everyRowComesBack() {
        var target = restored();
        createTheSameMonths(target);
        assertThat(content(target)).isEqualTo(content(source));
        assertThat(lines).contains("users: 300 rows", "user_search: 300 rows", "sessions: 300 rows");
    }

    @Test
    void theMonthsOfTheAuditLogComeBackUnchangedAndReadOnly() {
        var target = restored();
        assertThat(target.texts("SELECT tableoid::regclass FROM audit_log WHERE extract(year FROM created_at) = 2020"))
                .containsExactly("audit_log_2020_02");
        assertThatThrownBy(() -> target.update("DELETE FROM audit_log")).hasMessageContaining("append-only");
        assertThatThrownBy(() -> target.update("TRUNCATE audit_log_2020_02")).hasMessageContaining("append-only");
    }

    @Test
    void theSchemaIsThatOfMigrationsAlone() {
        var target = restored();
        createTheSameMonths(target);
        assertThat(catalogue(target)).containsExactlyInAnyOrderElementsOf(catalogue(source));
    }

    /** They already have the same months, unless a new month has begun since the first one was created. */
    private void createTheSameMonths(Sql target) {
        for (var database : List.of(source, target)) {
            database.texts("SELECT make_audit_log_months(now() - interval '1 hour')");
            database.texts("SELECT make_audit_log_months(now())");
        }
    }

    @Test
    void countsAreMaintainedAfterARestore() {
        var target = restored();
        target.update("DELETE FROM users WHERE email = 'user1@example.com'");
        assertThat(target.count("SELECT sum(users) FROM counts")).isEqualTo(299);
        assertThat(target.count("SELECT sum(sessions) FROM counts")).isEqualTo(299);
        assertThat(target.count("SELECT count(*) FROM user_search")).isEqualTo(299);
    }

    /** Otherwise they would wait for nodes that no longer exist. */
    @Test
    void claimsOfNodesThatNoLongerExistAreReleased() throws IOException {
        var claiming = seeded();
        claiming.update(CLAIMED);
        claiming.update("INSERT INTO nodes VALUES (gen_random_uuid(), now())");
        claiming.update("INSERT INTO project_changes SELECT id, pg_current_xact_id() FROM projects");
        backUp(claiming);
        var target = restored();
        assertThat(target.texts("SELECT concat(claimed_by, claimed_until) FROM webhook_deliveries"))
                .containsExactly("");
        assertThat(target.count("SELECT (SELECT count(*) FROM nodes) + (SELECT count(*) FROM project_changes)"))
                .isZero();
    }

    @Test
    void theTableAndTheSequenceOfANewMigrationAreNotForgotten() throws IOException {
        var more = seeded();
        more.update("CREATE TABLE \"A new one\" (id bigserial, twice bigint GENERATED ALWAYS AS (id * 2) STORED)");
        more.update("INSERT INTO \"A new one\" (id) SELECT nextval('\"A new one_id_seq\"') FROM users");
        var manifest = backUp(more);
        assertThat(manifest.tables())
                .filteredOn(table -> table.name().equals("A new one"))
                .singleElement()
                .satisfies(table -> {
                    assertThat(table.columns()).containsExactly("id");
                    assertThat(table.rows()).isEqualTo(300);
                });
        assertThat(manifest.sequences()).containsExactly(new Manifest.Sequence("A new one_id_seq", 300, true));
        // But no migration of this release creates it, so it has no place in a restored schema.
        assertThat(content(restored())).containsKey("users").doesNotContainKey("A new one");
        assertThat(lines).contains("A new one: left out, since it is no table of Vestibule");
    }

    @Test
    void limitsAndFormatsOfTheRoleDoNotAffectBackups() throws Exception {
        var limited = seeded();
        var name = limited.texts("SELECT current_database()").get(0);
        limited.update("ALTER DATABASE " + name + " SET datestyle = 'German'");
        limited.update("ALTER DATABASE " + name + " SET timezone = 'Asia/Seoul'");
        try (var locking = limited.connect();
                var statement = locking.createStatement()) {
            locking.setAutoCommit(false);
            statement.execute("LOCK TABLE webhooks");
            source.update("ALTER DATABASE " + name + " SET statement_timeout = 200");
            var backup = CompletableFuture.runAsync(() -> backUpNow(limited));
            Eventually.until(
                    "it has ended, or waited for longer than that", () -> backup.isDone() || waiting(name, "1 s") > 0);
            locking.rollback();
            assertThat(backup).succeedsWithin(Duration.ofSeconds(60));
        }
        source.update("ALTER DATABASE " + name + " RESET statement_timeout"); // for what the test itself reads
        var target = restored();
        assertThat(content(target)).containsEntry("users", content(limited).get("users"));
    }

    private Manifest backUpNow(Sql database) {
        try {
            return backUp(database);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Queried from another database, since the limits of this one also apply to the observer. */
    private long waiting(String database, String time) {
        return source.count(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                        + " AND datname = ? AND query_start <= now() - interval '" + time + "'",
                database);
    }

    @Test
    void onlyTheOwnerCanReadTheFileAndNothingElseIsLeft() throws IOException {
        backUp(source);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(names()).containsExactly("vestibule.backup");
    }

    /** It may be a volume that is not mounted. */
    @Test
    void aMissingFolderIsNotCreated() {
        var missing = file.resolveSibling("missing").resolve("vestibule.backup");
        assertThatThrownBy(() -> Backup.write(login(source), missing, lines::add))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("There is no folder " + missing.getParent());
        assertThat(missing.getParent()).doesNotExist();
    }

    @Test
    void anExistingFileIsNotOverwritten() throws IOException {
        Files.writeString(file, "precious");
        assertThatThrownBy(() -> Backup.write(login(source), file, lines::add))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("is there already: name a file that is not, or move that one away");
        assertThat(file).hasContent("precious");
    }

    @Test
    void aBackupThatFailsLeavesNoFile() throws Exception {
        try (var locking = source.connect();
                var statement = locking.createStatement()) {
            locking.setAutoCommit(false);
            statement.execute("LOCK TABLE webhooks");
            var backup = CompletableFuture.runAsync(() -> backUpNow(source));
            var name = source.texts("SELECT current_database()").get(0);
            Eventually.until("it waits", () -> waiting(name, "0 s") > 0);
            source.texts("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE wait_event_type = 'Lock' AND datname = current_database()");
            assertThatThrownBy(backup::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(BackupException.class)
                    .hasMessageContaining("The database cannot be backed up");
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void aDatabaseWithoutOurDataIsNotBackedUp() {
        assertThatThrownBy(() -> backUp(emptyDatabase(source)))
                .hasMessage("There is nothing to back up: the database holds no data of Vestibule");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.999})
    void aTruncatedFileIsRefused(double part) throws IOException {
        var whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, (int) (whole.length * part)));
        isRefused("cannot be read as a backup");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.3, 0.5, 0.7})
    void aFileWithOneWrongBitIsRefused(double place) throws IOException {
        var bytes = Files.readAllBytes(file);
        bytes[(int) (bytes.length * place)] ^= 0x10;
        Files.write(file, bytes);
        isRefused(file.toString());
    }

    @Test
    void changedRowsAreRefused() throws IOException {
        edit("tables/users", rows -> rows.replaceFirst("user7@", "user8@"));
        isRefused("is damaged: the rows of users are not those that were written");
    }

    @Test
    void aBackupWithoutManifestIsRefused() throws IOException {
        try (var zip = FileSystems.newFileSystem(file)) {
            Files.delete(zip.getPath("manifest.json"));
        }
        isRefused("is no backup of Vestibule: it has no manifest.json");
    }

    @Test
    void aBackupOfANewerSchemaIsRefused() throws IOException {
        edit(
                "manifest.json",
                text -> text.replaceFirst(
                        "\"migrations\" : \\[", "$0 {\"script\": \"V9999__later.sql\", \"checksum\": 1}, "));
        isRefused("whose schema is newer");
        isRefused("restore it with that release or a newer one. Unknown: V9999__later.sql");
    }

    @Test
    void aBackupOfAnotherBuildIsRefused() throws IOException {
        edit("manifest.json", text -> text.replaceFirst("(V1__schema.sql\",\\s+\"checksum\" : )[-0-9]+", "$11"));
        isRefused("its V1__schema.sql is not the one of this release");
    }

    @Test
    void aFutureFormatIsRefused() throws IOException {
        edit("manifest.json", text -> text.replaceFirst("\"format\" : 1", "\"format\" : 2, \"more\" : true"));
        isRefused("This backup has format 2, and this release of Vestibule knows format 1");
    }

    /** Before any database is touched: there is none here. */
    private void isRefused(String reason) {
        assertThatThrownBy(() -> restore(new Login("jdbc:postgresql://localhost:1/none", "", new Secret(""))))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void aDatabaseThatIsNotEmptyIsRefused() {
        var before = content(source);
        assertThatThrownBy(() -> restore(login(source)))
                .hasMessage("A backup is restored into an empty database, and this one is not: it has tables of"
                        + " Vestibule");
        assertThat(content(source)).isEqualTo(before);

        var foreign = emptyDatabase(source);
        foreign.update("CREATE TABLE mine (text text)");
        assertThatThrownBy(() -> restore(login(foreign))).hasMessageEndingWith("it has tables");
        assertThat(foreign.texts("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"))
                .containsExactly("mine");
    }

    @Test
    void aRestoreThatFailsLeavesTheDatabaseEmpty() throws Exception {
        var broken = seeded();
        // A session of nobody: PostgreSQL finds it at the very end.
        broken.update("ALTER TABLE sessions DROP CONSTRAINT sessions_project_id_user_id_fkey");
        broken.update("DELETE FROM users WHERE email = 'user1@example.com'");
        backUp(broken);
        var target = emptyDatabase(source);
        assertThatThrownBy(() -> restore(login(target)))
                .hasMessageStartingWith("The backup cannot be restored, and the database is as empty as before: ")
                .hasMessageContaining("violates foreign key constraint");
        assertThat(isEmpty(target)).isTrue();
    }

    /** As after a kill: the connection is gone, and so is the process that could have cleaned up. */
    @Test
    void noServerStartsAfterAKilledRestoreAndTheNextRestoreCleansUp() {
        var target = emptyDatabase(source);
        var login = login(target);
        Migrations.run(login.jdbcUrl(), login.user(), login.password().reveal(), Schema.UNFINISHED_HISTORY, "latest");
        assertThatThrownBy(() -> Migrations.run(
                        login.jdbcUrl(), login.user(), login.password().reveal()))
                .hasMessageContaining("non-empty schema");
        restore(login);
        createTheSameMonths(target);
        assertThat(content(target)).isEqualTo(content(source));
    }

    @Test
    void onlyOneRestoreRunsAtATime() throws SQLException {
        var target = emptyDatabase(source);
        try (var other = target.connect();
                var statement = other.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(7305451921060614)");
            assertThatThrownBy(() -> restore(login(target)))
                    .hasMessage("Another restore into this database is under way");
        }
        assertThat(isEmpty(target)).isTrue();
    }

    private void edit(String entry, UnaryOperator<String> change) throws IOException {
        var copy = folder.resolve("edited.zip"); // a suffix that the JDK takes for a zip
        Files.move(file, copy);
        try (var zip = FileSystems.newFileSystem(copy, Map.of())) {
            var path = zip.getPath(entry);
            Files.writeString(path, change.apply(Files.readString(path, StandardCharsets.UTF_8)));
        }
        Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }
}
