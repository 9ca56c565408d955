package dev.vestibule.management;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class ListProjectsIT {
    private final TestServer server;

    ListProjectsIT(TestServer server) {
        this.server = server;
    }

    private TestProject create(String owner, String name) {
        var answer = server.api()
                .post("/v1/dashboard/projects")
                .bearer(owner)
                .json(Map.of("name", name))
                .expect(201);
        return new TestProject(
                server.api(), answer.text("id"), answer.text("publishableKey"), answer.text("secretKey"));
    }

    private JsonNode list(String owner) {
        return server.api()
                .get("/v1/dashboard/projects")
                .bearer(owner)
                .expect(200)
                .json()
                .path("projects");
    }

    @Test
    void aNewDashboardUserHasNone() {
        assertThat(list(server.newDashboardUser())).isEmpty();
    }

    @Test
    void aDashboardUserSeesItsOwnProjectsAloneNewestFirst() {
        var ann = server.newDashboardUser();
        var bob = server.newDashboardUser();
        var first = create(ann, "First");
        create(bob, "Bob's");
        var second = create(ann, "Second");

        assertThat(list(ann)).extracting(item -> item.path("id").asText()).containsExactly(second.id(), first.id());
        assertThat(list(bob)).extracting(item -> item.path("name").asText()).containsExactly("Bob's");
    }

    @Test
    void anItemCountsTheUsersOfItsProject() {
        var owner = server.newDashboardUser();
        var project = create(owner, "Counted");
        var empty = create(owner, "Empty");
        project.signUp();
        project.signUp();

        var items = list(owner);

        assertThat(items.get(1).fieldNames()).toIterable().containsExactly("id", "name", "slug", "userCount");
        assertThat(items.get(1).path("userCount").asInt()).isEqualTo(2);
        assertThat(items.get(0).path("id").asText()).isEqualTo(empty.id());
        assertThat(items.get(0).path("userCount").asInt(-1)).isZero();
    }
}
