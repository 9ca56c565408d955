package dev.vestibule.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What move-project prints; how projects move is tested with {@code ProjectMove}. */
@ExtendWith(WithServer.class)
class MoveProjectCommandIT {
    private final String homeUrl;
    private final String euUrl;
    private final Path folder;
    private final CommandRun jar;

    MoveProjectCommandIT(TestDatabase databases, @TempDir Path folder) {
        this.folder = folder;
        this.homeUrl = databases.createDatabase();
        this.euUrl = databases.createDatabase();
        this.jar = new CommandRun(
                folder,
                Map.of(
                        "VESTIBULE_DATABASE_URL",
                        homeUrl,
                        "VESTIBULE_DATABASE_SHARDS",
                        "eu=" + euUrl,
                        "VESTIBULE_DATABASE_POOL_WAIT_MILLIS",
                        "10",
                        "VESTIBULE_SECRET",
                        TestServer.SECRET));
    }

    private CommandRun.Result move(String project, String target) {
        return jar.run("move-project", "--project", project, "--to", target);
    }

    private void assertRefused(CommandRun.Result result, String why) {
        assertThat(result.err()).contains(why);
        assertThat(result.code()).hasValue(1);
    }

    @Test
    void aProjectMoves() {
        var id = UUID.randomUUID().toString();
        new Sql(homeUrl)
                .update(
                        "INSERT INTO projects (id, name, slug, environment, created_at, updated_at)"
                                + " VALUES (?::uuid, 'A', 'a', 'test', now(), now())",
                        id);
        assertRefused(move(id, "asia"), "There is no database asia");
        assertRefused(move(id, "home"), "already in the database home");

        var moved = move(id, "eu");
        assertThat(moved.err()).isEmpty();
        assertThat(moved.out()).contains("get 503 from now on", "The project is in the database eu.");
        assertThat(moved.code()).hasValue(0);
        assertThat(new Sql(euUrl).texts("SELECT slug FROM projects WHERE id = ?::uuid AND shard IS NULL", id))
                .containsExactly("a");

        var file = folder.resolve("a.zip");
        assertThat(jar.run("export", "--project", id, file.toString()).out()).contains("Wrote");
        assertThat(file).exists();
    }

    @Test
    void anUnknownProjectAndThatOfTheDashboardAreRefused() {
        assertRefused(move(UUID.randomUUID().toString(), "eu"), "There is no project");
        assertRefused(move("00000000-0000-7000-8000-000000000000", "eu"), "always at home");
    }

    @Test
    void aBackupOfHomeNamesTheDatabasesThatAreNotInIt() {
        var backup = jar.run("backup", folder.resolve("home.zip").toString());
        assertThat(backup.err()).isEmpty();
        assertThat(backup.out()).contains("Backed up", "back up each of these too: eu");
    }

    @Test
    void aDatabaseWithAnotherSchemaIsRefused() {
        new Sql(euUrl).update("UPDATE schema_history SET version = '999', checksum = 1 WHERE version = '1'");
        assertRefused(move(UUID.randomUUID().toString(), "eu"), "the database eu");
    }
}
