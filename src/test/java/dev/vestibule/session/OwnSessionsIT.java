package dev.vestibule.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A dashboard user sees where the account is signed in, and signs it out there. */
@ExtendWith(WithServer.class)
class OwnSessionsIT {
    private static final String PASSWORD = "a dashboard password";
    private static final String SESSIONS = "/v1/dashboard/auth/sessions";

    private final TestServer server;
    private final String email = TestServer.newEmail();
    private final Response first;
    private final Response second;

    OwnSessionsIT(TestServer server) {
        this.server = server;
        var account = Map.of("email", email, "password", PASSWORD);
        first = server.api()
                .post("/v1/dashboard/auth/register")
                .json(account)
                .header("User-Agent", "first")
                .expect(201);
        second = login();
    }

    private Response login() {
        return server.api()
                .post("/v1/dashboard/auth/login")
                .json(Map.of("email", email, "password", PASSWORD))
                .header("User-Agent", "second")
                .expect(200);
    }

    private Call call(Response session, String method, String pathBelow) {
        return server.api().call(method, SESSIONS + pathBelow).bearer(session.accessToken());
    }

    private void expect(int status, Response... sessions) {
        for (var session : sessions) {
            server.api().get("/v1/auth/me").bearer(session.accessToken()).expect(status);
        }
    }

    private String idOf(Response session) {
        for (var listed : call(session, "GET", "").expect(200).json().path("sessions")) {
            if (listed.path("current").asBoolean()) {
                return listed.path("id").asText();
            }
        }
        throw new AssertionError("no current session");
    }

    @Test
    void theListMarksTheCallersSession() {
        var listed = call(second, "GET", "").expect(200).json();

        assertThat(listed.path("total").asInt()).isEqualTo(2);
        assertThat(listed.at("/sessions/0/userAgent").asText()).isEqualTo("second");
        assertThat(listed.at("/sessions/0/current").asBoolean()).isTrue();
        assertThat(listed.at("/sessions/1/userAgent").asText()).isEqualTo("first");
        assertThat(listed.at("/sessions/1/current").asBoolean()).isFalse();
        assertThat(call(second, "GET", "?limit=1&offset=1")
                        .expect(200)
                        .json()
                        .path("sessions")
                        .size())
                .isEqualTo(1);
    }

    @Test
    void oneSessionIsSignedOutAtOnce() {
        call(second, "DELETE", "/" + idOf(first)).expect(200);

        expect(401, first);
        expect(200, second);
        call(second, "DELETE", "/" + UUID.randomUUID()).expect(404);
        call(second, "DELETE", "/nonsense").expect(404);
    }

    @Test
    void nobodyCanEndTheSessionOfAnotherDashboardUser() {
        var stranger = server.newDashboardUser();

        server.api()
                .call("DELETE", SESSIONS + "/" + idOf(first))
                .bearer(stranger)
                .expect(404);
        server.api().call("DELETE", SESSIONS).bearer(stranger).expect(200);

        expect(200, first, second);
    }

    @Test
    void signOutEverywhereEndsEverySession() {
        assertThat(call(second, "DELETE", "").expect(200).text("revoked")).isEqualTo("2");

        expect(401, first, second);
        server.api()
                .post("/v1/auth/token/refresh")
                .json(Map.of("projectId", first.text("user/projectId"), "refreshToken", first.refreshToken()))
                .expect(401);
        expect(200, login());
    }

    @Test
    void signOutEverywhereElseKeepsTheCallersSession() {
        assertThat(call(second, "DELETE", "?keepCurrent=true").expect(200).text("revoked"))
                .isEqualTo("1");

        expect(401, first);
        expect(200, second);
    }

    @Test
    void aMisspeltParameterSignsNobodyOut() {
        assertThat(call(second, "DELETE", "?keepCurent=true").expect(422).text("message"))
                .isEqualTo("keepCurent is not known; did you mean keepCurrent?");
        for (var odd : List.of("1", "TRUE", "", "%00")) {
            call(second, "DELETE", "?keepCurrent=" + odd).expect(422);
        }

        expect(200, first, second);
    }

    @Test
    void onlyOneOfTwoConcurrentSignOutsFindsASession() {
        var id = idOf(first);

        assertThat(Parallel.send(2, number -> call(second, "DELETE", "/" + id)))
                .extracting(Response::status)
                .containsExactlyInAnyOrder(200, 404);
    }

    @Test
    void usersOfAnApplicationHaveNoSessionsHere() {
        var user = server.newProject().signUp();

        call(user, "GET", "").expect(403);
        call(user, "DELETE", "").expect(403);
    }
}
