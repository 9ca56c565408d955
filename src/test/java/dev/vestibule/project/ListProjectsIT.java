package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(WithServer.class)
class ListProjectsIT {
    private final TestServer server;

    ListProjectsIT(TestServer server) {
        this.server = server;
    }

    private TestProject create(String owner, String name) {
        return server.newProject(owner, name);
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
    void aNewDashboardUserHasNoProjects() {
        assertThat(list(server.newDashboardUser())).isEmpty();
    }

    @Test
    void aDashboardUserSeesOnlyTheirProjectsNewestFirst() {
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

        assertThat(items.get(1).fieldNames())
                .toIterable()
                .containsExactly("id", "name", "slug", "environment", "role", "userCount");
        assertThat(items.get(1).path("environment").asText()).isEqualTo("live");
        assertThat(items.get(1).path("role").asText()).isEqualTo("owner");
        assertThat(items.get(1).path("userCount").asInt()).isEqualTo(2);
        assertThat(items.get(0).path("id").asText()).isEqualTo(empty.id());
        assertThat(items.get(0).path("userCount").asInt(-1)).isZero();
    }

    @Test
    void aPageHasAtMostItsLimitAndTheTotalCountsAll() {
        var owner = server.newDashboardUser();
        var oldest = create(owner, "Oldest");
        create(owner, "Middle");
        create(owner, "Newest");

        var page = server.api()
                .get("/v1/dashboard/projects?limit=2&offset=2")
                .bearer(owner)
                .expect(200)
                .json();

        assertThat(page.path("projects"))
                .extracting(item -> item.path("id").asText())
                .containsExactly(oldest.id());
        assertThat(page.path("total").asInt()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "limit=0, limit",
        "limit=101, limit",
        "limit=x, limit",
        "limit=, limit",
        "limit=1.0, limit",
        "offset=-1, offset",
        "offset=99999999999, offset",
        "limit=%00, limit"
    })
    void aPageOutOfBoundsIsRejected(String query, String field) {
        assertThat(server.api()
                        .get("/v1/dashboard/projects?" + query)
                        .bearer(server.newDashboardUser())
                        .expect(422)
                        .failingFields())
                .containsExactly(field);
    }
}
