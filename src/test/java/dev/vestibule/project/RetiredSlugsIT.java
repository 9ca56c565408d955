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

    private static void rename(TestProject project, String slug, int status) {
        project.asOwner("PATCH", "").json(Map.of("slug", slug)).expect(status);
    }

    private ApiClient pages() {
        return ApiClient.undescribed(server.api().base());
    }

    @Test
    void linksWithAnEarlierSlugLeadToTheProjectForAYear() {
        var project = project(name);
        var before = slug(project);
        var after = "renamed-" + before;
        pages().get("/p/" + before + "/").expect(200);
        rename(project, after, 200);

        assertThat(slug(project)).isEqualTo(after);
        pages().get("/p/" + after + "/").expect(200);
        for (var link : List.of("/", "/link?token=ml_a%2Bb&x=%0d%0a", "/account/", "/setup/?token=t")) {
            var moved = pages().get("/p/" + before + link).expect(302);
            assertThat(moved.header("Location").orElseThrow()).endsWith("/p/" + after + link);
        }
        pages().get("/p/" + before + "/style.css").expect(200);

        var other = project(name);
        assertThat(slug(other)).startsWith(before + "-");
        rename(other, before, 409);
        create(before, 409);
        clock.advance(Duration.ofDays(364));
        pages().get("/p/" + before + "/").expect(302);
        clock.advance(Duration.ofDays(1));
        assertThat(slug(project(name))).isEqualTo(before);
        pages().get("/p/" + before + "/").expect(200);
    }

    private Response create(String slug, int status) {
        return server.api()
                .post("/v1/dashboard/projects")
                .bearer(server.newDashboardUser())
                .json(Map.of("name", "Chosen", "slug", slug))
                .expect(status);
    }

    @Test
    void aProjectTakesBackASlugThatItHad() {
        var project = project(name);
        var first = slug(project);
        rename(project, first, 200);
        rename(project, first + "-b", 200);
        rename(project, first, 200);

        pages().get("/p/" + first + "/").expect(200);
        assertThat(pages().get("/p/" + first + "-b/")
                        .expect(302)
                        .header("Location")
                        .orElseThrow())
                .endsWith("/p/" + first + "/");
    }

    @Test
    void aProjectKeepsOnlyFiveEarlierSlugsFromOthers() {
        var project = project(name);
        var first = slug(project);
        for (var number = 1; number <= 5; number++) {
            rename(project, first + number, 200);
        }
        rename(project, first + "6", 409);
        project.asOwner("PATCH", "").json(Map.of("name", "Still changed")).expect(200);
    }

    @Test
    void theEarlierSlugsOfADeletedProjectAreKeptFromOthersToo() {
        var project = project(name);
        var first = slug(project);
        rename(project, first + "-b", 200);
        project.asOwner("DELETE", "").expect(200);

        pages().get("/p/" + first + "/").expect(404);
        create(first, 409);
        create(first + "-b", 409);
    }

    @Test
    void aSlugIsChosenAtCreationAndOnlyOneProjectGetsIt() {
        var slug = "chosen-" + UUID.randomUUID();
        assertThat(create(slug, 201).text("slug")).isEqualTo(slug);
        assertThat(create(slug, 409).text("code")).isEqualTo("name_taken");
        for (var wrong :
                List.of("", "-a", "a-", "a--b", "A", "a b", "\u00e4", "a/b", "..", "a\u0000", "a".repeat(61))) {
            create(wrong, 422);
            rename(project(name), wrong, 422);
        }
        create("vestibule", 409);
    }

    @Test
    void ofTwoProjectsThatTakeAndLeaveASlugAtOnceNoneGetsTheOthers() {
        var leaving = project(name);
        var slug = slug(leaving);
        var takers = IntStream.range(0, 4)
                .mapToObj(number -> project("Taker " + UUID.randomUUID()))
                .toList();
        var answers = Parallel.send(
                5,
                number -> number == 2
                        ? leaving.asOwner("PATCH", "").json(Map.of("slug", "left-" + slug))
                        : takers.get(number > 2 ? number - 1 : number)
                                .asOwner("PATCH", "")
                                .json(Map.of("slug", slug)));
        assertThat(answers).extracting(Response::status).containsOnly(200, 409);
        assertThat(slug(leaving)).isEqualTo("left-" + slug);
        assertThat(projects(slug)).isZero();
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
