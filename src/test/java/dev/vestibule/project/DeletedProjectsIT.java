package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The removal of deleted projects continues after a kill, and nodes share it. */
@ExtendWith(WithServer.class)
@TakesLong("It deletes a large project in the background while the jar is killed.")
class DeletedProjectsIT {
    private static final int USERS = 5_000; // twenty batches

    private static final String SEED_USERS = """
            INSERT INTO users (project_id, id, email, created_at, updated_at)
            SELECT ?::uuid, gen_random_uuid(), number || '@example.com', now(), now()
            FROM generate_series(1, %d) AS number
            """.formatted(USERS);

    private static final String SEED_SESSIONS = """
            INSERT INTO sessions (project_id, id, user_id, rotated_at, created_at, last_active_at,
                                  authenticated_at, amr, variant, expires_at, sweep_at)
            SELECT project_id, gen_random_uuid(), id, now(), now(), now(), now(), '{}', 'A', now() + interval '1 day',
                   now() + interval '1 day'
            FROM users WHERE project_id = ?::uuid
            """;

    /** By the database: on a slow machine a task may also wait for a connection in vain, until its next run. */
    private static final String REFUSED =
            "the rows of deleted projects failed and will be tried again: io.vertx.pgclient.PgException";

    private final Sql sql;
    private final JarCommand command;

    DeletedProjectsIT(TestDatabase database, @TempDir Path folder) {
        var url = database.createDatabase();
        sql = new Sql(url);
        command = JarCommand.in(folder)
                .with("VESTIBULE_DATABASE_URL", url)
                .with("VESTIBULE_SECRET", TestServer.SECRET)
                .with("VESTIBULE_PROJECTS_DELETION_SECONDS", "1");
    }

    private TestProject seed(TestProject project) {
        sql.update(SEED_USERS, project.id());
        sql.update(SEED_SESSIONS, project.id());
        return project;
    }

    private long users(TestProject project) {
        return sql.count("SELECT count(*) FROM users WHERE project_id = ?::uuid", project.id());
    }

    private void isRemoved(TestProject project) {
        Eventually.until(
                "the project is removed",
                () -> sql.count("SELECT count(*) FROM projects WHERE id = ?::uuid", project.id()) == 0);
        assertThat(users(project)).isZero();
        assertThat(sql.count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id()))
                .isZero();
    }

    @Test
    void removalContinuesAfterAKill() throws SQLException {
        TestProject project;
        try (var holding = sql.connect();
                var statement = holding.createStatement()) {
            try (var server = command.start()) {
                project = seed(server.firstProject());
                holding.setAutoCommit(false); // so that the removal cannot have ended before the kill
                statement.execute("SELECT FROM users WHERE project_id = '" + project.id()
                        + "' ORDER BY id DESC LIMIT 1 FOR UPDATE");
                project.asOwner("DELETE", "").expect(200);
                Eventually.until("the removal has begun", () -> users(project) < USERS);
                server.kill();
            }
            assertThat(users(project)).isPositive();
            holding.rollback();
        }
        try (var again = command.start()) {
            isRemoved(project);
            assertThat(again.output()).doesNotContain(REFUSED);
        }
    }

    @Test
    void nodesShareTheRemoval() {
        var starting = CompletableFuture.supplyAsync(command::start);
        try (var one = command.start();
                var other = starting.join()) {
            var project = seed(one.firstProject());
            project.asOwner("DELETE", "").expect(200);

            isRemoved(project);
            assertThat(one.output() + other.output()).doesNotContain(REFUSED);
        }
    }

    @Test
    void aProjectThatCannotBeRemovedDoesNotBlockOthers() {
        TestProject stuck;
        TestProject free;
        try (var server =
                command.with("VESTIBULE_PROJECTS_DELETION_SECONDS", "86400").start()) {
            stuck = server.firstProject();
            free = TestProject.create(server.api(), stuck.owner(), Map.of("name", "Another"));
            stuck.asOwner("DELETE", "").expect(200);
            free.asOwner("DELETE", "").expect(200);
        }
        sql.update(
                "INSERT INTO memberships (project_id, user_id, role, created_at)"
                        + " VALUES (?::uuid, gen_random_uuid(), 'owner', now())",
                stuck.id());
        try (var server = command.start()) {
            isRemoved(free);
            assertThat(sql.count("SELECT count(*) FROM projects WHERE id = ?::uuid", stuck.id()))
                    .isOne();
            Eventually.until("the failure is logged", () -> server.output().contains("failed and will be tried again"));
            sql.update("DELETE FROM memberships WHERE project_id = ?::uuid", stuck.id());
            isRemoved(stuck);
        }
    }
}
