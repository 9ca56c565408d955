package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(WithServer.class)
class CreateProjectIT {
    private final TestServer server;
    private final String owner;

    CreateProjectIT(TestServer server) {
        this.server = server;
        this.owner = server.newDashboardUser();
    }

    private Call create(Object fields) {
        return server.api().post("/v1/dashboard/projects").bearer(owner).json(fields);
    }

    @Test
    void aNewProjectIsReturnedWithBothKeys() {
        var answer = create(Map.of("name", "  Analytical Engines ")).expect(201);

        assertThat(answer.json().fieldNames())
                .toIterable()
                .containsExactly("id", "name", "slug", "environment", "publishableKey", "secretKey");
        assertThat(answer.text("name")).isEqualTo("Analytical Engines");
        assertThat(answer.text("slug")).startsWith("analytical-engines");
        assertThat(answer.text("environment")).isEqualTo("live");
        assertThat(answer.text("publishableKey")).startsWith("pk_live_");
        assertThat(answer.text("secretKey")).startsWith("sk_live_");
        server.api().get("/v1/auth/branding").key(answer.text("publishableKey")).expect(200);
        server.api().get("/v1/auth/branding").key(answer.text("secretKey")).expect(200);
    }

    @Test
    void theEnvironmentIsInThePrefixOfTheKeys() {
        var answer = create(Map.of("name", "Test", "environment", "test")).expect(201);

        assertThat(answer.text("environment")).isEqualTo("test");
        assertThat(answer.text("publishableKey")).startsWith("pk_test_");
        assertThat(answer.text("secretKey")).startsWith("sk_test_");
    }

    @Test
    void theDefaultEnvironmentIsLive() {
        var fields = new HashMap<String, Object>(Map.of("name", "Null"));
        fields.put("environment", null);

        assertThat(create(fields).expect(201).text("environment")).isEqualTo("live");
    }

    @Test
    void theSecretKeyIsNotStoredInTheDatabase() {
        var answer = create(Map.of("name", "Secret")).expect(201);

        assertThat(server.sql()
                        .texts("SELECT api_keys::text FROM api_keys WHERE project_id = ?::uuid", answer.text("id")))
                .hasSize(2)
                .noneMatch(row -> row.contains(answer.text("secretKey")));
    }

    @ParameterizedTest
    @CsvSource({
        "Müller & Söhne GmbH, mueller-sohne-gmbh|muller-sohne-gmbh",
        "北京 Tea, bei-jing-tea",
        "--Already--slugged--, already-slugged",
        "🔑🔑, project"
    })
    void theSlugIsAscii(String name, String expected) {
        assertThat(create(Map.of("name", name)).expect(201).text("slug")).matches("(" + expected + ")(-[0-9a-f]{6})?");
    }

    @Test
    void aTakenSlugGetsASuffix() {
        var name = "Same " + UUID.randomUUID();
        var first = create(Map.of("name", name)).expect(201).text("slug");
        var second = create(Map.of("name", name)).expect(201).text("slug");

        assertThat(first).isEqualTo(name.toLowerCase(Locale.ROOT).replace(' ', '-'));
        assertThat(second).matches(first + "-[0-9a-f]{6}");
    }

    @Test
    void slugsOfProjectsCreatedSimultaneouslyAreUnique() {
        var name = "Twins " + UUID.randomUUID();

        assertThat(Parallel.send(20, number -> create(Map.of("name", name))))
                .extracting(answer -> answer.text("slug"))
                .hasSize(20)
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void anInvalidNameIsRejected(Object name) {
        assertThat(create(Map.of("name", name)).expect(422).failingFields()).containsExactly("name");
    }

    static List<Object> badNames() {
        return List.of("", "  ", "x".repeat(101), "nul\u0000", "two\nlines", "\ud800", 1, true, List.of("x"), Map.of());
    }

    @ParameterizedTest
    @MethodSource("badEnvironments")
    void anUnknownEnvironmentIsRejected(Object environment) {
        assertThat(create(Map.of("name", "Name", "environment", environment))
                        .expect(422)
                        .failingFields())
                .containsExactly("environment");
    }

    static List<Object> badEnvironments() {
        return List.of("", "LIVE", "production", "live ", "\u0000", 1, List.of());
    }

    @Test
    void allInvalidFieldsAreListed() {
        assertThat(create(Map.of("environment", "x")).expect(422).failingFields())
                .containsExactlyInAnyOrder("name", "environment");
    }

    @Test
    void aNameOfAHundredCharactersIsAccepted() {
        assertThat(create(Map.of("name", "\ud83d\udd11".repeat(100)))
                        .expect(201)
                        .text("name"))
                .isEqualTo("\ud83d\udd11".repeat(100));
    }

    /** Each project has a share of the hashing threads, so that many projects would take those of everybody else. */
    @Test
    void aDashboardUserOwnsALimitedNumberOfProjects(TestDatabase database) {
        try (var small = TestServer.start(database, Map.of("VESTIBULE_DASHBOARD_MAX_PROJECTS", "3"))) {
            var user = small.newDashboardUser();
            var answers = Parallel.send(
                    8,
                    number -> small.api()
                            .post("/v1/dashboard/projects")
                            .bearer(user)
                            .json(Map.of("name", "Of many")));

            assertThat(answers).extracting(Response::status).containsOnly(201, 409);
            var made = answers.stream().filter(answer -> answer.status() == 201).toList();
            assertThat(made).hasSize(3);
            var create = small.api().post("/v1/dashboard/projects").bearer(user).json(Map.of("name", "One more"));
            assertThat(create.expect(409).text("message")).contains("3 projects");

            small.api()
                    .call("DELETE", "/v1/dashboard/projects/" + made.get(0).text("id"))
                    .bearer(user)
                    .expect(200);
            create.expect(201);
            small.newProject();
        }
    }
}
