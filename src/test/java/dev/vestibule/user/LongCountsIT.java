package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Searches of a project with so many users that counting those whom a term finds takes longer than a statement may. */
@ExtendWith(WithServer.class)
class LongCountsIT {
    /** Reading the shards, which only a count of all users does, takes longer than {@link #LIMIT_MILLIS}. */
    private static final List<String> COUNT_SLOWLY = List.of("ALTER TABLE counts RENAME TO all_counts", """
            CREATE FUNCTION slowly(smallint) RETURNS smallint LANGUAGE sql STABLE
            AS 'SELECT $1 FROM (SELECT pg_sleep(3)) AS slept'
            """, """
            CREATE VIEW counts AS SELECT project_id, slowly(shard) AS shard, users, changes FROM all_counts
            """);

    private static final String LIMIT_MILLIS = "2000";

    /** Folding a term, which a count with a term does once, notes how its statement is run. */
    private static final List<String> NOTE_LIMITS = List.of("CREATE TABLE limits (of_statement text)", """
            CREATE OR REPLACE FUNCTION search_fold(text) RETURNS text LANGUAGE plpgsql AS $$
            BEGIN
                INSERT INTO limits
                VALUES (current_setting('statement_timeout') || ' ' || current_setting('plan_cache_mode'));
                RETURN lower($1);
            END $$
            """);

    private final TestServer server;
    private final TestProject project;

    LongCountsIT(TestDatabase database) {
        server = TestServer.start(database, Map.of("VESTIBULE_DATABASE_STATEMENT_TIMEOUT_MILLIS", LIMIT_MILLIS));
        project = server.newProject();
        project.signUp("ann@example.com");
        COUNT_SLOWLY.forEach(statement -> server.sql().update(statement));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** A term of one letter is in no index, so all users are counted, however few have it. */
    private Call search(String term) {
        return project.manage("GET", "/v1/dashboard/users?search=" + term);
    }

    private void claimMillionsOfUsers() {
        server.sql().update("UPDATE all_counts SET users = 3000000 WHERE project_id = ?::uuid", project.id());
    }

    @Test
    void theFirstCountOfALargeProjectMayTakeLongerThanOtherStatements() {
        search("x").expect(503); // of a small project

        claimMillionsOfUsers();
        assertThat(search("x").expect(200).text("total")).isEqualTo("1");
    }

    @Test
    void aLargeProjectCannotCountInAllConnections() {
        claimMillionsOfUsers();
        var terms = List.of("e", "a", "x");
        assertThat(Parallel.send(terms.size(), number -> search(terms.get(number))))
                .extracting(Response::status)
                .containsExactlyInAnyOrder(200, 200, 503);
    }

    @Test
    void aFilteredListOfALargeProjectIsCountedWithMoreTimeAndIsExact() {
        NOTE_LIMITS.forEach(statement -> server.sql().update(statement));
        claimMillionsOfUsers();
        var list = project.manage("GET", "/v1/dashboard/users?isBanned=false&search=example");
        assertThat(list.expect(200).text("total")).isEqualTo("1");
        assertThat(server.sql().texts("SELECT of_statement FROM limits"))
                .as("the count and the page")
                .containsExactly("1min force_custom_plan", "1min force_custom_plan");

        server.sql().update("UPDATE users SET is_banned = true WHERE project_id = ?::uuid", project.id());
        assertThat(list.expect(200).text("total")).isEqualTo("0");
    }

    @Test
    void anOrderAloneNeedsNoCount() {
        claimMillionsOfUsers();
        assertThat(project.manage("GET", "/v1/dashboard/users?order=oldest")
                        .expect(200)
                        .text("total"))
                .isEqualTo("3000000");
    }
}
