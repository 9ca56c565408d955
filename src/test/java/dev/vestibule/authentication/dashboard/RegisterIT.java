package dev.vestibule.authentication.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class RegisterIT {
    private static final String SYSTEM_PROJECT = "00000000-0000-7000-8000-000000000000";
    private static final String PASSWORD = "a dashboard password";

    private final TestDatabase database;
    private final TestServer open;

    RegisterIT(TestDatabase database, TestServer open) {
        this.database = database;
        this.open = open;
    }

    private static ApiClient.Call register(TestServer server, String email) {
        return server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", email, "password", PASSWORD, "displayName", "Grace"));
    }

    private TestServer serverWith(String registration) {
        return TestServer.start(database, Map.of("VESTIBULE_DASHBOARD_REGISTRATION", registration));
    }

    @Test
    void aRegistrationReturnsTokensAndTheFullUserOfTheBuiltInProject() {
        var email = TestServer.newEmail();

        var answer = register(open, " " + email.toUpperCase(Locale.ROOT)).expect(201);

        assertThat(answer.text("user/email")).isEqualTo(email);
        assertThat(answer.text("user/displayName")).isEqualTo("Grace");
        assertThat(answer.text("user/projectId")).isEqualTo(SYSTEM_PROJECT);
        assertThat(answer.json().path("user").size()).isEqualTo(14);
        assertThat(answer.json().path("expiresIn").asInt()).isEqualTo(900);
        open.api().get("/v1/auth/me").bearer(answer.accessToken()).expect(200);
    }

    @Test
    void aDashboardUsersTokensAreRefreshedAndSignedOutLikeAllOthers() {
        var registered = register(open, TestServer.newEmail()).expect(201);
        var refreshed = open.api()
                .post("/v1/auth/token/refresh")
                .json(Map.of("projectId", SYSTEM_PROJECT, "refreshToken", registered.refreshToken()))
                .expect(200);
        open.api().get("/v1/dashboard/projects").bearer(refreshed.accessToken()).expect(200);

        open.api().post("/v1/auth/signout").bearer(refreshed.accessToken()).expect(200);

        open.api().get("/v1/dashboard/projects").bearer(refreshed.accessToken()).expect(401);
    }

    @Test
    void aTakenEmailIsAConflict() {
        var email = TestServer.newEmail();
        register(open, email).expect(201);

        register(open, email).expect(409);
    }

    @Test
    void theFieldsFollowTheRulesOfASignUp() {
        assertThat(open.api()
                        .post("/v1/dashboard/auth/register")
                        .json(Map.of("email", "nonsense", "password", "short", "displayName", "\u0000"))
                        .expect(422)
                        .failingFields())
                .containsExactlyInAnyOrder("email", "password", "displayName");
        assertThat(open.api()
                        .post("/v1/dashboard/auth/register")
                        .json(Map.of("email", "grace@example.com", "password", "Grace@Example.com"))
                        .expect(422)
                        .failingFields())
                .containsExactly("password");
    }

    @Test
    void onlyTheFirstUserCanRegisterIfSoConfigured() {
        try (var server = serverWith("first")) {
            var first = register(server, "first@example.com").expect(201);

            register(server, "second@example.com").expect(403);
            register(server, "first@example.com").expect(403);

            server.api()
                    .get("/v1/dashboard/projects")
                    .bearer(first.accessToken())
                    .expect(200);
            assertThat(users(server)).isOne();
        }
    }

    @Test
    void ofConcurrentFirstRegistrationsExactlyOneSucceeds() {
        try (var server = serverWith("first")) {
            var answers = Parallel.send(20, number -> register(server, "candidate-" + number + "@example.com"));

            assertThat(answers).extracting(Response::status).containsOnly(201, 403);
            assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(1);
            assertThat(users(server)).isOne();
        }
    }

    @Test
    void twoNodesShareOneFirstUser() {
        try (var one = serverWith("first");
                var other = TestServer.startOn(
                        one.databaseUrl(), Map.of("VESTIBULE_DASHBOARD_REGISTRATION", "first"), Clock.systemUTC())) {
            var answers = Parallel.send(
                    20, number -> register(number % 2 == 0 ? one : other, "candidate-" + number + "@example.com"));

            assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(1);
            assertThat(users(one)).isOne();
        }
    }

    @Test
    void closedRegistrationRefusesEvenTheFirst() {
        try (var server = serverWith("closed")) {
            register(server, "first@example.com").expect(403);

            assertThat(users(server)).isZero();
        }
    }

    @Test
    void theConfiguredAccountIsTheFirstAndCanLogIn() {
        var settings = Map.of(
                "VESTIBULE_DASHBOARD_REGISTRATION", "first",
                "VESTIBULE_DASHBOARD_EMAIL", "Admin@Example.com",
                "VESTIBULE_DASHBOARD_PASSWORD", PASSWORD);
        try (var server = TestServer.start(database, settings)) {
            var answer = login(server, PASSWORD).expect(200);

            assertThat(answer.text("user/email")).isEqualTo("admin@example.com");
            register(server, "second@example.com").expect(403);
            server.api()
                    .post("/v1/dashboard/projects")
                    .bearer(answer.accessToken())
                    .json(Map.of("name", "Mine"))
                    .expect(201);
        }
    }

    @Test
    void anExistingConfiguredAccountKeepsItsPassword() {
        var first = Map.of("VESTIBULE_DASHBOARD_EMAIL", "admin@example.com", "VESTIBULE_DASHBOARD_PASSWORD", PASSWORD);
        var later = Map.of(
                "VESTIBULE_DASHBOARD_EMAIL", "admin@example.com", "VESTIBULE_DASHBOARD_PASSWORD", "a changed password");
        try (var server = TestServer.start(database, first)) {
            try (var restarted = TestServer.startOn(server.databaseUrl(), later, Clock.systemUTC())) {
                login(restarted, PASSWORD).expect(200);
                login(restarted, "a changed password").expect(401);
                assertThat(users(restarted)).isOne();
            }
        }
    }

    private static ApiClient.Call login(TestServer server, String password) {
        return server.api()
                .post("/v1/dashboard/auth/login")
                .json(Map.of("email", "admin@example.com", "password", password));
    }

    private static long users(TestServer server) {
        return server.sql().count("SELECT count(*) FROM users WHERE project_id = ?::uuid", SYSTEM_PROJECT);
    }
}
