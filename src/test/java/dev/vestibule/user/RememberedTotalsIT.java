package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.DatabaseProxy;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Counting a term's matches reads all users of a project only if there is no other way. */
@ExtendWith(WithServer.class)
class RememberedTotalsIT {
    private static final String ADD = """
            INSERT INTO users (project_id, id, email, created_at, updated_at)
            SELECT ?::uuid, overlay(gen_random_uuid()::text PLACING '7' FROM 15 FOR 1)::uuid,
                   'user' || random() || '@example.com', now(), now()
            FROM generate_series(1, ?)
            """;

    private final Sql sql;
    private final DatabaseProxy proxy;
    private final TestServer server;
    private final TestProject project;

    RememberedTotalsIT(TestDatabase database) {
        var url = database.createDatabase();
        sql = new Sql(url);
        proxy = DatabaseProxy.before(url);
        server = TestServer.startOn(proxy.url(), Map.of(), Clock.tickMillis(ZoneOffset.UTC));
        project = server.newProject();
        proxy.awaitChangesHeard(); // a change of the project ends what is remembered of it, and its creation is one
    }

    @BeforeEach
    void searchOnce() {
        sql.update(ADD, project.id(), 3);
        assertThat(countingStatements(3)).containsExactly("all");
    }

    @AfterEach
    void close() {
        server.close();
        proxy.close();
    }

    /** The statements that counted the total of a search with this many matches; empty if the total was cached. */
    private List<String> countingStatements(int expected) {
        return proxy
                .during(() -> assertThat(project.manage("GET", "/v1/dashboard/users?search=example")
                                .expect(200)
                                .text("total"))
                        .isEqualTo(Integer.toString(expected)))
                .stream()
                .filter(statement -> statement.contains("AS shards"))
                .map(statement -> statement.contains("AS added") ? "added" : "all")
                .toList();
    }

    @Test
    void aTotalIsCachedWhileNothingChanges() {
        assertThat(countingStatements(3)).isEmpty();
    }

    @Test
    void onlyUsersAddedSinceTheLastCountAreCounted() {
        sql.update(ADD, project.id(), 1);
        assertThat(countingStatements(4)).containsExactly("added");

        sql.update(ADD, project.id(), 5);
        sql.update(ADD, project.id(), 1);
        assertThat(countingStatements(10)).containsExactly("added");
        assertThat(countingStatements(10)).isEmpty();
    }

    @Test
    void aDeletionOrANewNameCausesAFullCount() {
        sql.update(ADD, project.id(), 1);
        sql.update(
                "UPDATE users SET display_name = 'Ann' WHERE id = (SELECT id FROM users WHERE project_id = ?::uuid"
                        + " LIMIT 1)",
                project.id());
        assertThat(countingStatements(4)).containsExactly("added", "all");

        sql.update("DELETE FROM users WHERE display_name = 'Ann' AND project_id = ?::uuid", project.id());
        assertThat(countingStatements(3)).containsExactly("added", "all");
    }

    @Test
    void changesOfOtherFieldsKeepTheTotal() {
        sql.update("UPDATE users SET sign_in_count = 7, email = email WHERE project_id = ?::uuid", project.id());

        assertThat(countingStatements(3)).isEmpty();
    }
}
