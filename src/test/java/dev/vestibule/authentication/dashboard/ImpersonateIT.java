package dev.vestibule.authentication.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.project.ProjectId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an owner who acts as a user of the project can do, for how long, and who sees it. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImpersonateIT {
    private static final String OWNERS_PASSWORD = "a dashboard password";
    private static final int ROUNDS = 12;

    private final TestClock clock = new TestClock();
    private final TestServer server;
    private TestProject project;
    private String email;
    private Response user;

    ImpersonateIT(TestDatabase database) {
        server = TestServer.start(database, Map.of(), clock);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void newProject() {
        project = server.newProject();
        email = TestServer.newEmail();
        user = project.signUp(email);
    }

    private String userId() {
        return user.text("user/id");
    }

    private Call impersonate(String owner, Object body) {
        return project.as(owner, "POST", "/users/" + userId() + "/impersonate").json(body);
    }

    private Call impersonate(String owner) {
        return impersonate(owner, Map.of("reason", "Ticket 4711"));
    }

    private Response impersonated() {
        return impersonate(project.owner()).expect(200);
    }

    private String idOf(String dashboardToken) {
        return server.api()
                .get("/v1/auth/me")
                .bearer(dashboardToken)
                .expect(200)
                .text("id");
    }

    private static JsonNode claims(Response tokens) {
        return Jwt.parse(tokens.accessToken()).claims();
    }

    private JsonNode sessionsAsSeenBy(Response tokens) {
        return server.api()
                .get("/v1/auth/me/sessions")
                .bearer(tokens.accessToken())
                .expect(200)
                .json();
    }

    private void assertOver(Response session) {
        project.me(session.accessToken()).expect(401);
        project.refresh(session.refreshToken()).expect(401);
    }

    private void assertRefused(Call call) {
        assertThat(call.expect(403).text("reason")).isEqualTo("impersonated_session");
    }

    private String secondOwner() {
        return server.newMember(project, "owner");
    }

    private Call changeRole(String member, String role) {
        return project.asOwner("PATCH", "/members/" + idOf(member)).json(Map.of("role", role));
    }

    @Test
    void theTokensBelongToTheUserAndSayWhoActs() {
        var session = impersonated();

        assertThat(session.text("user/id")).isEqualTo(userId());
        assertThat(project.me(session.accessToken()).expect(200).text("email")).isEqualTo(email);
        assertThat(claims(session).path("sub").asText()).isEqualTo(userId());
        assertThat(claims(session).path("act").toString()).isEqualTo("{\"sub\":\"" + idOf(project.owner()) + "\"}");
        assertThat(claims(session).has("amr")).isFalse();
        var verified = project.verify(session.accessToken()).expect(200);
        assertThat(verified.text("payload/act/sub")).isEqualTo(idOf(project.owner()));
        assertThat(verified.text("id")).isEqualTo(userId());
    }

    @Test
    void ordinaryTokensNameNoActor() {
        assertThat(claims(user).has("act")).isFalse();
        assertThat(project.verify(user.accessToken())
                        .expect(200)
                        .json()
                        .path("payload")
                        .has("act"))
                .isFalse();
    }

    @Test
    void aRefreshKeepsTheActor() {
        var act = claims(impersonated()).path("act");

        var inA = project.refresh(impersonated().refreshToken()).expect(200);
        assertThat(claims(inA).path("act")).isEqualTo(act);
        assertThat(claims(project.refresh(inA.refreshToken()).expect(200)).path("act"))
                .isEqualTo(act);

        var opened = impersonated();
        var inB = project.refreshAccessToken(opened.refreshToken()).expect(200);
        assertThat(claims(inB).path("act")).isEqualTo(act);
        project.refresh(opened.refreshToken()).expect(401);
    }

    @Test
    void aTokenOfATemplateKeepsTheActor() {
        project.manage("POST", "/v1/backend/jwt-templates")
                .json(Map.of("name", "other", "claims", List.of(Map.of("key", "a", "value", 1))))
                .expect(201);
        var session = impersonated();
        var token = project.manage("POST", "/v1/backend/sessions/" + session.text("sessionId") + "/token")
                .json(Map.of("template", "other"))
                .expect(200)
                .accessToken();
        assertThat(Jwt.parse(token).claims().path("act"))
                .isEqualTo(claims(session).path("act"));
    }

    @Test
    void itEndsAfterAnHourEvenIfItIsRefreshed() {
        project.asOwner("PATCH", "")
                .json(Map.of(
                        "sessionConfig",
                        Map.of("accessTokenTtl", 86400, "refreshTokenTtl", 31536000, "maxLifetime", 31536000)))
                .expect(200);
        var session = impersonated();
        var end = clock.instant().plus(Duration.ofHours(1)).getEpochSecond();
        assertThat(claims(session).path("exp").asLong()).isEqualTo(end);

        for (int i = 0; i < 5; i++) {
            clock.advance(Duration.ofMinutes(10));
            session = project.refresh(session.refreshToken()).expect(200);
            assertThat(claims(session).path("exp").asLong()).isEqualTo(end);
            assertThat(session.json().path("expiresIn").asLong()).isEqualTo((5 - i) * 600L);
        }
        clock.advance(Duration.ofMinutes(10).minusSeconds(1));
        project.me(session.accessToken()).expect(200);
        clock.advance(Duration.ofSeconds(1));
        assertOver(session);
        project.refresh(user.refreshToken()).expect(200);
    }

    @Test
    void inVariantBItEndsAfterAnHourToo() {
        project.asOwner("PATCH", "")
                .json(Map.of("sessionConfig", Map.of("accessTokenTtl", 7200)))
                .expect(200);
        var session = impersonated();
        var end = clock.instant().plus(Duration.ofHours(1)).getEpochSecond();

        clock.advance(Duration.ofMinutes(50));
        var renewed = project.refreshAccessToken(session.refreshToken()).expect(200);
        assertThat(claims(renewed).path("exp").asLong()).isEqualTo(end);
        clock.advance(Duration.ofMinutes(10));
        project.me(renewed.accessToken()).expect(401);
        project.refreshAccessToken(session.refreshToken()).expect(401);
    }

    @Test
    void aProjectWithShorterSessionsEndsItSooner() {
        project.asOwner("PATCH", "")
                .json(Map.of("sessionConfig", Map.of("maxLifetime", 600)))
                .expect(200);
        var session = impersonated();
        clock.advance(Duration.ofMinutes(5));
        session = project.refresh(session.refreshToken()).expect(200);
        clock.advance(Duration.ofMinutes(5));
        assertOver(session);
    }

    @Test
    void theUserSeesItAndEndsIt() {
        var session = impersonated();

        var listed = sessionsAsSeenBy(user);
        assertThat(listed).hasSize(2);
        var seen = listed.get(0);
        assertThat(seen.path("id").asText()).isEqualTo(session.text("sessionId"));
        assertThat(seen.path("impersonatedBy").asText()).isEqualTo(idOf(project.owner()));
        assertThat(seen.path("deviceName").asText()).startsWith("Impersonation");
        assertThat(seen.path("ipAddress").isNull()).as("where the owner is").isTrue();
        assertThat(seen.path("userAgent").isNull()).isTrue();
        assertThat(listed.get(1).has("impersonatedBy")).isFalse();
        assertThat(listed.get(1).path("ipAddress").isNull()).isFalse();

        server.api()
                .call("DELETE", "/v1/auth/me/sessions/" + session.text("sessionId"))
                .bearer(user.accessToken())
                .expect(200);
        assertOver(session);
    }

    @Test
    void theProjectsOwnListsNameWhoActs() {
        var session = impersonated();
        var owner = idOf(project.owner());
        assertThat(project.manage("GET", "/v1/dashboard/sessions").expect(200).text("sessions/0/impersonatedBy"))
                .isEqualTo(owner);
        var ofUser = project.manage("GET", "/v1/backend/users/" + userId() + "/sessions")
                .expect(200)
                .json();
        assertThat(ofUser.get(0).path("id").asText()).isEqualTo(session.text("sessionId"));
        assertThat(ofUser.get(0).path("impersonatedBy").asText()).isEqualTo(owner);
        assertThat(ofUser.get(0).path("ipAddress").isNull()).isFalse();
    }

    @Test
    void theAuditLogHasTheReasonAndWhoDidWhat() {
        var reason = "Ticket 4711: \"the invoice\" \u2603 <b>";
        var session = impersonate(project.owner(), Map.of("reason", "  " + reason + " "))
                .expect(200);
        project.signOut(session.accessToken()).expect(200);

        var entries = project.manage("GET", "/v1/dashboard/audit-logs?actorId=" + idOf(project.owner()))
                .expect(200)
                .json()
                .path("data");
        var opened = new ArrayList<JsonNode>();
        entries.forEach(entry -> opened.add(entry));
        var impersonated = opened.stream()
                .filter(entry -> entry.path("event").asText().equals("admin.user.impersonated"))
                .findFirst()
                .orElseThrow();
        assertThat(impersonated.path("actorType").asText()).isEqualTo("admin");
        assertThat(impersonated.path("targetId").asText()).isEqualTo(userId());
        assertThat(impersonated.at("/metadata/reason").asText()).isEqualTo(reason);
        assertThat(impersonated.at("/metadata/session").asText()).isEqualTo(session.text("sessionId"));
        var signedOut = opened.stream()
                .filter(entry -> entry.path("event").asText().equals("auth.signout"))
                .findFirst()
                .orElseThrow();
        assertThat(signedOut.path("actorType").asText()).isEqualTo("admin");
        assertThat(signedOut.at("/metadata/actingAs").asText()).isEqualTo(userId());
        assertThat(project.manage("GET", "/v1/dashboard/audit-logs?event=auth.signin")
                        .expect(200)
                        .text("total"))
                .isEqualTo("0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"reason\":null}",
                "{\"reason\":\"\"}",
                "{\"reason\":\"  \"}",
                "{\"reason\":7}",
                "{\"reason\":[\"a\"]}",
                "{\"reason\":\"a\\u0000b\"}",
                "{\"reason\":\"a\\r\\nX-Header: b\"}",
                "{\"reason\":\"a\\u2028b\"}",
                "{\"reason\":\"a\\ud800\"}"
            })
    void aReasonIsOneLineOfText(String body) {
        assertThat(project.as(project.owner(), "POST", "/users/" + userId() + "/impersonate")
                        .text(body)
                        .expect(422)
                        .failingFields())
                .containsExactly("reason");
        assertThat(sessionsAsSeenBy(user)).hasSize(1);
    }

    @Test
    void aReasonHasAtMost500Characters() {
        impersonate(project.owner(), Map.of("reason", "\ud83d\udc4b".repeat(500)))
                .expect(200);
        impersonate(project.owner(), Map.of("reason", "a".repeat(501))).expect(422);
    }

    @Test
    void onlyAnOwnerOfTheProjectCanActAsItsUsers() {
        var path = "/v1/dashboard/projects/" + project.id() + "/users/" + userId() + "/impersonate";
        var body = Map.of("reason", "Because");
        server.api().post(path).key(project.secretKey()).json(body).expect(403);
        server.api().post(path).bearer(project.secretKey()).json(body).expect(403);
        server.api().post(path).key(project.publishableKey()).json(body).expect(403);
        server.api().post(path).bearer(user.accessToken()).json(body).expect(403);
        server.api().post(path).json(body).expect(401);
        impersonate(server.newMember(project, "viewer")).expect(403);
        impersonate(server.newDashboardUser()).expect(404);
        assertThat(sessionsAsSeenBy(user)).hasSize(1);
    }

    @Test
    void aUserOfAnotherProjectIsUnknown() {
        var stranger = server.newProject().signUp().text("user/id");
        var owner = idOf(project.owner());
        for (var id : List.of(stranger, owner, UUID.randomUUID().toString(), "no-id", "%00", "me")) {
            project.asOwner("POST", "/users/" + id + "/impersonate")
                    .json(Map.of("reason", "Because"))
                    .expect(404);
        }
    }

    /** Nobody can act as a dashboard user, who could own projects. */
    @Test
    void nobodyCanActAsADashboardUser() {
        var system = "00000000-0000-0000-0000-000000000000";
        for (var id : List.of(system, ProjectId.SYSTEM.toString())) {
            server.api()
                    .post("/v1/dashboard/projects/" + id + "/users/" + idOf(project.owner()) + "/impersonate")
                    .bearer(project.owner())
                    .json(Map.of("reason", "Because"))
                    .expect(404);
        }
    }

    @Test
    void anActorsTokenCannotManageAnything() {
        var session = impersonated();
        server.api().get("/v1/dashboard/projects").bearer(session.accessToken()).expect(403);
        impersonate(session.accessToken()).expect(403);
        assertRefused(server.api()
                .get("/v1/auth/oauth/google/url")
                .key(project.publishableKey())
                .bearer(session.accessToken()));
    }

    @Test
    void theProfileCanBeChangedButNotThePhone() {
        var session = impersonated();
        var me = "/v1/auth/me";
        server.api()
                .patch(me)
                .bearer(session.accessToken())
                .json(Map.of("displayName", "Ada"))
                .expect(200);
        assertRefused(server.api().patch(me).bearer(session.accessToken()).json(Map.of("phone", "+442079460000")));
        assertRefused(server.api()
                .patch(me)
                .bearer(session.accessToken())
                .text("{\"displayName\":\"Grace\",\"phone\":null}"));
        assertThat(project.me(user.accessToken()).expect(200).text("displayName"))
                .isEqualTo("Ada");
    }

    /** Not even with the right password, in case the owner knows it. */
    @Test
    void thePasswordCanNeitherBeChangedNorConfirmed() {
        var session = impersonated();
        assertRefused(server.api()
                .post("/v1/auth/password/change")
                .bearer(session.accessToken())
                .json(Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "another horse battery")));
        assertRefused(server.api()
                .post("/v1/auth/reauthenticate")
                .bearer(session.accessToken())
                .json(Map.of("password", TestProject.PASSWORD)));
        project.signIn(email);
    }

    @Test
    void theUsersOtherSessionsCannotBeEnded() {
        var session = impersonated();
        sessionsAsSeenBy(session)
                .forEach(listed -> assertRefused(server.api()
                        .call(
                                "DELETE",
                                "/v1/auth/me/sessions/" + listed.path("id").asText())
                        .bearer(session.accessToken())));
        project.me(user.accessToken()).expect(200);
        project.signOut(session.accessToken()).expect(200);
        assertOver(session);
        project.me(user.accessToken()).expect(200);
    }

    @Test
    void itIsNotASignInAndEvictsNoSession() {
        project.asOwner("PATCH", "")
                .json(Map.of("sessionConfig", Map.of("maxConcurrentSessions", 1)))
                .expect(200);
        var networks = "SELECT count(*) FROM sign_in_networks WHERE project_id = ?::uuid";
        var before = project.me(user.accessToken()).expect(200).json();
        var known = server.sql().count(networks, project.id());

        var session = impersonated();

        assertThat(project.me(user.accessToken()).expect(200).json()).isEqualTo(before);
        assertThat(server.sql().count(networks, project.id())).isEqualTo(known);
        var signedIn = project.signIn(email);
        project.me(session.accessToken()).expect(200);
        project.me(user.accessToken()).expect(401);
        project.me(signedIn.accessToken()).expect(200);
    }

    @Test
    void anotherOneOfTheSameOwnerReplacesIt() {
        var other = secondOwner();
        var ofOther = impersonate(other).expect(200);
        var first = impersonated();
        var second = impersonated();

        assertOver(first);
        project.me(second.accessToken()).expect(200);
        project.me(ofOther.accessToken()).expect(200);
        assertThat(sessionsAsSeenBy(user)).hasSize(3);
    }

    @Test
    void aBannedUserCannotBeActedAs() {
        project.manage("PATCH", "/v1/dashboard/users/" + userId() + "/ban").expect(200);
        assertThat(impersonate(project.owner()).expect(409).text("message")).contains("banned");
    }

    @Test
    void aBanOrADeletionMeanwhileEndsIt() {
        var session = impersonated();
        project.manage("PATCH", "/v1/dashboard/users/" + userId() + "/ban").expect(200);
        assertOver(session);
        project.manage("PATCH", "/v1/dashboard/users/" + userId() + "/unban").expect(200);
        assertOver(session);

        var again = impersonated();
        project.manage("DELETE", "/v1/dashboard/users/" + userId()).expect(200);
        assertOver(again);
        impersonate(project.owner()).expect(404);
    }

    @Test
    void aDeletedProjectHasNoImpersonations() {
        var session = impersonated();
        project.asOwner("DELETE", "").expect(200);
        project.me(session.accessToken()).expect(401);
        impersonate(project.owner()).expect(404);
    }

    @Test
    void itEndsWhenTheOwnerIsDemoted() {
        var other = secondOwner();
        var session = impersonate(other).expect(200);
        var own = impersonated();

        changeRole(other, "owner").expect(200);
        project.me(session.accessToken()).expect(200);
        changeRole(other, "viewer").expect(200);

        assertOver(session);
        project.me(own.accessToken()).expect(200);
        impersonate(other).expect(403);
    }

    @Test
    void itEndsWhenTheOwnerIsRemovedButOtherProjectsKeepTheirs() {
        var other = secondOwner();
        var session = impersonate(other).expect(200);
        var elsewhere = server.newProject(other, "Another project");
        var stays = elsewhere
                .asOwner("POST", "/users/" + elsewhere.signUp().text("user/id") + "/impersonate")
                .json(Map.of("reason", "Because"))
                .expect(200);

        project.asOwner("DELETE", "/members/" + idOf(other)).expect(200);

        assertOver(session);
        elsewhere.me(stays.accessToken()).expect(200);
    }

    @Test
    void itEndsWithTheOwnersSessionsInEveryProject() {
        var second = server.newProject(project.owner(), "Another project");
        var secondUser = second.signUp().text("user/id");
        var ends = List.<Call>of(
                server.api().call("DELETE", "/v1/dashboard/auth/sessions?keepCurrent=true"),
                server.api()
                        .post("/v1/dashboard/auth/password/change")
                        .json(Map.of("currentPassword", OWNERS_PASSWORD, "newPassword", "a new dashboard password")),
                server.api().post("/v1/auth/signout"));
        for (var end : ends) {
            var here = impersonated();
            var there = second.asOwner("POST", "/users/" + secondUser + "/impersonate")
                    .json(Map.of("reason", "Because"))
                    .expect(200);
            end.bearer(project.owner()).expect(200);
            assertOver(here);
            second.me(there.accessToken()).expect(401);
        }
    }

    /** A new password by a mailed code, or from the operator, does the same. */
    @Test
    void itEndsWhenAllSessionsOfTheOwnerAreEnded() {
        var other = secondOwner();
        var session = impersonate(other).expect(200);
        server.api().call("DELETE", "/v1/dashboard/auth/sessions").bearer(other).expect(200);
        assertOver(session);
    }

    @Test
    void anExpiredSessionOfTheOwnerEndsNothing() {
        var session = impersonated();
        clock.advance(Duration.ofMinutes(16));
        impersonate(project.owner()).expect(401);
        project.refresh(session.refreshToken()).expect(200);
    }

    @Test
    void aConcurrentDemotionLeavesNoneOpen() {
        var other = secondOwner();
        for (int round = 0; round < ROUNDS; round++) {
            changeRole(other, "owner").expect(200);
            var answers = Parallel.send(4, number -> number == 1 ? changeRole(other, "viewer") : impersonate(other));
            assertThat(answers.get(1).status()).isEqualTo(200);
            for (var number : List.of(0, 2, 3)) {
                var answer = answers.get(number);
                assertThat(answer.status()).isIn(200, 403);
                if (answer.status() == 200) {
                    assertOver(answer);
                }
            }
            assertThat(sessionsAsSeenBy(user)).hasSize(1);
        }
    }

    @Test
    void aConcurrentSignOutOrBanLeavesNoneOpen() {
        for (int round = 0; round < ROUNDS; round++) {
            var other = secondOwner();
            var answers = Parallel.send(3, number -> number == 1 ? project.signOut(other) : impersonate(other));
            assertThat(answers.get(1).status()).isEqualTo(200);
            assertThat(List.of(answers.get(0), answers.get(2)))
                    .allSatisfy(answer -> assertThat(answer.status()).isIn(200, 401));
            assertThat(sessionsAsSeenBy(user)).hasSize(1);
        }
        for (int round = 0; round < ROUNDS; round++) {
            var path = "/v1/dashboard/users/" + userId();
            var answers = Parallel.send(
                    3, number -> number == 1 ? project.manage("PATCH", path + "/ban") : impersonate(project.owner()));
            assertThat(answers.get(1).status()).isEqualTo(200);
            assertThat(List.of(answers.get(0), answers.get(2)))
                    .allSatisfy(answer -> assertThat(answer.status()).isIn(200, 409));
            assertThat(server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id()))
                    .isZero();
            project.manage("PATCH", path + "/unban").expect(200);
        }
    }

    @Test
    void ofManyConcurrentOnesOneStaysOpen() {
        var answers = Parallel.send(6, number -> impersonate(project.owner()));
        assertThat(answers).extracting(Response::status).containsOnly(200);
        assertThat(sessionsAsSeenBy(user)).hasSize(2);
    }

    /** The signature is the project's own, so applications cannot forge one. */
    @Test
    void aTokenWithoutItsActorIsRefused() {
        var session = Jwt.parse(impersonated().accessToken());
        project.me(session.claim("act", null).text()).expect(401);
        project.me(session.claim("act", Map.of()).text()).expect(401);
    }
}
