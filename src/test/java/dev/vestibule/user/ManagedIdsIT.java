package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The ids and pages in requests that manage users and sessions. */
@ExtendWith(WithServer.class)
class ManagedIdsIT {
    private static final String UNKNOWN_ID = "019ba6eb-5800-73e4-9f21-6b0d84e7a915";

    private final TestServer server;
    private final TestProject project;

    ManagedIdsIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    static List<Object[]> operations() {
        return List.of(
                new Object[] {"GET", "/v1/dashboard/users/{user}"},
                new Object[] {"PATCH", "/v1/dashboard/users/{user}"},
                new Object[] {"DELETE", "/v1/dashboard/users/{user}"},
                new Object[] {"PATCH", "/v1/dashboard/users/{user}/ban"},
                new Object[] {"PATCH", "/v1/dashboard/users/{user}/unban"},
                new Object[] {"POST", "/v1/dashboard/users/{user}/unlock"},
                new Object[] {"POST", "/v1/dashboard/users/{user}/password-reset"},
                new Object[] {"DELETE", "/v1/dashboard/users/{user}/factors"},
                new Object[] {"DELETE", "/v1/backend/users/{user}/factors"},
                new Object[] {"GET", "/v1/dashboard/users/{user}/passkeys"},
                new Object[] {"GET", "/v1/backend/users/{user}/passkeys"},
                new Object[] {"GET", "/v1/dashboard/users/{user}/sessions"},
                new Object[] {"DELETE", "/v1/dashboard/users/{user}/sessions"},
                new Object[] {"DELETE", "/v1/dashboard/sessions/{session}"},
                new Object[] {"GET", "/v1/backend/users/{user}"},
                new Object[] {"PATCH", "/v1/backend/users/{user}"},
                new Object[] {"DELETE", "/v1/backend/users/{user}"},
                new Object[] {"POST", "/v1/backend/users/{user}/ban"},
                new Object[] {"POST", "/v1/backend/users/{user}/unban"},
                new Object[] {"GET", "/v1/backend/users/{user}/api-keys"},
                new Object[] {"GET", "/v1/backend/users/{user}/sessions"},
                new Object[] {"DELETE", "/v1/backend/users/{user}/sessions/{session}"});
    }

    /** Fills in the ids of a user and a session of the project. */
    private String path(String template) {
        var signedUp = project.signUp();
        var session = project.refresh(signedUp.refreshToken()).expect(200).text("sessionId");
        return template.replace("{user}", signedUp.text("user/id")).replace("{session}", session);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void anIdOfAnotherProjectIsUnknown(String method, String template) {
        var path = path(template);
        server.newProject().manage(method, path).json(Map.of()).expect(404);
        project.manage(method, path).json(Map.of()).expect(200);
    }

    /** The operations with a member's token: no owner reaches users of another project. */
    static List<Object[]> operationsOfMembers() {
        return operations().stream()
                .filter(operation -> operation[1].toString().startsWith("/v1/dashboard/"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("operationsOfMembers")
    void anIdOfAnotherProjectIsUnknownToAMember(String method, String template) {
        var path = path(template);
        var other = server.newProject();
        asMember(method, path, other, other.owner()).expect(404);
        asMember(method, path, project, other.owner()).expect(404);
        asMember(method, path, project, project.owner()).expect(200);
    }

    private Call asMember(String method, String path, TestProject of, String dashboardUser) {
        return server.api()
                .call(method, path + "?projectId=" + of.id())
                .bearer(dashboardUser)
                .json(Map.of());
    }

    @ParameterizedTest
    @MethodSource("operations")
    void anUnknownIdIsNotFound(String method, String template) {
        for (var id : List.of(UNKNOWN_ID, "no-id", "1", "%00", "%F0%9F%92%A9", "0" + UNKNOWN_ID, UNKNOWN_ID + "%20")) {
            project.manage(method, template.replaceAll("\\{\\w+}", id))
                    .json(Map.of())
                    .expect(404);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "limit=0,limit",
        "limit=101,limit",
        "limit=-1,limit",
        "limit=ten,limit",
        "limit=1.5,limit",
        "limit=,limit",
        "limit=99999999999999999999,limit",
        "limit=%00,limit",
        "offset=-1,offset",
        "offset=2147483648,offset",
        "offset=x,offset",
        "offset=%ED%A0%80,offset"
    })
    void aPageOutOfBoundsIsRefused(String query, String field) {
        var user = project.signUp().text("user/id");
        for (var path : List.of("/v1/dashboard/sessions", "/v1/dashboard/users/" + user + "/sessions")) {
            assertThat(project.manage("GET", path + "?" + query).expect(422).failingFields())
                    .containsExactly(field);
        }
    }
}
