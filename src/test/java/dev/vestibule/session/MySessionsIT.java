package dev.vestibule.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A user of an application sees where the account is signed in, and signs it out there. */
@ExtendWith(WithServer.class)
class MySessionsIT {
    private static final String SESSIONS = "/v1/auth/me/sessions";
    private static final String FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

    private final TestServer server;
    private final TestProject project;
    private final String email = TestServer.newEmail();
    private final Response first;
    private final Response second;
    private final Response third;

    MySessionsIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        project.signUp(email);
        first = signIn(FIREFOX);
        second = signIn("MyApp/2.1");
        third = signIn("third");
    }

    private Response signIn(String userAgent) {
        return project.trySignIn(email, TestProject.PASSWORD)
                .header("User-Agent", userAgent)
                .expect(200);
    }

    private Call call(Response session, String method, String pathBelow) {
        return server.api().call(method, SESSIONS + pathBelow).bearer(session.accessToken());
    }

    private JsonNode list(Response session) {
        return call(session, "GET", "")
                .key(project.publishableKey())
                .expect(200)
                .json();
    }

    private String idOf(Response session) {
        var listed = list(session);
        return listed.get(listed.size() - 1).path("id").asText();
    }

    @Test
    void theListIsABareArrayWithTheCurrentSessionLast() {
        var listed = list(second);

        assertThat(listed.isArray()).isTrue();
        assertThat(listed.findValuesAsText("userAgent").subList(0, 2)).containsExactly("third", FIREFOX);
        assertThat(listed.get(listed.size() - 1).path("userAgent").asText()).isEqualTo("MyApp/2.1");
        assertThat(listed.findValuesAsText("current")).endsWith("false", "true").containsOnlyOnce("true");
    }

    @Test
    void eachHasTheFieldsThatClientsRead() {
        var listed = list(first);

        assertThat(listed)
                .allSatisfy(session -> assertThat(session.fieldNames())
                        .toIterable()
                        .contains(
                                "id",
                                "userId",
                                "ipAddress",
                                "userAgent",
                                "deviceName",
                                "createdAt",
                                "lastActiveAt",
                                "expiresAt",
                                "current"));
        var own = listed.get(listed.size() - 1);
        assertThat(own.path("userId").asText()).isEqualTo(first.text("user/id"));
        assertThat(own.path("deviceName").asText()).isEqualTo("Firefox, Linux");
        assertThat(own.path("ipAddress").asText()).isNotEmpty();
        assertThat(listed.findValuesAsText("deviceName")).contains("MyApp/2.1");
    }

    @Test
    void endingThemInTheOrderOfTheListEndsTheCallersLast() {
        for (var session : list(second)) {
            assertThat(call(second, "DELETE", "/" + session.path("id").asText())
                            .expect(200)
                            .json())
                    .hasToString("{\"success\":true}");
        }

        for (var session : List.of(first, second, third)) {
            project.me(session.accessToken()).expect(401);
            project.refresh(session.refreshToken()).expect(401);
        }
    }

    @Test
    void anEndedSessionIsGoneAtOnce() {
        call(second, "DELETE", "/" + idOf(first)).expect(200);

        project.me(first.accessToken()).expect(401);
        project.me(second.accessToken()).expect(200);
        assertThat(list(second).findValuesAsText("userAgent")).doesNotContain(FIREFOX);
    }

    @Test
    void theSessionOfAnotherUserIsNotFound() {
        var stranger = project.signUp();
        var ofAnotherProject = server.newProject().signUp();
        var id = idOf(first);

        call(stranger, "DELETE", "/" + id).expect(404);
        call(ofAnotherProject, "DELETE", "/" + id).expect(404);
        call(second, "DELETE", "/" + UUID.randomUUID()).expect(404);
        call(second, "DELETE", "/nonsense").expect(404);
        call(second, "DELETE", "/%00").expect(404);

        project.me(first.accessToken()).expect(200);
        assertThat(list(stranger)).hasSize(1);
    }

    @Test
    void onlyOneOfTwoConcurrentRequestsEndsASession() {
        var id = idOf(first);

        assertThat(Parallel.send(2, number -> call(second, "DELETE", "/" + id)))
                .extracting(Response::status)
                .containsExactlyInAnyOrder(200, 404);
    }

    @Test
    void aTokenIsRequiredAndAKeySentWithItMustBelongToItsProject() {
        server.api().get(SESSIONS).expect(401);
        server.api().get(SESSIONS).key(project.publishableKey()).expect(401);
        call(first, "GET", "").expect(200);
        call(first, "GET", "").key(server.newProject().publishableKey()).expect(403);
    }

    @Test
    void aHundredSessionsAreAllListed() {
        project.asOwner("PATCH", "")
                .json(Map.of("sessionConfig", Map.of("maxConcurrentSessions", 100)))
                .expect(200);
        Parallel.send(100, number -> project.trySignIn(email, TestProject.PASSWORD));

        var own = signIn("own");

        assertThat(list(own)).hasSize(100);
        assertThat(list(own).get(99).path("userAgent").asText()).isEqualTo("own");
    }
}
