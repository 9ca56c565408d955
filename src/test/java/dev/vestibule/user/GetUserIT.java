package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class GetUserIT {
    private static final String LINK = """
            INSERT INTO identities (project_id, provider, issuer, subject, user_id, created_at)
            VALUES (?::uuid, ?, 'https://idp.example', ?, ?::uuid, now())
            """;

    private final TestServer server;
    private final TestProject project;
    private final Response signedUp;

    GetUserIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.signedUp = project.signUp("ann@example.com");
    }

    private JsonNode detail(String user) {
        return project.manage("GET", "/v1/dashboard/users/" + user).expect(200).json();
    }

    private JsonNode detail() {
        return detail(signedUp.text("user/id"));
    }

    @Test
    void theWholeUserIsReturned() {
        ObjectNode detail = detail().deepCopy();

        assertThat(detail.remove(List.of(
                                "providers", "sessions", "lockedUntil", "mfaEnabled", "externalId", "privateMetadata"))
                        .fieldNames())
                .toIterable()
                .hasSize(14);
        assertThat(detail)
                .isEqualTo(project.me(signedUp.accessToken()).expect(200).json());
    }

    @Test
    void linkedProvidersAreListedInTheOrderOfLinking() {
        assertThat(detail().path("providers")).hasToString("[]");
        var other = project.signUp().text("user/id");
        link(signedUp.text("user/id"), "kakao");
        link(signedUp.text("user/id"), "github");
        link(other, "google");

        assertThat(detail().path("providers")).hasToString("[\"kakao\",\"github\"]");
    }

    private void link(String user, String provider) {
        server.sql().update(LINK, project.id(), provider, user, user);
    }

    @Test
    void activeSessionsAreListedNewestFirst() {
        var elsewhere = project.post("/v1/auth/signin")
                .header("User-Agent", "A telephone")
                .json(Map.of("email", "ann@example.com", "password", TestProject.PASSWORD))
                .expect(200);
        project.signUp();

        var sessions = detail().path("sessions");

        assertThat(sessions).hasSize(2);
        assertThat(sessions.get(0).fieldNames())
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
        assertThat(sessions.get(0).path("id").asText())
                .isEqualTo(project.refresh(elsewhere.refreshToken()).expect(200).text("sessionId"));
        assertThat(sessions.get(0).path("userAgent").asText()).isEqualTo("A telephone");
        assertThat(sessions.get(0).path("userId").asText()).isEqualTo(signedUp.text("user/id"));
        assertThat(sessions.get(0).path("ipAddress").asText()).isEqualTo("127.0.0.1");
        assertThat(sessions.get(0).path("country").isNull()).isTrue();
        assertThat(sessions.get(1).path("createdAt").asText())
                .isLessThanOrEqualTo(sessions.get(0).path("createdAt").asText());
    }

    @Test
    void anEndedSessionIsNotListed() {
        project.signIn("ann@example.com");
        project.signOut(signedUp.accessToken()).expect(200);
        assertThat(detail().path("sessions")).hasSize(1);

        server.sql()
                .update(
                        "UPDATE sessions SET expires_at = now() - interval '1 s', sweep_at = now() - interval '1 s' WHERE project_id = ?::uuid",
                        project.id());

        assertThat(detail().path("sessions")).isEmpty();
    }

    @Test
    void aUserWithoutAnEmailIsReturnedToo() {
        server.sql().update("UPDATE users SET email = NULL WHERE project_id = ?::uuid", project.id());

        assertThat(detail().path("email").isNull()).isTrue();
    }
}
