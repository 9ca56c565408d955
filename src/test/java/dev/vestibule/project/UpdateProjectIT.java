package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class UpdateProjectIT {
    private final TestServer server;
    private final TestProject project;

    UpdateProjectIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Response update(Object fields) {
        return project.asOwner("PATCH", "").json(fields).expect(200);
    }

    @Test
    void aNewProjectHasTheDefaults() {
        var read = project.asOwner("GET", "").expect(200);

        assertThat(read.json().fieldNames())
                .toIterable()
                .containsExactly(
                        "id",
                        "name",
                        "slug",
                        "environment",
                        "role",
                        "callbackUrl",
                        "passwordResetUrl",
                        "emailUndoUrl",
                        "allowedOrigins",
                        "sessionConfig",
                        "requireEmailVerification",
                        "requireRecentSignIn",
                        "allowSelfDeletion",
                        "securityNotices",
                        "dynamicRegistration",
                        "clientMetadataDocuments",
                        "factors",
                        "requireMfa",
                        "passwordlessSignUp",
                        "magicLinkUrl",
                        "passkeyRpId",
                        "passkeyOrigins",
                        "captcha",
                        "disposableEmails",
                        "organizations",
                        "organizationRoles",
                        "locale",
                        "defaultCountry",
                        "createdAt");
        assertThat(read.json().path("callbackUrl").isNull()).isTrue();
        assertThat(read.json().path("passwordResetUrl").isNull()).isTrue();
        assertThat(read.json().path("emailUndoUrl").isNull()).isTrue();
        assertThat(read.json().path("requireEmailVerification").asBoolean()).isFalse();
        assertThat(read.json().path("allowSelfDeletion").asBoolean(true)).isFalse();
        assertThat(read.json().path("locale").isNull()).isTrue();
        assertThat(read.json().path("sessionConfig").toString())
                .isEqualTo(
                        "{\"accessTokenTtl\":null,\"refreshTokenTtl\":604800,\"maxLifetime\":7776000,\"maxConcurrentSessions\":5}");
    }

    @Test
    void onlyGivenFieldsChange() {
        update(Map.of(
                "callbackUrl",
                "https://app.example.com/callback",
                "passwordResetUrl",
                "https://app.example.com/reset",
                "allowedOrigins",
                List.of("https://app.example.com"),
                "requireEmailVerification",
                true,
                "locale",
                "ko",
                "sessionConfig",
                Map.of("maxConcurrentSessions", 2)));
        update(Map.of("allowSelfDeletion", true, "emailUndoUrl", "https://app.example.com/undo"));

        var changed = update(Map.of("name", " Another name ", "sessionConfig", Map.of("accessTokenTtl", 600)));

        assertThat(changed.text("success")).isEqualTo("true");
        assertThat(changed.text("project/name")).isEqualTo("Another name");
        assertThat(changed.text("project/callbackUrl")).isEqualTo("https://app.example.com/callback");
        assertThat(changed.text("project/passwordResetUrl")).isEqualTo("https://app.example.com/reset");
        assertThat(changed.text("project/emailUndoUrl")).isEqualTo("https://app.example.com/undo");
        assertThat(changed.text("project/allowSelfDeletion")).isEqualTo("true");
        assertThat(changed.text("project/allowedOrigins/0")).isEqualTo("https://app.example.com");
        assertThat(changed.text("project/requireEmailVerification")).isEqualTo("true");
        assertThat(changed.text("project/locale")).isEqualTo("ko");
        assertThat(changed.json().at("/project/sessionConfig").toString())
                .isEqualTo(
                        "{\"accessTokenTtl\":600,\"refreshTokenTtl\":604800,\"maxLifetime\":7776000,\"maxConcurrentSessions\":2}");
        assertThat(project.asOwner("GET", "").expect(200).json())
                .isEqualTo(changed.json().path("project"));
    }

    @Test
    void theLifetimeOfSessionsChangesAlone() {
        for (int seconds : new int[] {300, 31_536_000}) {
            var changed = update(Map.of("sessionConfig", Map.of("maxLifetime", seconds)));
            assertThat(changed.json().at("/project/sessionConfig").toString())
                    .isEqualTo("{\"accessTokenTtl\":null,\"refreshTokenTtl\":604800,\"maxLifetime\":" + seconds
                            + ",\"maxConcurrentSessions\":5}");
        }
    }

    @Test
    void aChangedLifetimeAppliesFromTheNextRequest() {
        project.signUp();
        for (int seconds = 60; seconds < 80; seconds++) {
            update(Map.of("sessionConfig", Map.of("accessTokenTtl", seconds)));
            assertThat(project.signUp().text("expiresIn")).isEqualTo(Integer.toString(seconds));
        }
    }

    @Test
    void aResetLifetimeIsTheDefaultOfTheVariant() {
        update(Map.of("sessionConfig", Map.of("accessTokenTtl", 600)));
        update(Map.of("sessionConfig", Collections.singletonMap("accessTokenTtl", null)));

        assertThat(project.signUp().text("expiresIn")).isEqualTo("900");
    }

    @Test
    void aLoweredSessionLimitAppliesAtTheNextSignIn() {
        var email = TestServer.newEmail();
        var first = project.signUp(email);
        project.signIn(email);
        update(Map.of("sessionConfig", Map.of("maxConcurrentSessions", 1)));

        var last = project.signIn(email);

        project.me(first.accessToken()).expect(401);
        project.me(last.accessToken()).expect(200);
    }

    @Test
    void anOriginIsStoredAsBrowsersSendIt() {
        update(Map.of("allowedOrigins", List.of("HTTPS://App.Example.com:443/", "http://localhost:3000")));

        project.get("/v1/auth/branding")
                .header("Origin", "https://app.example.com")
                .expect(200);
        project.get("/v1/auth/branding")
                .header("Origin", "http://localhost:3000")
                .expect(200);
        project.get("/v1/auth/branding")
                .header("Origin", "http://app.example.com")
                .expect(403);
    }

    @ParameterizedTest
    @MethodSource("badFields")
    void anInvalidFieldIsRejected(String field, Object fields) {
        assertThat(project.asOwner("PATCH", "").json(fields).expect(422).failingFields())
                .containsExactly(field);
    }

    static List<Object[]> badFields() {
        return Arrays.asList(
                new Object[] {"name", Map.of("name", "")},
                new Object[] {"name", Collections.singletonMap("name", null)},
                new Object[] {"callbackUrl", Map.of("callbackUrl", "javascript:alert(1)")},
                new Object[] {"callbackUrl", Map.of("callbackUrl", "https://a.example/" + "x".repeat(2048))},
                new Object[] {"passwordResetUrl", Map.of("passwordResetUrl", "javascript:alert(1)")},
                new Object[] {"passwordResetUrl", Map.of("passwordResetUrl", "/reset")},
                new Object[] {"passwordResetUrl", Map.of("passwordResetUrl", "https://a.example/" + "x".repeat(2048))},
                new Object[] {"allowedOrigins", Map.of("allowedOrigins", "https://a.example")},
                new Object[] {"allowedOrigins", Map.of("allowedOrigins", List.of("https://a.example/path"))},
                new Object[] {"allowedOrigins", Map.of("allowedOrigins", List.of("https://user@a.example"))},
                new Object[] {"allowedOrigins", Map.of("allowedOrigins", List.of("*"))},
                new Object[] {"allowedOrigins", Map.of("allowedOrigins", List.of(1))},
                new Object[] {"allowedOrigins", Map.of("allowedOrigins", Collections.nCopies(101, "https://a.example"))
                },
                new Object[] {"requireEmailVerification", Map.of("requireEmailVerification", "true")},
                new Object[] {"requireEmailVerification", Collections.singletonMap("requireEmailVerification", null)},
                new Object[] {"locale", Map.of("locale", "tlh")},
                new Object[] {"locale", Map.of("locale", "EN")},
                new Object[] {"locale", Map.of("locale", 1)},
                new Object[] {"sessionConfig", Map.of("sessionConfig", 1)},
                new Object[] {"sessionConfig.accessTokenTtl", config("accessTokenTtl", 59)},
                new Object[] {"sessionConfig.accessTokenTtl", config("accessTokenTtl", 86_401)},
                new Object[] {"sessionConfig.accessTokenTtl", config("accessTokenTtl", 60.5)},
                new Object[] {"sessionConfig.accessTokenTtl", config("accessTokenTtl", "900")},
                new Object[] {"sessionConfig.refreshTokenTtl", config("refreshTokenTtl", 299)},
                new Object[] {"sessionConfig.refreshTokenTtl", config("refreshTokenTtl", 1e300)},
                new Object[] {"sessionConfig.refreshTokenTtl", config("refreshTokenTtl", null)},
                new Object[] {"sessionConfig.maxLifetime", config("maxLifetime", 299)},
                new Object[] {"sessionConfig.maxLifetime", config("maxLifetime", 31_536_001)},
                new Object[] {"sessionConfig.maxLifetime", config("maxLifetime", 300.5)},
                new Object[] {"sessionConfig.maxLifetime", config("maxLifetime", "300")},
                new Object[] {"sessionConfig.maxLifetime", config("maxLifetime", 1e300)},
                new Object[] {"sessionConfig.maxLifetime", config("maxLifetime", null)},
                new Object[] {"sessionConfig.maxConcurrentSessions", config("maxConcurrentSessions", 0)},
                new Object[] {"sessionConfig.maxConcurrentSessions", config("maxConcurrentSessions", 101)});
    }

    private static Object config(String field, @Nullable Object value) {
        return Map.of("sessionConfig", Collections.singletonMap(field, value));
    }

    @Test
    void aRejectedUpdateChangesNothing() {
        project.asOwner("PATCH", "")
                .json(Map.of("name", "Changed", "callbackUrl", "nowhere"))
                .expect(422);

        assertThat(project.asOwner("GET", "").expect(200).text("name")).isEqualTo("A project");
    }

    /** Fields that it does not name keep the values of the other change. */
    @Test
    void aChangeThatWaitsForAnotherUndoesNoneOfIt() throws SQLException {
        try (var connection = server.sql().connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("UPDATE projects SET name = 'By another' WHERE id = '" + project.id() + "'");
            var waiting = project.asOwner("PATCH", "")
                    .json(Map.of("allowSelfDeletion", true))
                    .sendAsync();
            Eventually.until(
                    "the change waits",
                    () -> server.sql()
                                    .count("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                            + " AND datname = current_database() AND query LIKE 'UPDATE projects%'")
                            > 0);
            connection.commit();

            assertThat(waiting.join().text("project/name")).isEqualTo("By another");
            assertThat(waiting.join().text("project/allowSelfDeletion")).isEqualTo("true");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PATCH"})
    void onlyMembersFindTheProject(String method) {
        var stranger = server.newDashboardUser();

        project.as(stranger, method, "").json(Map.of("name", "Stolen")).expect(404);
        server.api()
                .call(method, "/v1/dashboard/projects/019ba6eb-5800-73e4-9f21-6b0d84e7a915")
                .bearer(project.owner())
                .json(Map.of())
                .expect(404);
        server.api()
                .call(method, "/v1/dashboard/projects/no-id")
                .bearer(project.owner())
                .json(Map.of())
                .expect(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PATCH"})
    void onlyDashboardUsersHaveAccess(String method) {
        var path = "/v1/dashboard/projects/" + project.id();
        server.api().call(method, path).json(Map.of()).expect(401);
        server.api().call(method, path).bearer("no token").json(Map.of()).expect(401);
        server.api().call(method, path).key(project.secretKey()).json(Map.of()).expect(403);
        server.api()
                .call(method, path)
                .key(project.publishableKey())
                .json(Map.of())
                .expect(403);
        project.as(project.signUp().accessToken(), method, "").json(Map.of()).expect(403);
    }

    @Test
    void aViewerCanReadButNotChange() {
        var viewer = server.newMember(project, "viewer");

        project.as(viewer, "GET", "").expect(200);
        project.as(viewer, "PATCH", "").json(Map.of("name", "Mine")).expect(403);
        assertThat(project.asOwner("GET", "").expect(200).text("name")).isEqualTo("A project");
    }
}
