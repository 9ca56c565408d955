package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Users who delete their own account. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeleteOwnAccountIT {
    private static final List<String> TABLES = List.of(
            "users",
            "sessions",
            "identities",
            "sign_in_failures",
            "sign_in_networks",
            "user_search",
            "codes",
            "email_changes",
            "messages");

    private final TestClock clock = new TestClock();
    private final TestServer server;
    private TestProject project;

    DeleteOwnAccountIT(TestDatabase database) {
        server = TestServer.start(database, Map.of("VESTIBULE_LIMITS_SIGNIN_PER_MINUTE", "1000"), clock);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void newProject() {
        project = server.newProject();
        set(Map.of("allowSelfDeletion", true));
    }

    private void set(Map<String, ?> settings) {
        project.asOwner("PATCH", "").json(settings).expect(200);
    }

    private Call delete(Response tokens) {
        return server.api().call("DELETE", "/v1/auth/me").bearer(tokens.accessToken());
    }

    private Call delete(Response tokens, String password) {
        return delete(tokens).json(Map.of("currentPassword", password));
    }

    private long rows(String table) {
        return server.sql().count("SELECT count(*) FROM " + table + " WHERE project_id = ?::uuid", project.id());
    }

    private void removePassword(Response user) {
        server.sql().update("UPDATE users SET password_hash = NULL WHERE id = ?::uuid", user.text("user/id"));
    }

    @Test
    void allDataOfTheUserIsGoneAndTheEmailIsFree() {
        var email = TestServer.newEmail();
        var user = project.signUp(email);
        var elsewhere = project.signInInVariantB(email);
        project.trySignIn(email, "not the password").expect(401);
        project.post("/v1/auth/resend-code").json(Map.of("email", email)).expect(200);
        for (var statement : List.of(
                "INSERT INTO identities (project_id, provider, issuer, subject, user_id, created_at)"
                        + " SELECT project_id, 'google', 'https://accounts.google.com', id, id, now() FROM users WHERE project_id = ?::uuid",
                "INSERT INTO messages (project_id, id, queue, kind, recipient, subject_hash, language, created_at,"
                        + " next_attempt_at)"
                        + " SELECT project_id, id, 'codes', 'verification', email, '', 'en', now(), 'infinity' FROM users"
                        + " WHERE project_id = ?::uuid",
                "INSERT INTO email_changes (project_id, id, user_id, state, new_email, requested_at, expires_at)"
                        + " SELECT project_id, id, id, 'pending', 'a@example.com', now(), now() FROM users"
                        + " WHERE project_id = ?::uuid")) {
            server.sql().update(statement, project.id());
        }
        assertThat(TABLES).allMatch(table -> rows(table) > 0);

        assertThat(delete(user, TestProject.PASSWORD).expect(200).json()).hasToString("{\"success\":true}");

        assertThat(TABLES).allMatch(table -> rows(table) == 0);
        project.me(user.accessToken()).expect(401);
        project.refresh(user.refreshToken()).expect(401);
        project.refreshAccessToken(elsewhere.refreshToken()).expect(401);
        project.trySignIn(email, TestProject.PASSWORD).expect(401);
        assertThat(project.signUp(email).text("user/id")).isNotEqualTo(user.text("user/id"));
    }

    @Test
    void webhooksAndTheAuditLogReportIt() {
        var receiver = project.manage("POST", "/v1/dashboard/webhooks")
                .json(Map.of("url", "https://203.0.113.1/hook", "events", List.of("user.deleted")))
                .expect(201);
        var user = project.signUp();
        delete(user, TestProject.PASSWORD).expect(200);

        var deliveries = project.manage("GET", "/v1/dashboard/webhooks/" + receiver.text("id") + "/deliveries")
                .expect(200);
        assertThat(deliveries.text("total")).isEqualTo("1");
        var entry = project.manage("GET", "/v1/backend/audit-logs?event=auth.account.deleted")
                .expect(200);
        assertThat(entry.text("total")).isEqualTo("1");
        assertThat(entry.text("data/0/actorType")).isEqualTo("user");
        assertThat(entry.text("data/0/actorId")).isEqualTo(user.text("user/id"));
        assertThat(entry.text("data/0/targetId")).isEqualTo(user.text("user/id"));
    }

    @Test
    void onlyThatUsersDataIsDeleted() {
        var email = TestServer.newEmail();
        var other = project.signUp();
        var elsewhere = server.newProject();
        var namesake = elsewhere.signUp(email);

        delete(project.signUp(email), TestProject.PASSWORD).expect(200);

        project.me(other.accessToken()).expect(200);
        elsewhere.me(namesake.accessToken()).expect(200);
        elsewhere.signIn(email);
    }

    @Test
    void usersCannotDeleteTheirAccountIfTheProjectDoesNotAllowIt() {
        var user = project.signUp();
        set(Map.of("allowSelfDeletion", false));
        delete(user, TestProject.PASSWORD).expect(403);
        delete(server.newProject().signUp(), TestProject.PASSWORD).expect(403);
        project.me(user.accessToken()).expect(200);
    }

    @Test
    void dashboardUsersCannotDeleteTheirAccount() {
        server.api()
                .call("DELETE", "/v1/auth/me")
                .bearer(project.owner())
                .json(Map.of("currentPassword", TestProject.PASSWORD))
                .expect(403);
        project.asOwner("GET", "").expect(200);
    }

    @Test
    void anOpenSessionIsNotEnough() {
        var user = project.signUp();
        assertThat(delete(user).expect(422).failingFields()).containsExactly("currentPassword");
        assertThat(delete(user).json(Map.of()).expect(422).failingFields()).containsExactly("currentPassword");
        assertThat(delete(user).text("").expect(422).failingFields()).containsExactly("currentPassword");
        delete(user, "not the password").expect(401);
        assertThat(delete(user, "").expect(422).failingFields()).containsExactly("currentPassword");
        delete(user, "\u0000").expect(401);
        delete(user).json(Map.of("currentPassword", 7)).expect(422);
        delete(user).text("[]").expect(400);
        delete(user).text("{").expect(400);
        project.me(user.accessToken()).expect(200);
    }

    @Test
    void guessesLockTheAccountLikeFailedSignIns() {
        var email = TestServer.newEmail();
        var user = project.signUp(email);
        for (int i = 0; i < 10; i++) {
            delete(user, "not the password").expect(401);
        }
        delete(user, TestProject.PASSWORD).expect(429);
        project.trySignIn(email, TestProject.PASSWORD).expect(429);
        project.me(user.accessToken()).expect(200);
    }

    @Test
    void withoutAPasswordTheSignInMustBeRecent() {
        var late = project.signUp();
        removePassword(late);
        clock.advance(Duration.ofMinutes(10).plusSeconds(1));
        assertThat(delete(late).expect(403).text("reason")).isEqualTo("reauthentication_required");
        delete(late, TestProject.PASSWORD).expect(403);
        project.me(late.accessToken()).expect(200);

        var inTime = project.signUp();
        removePassword(inTime);
        clock.advance(Duration.ofMinutes(9));
        delete(inTime).expect(200);
    }

    @Test
    void theProjectsTimeAppliesToAPasswordToo() {
        set(Map.of("requireRecentSignIn", 60));
        var email = TestServer.newEmail();
        var user = project.signUp(email);
        clock.advance(Duration.ofSeconds(61));
        assertThat(delete(user, TestProject.PASSWORD).expect(403).text("reason"))
                .isEqualTo("reauthentication_required");
        delete(project.signIn(email), TestProject.PASSWORD).expect(200);
    }

    @Test
    void aUserWithoutEmailCanBeDeletedToo() {
        var user = project.signUp();
        server.sql()
                .update("UPDATE users SET email = NULL, password_hash = NULL WHERE id = ?::uuid", user.text("user/id"));
        delete(user).expect(200);
        assertThat(rows("users")).isZero();
    }

    @Test
    void ofManyConcurrentDeletionsOneSucceedsAndTheOthersFindNoAccount() {
        var email = TestServer.newEmail();
        var first = project.signUp(email);
        var second = project.signIn(email);
        var answers = Parallel.send(8, number -> delete(number % 2 == 0 ? first : second, TestProject.PASSWORD));
        assertThat(answers).extracting(Response::status).containsOnly(200, 401);
        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        assertThat(server.sql()
                        .count(
                                "SELECT count(*) FROM audit_log WHERE project_id = ?::uuid"
                                        + " AND event = 'auth.account.deleted'",
                                project.id()))
                .isEqualTo(1);
    }

    @Test
    void anOldPasswordDeletesNothingIfItChangesMeanwhile() {
        for (int round = 0; round < 4; round++) {
            var email = TestServer.newEmail();
            var user = project.signUp(email);
            var answers = Parallel.send(
                    2,
                    number -> number == 0
                            ? delete(user, TestProject.PASSWORD)
                            : server.api()
                                    .post("/v1/auth/password/change")
                                    .bearer(user.accessToken())
                                    .json(Map.of(
                                            "currentPassword",
                                            TestProject.PASSWORD,
                                            "newPassword",
                                            "another one 1234")));
            assertThat(answers.get(0).status()).isIn(200, 503, 401);
            if (answers.get(0).status() == 200) {
                project.me(user.accessToken()).expect(401);
            } else {
                assertThat(answers.get(1).status()).isEqualTo(200);
                project.trySignIn(email, "another one 1234").expect(200);
            }
        }
    }

    @Test
    void aKeyAloneCannotDeleteAUser() {
        var user = project.signUp();
        server.api().call("DELETE", "/v1/auth/me").key(project.publishableKey()).expect(401);
        server.api().call("DELETE", "/v1/auth/me").key(project.secretKey()).expect(401);
        delete(user, TestProject.PASSWORD)
                .key(server.newProject().publishableKey())
                .expect(403);
        project.me(user.accessToken()).expect(200);
    }
}
