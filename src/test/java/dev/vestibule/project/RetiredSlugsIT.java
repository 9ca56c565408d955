package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A link with a project's slug never leads to somebody else's project. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RetiredSlugsIT {
    private final TestClock clock = new TestClock();
    private final TestServer server;
    private String name = "";

    RetiredSlugsIT(TestDatabase database) {
        server = TestServer.start(database, Map.of("VESTIBULE_SESSIONS_SWEEP_SECONDS", "1"), clock);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void newName() {
        name = "Gone " + UUID.randomUUID();
    }

    private TestProject project(String called) {
        return server.newProject(server.newDashboardUser(), called);
    }

    private static String slug(TestProject project) {
        return project.asOwner("GET", "").expect(200).text("slug");
    }

    private static String deleted(TestProject project) {
        var slug = slug(project);
        project.asOwner("DELETE", "").expect(200);
        return slug;
    }

    private long projects(String slug) {
        return server.sql().count("SELECT count(*) FROM projects WHERE slug = ? AND deleted_at IS NULL", slug);
    }

    @Test
    void theSlugOfADeletedProjectIsNotReusedForAYear() {
        var slug = deleted(project(name));
        for (var days : List.of(0, 1, 363)) {
            clock.advance(Duration.ofDays(days));
            assertThat(slug(project(name.toUpperCase(Locale.ROOT))))
                    .startsWith(slug + "-")
                    .isNotEqualTo(slug);
        }
        assertThat(projects(slug)).isZero();

        clock.advance(Duration.ofDays(1));
        assertThat(slug(project(name))).isEqualTo(slug);
    }

    @Test
    void theSuffixedSlugOfADeletedProjectIsNotReusedEither() {
        var kept = project(name);
        var suffixed = deleted(project(name));
        assertThat(suffixed).isNotEqualTo(slug(kept));
        assertThat(slug(project(suffixed))).startsWith(suffixed + "-");
    }

    @Test
    void itStaysRetiredWhenTheRowsOfTheProjectAreGone() {
        var project = project(name);
        var slug = deleted(project);
        Eventually.until(
                "the project is removed",
                () -> server.sql().count("SELECT count(*) FROM projects WHERE id = ?::uuid", project.id()) == 0);
        assertThat(slug(project(name))).isNotEqualTo(slug);
    }

    @Test
    void theHostedPageOfADeletedProjectIsGone() {
        var slug = deleted(project(name));
        project(name);
        ApiClient.undescribed(server.api().base()).get("/p/" + slug + "/").expect(404);
    }

    @Test
    void aProjectCreatedWhileAnotherIsDeletedDoesNotGetItsSlug() {
        for (var round = 0; round < 5; round++) {
            name = "Gone " + UUID.randomUUID();
            var project = project(name);
            var slug = slug(project);
            var owners = IntStream.range(0, 6)
                    .mapToObj(number -> server.newDashboardUser())
                    .toList();
            var answers = Parallel.send(
                    7,
                    number -> number == 3
                            ? project.asOwner("DELETE", "")
                            : server.api()
                                    .post("/v1/dashboard/projects")
                                    .bearer(owners.get(number % 6))
                                    .json(Map.of("name", name)));
            assertThat(answers).extracting(Response::status).containsOnly(200, 201);
            assertThat(projects(slug)).isZero();
        }
    }

    /** The insert waits for the deletion, which commits in between: the snapshot of the insert is older. */
    @Test
    void aProjectThatWaitsForTheDeletionDoesNotGetItsSlug() throws SQLException {
        var project = project(name);
        var slug = slug(project);
        var owner = server.newDashboardUser();
        try (var deleting = server.sql().connect();
                var statement = deleting.createStatement()) {
            deleting.setAutoCommit(false);
            statement.execute("INSERT INTO retired_slugs (project_id, slug, retired_at) SELECT"
                    + " '00000000-0000-7000-8000-000000000000', slug, 'infinity' FROM projects WHERE id = '"
                    + project.id() + "'");
            statement.execute("UPDATE projects SET deleted_at = now() WHERE id = '" + project.id() + "'");
            CompletableFuture<Response> made = server.api()
                    .post("/v1/dashboard/projects")
                    .bearer(owner)
                    .json(Map.of("name", name))
                    .sendAsync();
            deleting.commit();
            assertThat(made.join().text("slug")).isNotEqualTo(slug);
        }
    }

    @Test
    void afterAYearItIsForgotten() {
        var slug = deleted(project(name));
        clock.advance(Duration.ofDays(366));
        Eventually.until(
                "it is forgotten",
                () -> server.sql().count("SELECT count(*) FROM retired_slugs WHERE slug = ?", slug) == 0);
    }
}
