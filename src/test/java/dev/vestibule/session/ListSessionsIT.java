package dev.vestibule.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The sessions of a project, and those of one of its users. */
@ExtendWith(WithServer.class)
class ListSessionsIT {
    private final TestServer server;
    private final TestProject project;

    ListSessionsIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private JsonNode list(String query) {
        return project.manage("GET", "/v1/dashboard/sessions" + query)
                .expect(200)
                .json();
    }

    private JsonNode listOf(Response signedUp, String query) {
        return project.manage("GET", "/v1/dashboard/users/" + signedUp.text("user/id") + "/sessions" + query)
                .expect(200)
                .json();
    }

    private static List<String> ids(JsonNode list) {
        var ids = new ArrayList<String>();
        list.path("sessions").forEach(session -> ids.add(session.path("id").asText()));
        return ids;
    }

    /** The session that these tokens belong to. */
    private String session(Response tokens) {
        return project.refresh(tokens.refreshToken()).expect(200).text("sessionId");
    }

    @Test
    void aProjectWithoutSessionsHasAnEmptyList() {
        assertThat(list("")).hasToString("{\"sessions\":[],\"total\":0}");
    }

    @Test
    void everyonesSessionsAreListedWithTheirFiveFieldsNewestFirst() {
        var first = project.signUp();
        var second = project.signUp("bea@example.com");
        var third = project.signIn("bea@example.com");
        server.newProject().signUp();

        var list = list("");

        assertThat(list.path("total").asInt()).isEqualTo(3);
        assertThat(ids(list)).containsExactly(session(third), session(second), session(first));
        assertThat(list.at("/sessions/0").fieldNames())
                .toIterable()
                .containsExactly("id", "userId", "userAgent", "ipAddress", "lastActiveAt");
        assertThat(list.at("/sessions/0/userId").asText()).isEqualTo(third.text("user/id"));
        assertThat(list.at("/sessions/0/userAgent").asText()).startsWith("Java-http-client");
    }

    @Test
    void aUsersSessionsAreListedInFullNewestFirst() {
        var signedUp = project.signUp("bea@example.com");
        var elsewhere = project.signIn("bea@example.com");
        project.signUp();

        var list = listOf(signedUp, "");

        assertThat(list.path("total").asInt()).isEqualTo(2);
        assertThat(ids(list)).containsExactly(session(elsewhere), session(signedUp));
        assertThat(list.at("/sessions/1").fieldNames())
                .toIterable()
                .containsExactly(
                        "id",
                        "userId",
                        "userAgent",
                        "ipAddress",
                        "country",
                        "createdAt",
                        "lastActiveAt",
                        "expiresAt",
                        "deviceName");
        assertThat(list.at("/sessions/1/createdAt").asText()).isEqualTo(signedUp.text("user/createdAt"));
    }

    @Test
    void pagesFollowEachOtherAndTheTotalStaysTheSame() {
        var signedUp = project.signUp("bea@example.com");
        for (int i = 0; i < 4; i++) {
            project.signIn("bea@example.com");
        }
        var all = ids(list(""));
        assertThat(all).hasSize(5).isSortedAccordingTo(Collections.reverseOrder());
        assertThat(ids(listOf(signedUp, ""))).isEqualTo(all);

        for (int offset = 0; offset < 7; offset++) {
            var query = "?limit=2&offset=" + offset;
            var expected = all.subList(Math.min(offset, 5), Math.min(offset + 2, 5));
            assertThat(ids(list(query))).isEqualTo(expected);
            assertThat(ids(listOf(signedUp, query))).isEqualTo(expected);
            assertThat(list(query).path("total").asInt()).isEqualTo(5);
            assertThat(listOf(signedUp, query).path("total").asInt()).isEqualTo(5);
        }
        assertThat(ids(list("?offset=2147483647"))).isEmpty();
        assertThat(ids(listOf(signedUp, "?limit=100&offset=2147483647"))).isEmpty();
    }

    @Test
    void twentyAreListedByDefault() {
        for (int i = 0; i < 21; i++) {
            project.signUp();
        }
        assertThat(ids(list(""))).hasSize(20);
        assertThat(ids(list("?limit=100"))).hasSize(21);
    }

    @Test
    void endedSessionsAreInNoListAndNoTotal() {
        var signedUp = project.signUp("bea@example.com");
        var living = project.signIn("bea@example.com");
        var signedOut = project.signIn("bea@example.com");
        project.signOut(signedOut.accessToken()).expect(200);
        server.sql()
                .update(
                        "UPDATE sessions SET expires_at = now() - interval '1 s', sweep_at = now() - interval '1 s' WHERE project_id = ?::uuid AND id = ?::uuid",
                        project.id(),
                        session(signedUp));

        assertThat(ids(list(""))).containsExactly(session(living));
        assertThat(list("").path("total").asInt()).isEqualTo(1);
        assertThat(ids(listOf(signedUp, ""))).containsExactly(session(living));
        assertThat(listOf(signedUp, "").path("total").asInt()).isEqualTo(1);
        assertThat(ids(list("?offset=1"))).isEmpty();
    }
}
