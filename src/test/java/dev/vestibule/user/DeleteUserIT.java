package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class DeleteUserIT {
    private static final String EMAIL = "ann@example.com";
    private static final List<String> TABLES = List.of(
            "users",
            "sessions",
            "identities",
            "sign_in_failures",
            "sign_in_failures_by_network",
            "sign_in_networks",
            "user_search",
            "codes",
            "messages",
            "notice_quotas");

    private final TestServer server;
    private final TestProject project;
    private final Response signedUp;

    DeleteUserIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.signedUp = project.signUp(EMAIL);
        project.trySignIn(EMAIL, "not the password").expect(401);
        server.sql()
                .update(
                        "INSERT INTO identities (project_id, provider, issuer, subject, user_id, created_at)"
                                + " SELECT project_id, 'google', 'https://accounts.google.com', id, id, now() FROM users WHERE project_id = ?::uuid",
                        project.id());
    }

    private Call delete() {
        return project.manage("DELETE", "/v1/dashboard/users/" + signedUp.text("user/id"));
    }

    private long rows(String table) {
        return server.sql().count("SELECT count(*) FROM " + table + " WHERE project_id = ?::uuid", project.id());
    }

    /** For example the previous owner of the address, who can undo the change. */
    @Test
    void aNoticeOfAnotherAccountToTheSameAddressStays() {
        var another = project.signUp().text("user/id");
        server.sql()
                .update(
                        "INSERT INTO messages (project_id, id, user_id, queue, kind, recipient, language, sealed_details, created_at,"
                                + " next_attempt_at) VALUES (?::uuid, gen_random_uuid(), ?::uuid, 'notices', 'email_changed', ?,"
                                + " 'en', '', now(), 'infinity')",
                        project.id(),
                        another,
                        EMAIL);

        delete().expect(200);

        assertThat(server.sql().count("SELECT count(*) FROM messages WHERE user_id = ?::uuid", another))
                .isEqualTo(1);
    }

    @Test
    void nothingOfTheUserIsLeft() {
        var inVariantB = project.signInInVariantB(EMAIL);
        project.trySignIn(EMAIL, "not the password").expect(401);
        server.sql()
                .update(
                        "INSERT INTO messages (project_id, id, queue, kind, recipient, subject_hash, language, created_at,"
                                + " next_attempt_at) VALUES (?::uuid, gen_random_uuid(), 'codes', 'verification', ?, '', 'en',"
                                + " now(), 'infinity')",
                        project.id(),
                        EMAIL);
        server.sql()
                .update(
                        "WITH told AS (INSERT INTO notice_quotas (project_id, user_id, kind, queued_at)"
                                + " SELECT project_id, id, 'new_sign_in', now() FROM users WHERE project_id = ?::uuid"
                                + " RETURNING *)"
                                + " INSERT INTO messages (project_id, id, user_id, queue, kind, recipient, language, sealed_details,"
                                + " created_at, next_attempt_at)"
                                + " SELECT project_id, user_id, user_id, 'notices', kind, 'a@example.com', 'en', '', now(),"
                                + " 'infinity' FROM told",
                        project.id());
        project.post("/v1/auth/resend-code").json(Map.of("email", EMAIL)).expect(200);
        assertThat(TABLES).allMatch(table -> rows(table) > 0);

        assertThat(delete().expect(200).json()).hasToString("{\"success\":true}");

        assertThat(TABLES).allMatch(table -> rows(table) == 0);
        project.me(signedUp.accessToken()).expect(401);
        project.verify(signedUp.accessToken()).expect(401);
        project.refresh(signedUp.refreshToken()).expect(401);
        project.refreshAccessToken(inVariantB.refreshToken()).expect(401);
        project.trySignIn(EMAIL, TestProject.PASSWORD).expect(401);
    }

    @Test
    void theUserIsUnknownAfterwards() {
        delete().expect(200);

        delete().expect(404);
        var user = "/v1/dashboard/users/" + signedUp.text("user/id");
        project.manage("GET", user).expect(404);
        project.manage("PATCH", user).json(Map.of("displayName", "Ann")).expect(404);
        project.manage("PATCH", user + "/ban").expect(404);
        project.manage("PATCH", user + "/unban").expect(404);
        project.manage("GET", user + "/sessions").expect(404);
        project.manage("DELETE", user + "/sessions").expect(404);
    }

    @Test
    void theEmailIsFreeAtOnce() {
        delete().expect(200);

        assertThat(project.signUp(EMAIL).text("user/id")).isNotEqualTo(signedUp.text("user/id"));
        project.me(signedUp.accessToken()).expect(401);
    }

    @Test
    void onlyThatUsersDataIsDeleted() {
        var other = project.signUp();
        var elsewhere = server.newProject();
        var namesake = elsewhere.signUp(EMAIL);

        delete().expect(200);

        project.me(other.accessToken()).expect(200);
        elsewhere.me(namesake.accessToken()).expect(200);
        elsewhere.signIn(EMAIL);
    }

    @Test
    void failuresCountedEarlierAreForgottenToo() {
        try (var unlimited = TestServer.startOn(
                server.databaseUrl(), Map.of("VESTIBULE_LIMITS_ENABLED", "false"), Clock.tickMillis(ZoneOffset.UTC))) {
            project.at(unlimited)
                    .manage("DELETE", "/v1/dashboard/users/" + signedUp.text("user/id"))
                    .expect(200);
        }
        assertThat(rows("sign_in_failures")).isZero();
    }

    @Test
    void aUserWithoutEmailOrPasswordIsDeletedToo() {
        server.sql()
                .update("UPDATE users SET email = NULL, password_hash = NULL WHERE project_id = ?::uuid", project.id());

        delete().expect(200);

        assertThat(rows("users")).isZero();
    }
}
