package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What a stolen access token of an owner can do after ten minutes: nothing that outlasts it or lets the thief act as a
 * user.
 */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecentOwnerIT {
    private final TestClock clock = new TestClock();
    private final TestServer server;
    private TestProject project;
    private String userId;

    RecentOwnerIT(TestDatabase database) {
        server = TestServer.start(database, Map.of(), clock);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void newProject() {
        project = server.newProject();
        userId = project.signUp().text("user/id");
    }

    private Call ofUser(String method, String path, Map<String, ?> body) {
        return asMember(method, "/users/" + userId + path, body);
    }

    private Call asMember(String method, String path, Map<String, ?> body) {
        return server.api()
                .call(method, "/v1/dashboard" + path + "?projectId=" + project.id())
                .bearer(project.owner())
                .json(body);
    }

    private Call ofProject(String method, String path, Map<String, ?> body) {
        return project.asOwner(method, path).json(body);
    }

    private List<Call> takeoverCalls() {
        return List.of(
                ofProject("POST", "/keys", Map.of("kind", "secret")),
                ofProject("POST", "/members", Map.of("email", TestServer.newEmail(), "role", "owner")),
                ofProject("PATCH", "/members/" + UUID.randomUUID(), Map.of("role", "owner")),
                ofProject("DELETE", "/members/" + UUID.randomUUID(), Map.of()),
                ofProject("DELETE", "", Map.of()),
                ofProject("DELETE", "/keys/" + UUID.randomUUID(), Map.of()),
                ofProject("POST", "/signing-keys/rotate", Map.of("revoke", true)),
                ofProject("PUT", "/providers/google", Map.of("clientId", "a", "clientSecret", "b", "enabled", true)),
                ofProject("DELETE", "/providers/google", Map.of()),
                ofProject("POST", "/users/" + userId + "/impersonate", Map.of("reason", "To look at it")),
                ofProject("POST", "/users/" + userId + "/impersonate/in-browser", Map.of("reason", "To look at it")),
                ofProject("PATCH", "", Map.of("requireMfa", "off")),
                ofProject("PATCH", "", Map.of("requireRecentSignIn", 0)),
                ofProject("PATCH", "", Map.of("factors", Map.of("totp", true))),
                ofProject("PATCH", "", Map.of("securityNotices", false)),
                ofProject("PATCH", "", Map.of("passwordResetUrl", "https://evil.example/reset")),
                ofProject("PATCH", "", Map.of("callbackUrl", "https://evil.example/callback")),
                ofProject("PATCH", "", Map.of("allowedOrigins", List.of("https://evil.example"))),
                ofProject("PATCH", "", Map.of("name", "A name", "requireEmailVerification", false)),
                ofUser("PATCH", "", Map.of("password", "a password of a thief")),
                ofUser("PATCH", "", Map.of("email", TestServer.newEmail())),
                ofUser("PATCH", "", Map.of("displayName", "Ann", "phone", "+4915112345678")),
                ofUser("PATCH", "", Map.of("publicMetadata", Map.of("role", "admin"))),
                ofUser("PATCH", "", Map.of("externalId", "cust-1")),
                ofUser("PATCH", "/unban", Map.of()),
                ofUser("POST", "/unlock", Map.of()),
                ofUser("DELETE", "", Map.of()),
                asMember("POST", "/users", Map.of("id", userId, "email", TestServer.newEmail(), "emailVerified", true)),
                asMember("POST", "/users/import", Map.of("id", userId, "email", TestServer.newEmail())),
                asMember("POST", "/webhooks", Map.of("url", "https://evil.example/hook", "events", List.of("*"))),
                asMember("PATCH", "/webhooks/" + UUID.randomUUID(), Map.of("url", "https://evil.example/hook")),
                asMember("POST", "/webhooks/" + UUID.randomUUID() + "/rotate-secret", Map.of()),
                ofUser("DELETE", "/factors", Map.of()),
                ofUser("DELETE", "/passkeys/" + UUID.randomUUID(), Map.of()));
    }

    @Test
    void anOwnersTokenOlderThanTenMinutesCannotCreateAWayIn() {
        clock.advance(Duration.ofSeconds(601));
        for (var call : takeoverCalls()) {
            assertThat(call.expect(403).text("reason")).isEqualTo("reauthentication_required");
        }
        assertThat(server.sql().count("SELECT count(*) FROM api_keys WHERE project_id = ?::uuid", project.id()))
                .isEqualTo(2);
    }

    @Test
    void anAdministratorsTokenOlderThanTenMinutesAdoptsNoProject() {
        var administrator = server.administrator();
        var path = "/v1/dashboard/administration/projects";
        clock.advance(Duration.ofSeconds(601));
        server.api().get(path).bearer(administrator).expect(200);
        assertThat(server.api()
                        .post(path + "/" + project.id() + "/adopt")
                        .bearer(administrator)
                        .json(Map.of())
                        .expect(403)
                        .text("code"))
                .isEqualTo("reauthentication_required");
    }

    @Test
    void itStillReadsAndMakesHarmlessOrProtectiveChanges() {
        clock.advance(Duration.ofSeconds(601));
        project.asOwner("GET", "/keys").expect(200);
        ofProject("PATCH", "", Map.of("name", "Another name", "sessionConfig", Map.of("accessTokenTtl", 300)))
                .expect(200);
        ofUser("PATCH", "", Map.of("displayName", "Ann")).expect(200);
        ofUser("PATCH", "/ban", Map.of()).expect(200);
        ofUser("POST", "/password-reset", Map.of()).expect(200);
        ofUser("DELETE", "/sessions", Map.of()).expect(200);
    }

    @Test
    void anOwnerWhoReauthenticatesCanContinue() {
        clock.advance(Duration.ofSeconds(601));
        var confirmed = server.api()
                .post("/v1/auth/reauthenticate")
                .bearer(project.owner())
                .json(Map.of("password", "a dashboard password"))
                .expect(200);
        project.as(confirmed.accessToken(), "POST", "/keys")
                .json(Map.of("kind", "secret"))
                .expect(201);
    }

    @Test
    void aSecretKeyNeedsNoRecentSignIn() {
        clock.advance(Duration.ofDays(1));
        project.manage("DELETE", "/v1/dashboard/users/" + userId + "/factors").expect(200);
        project.manage("PATCH", "/v1/dashboard/users/" + userId)
                .json(Map.of("password", "another password"))
                .expect(200);
    }
}
