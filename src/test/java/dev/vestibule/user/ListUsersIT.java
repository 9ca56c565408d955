package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(WithServer.class)
class ListUsersIT {
    private final TestServer server;
    private final TestProject project;

    ListUsersIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Response list(String query) {
        return project.manage("GET", "/v1/dashboard/users" + query).expect(200);
    }

    private static List<String> ids(Response list) {
        return list.json().path("users").findValuesAsText("id");
    }

    @Test
    void aNewProjectHasNoUsers() {
        assertThat(list("").body()).isEqualTo("{\"users\":[],\"total\":0,\"nextCursor\":null}");
    }

    @Test
    void aUserIsListedWithTheFieldsOfAList() {
        var email = TestServer.newEmail();
        var user = project.post("/v1/auth/signup")
                .json(Map.of("email", email, "password", TestProject.PASSWORD, "displayName", "Ann"))
                .expect(201);
        var fresh = item(user);
        project.signIn(email);
        server.ban(user.text("user/id"));

        var item = item(user);

        assertThat(item.fieldNames())
                .toIterable()
                .containsExactly(
                        "id",
                        "email",
                        "displayName",
                        "avatarUrl",
                        "isBanned",
                        "lockedUntil",
                        "signInCount",
                        "lastSignInAt",
                        "createdAt");
        assertThat(item.path("email").asText()).isEqualTo(email);
        assertThat(item.path("displayName").asText()).isEqualTo("Ann");
        assertThat(item.path("createdAt").asText()).isEqualTo(user.text("user/createdAt"));
        assertThat(List.of(
                        fresh.path("isBanned").asBoolean(true),
                        item.path("isBanned").asBoolean(false)))
                .containsExactly(false, true);
        assertThat(fresh.path("lastSignInAt").isNull()).isTrue();
        assertThat(item.path("lastSignInAt").isTextual()).isTrue();
        assertThat(item.path("signInCount").asInt()).isEqualTo(1);
    }

    private JsonNode item(Response user) {
        var item = list("").json().path("users").get(0);
        assertThat(item.path("id").asText()).isEqualTo(user.text("user/id"));
        return item;
    }

    @Test
    void theNewestComeFirstPageByPage() {
        var oldest = project.signUp().text("user/id");
        var middle = project.signUp().text("user/id");
        var newest = project.signUp().text("user/id");

        assertThat(ids(list(""))).containsExactly(newest, middle, oldest);
        assertThat(ids(list("?limit=2"))).containsExactly(newest, middle);
        assertThat(ids(list("?limit=2&offset=2"))).containsExactly(oldest);
        assertThat(ids(list("?offset=3"))).isEmpty();
        assertThat(list("?limit=1&offset=3").text("total")).isEqualTo("3");
    }

    @Test
    void usersOfAnotherProjectAreNeitherListedNorCounted() {
        server.newProject().signUp();
        project.signUp();

        assertThat(list("").text("total")).isEqualTo("1");
        assertThat(ids(list(""))).hasSize(1);
    }

    @Test
    void aDeletedUserIsNeitherListedNorCounted() {
        project.signUp();
        var user = project.signUp().text("user/id");
        server.sql().update("DELETE FROM users WHERE project_id = ?::uuid AND id = ?::uuid", project.id(), user);

        assertThat(list("").text("total")).isEqualTo("1");
        assertThat(ids(list(""))).doesNotContain(user).hasSize(1);
    }

    @Test
    void theProjectOfTheKeyCanBeGiven() {
        project.signUp();

        assertThat(list("?projectId=" + project.id()).text("total")).isEqualTo("1");
        project.manage(
                        "GET",
                        "/v1/dashboard/users?projectId=" + server.newProject().id())
                .expect(403);
    }

    @ParameterizedTest
    @CsvSource({
        "limit=0, limit",
        "limit=101, limit",
        "limit=ten, limit",
        "limit=1e1, limit",
        "limit=%00, limit",
        "offset=-1, offset",
        "offset=2147483648, offset",
        "offset=99999999999999999999, offset",
        "search=a%00b, search",
        "search=a%0Ab, search",
        "search=a%E2%80%A8b, search"
    })
    void aParameterOutOfBoundsIsRefused(String query, String field) {
        assertThat(project.manage("GET", "/v1/dashboard/users?" + query)
                        .expect(422)
                        .failingFields())
                .containsExactly(field);
    }

    @Test
    void everyParameterOutOfBoundsIsReportedAtOnce() {
        var query = "?limit=0&offset=x&search=" + "x".repeat(255);

        assertThat(project.manage("GET", "/v1/dashboard/users" + query)
                        .expect(422)
                        .failingFields())
                .containsExactly("limit", "offset", "search");
    }

    @Test
    void theGreatestOffsetFindsNoUser() {
        project.signUp();

        assertThat(ids(list("?offset=2147483647"))).isEmpty();
        assertThat(ids(list("?offset=2147483647&search=example"))).isEmpty();
    }
}
