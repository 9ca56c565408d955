package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class KeysIT {
    private final TestServer server;
    private final TestDatabase database;
    private final TestProject project;

    KeysIT(TestServer server, TestDatabase database) {
        this.server = server;
        this.database = database;
        this.project = server.newProject();
    }

    private Call tryCreate(Object kind) {
        return project.asOwner("POST", "/keys").json(Map.of("kind", kind));
    }

    private Response create(String kind) {
        return tryCreate(kind).expect(201);
    }

    private Response list(String query) {
        return project.asOwner("GET", "/keys" + query).expect(200);
    }

    private Call use(String key) {
        return server.api().get("/v1/auth/branding").key(key);
    }

    @Test
    void aKeyIsNamedAndRenamedAndKeepsWorking() {
        var created = project.asOwner("POST", "/keys")
                .json(Map.of("kind", "secret", "name", " billing "))
                .expect(201);
        assertThat(created.text("name")).isEqualTo("billing");
        var path = "/keys/" + created.text("id");

        var renamed = project.asOwner("PATCH", path)
                .json(Map.of("name", "Ångström ✓"))
                .expect(200);

        assertThat(renamed.text("name")).isEqualTo("Ångström ✓");
        assertThat(renamed.text("key")).doesNotContain(created.text("key"));
        assertThat(list("?limit=1").text("keys/0/name")).isEqualTo("Ångström ✓");
        use(created.text("key")).expect(200);
        assertThat(project.asOwner("PATCH", path)
                        .text("{\"name\":null}")
                        .expect(200)
                        .text("name"))
                .isEqualTo("null");
    }

    @Test
    void anInvalidNameOfAKeyIsRefused() {
        var path = "/keys/" + create("secret").text("id");
        for (var odd : List.of("{}", "{\"name\":\"\"}", "{\"name\":1}", "{\"name\":\"a\\u0000\"}")) {
            assertThat(project.asOwner("PATCH", path).text(odd).expect(422).failingFields())
                    .as(odd)
                    .containsExactly("name");
        }
        project.asOwner("PATCH", path).json(Map.of("name", "x".repeat(101))).expect(422);
        project.asOwner("PATCH", path).json(Map.of("name", "x".repeat(100))).expect(200);
    }

    @Test
    void nobodyElseRenamesAKey() {
        var path = "/keys/" + create("secret").text("id");
        var name = Map.of("name", "mine");

        server.newProject().asOwner("PATCH", path).json(name).expect(404);
        project.as(server.newMember(project, "viewer"), "PATCH", path)
                .json(name)
                .expect(403);
        project.asOwner("PATCH", "/keys/nonsense").json(name).expect(404);
        assertThat(list("?limit=1").text("keys/0/name")).isEqualTo("null");
    }

    @Test
    void aNewProjectsKeysAreListed() {
        var list = list("");

        assertThat(list.json().path("total").asInt()).isEqualTo(2);
        assertThat(list.json().path("keys"))
                .allSatisfy(key -> assertThat(key.fieldNames())
                        .toIterable()
                        .containsExactly("id", "kind", "name", "key", "createdAt", "lastUsedAt"));
        assertThat(list.json().path("keys"))
                .extracting(key -> key.path("key").asText())
                .containsExactlyInAnyOrder(project.publishableKey(), hint(project.secretKey()));
    }

    private static String hint(String secretKey) {
        return secretKey.substring(0, "sk_live_".length()) + "…" + secretKey.substring(secretKey.length() - 4);
    }

    @Test
    void aNewKeyIsValidAtOnceNextToTheOthers() {
        for (int round = 0; round < 10; round++) {
            use(create("publishable").text("key")).expect(200);
            use(create("secret").text("key")).expect(200);
        }
        use(project.publishableKey()).expect(200);
        use(project.secretKey()).expect(200);
    }

    @Test
    void aSecretKeyIsReturnedInFullOnlyOnce() {
        var created = create("secret");

        assertThat(created.json().fieldNames())
                .toIterable()
                .containsExactly("id", "kind", "name", "key", "createdAt", "lastUsedAt");
        assertThat(created.text("key"))
                .startsWith("sk_live_")
                .hasSize(project.secretKey().length());
        assertThat(created.json().path("lastUsedAt").isNull()).isTrue();
        var listed = list("?limit=1");
        assertThat(listed.text("keys/0/id")).isEqualTo(created.text("id"));
        assertThat(listed.text("keys/0/kind")).isEqualTo("secret");
        assertThat(listed.text("keys/0/key")).isEqualTo(hint(created.text("key")));
        assertThat(listed.text("keys/0/createdAt")).isEqualTo(created.text("createdAt"));
        assertThat(server.sql().texts("SELECT api_keys::text FROM api_keys WHERE project_id = ?::uuid", project.id()))
                .noneMatch(row -> row.contains(created.text("key")));
    }

    @Test
    void keysOfATestProjectHaveItsPrefix() {
        var tests = TestProject.create(server.api(), project.owner(), Map.of("name", "Tests", "environment", "test"));

        assertThat(tests.asOwner("POST", "/keys")
                        .json(Map.of("kind", "secret"))
                        .expect(201)
                        .text("key"))
                .startsWith("sk_test_");
        assertThat(tests.asOwner("GET", "/keys?limit=1").expect(200).text("keys/0/key"))
                .startsWith("sk_test_…");
    }

    @Test
    void aPageHasAtMostItsLimit() {
        create("publishable");

        var page = list("?limit=2&offset=2");
        assertThat(page.json().path("keys")).hasSize(1);
        assertThat(page.json().path("total").asInt()).isEqualTo(3);
        assertThat(project.asOwner("GET", "/keys?limit=101&offset=x")
                        .expect(422)
                        .failingFields())
                .containsExactly("limit", "offset");
    }

    @ParameterizedTest
    @ValueSource(strings = {"publishable", "secret"})
    void aRevokedKeyIsInvalidFromTheNextRequestAndTokensStayValid(String kind) {
        var user = project.signUp();
        var key = create(kind);
        use(key.text("key")).expect(200);

        assertThat(project.asOwner("DELETE", "/keys/" + key.text("id"))
                        .expect(200)
                        .body())
                .isEqualTo("{\"success\":true}");
        use(key.text("key")).expect(401);
        project.asOwner("DELETE", "/keys/" + key.text("id")).expect(404);
        assertThat(list("").json().path("total").asInt()).isEqualTo(2);
        use(project.publishableKey()).expect(200);
        project.me(user.accessToken()).expect(200);
    }

    @ParameterizedTest
    @MethodSource("badKinds")
    void anUnknownKindIsRejected(Object kind) {
        assertThat(tryCreate(kind).expect(422).failingFields()).containsExactly("kind");
    }

    static List<Object> badKinds() {
        return List.of("", "SECRET", "public", "secret\u0000", "\ud800", 1, 1e300, true, List.of("secret"), Map.of());
    }

    @Test
    void theKindIsRequired() {
        for (var body : Arrays.asList(Map.of(), Collections.singletonMap("kind", null))) {
            assertThat(project.asOwner("POST", "/keys").json(body).expect(422).failingFields())
                    .containsExactly("kind");
        }
        project.asOwner("POST", "/keys").expect(400);
        project.asOwner("POST", "/keys").text("[]").expect(400);
    }

    @Test
    void aKeyOfAnotherProjectOrAnUnknownOneCannotBeRevoked() {
        var other = server.newProject();
        var othersKey = other.asOwner("GET", "/keys").expect(200).text("keys/0/id");

        for (var id : List.of(othersKey, "019ba6eb-5800-73e4-9f21-6b0d84e7a915", "no-id", "%00")) {
            project.asOwner("DELETE", "/keys/" + id).expect(404);
        }
        use(other.publishableKey()).expect(200);
        use(other.secretKey()).expect(200);
    }

    @Test
    void aViewerSeesHintsAndCannotCreateOrRevokeKeys() {
        var viewer = server.newMember(project, "viewer");

        var list = project.as(viewer, "GET", "/keys").expect(200);
        assertThat(list.body()).doesNotContain(project.secretKey()).contains(project.publishableKey());
        project.as(viewer, "POST", "/keys").json(Map.of("kind", "secret")).expect(403);
        project.as(viewer, "DELETE", "/keys/" + list.text("keys/0/id")).expect(403);
    }

    @Test
    void theMaximumOfKeysAppliesToSimultaneousRequests() {
        try (var small = TestServer.start(database, Map.of("VESTIBULE_PROJECTS_MAX_KEYS", "5"))) {
            var there = small.newProject();

            var answers =
                    Parallel.send(10, number -> there.asOwner("POST", "/keys").json(Map.of("kind", "secret")));
            assertThat(answers).extracting(Response::status).containsOnly(201, 409);
            assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(3);
            var id = there.asOwner("GET", "/keys").expect(200).text("keys/0/id");
            there.asOwner("DELETE", "/keys/" + id).expect(200);
            there.asOwner("POST", "/keys").json(Map.of("kind", "publishable")).expect(201);
        }
    }
}
