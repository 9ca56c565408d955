package dev.vestibule.project.administration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.project.ProjectId;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What administrators of the server see and do, and that nobody else does. */
@ExtendWith(WithServer.class)
class AdministrationIT {
    private static final String ROOT = "/v1/dashboard/administration";
    private static final String PASSWORD = "a dashboard password";

    private final TestServer server;
    private final TestDatabase databases;
    private final TestProject project;
    private final String administrator;

    AdministrationIT(TestServer server, TestDatabase databases) {
        this.server = server;
        this.databases = databases;
        this.project = server.newProject();
        this.administrator = server.administrator();
    }

    private Call call(String method, String path) {
        var call = server.api().call(method, ROOT + path).bearer(administrator);
        return method.equals("GET") ? call : call.json(Map.of());
    }

    private JsonNode list(String query) {
        return call("GET", "/projects" + query).expect(200).json();
    }

    private static List<String> ids(JsonNode found) {
        var ids = new ArrayList<String>();
        found.path("projects").forEach(item -> ids.add(item.path("id").asText()));
        return ids;
    }

    private String ownerEmail() {
        return server.api()
                .get("/v1/auth/me")
                .bearer(project.owner())
                .expect(200)
                .text("email");
    }

    /** As when the operator removes an account from the database. */
    private void orphan() {
        server.sql()
                .update(
                        "DELETE FROM users WHERE id IN (SELECT user_id FROM memberships WHERE project_id = ?::uuid)",
                        project.id());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/projects", "/nodes", "/health", "/settings"})
    void onlyAnAdministratorReadsTheStateOfTheServer(String path) {
        call("GET", path).expect(200);
        assertThat(server.api()
                        .get(ROOT + path)
                        .bearer(project.owner())
                        .expect(403)
                        .text("code"))
                .isEqualTo("administrator_required");
        server.api().get(ROOT + path).bearer(project.signUp().accessToken()).expect(403);
        server.api().get(ROOT + path).key(project.secretKey()).expect(403);
        server.api().get(ROOT + path).expect(401);
    }

    /** Otherwise anybody could become one by registering first with the email of the settings. */
    @Test
    void anUnverifiedEmailMakesNoAdministrator() {
        var settings = Map.of("VESTIBULE_DASHBOARD_ADMINISTRATORS", "Boss@Example.com, other@example.com");
        try (var own = TestServer.start(databases, settings)) {
            var first = own.api()
                    .post("/v1/dashboard/auth/register")
                    .json(Map.of("email", "boss@example.com", "password", PASSWORD))
                    .expect(201)
                    .accessToken();
            own.api().get(ROOT + "/nodes").bearer(first).expect(403);
            assertThat(own.api()
                            .get("/v1/dashboard/projects")
                            .bearer(first)
                            .expect(200)
                            .json()
                            .path("isAdministrator")
                            .asBoolean())
                    .isFalse();
            own.proveEmail("boss@example.com");
            own.api().get(ROOT + "/nodes").bearer(first).expect(200);
            assertThat(own.api()
                            .get("/v1/dashboard/projects")
                            .bearer(first)
                            .expect(200)
                            .json()
                            .path("isAdministrator")
                            .asBoolean())
                    .isTrue();
        }
    }

    @Test
    void aUserOfAProjectWithTheEmailOfAnAdministratorIsNotOne() {
        var user = project.signUp(TestServer.ADMINISTRATOR);
        server.verifyEmail(user.text("user/id"));
        server.api().get(ROOT + "/projects").bearer(user.accessToken()).expect(403);
    }

    @Test
    void administratorsAreNotMembersOfProjects() {
        var userId = project.signUp().text("user/id");
        project.as(administrator, "GET", "").expect(404);
        project.as(administrator, "GET", "/members").expect(404);
        project.as(administrator, "DELETE", "").json(Map.of()).expect(404);
        server.api()
                .get("/v1/dashboard/users/" + userId + "?projectId=" + project.id())
                .bearer(administrator)
                .expect(404);
        project.as(administrator, "POST", "/users/" + userId + "/impersonate")
                .json(Map.of("reason", "To see"))
                .expect(404);
    }

    @Test
    void projectsAreFoundByTheirNameSlugIdAndOwner() {
        var word = "Zuse " + UUID.randomUUID();
        project.asOwner("PATCH", "").json(Map.of("name", word)).expect(200);
        project.signUp();
        server.newMember(project, "viewer");
        var found = list("?search=" + word.toUpperCase(Locale.ROOT).replace(" ", "%20"));
        assertThat(found.path("total").asLong()).isEqualTo(1);
        var item = found.path("projects").get(0);
        assertThat(item.path("id").asText()).isEqualTo(project.id());
        assertThat(item.path("owners")).hasSize(1);
        assertThat(item.path("owners").get(0).asText()).isEqualTo(ownerEmail());
        assertThat(item.path("ownerCount").asLong()).isEqualTo(1);
        assertThat(item.path("memberCount").asLong()).isEqualTo(2);
        assertThat(item.path("userCount").asLong()).isEqualTo(1);
        assertThat(item.path("isOrphan").asBoolean()).isFalse();

        assertThat(ids(list("?search=" + item.path("slug").asText()))).contains(project.id());
        assertThat(ids(list("?search=" + project.id()))).containsExactly(project.id());
        assertThat(ids(list("?search=" + ownerEmail()))).containsExactly(project.id());
        assertThat(ids(list("?search=" + ownerEmail() + "&isOrphan=true"))).isEmpty();
        assertThat(ids(list("?search=%25"))).isEmpty();
        assertThat(ids(list("?search=" + ProjectId.SYSTEM))).isEmpty();
        assertThat(list("?limit=1").path("projects")).hasSize(1);
        for (var wrong : List.of("?search=%00", "?search=", "?limit=101", "?isOrphan=maybe", "?offset=-1")) {
            call("GET", "/projects" + wrong).expect(422);
        }
        call("GET", "/projects?search=" + "x".repeat(101)).expect(422);
    }

    @Test
    void aProjectWithAnOwnerIsNotAdopted() {
        assertThat(call("POST", "/projects/" + project.id() + "/adopt")
                        .expect(409)
                        .text("code"))
                .isEqualTo("project_owned");
        project.as(administrator, "GET", "").expect(404);
        for (var unknown :
                List.of(ProjectId.SYSTEM.toString(), UUID.randomUUID().toString(), "no-id")) {
            call("POST", "/projects/" + unknown + "/adopt").expect(404);
        }
    }

    @Test
    void anOrphanIsAdoptedAndItsLogTells() {
        orphan();
        assertThat(ids(list("?isOrphan=true&search=" + project.id()))).containsExactly(project.id());
        call("POST", "/projects/" + project.id() + "/adopt").expect(200);

        assertThat(project.as(administrator, "GET", "").expect(200).text("role"))
                .isEqualTo("owner");
        var log = project.as(administrator, "GET", "/audit-logs?event=project.adopted")
                .expect(200);
        assertThat(log.json().path("total").asInt()).isEqualTo(1);
        assertThat(log.text("data/0/actorType")).isEqualTo("admin");
        call("POST", "/projects/" + project.id() + "/adopt").expect(409);
        assertThat(ids(list("?isOrphan=true&search=" + project.id()))).isEmpty();
    }

    @Test
    void aMemberOfAnOrphanBecomesItsOwner() {
        var id = server.api()
                .get("/v1/auth/me")
                .bearer(administrator)
                .expect(200)
                .text("id");
        orphan();
        server.sql()
                .update(
                        "INSERT INTO memberships (project_id, user_id, role, created_at)"
                                + " VALUES (?::uuid, ?::uuid, 'viewer', now())",
                        project.id(),
                        id);
        call("POST", "/projects/" + project.id() + "/adopt").expect(200);
        project.as(administrator, "PATCH", "").json(Map.of("name", "Mine")).expect(200);
    }

    @Test
    void anOrphanIsAdoptedOnceHoweverManyTry() {
        orphan();
        assertThat(Parallel.send(8, number -> call("POST", "/projects/" + project.id() + "/adopt")))
                .extracting(Response::status)
                .containsOnlyOnce(200)
                .filteredOn(status -> status != 200)
                .containsOnly(409);
    }

    @Test
    void eachNodeReportsItselfAndLeavesTheListWhenItStops() {
        var settings = Map.of("VESTIBULE_DASHBOARD_ADMINISTRATORS", TestServer.ADMINISTRATOR);
        try (var one = TestServer.start(databases, settings)) {
            var token = one.administrator();
            var onlyOne = nodes(one, token, 1);
            assertThat(onlyOne.get(0).path("isAlive").asBoolean()).isTrue();
            assertThat(onlyOne.get(0).path("version").asText()).isNotEmpty();
            try (var other = TestServer.startOn(one.databaseUrl(), settings, Clock.systemUTC())) {
                assertThat(nodes(one, token, 2)).isEqualTo(nodes(other, token, 2));
            }
            assertThat(nodes(one, token, 1).get(0).path("id"))
                    .isEqualTo(onlyOne.get(0).path("id"));
            one.sql()
                    .update("INSERT INTO node_reports SELECT gen_random_uuid(), version, started_at,"
                            + " now() - interval '40 seconds', false, 0, 0 FROM node_reports");
            Eventually.until(
                    "a lost node stays in the list and is not alive",
                    () -> nodes(one, token, 2).findValuesAsText("isAlive").contains("false"));
        }
    }

    private static JsonNode nodes(TestServer at, String token, int count) {
        Eventually.until(
                count + " nodes report",
                () -> at.api()
                                .get(ROOT + "/nodes")
                                .bearer(token)
                                .expect(200)
                                .json()
                                .path("nodes")
                                .size()
                        == count);
        var nodes =
                at.api().get(ROOT + "/nodes").bearer(token).expect(200).json().path("nodes");
        nodes.forEach(node -> ((ObjectNode) node).remove("seenAt"));
        return nodes;
    }

    @Test
    void theHealthHasTheBacklogsOfAllProjects() {
        var before = call("GET", "/health").expect(200).json();
        assertThat(before.at("/database/version").asText()).isNotEmpty();
        assertThat(before.at("/database/isEmbedded").asBoolean()).isFalse();
        assertThat(before.path("hearsChanges").asBoolean()).isTrue();
        assertThat(before.at("/mails/isOn").asBoolean()).isFalse();
        server.sql()
                .update(
                        "INSERT INTO messages (project_id, id, queue, kind, recipient, subject_hash, language, created_at,"
                                + " attempts, next_attempt_at)"
                                + " VALUES (?::uuid, gen_random_uuid(), 'codes', 'of a newer release', 'a@example.com', '', 'en',"
                                + " '2020-01-01', 3, now() + interval '1 hour')",
                        project.id());
        var after = call("GET", "/health").expect(200).json();
        assertThat(after.at("/mails/backlog/retrying").asLong()).isPositive();
        assertThat(after.at("/mails/backlog/oldestAt").asText()).isEqualTo("2020-01-01T00:00:00.000Z");
        server.sql().update("DELETE FROM messages WHERE project_id = ?::uuid", project.id());
    }

    @Test
    void theSettingsSayWhereTheyComeFromAndNoSecret() {
        var response = call("GET", "/settings").expect(200);
        assertThat(response.body()).doesNotContain(TestServer.SECRET);
        var byName = JsonNodeFactory.instance.objectNode();
        response.json()
                .path("settings")
                .forEach(item -> byName.set(item.path("name").asText(), item));
        assertThat(byName.path("secret").path("source").asText()).isEqualTo("environment");
        assertThat(byName.path("secret").path("origin").asText()).isEqualTo("VESTIBULE_SECRET");
        assertThat(byName.path("dashboard.registration").path("value").asText()).isEqualTo("open");
        assertThat(byName.path("dashboard.maxProjects").path("source").asText()).isEqualTo("default");
        assertThat(byName.path("dashboard.password").path("value").isNull()).isTrue();
        assertThat(byName.size()).isGreaterThan(100);
    }
}
