package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.DatabaseProxy;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the dashboard does with a project that is in another database than the dashboard's accounts. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShardsIT {
    private static final Pattern TOKEN = Pattern.compile("(?m)^ {4}(inv_[A-Za-z0-9_-]+)\r?$");
    private static final String OWNERS_PASSWORD = "a dashboard password";

    private final WithMail mail;
    private final TestServer server;
    private final Sql home;
    private final Sql eu;
    private final DatabaseProxy proxy;
    private TestProject project;

    ShardsIT(TestDatabase database) {
        var further = database.createDatabase();
        eu = new Sql(further);
        proxy = DatabaseProxy.before(further);
        var settings = new HashMap<>(TestServer.USUAL_DATABASE_WAITS);
        settings.put("VESTIBULE_DATABASE_SHARDS", "eu=" + proxy.url());
        settings.put("VESTIBULE_DATABASE_NEW_PROJECTS", "eu");
        settings.put("VESTIBULE_SESSIONS_REFRESH_GRACE_SECONDS", "300"); // so that no refresh is cut off
        settings.put("VESTIBULE_PROJECTS_CACHE_SIZE", "10"); // so that nodes forget where projects are
        mail = WithMail.start(database, settings);
        server = mail.server();
        home = server.sql();
    }

    @AfterAll
    void stop() {
        mail.close();
        proxy.close();
        eu.close();
    }

    @BeforeEach
    void newProject() {
        project = server.newProject();
    }

    private String newSlug() {
        return "slug-" + UUID.randomUUID();
    }

    private Response change(Map<String, ?> fields, int status) {
        return project.asOwner("PATCH", "").json(fields).expect(status);
    }

    private JsonNode listed(String dashboardUser) {
        return server.api()
                .get("/v1/dashboard/projects")
                .bearer(dashboardUser)
                .expect(200)
                .json()
                .path("projects");
    }

    private List<String> events() {
        var lines = server.api()
                .get("/v1/dashboard/audit-logs?projectId=" + project.id())
                .bearer(project.owner())
                .expect(200)
                .json()
                .path("data");
        return StreamSupport.stream(lines.spliterator(), false)
                .map(line -> line.path("event").asText())
                .toList();
    }

    private JsonNode health() {
        return server.api()
                .get("/v1/dashboard/administration/health")
                .bearer(server.administrator())
                .expect(200)
                .json();
    }

    private JsonNode me(String dashboardUser) {
        return server.api().get("/v1/auth/me").bearer(dashboardUser).expect(200).json();
    }

    private Response impersonate(String owner, Response user) {
        return project.as(owner, "POST", "/users/" + user.text("user/id") + "/impersonate")
                .json(Map.of("reason", "Ticket 4711"))
                .expect(200);
    }

    private void awaitStatus(Response session, int status) {
        Eventually.until(
                "me is answered with " + status,
                () -> project.me(session.accessToken()).send().status() == status);
    }

    private void assertOver(Response session) {
        project.me(session.accessToken()).expect(401);
        project.refresh(session.refreshToken()).expect(401);
    }

    /** Apps send the token that they hold, however stale, with every request; what it claims leads nowhere. */
    @Test
    void aTokenThatIsNoneDoesNotLeadAwayFromTheKeysDatabase() {
        project.asOwner("PUT", "/providers/github")
                .json(Map.of("clientId", "the-app", "clientSecret", "a secret", "enabled", true))
                .expect(200);
        for (var token : List.of("undefined", project.signUp().accessToken() + "x")) {
            project.get("/v1/auth/oauth/github/url?flow=redirect&redirectUri=" + OauthProject.OWN_REDIRECT)
                    .bearer(token)
                    .expect(200);
        }
    }

    @Test
    void aProjectIsInItsDatabaseWithAllThatItHas() {
        var email = TestServer.newEmail();
        var user = project.signUp(email);
        project.me(user.accessToken()).expect(200);
        project.refresh(user.refreshToken()).expect(200);
        project.signIn(email);

        assertThat(SeededTables.withRows(home, project.id())).containsExactly("memberships", "projects");
        assertThat(SeededTables.withRows(eu, project.id()))
                .contains("api_keys", "audit_log", "projects", "sessions", "signing_keys", "users")
                .doesNotContain("memberships");
        assertThat(home.texts("SELECT shard FROM projects WHERE id = ?::uuid", project.id()))
                .containsExactly("eu");
        assertThat(eu.count("SELECT count(*) FROM projects WHERE id = ?::uuid AND shard IS NULL", project.id()))
                .isOne();
        assertThat(events()).contains("project.created");
    }

    @Test
    void aNodeThatForgetsPlacesStillFindsThem() {
        var projects = Stream.generate(server::newProject).limit(40).toList();
        var users = projects.stream().map(TestProject::signUp).toList();

        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < projects.size(); i++) {
                projects.get(i).me(users.get(i).accessToken()).expect(200);
                projects.get(i).me(users.get(i).accessToken()).expect(200);
            }
        }
    }

    @Test
    void listsCountTheUsersOfAllDatabases() {
        project.signUp();
        project.signUp();

        assertThat(listed(project.owner()).path(0).path("userCount").asInt()).isEqualTo(2);
        assertThat(listed(project.owner()).path(0).has("place")).isFalse();
        var all = server.api()
                .get("/v1/dashboard/administration/projects?search=" + project.id())
                .bearer(server.administrator())
                .expect(200)
                .json();
        assertThat(all.path("projects").path(0).path("userCount").asInt()).isEqualTo(2);
        assertThat(all.path("projects").path(0).path("ownerCount").asInt()).isEqualTo(1);
    }

    @Test
    void aSlugIsOneProjectsInAllDatabases() {
        var slug = newSlug();
        change(Map.of("slug", slug, "name", "Another name"), 200);

        for (var database : List.of(home, eu)) {
            assertThat(database.texts("SELECT name || ' ' || slug FROM projects WHERE id = ?::uuid", project.id()))
                    .containsExactly("Another name " + slug);
        }
        server.api()
                .post("/v1/dashboard/projects")
                .bearer(project.owner())
                .json(Map.of("name", "A", "slug", slug))
                .expect(409);
        change(Map.of("slug", newSlug()), 200);
        server.api()
                .post("/v1/dashboard/projects")
                .bearer(project.owner())
                .json(Map.of("name", "A", "slug", slug))
                .expect(409); // it leads to the project for a year
        change(Map.of("slug", slug), 200);
        assertThat(listed(project.owner()).path(0).path("slug").asText()).isEqualTo(slug);
        assertThat(events()).contains("project.updated");
    }

    @Test
    void oneOfSimultaneousCreationsGetsTheSlug() {
        var slug = newSlug();
        var owner = server.newDashboardUser();
        var created = Parallel.await(Parallel.start(
                8,
                number -> server.api()
                        .post("/v1/dashboard/projects")
                        .bearer(owner)
                        .json(Map.of("name", "A", "slug", slug))));

        assertThat(created).extracting(Response::status).containsOnly(201, 409).containsOnlyOnce(201);
        assertThat(eu.count("SELECT count(*) FROM projects WHERE slug = ?", slug))
                .isOne();
    }

    @Test
    void whatAFailedCreationHasLeftDoesNotKeepItsSlug() {
        var slug = newSlug();
        eu.update(
                "INSERT INTO projects (id, name, slug, environment, created_at, updated_at)"
                        + " VALUES (gen_random_uuid(), 'Left', ?, 'live', now(), now())",
                slug);

        change(Map.of("slug", slug), 200);

        assertThat(eu.texts("SELECT name FROM projects WHERE slug = ?", slug))
                .hasSize(1)
                .doesNotContain("Left");
    }

    private Call invite(String email) {
        return project.asOwner("POST", "/members").json(Map.of("email", email, "role", "owner"));
    }

    private String mailedToken(String email) {
        Eventually.until("it is mailed", () -> !tokensTo(email).isEmpty());
        return tokensTo(email).get(0);
    }

    private List<String> tokensTo(String email) {
        return mail.mailbox().to(email).stream()
                .flatMap(mailed -> TOKEN.matcher(TestMailbox.text(mailed)).results())
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void personsAreInvitedAndJoinAndLeave() {
        var newEmail = TestServer.newEmail();
        invite(newEmail).expect(201);
        var joined = server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", newEmail, "password", OWNERS_PASSWORD, "invitationToken", mailedToken(newEmail)))
                .expect(201);
        var member = server.newDashboardUser();
        var email = me(member).path("email").asText();
        invite(email).expect(201);
        server.api()
                .post("/v1/dashboard/invitations/" + mailedToken(email) + "/accept")
                .bearer(member)
                .expect(200);

        assertThat(project.as(member, "GET", "/members")
                        .expect(200)
                        .json()
                        .path("total")
                        .asInt())
                .isEqualTo(3);
        assertThat(listed(joined.accessToken()).path(0).path("id").asText()).isEqualTo(project.id());
        project.asOwner("PATCH", "/members/" + me(member).path("id").asText())
                .json(Map.of("role", "viewer"))
                .expect(200);
        project.asOwner("DELETE", "/members/" + me(member).path("id").asText()).expect(200);
        project.as(member, "GET", "").expect(404);
        assertThat(events())
                .contains(
                        "project.invitation.sent",
                        "project.invitation.accepted",
                        "project.member.role_changed",
                        "project.member.removed");
        assertThat(SeededTables.withRows(home, project.id())).doesNotContain("audit_log", "invitations");
    }

    @Test
    void anInvitationIsNamedInTheLog() {
        var email = TestServer.newEmail();
        invite(email).expect(201);

        var log = server.api()
                .get("/v1/dashboard/audit-logs?projectId=" + project.id())
                .bearer(project.owner())
                .expect(200)
                .json();
        assertThat(log.path("names").toString()).contains(email);
        assertThat(log.path("people").toString())
                .contains(me(project.owner()).path("email").asText());
    }

    @Test
    void anImpersonationEndsWithTheRightToIt() {
        var user = project.signUp();
        var second = server.newMember(project, "owner");
        var session = impersonate(second, user);
        project.me(session.accessToken()).expect(200);
        assertThat(SeededTables.withRows(home, project.id())).doesNotContain("sessions");

        project.asOwner("DELETE", "/members/" + me(second).path("id").asText()).expect(200);

        assertOver(session);
        assertThat(events()).contains("admin.user.impersonated");
    }

    @Test
    void anImpersonationEndsWhenThePasswordChanges() {
        var user = project.signUp();
        var session = impersonate(project.owner(), user);

        changePassword().expect(200);

        assertOver(session);
        project.me(user.accessToken()).expect(200);
    }

    @Test
    void sessionsThatAMoveHasLeftAtHomeDelayNothing() {
        var user = project.signUp();
        var session = impersonate(project.owner(), user);
        var id = user.text("user/id");
        home.update(
                "INSERT INTO users (project_id, id, created_at, updated_at) VALUES (?::uuid, ?::uuid, now(), now())",
                project.id(),
                id);
        home.update(
                "INSERT INTO sessions (project_id, id, user_id, rotated_at, created_at, last_active_at, authenticated_at,"
                        + " amr, expires_at, sweep_at, ends_at, impersonator_id)"
                        + " VALUES (?::uuid, gen_random_uuid(), ?::uuid, now(), now(), now(), now(), '{}',"
                        + " now() + interval '1 day', now() + interval '1 day', now() + interval '1 day', ?::uuid)",
                project.id(),
                id,
                me(project.owner()).path("id").asText());

        changePassword().expect(200);

        assertOver(session);
        assertThat(home.count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id()))
                .isOne();
    }

    private Call changePassword() {
        return server.api()
                .post("/v1/auth/password/change")
                .bearer(project.owner())
                .json(Map.of("currentPassword", OWNERS_PASSWORD, "newPassword", "another dashboard password"));
    }

    /** A new password that left the sessions there alive would be a promise that nobody keeps. */
    @Test
    void whileADatabaseIsAwayNothingPromisesWhatItCannotKeep() {
        var session = impersonate(project.owner(), project.signUp());
        proxy.takeAway();
        try {
            assertThat(listed(project.owner()).path(0).path("id").asText()).isEqualTo(project.id());
            assertThat(listed(project.owner()).path(0).has("userCount")).isFalse();
            changePassword().expect(503);
            server.api()
                    .post("/v1/dashboard/projects")
                    .bearer(project.owner())
                    .json(Map.of("name", "Not created"))
                    .expect(503);
            assertThat(listed(project.owner())).hasSize(1);
            var health = health();
            assertThat(health.path("shards").path(0).path("name").asText()).isEqualTo("eu");
            assertThat(health.path("shards").path(0).path("version").isNull()).isTrue();
        } finally {
            proxy.restore();
        }
        awaitStatus(session, 200);
        assertThat(health().path("shards").path(0).path("version").isTextual()).isTrue();
        changePassword().expect(200); // the old password is still right
        assertOver(session);
    }

    private void hold(String until) {
        eu.update("UPDATE projects SET leaves_until = " + until + " WHERE id = ?::uuid", project.id());
    }

    /** The answer to a request that waits for the rows of a user while a move begins. */
    private Response answerOverHold(Call call, String table, String userId) throws SQLException {
        var other = project.signUp();
        try (var locking = eu.connect();
                var lock = locking.prepareStatement(
                        "SELECT pg_backend_pid() FROM " + table + " WHERE user_id = ?::uuid FOR NO KEY UPDATE")) {
            locking.setAutoCommit(false);
            lock.setString(1, userId);
            var locked = lock.executeQuery();
            assertThat(locked.next()).isTrue();
            var pid = locked.getInt(1);
            var answer = call.sendAsync();
            Eventually.until(
                    "it waits",
                    () -> eu.count("SELECT count(*) FROM pg_stat_activity WHERE ? = ANY (pg_blocking_pids(pid))", pid)
                            > 0);
            hold("now() + interval '1 hour'");
            awaitStatus(other, 503);
            locking.rollback();
            var answered = answer.join();
            hold("NULL");
            awaitStatus(other, 200);
            return answered;
        }
    }

    /** After the move, and the grace time, the token that it had used would count as stolen. */
    @Test
    void aRefreshThatHasBegunBeforeAMoveIsAnswered() throws SQLException {
        var user = project.signUp();
        var answer = answerOverHold(project.refresh(user.refreshToken()), "sessions", user.text("user/id"));
        assertThat(answer.status()).isEqualTo(200);
        project.refresh(answer.refreshToken()).expect(200);
    }

    @Test
    void soIsThatOfAGrant() throws SQLException {
        var email = TestServer.newEmail();
        var user = project.signUp(email).text("user/id");
        var client = OauthBrowser.register(project, "spa", Map.of()).text("clientId");
        var code = new OauthBrowser(project).code(client, email, Map.of("scope", "openid offline_access"));
        var tokens = OauthBrowser.redeem(project, client, code, 200);
        var call = OauthBrowser.call(project, OauthBrowser.refreshForm(client, tokens.text("refresh_token")));
        var answer = answerOverHold(call, "oauth_grants", user);
        assertThat(answer.status()).isEqualTo(200);
        OauthBrowser.call(project, OauthBrowser.refreshForm(client, answer.text("refresh_token")))
                .expect(200);
    }

    /** The memory of projects and that of their places forget at different times. */
    @Test
    void aProjectIsFoundWhateverTheNodeHasForgotten() {
        var owner = project.owner();
        var many = IntStream.range(0, 30)
                .mapToObj(n -> server.newProject(owner, "Project " + n))
                .toList();
        var tokens = many.stream().map(one -> one.signUp().accessToken()).toList();
        for (int turn = 0; turn < 300; turn++) {
            var n = turn * turn % (10 + turn % 20);
            many.get(n).me(tokens.get(n)).expect(200);
        }
    }

    @Test
    void anImpersonationEndsInAProjectThatMovesOnlyAfterTheMove() {
        var user = project.signUp();
        var session = impersonate(project.owner(), user);
        hold("now() + interval '1 hour'");
        awaitStatus(user, 503);
        changePassword().expect(503);
        hold("NULL");
        awaitStatus(user, 200);

        changePassword().expect(200);
        assertOver(session);
    }

    @Test
    void aProjectWithoutAnOwnerIsAdopted() {
        home.update("DELETE FROM memberships WHERE project_id = ?::uuid", project.id());
        var administrator = server.administrator();

        server.api()
                .post("/v1/dashboard/administration/projects/" + project.id() + "/adopt")
                .bearer(administrator)
                .expect(200);

        project.as(administrator, "GET", "").expect(200);
        assertThat(eu.count(
                        "SELECT count(*) FROM audit_log WHERE project_id = ?::uuid AND event = 'project.adopted'",
                        project.id()))
                .isOne();
    }

    @Test
    void nothingOfADeletedProjectIsLeft() {
        var user = project.signUp();
        invite(TestServer.newEmail()).expect(201);
        var slug = listed(project.owner()).path(0).path("slug").asText();
        project.asOwner("DELETE", "").expect(200);

        project.me(user.accessToken()).expect(401);
        project.get("/v1/auth/branding").expect(401);
        project.asOwner("GET", "").expect(404);
        assertThat(listed(project.owner())).isEmpty();
        for (var database : List.of(home, eu)) {
            Eventually.until(
                    "all rows are gone",
                    () -> SeededTables.withRows(database, project.id()).isEmpty());
        }
        server.api()
                .post("/v1/dashboard/projects")
                .bearer(project.owner())
                .json(Map.of("name", "A", "slug", slug))
                .expect(409);
        assertThat(home.count(
                        "SELECT count(*) FROM audit_log WHERE project_id = ?::uuid AND event = 'project.deleted'"
                                + " AND target_id = ?::uuid",
                        ProjectId.SYSTEM.toString(),
                        project.id()))
                .isOne();
    }

    @Test
    void aDeletionThatACrashHasCutInTwoIsEnded() {
        for (var table : List.of("api_keys", "signing_keys")) {
            eu.update("DELETE FROM " + table + " WHERE project_id = ?::uuid", project.id());
        }
        eu.update("UPDATE projects SET deleted_at = now() WHERE id = ?::uuid", project.id());

        Eventually.until("home forgets it", () -> listed(project.owner()).isEmpty());
        for (var database : List.of(home, eu)) {
            Eventually.until(
                    "all rows are gone",
                    () -> SeededTables.withRows(database, project.id()).isEmpty());
        }
    }

    /** As a move does in the end: the rows that it leaves go, and what home knows of the project stays. */
    @Test
    void theRowsThatAMoveLeavesAreRemoved() {
        project.signUp();
        invite(TestServer.newEmail()).expect(201);
        var email = TestServer.newEmail();
        home.update(
                "INSERT INTO users (project_id, id, email, created_at, updated_at)"
                        + " VALUES (?::uuid, gen_random_uuid(), ?, now(), now())",
                project.id(),
                email);
        home.update("UPDATE projects SET has_left_rows = true WHERE id = ?::uuid", project.id());

        Eventually.until(
                "they are removed",
                () -> home.count("SELECT count(*) FROM projects WHERE id = ?::uuid AND has_left_rows", project.id())
                        == 0);
        Eventually.until(
                "the invitation stays, and is sent",
                () -> SeededTables.withRows(home, project.id())
                        .equals(List.of("codes", "invitations", "memberships", "projects")));
        project.signUp();
    }

    @Test
    void theRowOfAProjectThatHasLeftAnotherDatabaseGoesToo() {
        var left = UUID.randomUUID().toString();
        eu.update(
                "INSERT INTO projects (id, name, slug, environment, shard, has_left_rows, created_at, updated_at)"
                        + " VALUES (?::uuid, 'Left', ?, 'live', 'home', true, now(), now())",
                left,
                newSlug());
        eu.update(
                "INSERT INTO users (project_id, id, email, created_at, updated_at)"
                        + " VALUES (?::uuid, gen_random_uuid(), 'a@example.com', now(), now())",
                left);

        Eventually.until("all is gone", () -> SeededTables.withRows(eu, left).isEmpty());
    }
}
