package dev.vestibule.project.member;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.project.Language;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a person becomes a member of a project. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InvitationsIT {
    private static final Pattern TOKEN = Pattern.compile("(?m)^ {4}(inv_[A-Za-z0-9_-]+)\r?$");
    private static final String PASSWORD = "a dashboard password";
    private static final String OF_NOBODY = "inv_" + "A".repeat(86);

    private final TestDatabase database;
    private final WithMail mail;
    private final TestServer server;

    InvitationsIT(TestDatabase database) {
        this.database = database;
        mail = WithMail.start(
                database,
                Map.of(
                        "VESTIBULE_LIMITS_INVITATIONS_PER_DAY",
                        "5",
                        "VESTIBULE_LIMITS_INVITATIONS_TO_ONE_ADDRESS_PER_DAY",
                        "3",
                        "VESTIBULE_LIMITS_INVITATIONS_PER_ADDRESS_PER_DAY",
                        "7"));
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    private static Call invite(TestProject project, String email, String role) {
        return project.asOwner("POST", "/members").json(Map.of("email", email, "role", role));
    }

    /** Invites the address, and returns the token of the newest mail. */
    private String invited(TestProject project, String email, String role) {
        var before = invitationsTo(email).size();
        invite(project, email, role).expect(201);
        return mailedTo(email, before);
    }

    private String mailedTo(String email, int before) {
        Eventually.until("it is mailed", () -> invitationsTo(email).size() > before);
        return invitationsTo(email).get(before);
    }

    private List<String> invitationsTo(String email) {
        return mail.mailbox().to(email).stream()
                .map(TestMailbox::text)
                .map(TOKEN::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .toList();
    }

    private Call accept(String dashboardUser, String token) {
        return server.api()
                .post("/v1/dashboard/invitations/" + token + "/accept")
                .bearer(dashboardUser);
    }

    private static Call register(TestServer at, String email, Map<String, String> more) {
        var fields = new HashMap<String, Object>(Map.of("email", email, "password", PASSWORD));
        fields.putAll(more);
        return at.api().post("/v1/dashboard/auth/register").json(fields);
    }

    private Response register(String email) {
        return register(server, email, Map.of()).expect(201);
    }

    private static JsonNode newestMember(TestProject project) {
        return project.asOwner("GET", "/members")
                .expect(200)
                .json()
                .path("members")
                .get(0);
    }

    /** The attack: an account with an address whose owner never saw it. */
    @Test
    void registeringWithAnInvitedAddressIsNotEnoughToBecomeAMember() {
        var project = server.newProject();
        var boss = TestServer.newEmail();
        var attacker = register(boss).accessToken();

        invite(project, boss, "owner").expect(201);

        project.as(attacker, "GET", "").expect(404);
        project.as(attacker, "POST", "/keys").json(Map.of("kind", "secret")).expect(404);
        project.as(attacker, "GET", "/members").expect(404);
        server.api()
                .get("/v1/dashboard/webhooks?projectId=" + project.id())
                .bearer(attacker)
                .expect(404);
        assertThat(server.api()
                        .get("/v1/dashboard/projects")
                        .bearer(attacker)
                        .expect(200)
                        .body())
                .isEqualTo("{\"projects\":[],\"total\":0,\"isAdministrator\":false}");
    }

    @Test
    void theInvitationsOfAnOwnerWhoIsRemovedEnd() {
        var project = server.newProject();
        var address = TestServer.newEmail();
        accept(register(address).accessToken(), invited(project, address, "owner"))
                .expect(200);
        var leaving = server.api()
                .post("/v1/dashboard/auth/login")
                .json(Map.of("email", address, "password", PASSWORD))
                .expect(200);
        var own = TestServer.newEmail();
        project.as(leaving.accessToken(), "POST", "/members")
                .json(Map.of("email", own, "role", "owner"))
                .expect(201);
        var token = mailedTo(own, 0);
        var another = TestServer.newEmail();
        var raised = invite(project, another, "viewer").expect(201);
        project.as(leaving.accessToken(), "PATCH", "/members/" + raised.text("id"))
                .json(Map.of("role", "owner"))
                .expect(200);
        var tokenOfRaised = mailedTo(another, 0);

        project.asOwner("DELETE", "/members/" + leaving.text("user/id")).expect(200);

        accept(register(own).accessToken(), token).expect(404);
        accept(register(another).accessToken(), tokenOfRaised).expect(404);
    }

    @Test
    void theInvitedPersonAcceptsAndFindsTheProjectAtOnce() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var user = register(email);

        invite(project, " " + email.toUpperCase(Locale.ROOT), "viewer").expect(201);
        var token = mailedTo(email, 0);
        var accepted = accept(user.accessToken(), token).expect(200);

        assertThat(accepted.text("projectId")).isEqualTo(project.id());
        assertThat(accepted.text("member/status")).isEqualTo("active");
        assertThat(accepted.text("member/role")).isEqualTo("viewer");
        assertThat(accepted.text("member/id")).isEqualTo(user.text("user/id"));
        assertThat(newestMember(project)).isEqualTo(accepted.json().path("member"));
        project.as(user.accessToken(), "GET", "").expect(200);
        project.as(user.accessToken(), "PATCH", "").json(Map.of("name", "B")).expect(403);
    }

    @Test
    void anInvitationRevealsNothingAboutTheAddressAndIsListed() {
        var project = server.newProject();
        var known = TestServer.newEmail();
        register(known);

        for (var email : List.of(known, TestServer.newEmail())) {
            var invited = invite(project, email, "owner").expect(201);

            assertThat(invited.text("status")).isEqualTo("invited");
            assertThat(invited.text("userId")).isEqualTo("null");
            assertThat(invited.text("displayName")).isEqualTo("null");
            assertThat(invited.text("email")).isEqualTo(email);
            assertThat(invited.text("role")).isEqualTo("owner");
            assertThat(Duration.between(mail.clock().instant(), Instant.parse(invited.text("expiresAt"))))
                    .isEqualTo(Duration.ofDays(7));
            assertThat(newestMember(project)).isEqualTo(invited.json());
        }
        assertThat(project.asOwner("GET", "/members?limit=1&offset=2")
                        .expect(200)
                        .text("members/0/status"))
                .isEqualTo("active");
        assertThat(project.asOwner("GET", "/members").expect(200).text("total")).isEqualTo("3");
    }

    @Test
    void theDatabaseHoldsNoToken() {
        var project = server.newProject();
        var token = invited(project, TestServer.newEmail(), "viewer");

        for (var table : List.of("invitations", "messages", "codes")) {
            assertThat(server.sql()
                            .texts(
                                    "SELECT row_to_json(t)::text FROM " + table + " t WHERE project_id = ?::uuid",
                                    project.id()))
                    .allSatisfy(row -> assertThat(row).doesNotContain(token.substring(60)));
        }
    }

    @Test
    void acceptingProvesTheEmailAndEndsEveryOtherSession() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var squatter = register(email);
        var owner = server.api()
                .post("/v1/dashboard/auth/login")
                .json(Map.of("email", email, "password", PASSWORD))
                .expect(200);

        accept(owner.accessToken(), invited(project, email, "viewer")).expect(200);

        server.api().get("/v1/auth/me").bearer(squatter.accessToken()).expect(401);
        assertThat(server.api()
                        .get("/v1/auth/me")
                        .bearer(owner.accessToken())
                        .expect(200)
                        .text("emailVerified"))
                .isEqualTo("true");

        var again = server.api()
                .post("/v1/dashboard/auth/login")
                .json(Map.of("email", email, "password", PASSWORD))
                .expect(200);
        accept(owner.accessToken(), invited(server.newProject(), email, "viewer"))
                .expect(200);
        server.api().get("/v1/auth/me").bearer(again.accessToken()).expect(200);
    }

    @Test
    void anAccountOfAnotherAddressCannotAccept() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var other = register(TestServer.newEmail()).accessToken();
        var token = invited(project, email, "owner");

        assertThat(accept(other, token).expect(403).text("message"))
                .contains("another email")
                .doesNotContain(email);
        register(server, TestServer.newEmail(), Map.of("invitationToken", token))
                .expect(403);
        project.as(other, "GET", "").expect(404);

        accept(register(email).accessToken(), token).expect(200);
    }

    @Test
    void anInvitedPersonCanRegisterThoughRegistrationIsClosed() {
        for (var registration : List.of("closed", "first")) {
            try (var strict = WithMail.start(database)) {
                var project = strict.server().newProject();
                var email = TestServer.newEmail();
                invite(project, email, "owner").expect(201);
                var text = TestMailbox.text(strict.mailbox().await(email, 1));
                var token = token(text);
                try (var node = TestServer.startOn(
                        strict.server().databaseUrl(),
                        Map.of("VESTIBULE_DASHBOARD_REGISTRATION", registration),
                        strict.clock())) {
                    register(node, email, Map.of()).expect(403);

                    var registered = register(node, email, Map.of("invitationToken", token))
                            .expect(201);

                    assertThat(registered.text("user/emailVerified")).isEqualTo("true");
                    project.at(node)
                            .as(registered.accessToken(), "PATCH", "")
                            .json(Map.of("name", "B"))
                            .expect(200);
                    register(node, email, Map.of("invitationToken", token)).expect(404);
                }
                assertThat(strict.mailbox().to(email)).hasSize(1);
            }
        }
    }

    private static String token(String text) {
        var found = TOKEN.matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return found.group(1);
    }

    @Test
    void aPersonWithAnAccountCannotRegisterByInvitation() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var user = register(email);
        var token = invited(project, email, "viewer");

        register(server, email, Map.of("invitationToken", token)).expect(409);

        accept(user.accessToken(), token).expect(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "inv_",
                "x",
                "%00",
                "inv_%00",
                "..%2f..%2fprojects",
                "inv_%F0%9F%94%91",
                "019ba6eb-5800-73e4-9f21-6b0d84e7a915"
            })
    void aTokenThatWasNeverMailedIsUnknown(String token) {
        var user = server.newDashboardUser();
        var unknown = accept(user, OF_NOBODY).expect(404);

        assertThat(accept(user, token).expect(404).body()).isEqualTo(unknown.body());
        assertThat(accept(user, "inv_" + "A".repeat(3000)).expect(404).body()).isEqualTo(unknown.body());
        assertThat(register(server, TestServer.newEmail(), Map.of("invitationToken", token))
                        .expect(404)
                        .body())
                .isEqualTo(unknown.body());
    }

    @Test
    void aRegistrationWithAnInvalidTokenIsRefused() {
        for (var token : new Object[] {"", "\u0000", "\ud800", "x".repeat(50_000)}) {
            register(server, TestServer.newEmail(), Map.of("invitationToken", String.valueOf(token)))
                    .expect(404);
        }
        assertThat(server.api()
                        .post("/v1/dashboard/auth/register")
                        .json(Map.of("email", TestServer.newEmail(), "password", PASSWORD, "invitationToken", 42))
                        .expect(422)
                        .failingFields())
                .containsExactly("invitationToken");
    }

    @Test
    void aGuessedSecretOfARealInvitationIsUnknown() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var user = register(email).accessToken();
        var token = invited(project, email, "viewer");
        var other = invited(server.newProject(), email, "viewer");

        for (var guess : List.of(
                token.substring(0, 60) + "A".repeat(30),
                token.substring(0, 25) + other.substring(25),
                other.substring(0, 25) + token.substring(25),
                token.toLowerCase(Locale.ROOT),
                token + "A")) {
            assertThat(accept(user, guess).expect(404).body())
                    .isEqualTo(accept(user, OF_NOBODY).expect(404).body());
        }
        accept(user, token).expect(200);
        accept(user, other).expect(200);
    }

    @Test
    void anInvitationIsAcceptedOnce() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var user = register(email).accessToken();
        var token = invited(project, email, "viewer");

        assertThat(Parallel.send(8, number -> accept(user, token)))
                .extracting(Response::status)
                .containsOnlyOnce(200)
                .containsOnly(200, 404);
        accept(user, token).expect(404);
        assertThat(project.asOwner("GET", "/members").expect(200).text("total")).isEqualTo("2");
        invite(project, email, "viewer").expect(409);
    }

    @Test
    void oneOfTwoRegistrationsByOneInvitationSucceeds() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var token = invited(project, email, "viewer");

        assertThat(Parallel.send(6, number -> register(server, email, Map.of("invitationToken", token))))
                .extracting(Response::status)
                .containsOnlyOnce(201)
                .isSubsetOf(201, 404, 409);
        assertThat(project.asOwner("GET", "/members").expect(200).text("total")).isEqualTo("2");
    }

    @Test
    void aWithdrawnInvitationIsUnknown() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var user = register(email).accessToken();
        var token = invited(project, email, "viewer");
        var id = newestMember(project).path("id").asText();

        project.as(user, "DELETE", "/members/" + id).expect(404);
        server.newProject(project.owner(), "Another")
                .asOwner("DELETE", "/members/" + id)
                .expect(404);
        project.asOwner("DELETE", "/members/" + id).expect(200);

        project.asOwner("DELETE", "/members/" + id).expect(404);
        accept(user, token).expect(404);
        project.as(user, "GET", "").expect(404);
        assertThat(project.asOwner("GET", "/members").expect(200).text("total")).isEqualTo("1");
    }

    @Test
    void anInvitationIsEitherAcceptedOrWithdrawn() {
        for (int round = 0; round < 5; round++) {
            var project = server.newProject();
            var email = TestServer.newEmail();
            var user = register(email).accessToken();
            var token = invited(project, email, "viewer");
            var id = newestMember(project).path("id").asText();

            var answers = Parallel.send(
                    2, number -> number == 0 ? accept(user, token) : project.asOwner("DELETE", "/members/" + id));

            assertThat(answers).extracting(Response::status).containsExactlyInAnyOrder(200, 404);
            project.as(user, "GET", "").expect(answers.get(0).status());
        }
    }

    @Test
    void anInvitationOfADeletedProjectIsUnknown() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var user = register(email).accessToken();
        var token = invited(project, email, "viewer");

        project.asOwner("DELETE", "").expect(200);

        assertThat(accept(user, token).expect(404).body())
                .isEqualTo(accept(user, OF_NOBODY).expect(404).body());
        assertThat(server.sql().count("SELECT count(*) FROM invitations WHERE project_id = ?::uuid", project.id()))
                .isZero();
        register(server, TestServer.newEmail(), Map.of("invitationToken", token))
                .expect(404);
    }

    @Test
    void anInvitationThatIsNotAcceptedInTimeExpiresAndCanBeRenewed() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var token = invited(project, email, "viewer");

        mail.clock().advance(Duration.ofDays(7));
        var user = register(email).accessToken();

        accept(user, token).expect(404);
        var owner = server.api()
                .post("/v1/dashboard/auth/login")
                .json(Map.of("email", ownerEmail(project), "password", PASSWORD))
                .expect(200)
                .accessToken();
        var later = new TestProject(server.api(), project.id(), "", "", owner);
        assertThat(newestMember(later).path("status").asText()).isEqualTo("expired");
        accept(user, invited(later, email, "viewer")).expect(200);
    }

    private String ownerEmail(TestProject project) {
        return server.sql()
                .texts(
                        "SELECT email FROM users JOIN memberships ON user_id = id WHERE memberships.project_id = ?::uuid",
                        project.id())
                .get(0);
    }

    @Test
    void anExpiredInvitationIsRemovedAfterAMonth() {
        try (var sweeping = WithMail.start(database, Map.of("VESTIBULE_SESSIONS_SWEEP_SECONDS", "1"))) {
            invite(sweeping.server().newProject(), TestServer.newEmail(), "viewer")
                    .expect(201);
            Eventually.until(
                    "it is mailed, from when it counts",
                    () -> sweeping.server().sql().count("SELECT count(*) FROM messages") == 0);

            sweeping.clock().advance(Duration.ofDays(38));

            for (var table : List.of("invitations", "budgets")) {
                Eventually.until(
                        table + " are removed",
                        () -> sweeping.server().sql().count("SELECT count(*) FROM " + table) == 0);
            }
        }
    }

    @Test
    void invitingAgainInvalidatesTheOldTokenAndChangesTheRole() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var user = register(email).accessToken();
        var old = invited(project, email, "owner");
        var id = newestMember(project).path("id").asText();
        var tooSoon = invite(project, email, "viewer").expect(429);
        assertThat(tooSoon.header("Retry-After")).contains("60");

        mail.passAMinute();
        var renewed = invited(project, email, "viewer");

        assertThat(newestMember(project).path("id").asText()).isEqualTo(id);
        accept(user, old).expect(404);
        assertThat(accept(user, renewed).expect(200).text("member/role")).isEqualTo("viewer");
    }

    @Test
    void theRoleOfAnInvitationCanBeChanged() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        var token = invited(project, email, "viewer");
        var id = newestMember(project).path("id").asText();

        var changed = project.asOwner("PATCH", "/members/" + id)
                .json(Map.of("role", "owner"))
                .expect(200);

        assertThat(changed.text("status")).isEqualTo("invited");
        assertThat(changed.text("role")).isEqualTo("owner");
        assertThat(accept(register(email).accessToken(), token).expect(200).text("member/role"))
                .isEqualTo("owner");
    }

    @Test
    void anInvitedOwnerDoesNotLetTheLastOneLeave() {
        var project = server.newProject();
        invite(project, TestServer.newEmail(), "owner").expect(201);
        var owner = server.api()
                .get("/v1/auth/me")
                .bearer(project.owner())
                .expect(200)
                .text("id");

        project.asOwner("DELETE", "/members/" + owner).expect(409);
        project.asOwner("PATCH", "/members/" + owner)
                .json(Map.of("role", "viewer"))
                .expect(409);
    }

    @Test
    void aViewerCanNeitherInviteNorWithdraw() {
        var project = server.newProject();
        var viewer = server.newMember(project, "viewer");
        invite(project, TestServer.newEmail(), "viewer").expect(201);
        var id = server.sql()
                .texts("SELECT id::text FROM invitations WHERE project_id = ?::uuid", project.id())
                .get(0);

        project.as(viewer, "POST", "/members")
                .json(Map.of("email", TestServer.newEmail(), "role", "owner"))
                .expect(403);
        project.as(viewer, "DELETE", "/members/" + id).expect(403);
        project.as(viewer, "PATCH", "/members/" + id)
                .json(Map.of("role", "owner"))
                .expect(403);
    }

    @Test
    void onlyADashboardUserCanAccept() {
        var project = server.newProject();
        var token = invited(project, TestServer.newEmail(), "viewer");
        var path = "/v1/dashboard/invitations/" + token + "/accept";

        server.api().post(path).expect(401);
        server.api().post(path).key(project.secretKey()).expect(403);
        accept(project.signUp().accessToken(), token).expect(403);
    }

    @Test
    void aDashboardUserCanSendALimitedNumberOfInvitationsADay() {
        var owner = server.newDashboardUser();
        for (int i = 0; i < 5; i++) {
            invite(server.newProject(owner, "One of many"), TestServer.newEmail(), "viewer")
                    .expect(201);
        }
        var another = server.newProject(owner, "One more");

        var refused = invite(another, TestServer.newEmail(), "viewer").expect(429);

        assertThat(refused.header("RateLimit-Policy").orElse("")).contains("\"invitations\";q=5;w=86400");
        assertThat(another.asOwner("GET", "/members").expect(200).text("total")).isEqualTo("1");
    }

    /** However many projects and accounts somebody creates for it. */
    @Test
    void anAddressGetsALimitedNumberOfInvitationsADay() {
        var victim = TestServer.newEmail();
        for (int i = 0; i < 7; i++) {
            invite(server.newProject(), victim, "viewer").expect(201);
        }
        invite(server.newProject(), victim, "viewer").expect(429);
        Eventually.until("all are mailed", () -> invitationsTo(victim).size() == 7);
    }

    /** Otherwise one inviter could keep all others from inviting a person. */
    @Test
    void oneInviterDoesNotUseUpTheInvitationsOfOthers() {
        var person = TestServer.newEmail();
        var inviter = server.newDashboardUser();
        for (int i = 0; i < 3; i++) {
            invite(server.newProject(inviter, "One of three"), person, "viewer").expect(201);
        }

        invite(server.newProject(inviter, "One more"), person, "viewer").expect(429);
        invite(server.newProject(), person, "viewer").expect(201);
    }

    @Test
    void simultaneousInvitationsOfOneAddressMailItOnce() {
        var project = server.newProject();
        var email = TestServer.newEmail();

        assertThat(Parallel.send(4, number -> invite(project, email, "viewer")))
                .extracting(Response::status)
                .containsOnlyOnce(201)
                .containsOnly(201, 429);
        Eventually.until("it is mailed", () -> invitationsTo(email).size() == 1);
        assertThat(project.asOwner("GET", "/members").expect(200).text("total")).isEqualTo("2");
    }

    @Test
    void aProjectHasALimitedNumberOfOpenInvitations() {
        try (var small = TestServer.start(database, Map.of("VESTIBULE_DASHBOARD_MAX_INVITATIONS", "2"))) {
            var project = small.newProject();
            invite(project, TestServer.newEmail(), "viewer").expect(201);
            invite(project, TestServer.newEmail(), "viewer").expect(201);

            assertThat(invite(project, TestServer.newEmail(), "viewer")
                            .expect(409)
                            .text("message"))
                    .contains("too many");
        }
    }

    @Test
    void aWithdrawnInvitationIsNotMailed() {
        var mailbox = TestMailbox.stopped();
        var settings = new HashMap<>(mailbox.settings());
        settings.put("VESTIBULE_MAIL_RETRY_SECONDS", "2");
        settings.put("VESTIBULE_MAIL_LONGEST_RETRY_SECONDS", "2");
        try (var waiting = TestServer.start(database, settings)) {
            var project = waiting.newProject();
            var email = TestServer.newEmail();
            var id = invite(project, email, "viewer").expect(201).text("id");
            Eventually.until(
                    "an attempt has failed, and none is in progress",
                    () -> waiting.sql()
                                    .count(
                                            "SELECT count(*) FROM messages WHERE project_id = ?::uuid AND attempts = 1"
                                                    + " AND next_attempt_at < now() + interval '5 seconds'",
                                            project.id())
                            == 1);
            project.asOwner("DELETE", "/members/" + id).expect(200);

            mailbox.comeBack();

            Eventually.until(
                    "nothing waits for this project",
                    () -> waiting.sql().count("SELECT count(*) FROM messages WHERE project_id = ?::uuid", project.id())
                            == 0);
            assertThat(mailbox.to(email)).isEmpty();
            mailbox.close();
        }
    }

    private TestProject projectOf(String dashboardUser) {
        return server.newProject(dashboardUser, "A project");
    }

    @Test
    void anUnverifiedDashboardAccountInvitesNobody() {
        var owner = register(TestServer.newEmail());
        var project = projectOf(owner.accessToken());
        var email = TestServer.newEmail();

        var refused = invite(project, email, "viewer").expect(403);

        assertThat(refused.text("reason")).isEqualTo("unverified_email");
        assertThat(project.asOwner("GET", "/members").expect(200).text("total")).isEqualTo("1");
        assertThat(server.sql().count("SELECT count(*) FROM messages WHERE project_id = ?::uuid", project.id()))
                .isZero();
        server.verifyEmail(owner.text("user/id"));
        invited(project, email, "viewer");
        assertThat(invitationsTo(email)).hasSize(1);
    }

    /** As on a first run: with the code that the account gets. */
    @Test
    void aRegisteredUserCanVerifyTheEmailAndInvite() {
        var email = TestServer.newEmail();
        var project = projectOf(register(email).accessToken());
        invite(project, TestServer.newEmail(), "viewer").expect(403);
        var code = mail.mailbox().awaitCode(email);

        var verified = server.api()
                .post("/v1/dashboard/auth/verify-email")
                .json(Map.of("email", email, "code", code))
                .expect(200);

        project.as(verified.accessToken(), "POST", "/members")
                .json(Map.of("email", TestServer.newEmail(), "role", "viewer"))
                .expect(201);
    }

    @Test
    void theConfiguredAccountCanInviteAtOnce() {
        var owner = TestServer.newEmail();
        try (var configured = TestServer.start(
                database, Map.of("VESTIBULE_DASHBOARD_EMAIL", owner, "VESTIBULE_DASHBOARD_PASSWORD", PASSWORD))) {
            var tokens = configured
                    .api()
                    .post("/v1/dashboard/auth/login")
                    .json(Map.of("email", owner, "password", PASSWORD))
                    .expect(200);
            assertThat(tokens.text("user/emailVerified")).isEqualTo("true");
            invite(configured.newProject(tokens.accessToken(), "A project"), TestServer.newEmail(), "viewer")
                    .expect(201);
        }
    }

    @Test
    void theSenderOfAnInvitationIsTheOperator() throws Exception {
        var settings = Map.of("VESTIBULE_MAIL_FROM_NAME", "Ann & Co.", "VESTIBULE_MAIL_FROM", "auth@example.com");
        try (var named = WithMail.start(database, settings)) {
            var email = TestServer.newEmail();
            invite(named.server().newProject(), email, "viewer").expect(201);
            assertThat(sender(named.mailbox().await(email, 1))).isEqualTo("Ann & Co. auth@example.com");
        }
        var email = TestServer.newEmail();
        var project = server.newProject(server.newDashboardUser(), "Your bank");
        invite(project, email, "viewer").expect(201);
        assertThat(sender(mail.mailbox().await(email, 1))).startsWith("Vestibule ");
    }

    private static String sender(MimeMessage mailed) throws MessagingException {
        var from = (InternetAddress) mailed.getFrom()[0];
        return from.getPersonal() + " " + from.getAddress();
    }

    /** The attack, with names that are older than the rule against them. */
    @Test
    void noMailToAStrangerHasALinkOrAPictureOfTheProject() throws Exception {
        for (var name : List.of(
                "Your account is locked: https://evil.com/login",
                "evil.com/login",
                "www.evil.com",
                "call@evil.com",
                "evil\uFF0Ecom",
                "ev\u200Bil.com")) {
            var project = server.newProject();
            server.sql().update("UPDATE projects SET name = ? WHERE id = ?::uuid", name, project.id());
            server.sql()
                    .update(
                            "INSERT INTO brandings (project_id, brand_name, logo_data_url) VALUES (?::uuid, ?, ?)",
                            project.id(),
                            name,
                            "data:image/png;base64,iVBORw0KGgo=");
            var invited = TestServer.newEmail();
            var signedUp = TestServer.newEmail();
            invite(project, invited, "viewer").expect(201);
            project.signUp(signedUp);

            for (var email : List.of(invited, signedUp)) {
                var mailed = mail.mailbox().await(email, 1);
                for (var text : List.of(
                        mailed.getSubject(), sender(mailed), TestMailbox.text(mailed), TestMailbox.html(mailed))) {
                    assertThat(text.replaceAll("[\\u200B]", "").toLowerCase(Locale.ROOT))
                            .doesNotContain("evil.com", "evil\uFF0Ecom", "www.evil", "https://evil", "@evil");
                }
            }
            assertThat(TestMailbox.html(mail.mailbox().await(invited, 1))).doesNotContain("<img");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://evil.com", "Log in at evil.com/x", "evil.com", "www.evil", "evil\uFF0Ecom", "a@evil.com"
            })
    void aNameWithALinkIsRefused(String name) {
        var owner = server.newDashboardUser();
        var project = projectOf(owner);
        var refusals = List.of(
                server.api()
                        .post("/v1/dashboard/projects")
                        .bearer(owner)
                        .json(Map.of("name", name))
                        .expect(422),
                project.asOwner("PATCH", "").json(Map.of("name", name)).expect(422),
                project.asOwner("PATCH", "/branding")
                        .json(Map.of("brandName", name))
                        .expect(422));
        assertThat(refusals)
                .allSatisfy(refused -> assertThat(refused.text("message")).contains("must not hold a link"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Acme Inc.", "Node.js", "M\u00fcller GmbH & Co. KG", "24/7", "\u682a\u5f0f\u4f1a\u793e\u3002"})
    void aNameWithoutALinkIsAccepted(String name) {
        var project = projectOf(server.newDashboardUser());
        project.asOwner("PATCH", "").json(Map.of("name", name)).expect(200);
        project.asOwner("PATCH", "/branding").json(Map.of("brandName", name)).expect(200);
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void theMailIsInTheLanguageOfTheInviterAndInTheProjectsBrand(Language language) throws Exception {
        var project = server.newProject(server.newDashboardUser(), "Analytical Engines");
        var email = TestServer.newEmail();
        invite(project, email, "viewer")
                .header("Accept-Language", language.text())
                .expect(201);

        MimeMessage mailed = mail.mailbox().await(email, 1);
        assertThat(mailed.getSubject()).contains("Analytical Engines");
        assertThat(TestMailbox.html(mailed))
                .contains("lang=\"" + language.text() + "\"", token(TestMailbox.text(mailed)));
        assertThat(TestMailbox.text(mailed)).contains("7");
    }

    @Test
    void theMailLinksToTheConsoleWithTheTokenInTheFragment() {
        try (var linked = WithMail.start(database, Map.of("VESTIBULE_PUBLIC_URL", "https://auth.example.com/base"))) {
            var email = TestServer.newEmail();
            invite(linked.server().newProject(), email, "viewer").expect(201);

            var mailed = linked.mailbox().await(email, 1);
            var link = "https://auth.example.com/base/console/#/invitation/" + token(TestMailbox.text(mailed));
            assertThat(TestMailbox.text(mailed)).contains(link);
            assertThat(TestMailbox.html(mailed)).contains("href=\"" + link + "\"");
        }
    }

    @Test
    void theMailLinksToTheOperatorsPageIfOneIsConfigured() {
        var settings = Map.of(
                "VESTIBULE_DASHBOARD_INVITATION_URL", "https://console.example.com/invitation",
                "VESTIBULE_DASHBOARD_INVITATION_DAYS", "3");
        try (var linked = WithMail.start(database, settings)) {
            var email = TestServer.newEmail();
            invite(linked.server().newProject(), email, "viewer").expect(201);

            var mailed = linked.mailbox().await(email, 1);
            var link = "https://console.example.com/invitation?token=" + token(TestMailbox.text(mailed));
            assertThat(TestMailbox.text(mailed)).contains(link, "3 days");
            assertThat(TestMailbox.html(mailed)).contains("href=\"" + link + "\"");
        }
    }
}
