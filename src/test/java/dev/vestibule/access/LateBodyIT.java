package dev.vestibule.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.LineStream;
import dev.vestibule.fixture.RawConnection;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A request whose head is let through, and whose body comes when its sender has lost the right to it. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LateBodyIT {
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    private final TestClock clock = new TestClock();
    private final TestServer server;
    private TestProject project;
    private Response member;

    LateBodyIT(TestDatabase database) {
        server = TestServer.start(database, Map.of(), clock);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void newMember() {
        project = server.newProject();
        member = server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", TestServer.newEmail(), "password", "a dashboard password"))
                .expect(201);
        server.proveEmail(member.text("user/email"));
        server.sql()
                .update(
                        "INSERT INTO memberships (project_id, user_id, role, created_at)"
                                + " VALUES (?::uuid, ?::uuid, 'owner', now())",
                        project.id(),
                        member.text("user/id"));
    }

    private String path(String below) {
        return "/v1/dashboard/projects/" + project.id() + below;
    }

    private RawConnection begin(String method, String path, int length) {
        return begin(method, path, length, member);
    }

    /** Sends the head; the server asks for the body once the guard has let it through. */
    private RawConnection begin(String method, String path, int length, Response as) {
        var connection = RawConnection.to(server.api().base());
        connection.send(RawConnection.head(
                method, path, length, "Authorization: Bearer " + as.accessToken(), "Expect: 100-continue"));
        assertThat(connection.receive().status()).isEqualTo(100);
        return connection;
    }

    private void removeMember() {
        project.asOwner("DELETE", "/members/" + member.text("user/id")).expect(200);
        clock.advance(A_WHILE);
    }

    @Test
    void aRemovedOwnerInvitesNobody() {
        var body = "{\"email\":\"%s\",\"role\":\"owner\"}".formatted(TestServer.newEmail());
        try (var connection = begin("POST", path("/members"), body.length())) {
            removeMember();
            assertThat(connection.send(body).receive().status()).isEqualTo(404);
        }
        assertThat(server.sql().count("SELECT count(*) FROM invitations WHERE project_id = ?::uuid", project.id()))
                .isZero();
    }

    @Test
    void aDemotedOwnerDoesNotComeBack() {
        var body = "{\"role\":\"owner\"}";
        var self = "/members/" + member.text("user/id");
        try (var connection = begin("PATCH", path(self), body.length())) {
            project.asOwner("PATCH", self).json(Map.of("role", "viewer")).expect(200);
            clock.advance(A_WHILE);
            assertThat(connection.send(body).receive().status()).isEqualTo(403);
        }
    }

    @Test
    void aRemovedOwnerDoesNotDeleteTheProject() {
        try (var connection = begin("DELETE", path(""), 2)) {
            removeMember();
            assertThat(connection.send("{}").receive().status()).isEqualTo(404);
        }
        project.asOwner("GET", "").expect(200);
    }

    @Test
    void aThiefSignedOutMeanwhileChangesNothing() {
        var thief = project.signUp();
        var body = "{\"displayName\":\"Mallory\"}";
        try (var connection = begin("PATCH", "/v1/auth/me", body.length(), thief)) {
            project.signOut(thief.accessToken()).expect(200);
            clock.advance(A_WHILE);
            assertThat(connection.send(body).receive().status()).isEqualTo(401);
        }
    }

    @Test
    void aBodyThatTakesItsTimeIsStillTaken() {
        var body = "{\"email\":\"%s\",\"role\":\"viewer\"}".formatted(TestServer.newEmail());
        try (var connection = begin("POST", path("/members"), body.length())) {
            clock.advance(A_WHILE);
            assertThat(connection.send(body).receive().status()).isEqualTo(201);
        }
    }

    private LineStream importing(String... headers) {
        var stream =
                LineStream.post(server.api().base(), "/v1/dashboard/users/import?projectId=" + project.id(), headers);
        assertThat(String.valueOf(
                        stream.send("{\"email\":\"ada@example.com\"}\n").next()))
                .contains("created");
        return stream;
    }

    private void isOver(LineStream stream, String code) {
        assertThat(String.valueOf(
                        stream.send("{\"email\":\"mallory@example.com\"}\n").next()))
                .contains(code);
        assertThat(stream.next()).isNull();
        assertThat(server.sql().count("SELECT count(*) FROM users WHERE project_id = ?::uuid", project.id()))
                .isOne();
    }

    @Test
    void anImportEndsWithTheRightsOfItsMember() {
        try (var stream = importing("Authorization: Bearer " + member.accessToken())) {
            removeMember();
            isOver(stream, "not_found");
        }
    }

    @Test
    void anImportEndsWithItsKey() {
        var key =
                project.asOwner("POST", "/keys").json(Map.of("kind", "secret")).expect(201);
        try (var stream = importing("x-api-key: " + key.text("key"))) {
            project.asOwner("DELETE", "/keys/" + key.text("id")).expect(200);
            Eventually.until(
                    "the key is refused",
                    () -> project.api()
                                    .get("/v1/dashboard/users")
                                    .key(key.text("key"))
                                    .send()
                                    .status()
                            == 401);
            isOver(stream, "invalid_api_key");
        }
    }

    /** The access token lives for minutes, an import for hours. */
    @Test
    void anImportOutlivesItsAccessToken() {
        try (var stream = importing("Authorization: Bearer " + member.accessToken())) {
            clock.advance(Duration.ofMinutes(20));
            assertThat(String.valueOf(stream.send("{\"email\":\"bob@example.com\"}\n")
                            .end()
                            .next()))
                    .contains("created");
        }
    }
}
