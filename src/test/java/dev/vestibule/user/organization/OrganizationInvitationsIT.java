package dev.vestibule.user.organization;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Invitations by mail, and what people do with their tokens. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrganizationInvitationsIT {
    private static final Pattern TOKEN = Pattern.compile("oi_[A-Za-z0-9_-]{43}");
    private static final String INVITATIONS = OrganizationCalls.ROOT + "/invitations";

    private final WithMail world;
    private final TestServer server;
    private TestProject project;
    private OrganizationCalls calls;
    private Response owner;
    private String id = "";
    private String email = "";

    OrganizationInvitationsIT(TestDatabase database) {
        world = WithMail.start(database);
        server = world.server();
    }

    @AfterAll
    void stop() {
        world.close();
    }

    @BeforeEach
    void newOrganization() {
        project = server.newProject();
        calls = new OrganizationCalls(server, project);
        var address = TestServer.newEmail();
        owner = project.signUp(address);
        server.proveEmail(address);
        id = calls.create(owner, "Engines");
        email = TestServer.newEmail();
    }

    private Call inviting(String address, String role) {
        return calls.as(owner, "POST", "/" + id + "/invitations").json(Map.of("email", address, "role", role));
    }

    private Response invite() {
        return inviting(email, "member").expect(201);
    }

    private String token(int number) {
        return tokenIn(TestMailbox.text(world.mailbox().await(email, number)));
    }

    private static String tokenIn(String text) {
        var token = TOKEN.matcher(text);
        assertThat(token.find()).as(text).isTrue();
        return token.group();
    }

    private Call accept(Response user, String token) {
        return server.api().post(INVITATIONS + "/" + token + "/accept").bearer(user.accessToken());
    }

    private Call acceptByToken(String token) {
        return project.post(INVITATIONS + "/accept").json(Map.of("token", token));
    }

    /** The mail proves the email, and says nothing about who chose the password. */
    @Test
    void aStrangersPasswordEndsWhenTheInvitedAccept() {
        var stranger = project.signUp(email);
        invite();

        acceptByToken(token(2)).expect(200); // after the mail about the account

        project.trySignIn(email, TestProject.PASSWORD).expect(401);
        project.me(stranger.accessToken()).expect(401);
    }

    @Test
    void theInvitationsOfWhoIsRemovedOrDemotedEnd() {
        for (var end : List.of("PATCH", "DELETE")) {
            var address = TestServer.newEmail();
            var admin = project.signUp(address);
            server.proveEmail(address);
            calls.join(id, admin, "admin");
            email = TestServer.newEmail();
            calls.as(admin, "POST", "/" + id + "/invitations")
                    .json(Map.of("email", email, "role", "admin"))
                    .expect(201);
            var token = token(1);

            calls.as(owner, end, "/" + id + "/members/" + OrganizationCalls.id(admin))
                    .json(Map.of("role", "member"))
                    .expect(200);

            accept(project.signUp(email), token).expect(404);
        }
        email = TestServer.newEmail();
        invite();
        assertThat(status()).isEqualTo("pending");
    }

    @Test
    void nobodyJoinsByTheInvitationOfABannedUser() {
        invite();
        var token = token(1);
        var invited = project.signUp(email);
        var user = "/v1/dashboard/users/" + OrganizationCalls.id(owner);
        project.manage("PATCH", user + "/ban").json(Map.of()).expect(200);

        accept(invited, token).expect(404);

        project.manage("PATCH", user + "/unban").expect(200);
        accept(invited, token).expect(200);
    }

    @Test
    void anOldTokenChangesNothingThatOutlastsIt() {
        var domain = calls.as(owner, "POST", "/" + id + "/domains")
                .json(Map.of("domain", "example.com"))
                .expect(201)
                .text("id");
        var directory = calls.as(owner, "POST", "/" + id + "/directories")
                .json(Map.of("name", "Okta"))
                .expect(201)
                .text("id");
        server.sql()
                .update(
                        "UPDATE sessions SET authenticated_at = authenticated_at - interval '1 hour'"
                                + " WHERE project_id = ?::uuid AND user_id = ?::uuid",
                        project.id(),
                        OrganizationCalls.id(owner));
        var old = project.refresh(owner.refreshToken()).expect(200);
        var member = OrganizationCalls.id(calls.join(id, "member"));
        for (var call : List.of(
                calls.as(old, "POST", "/" + id + "/invitations").json(Map.of("email", email, "role", "owner")),
                calls.as(old, "POST", "/" + id + "/domains").json(Map.of("domain", "example.net")),
                calls.as(old, "DELETE", "/" + id + "/domains/" + domain),
                calls.as(old, "PATCH", "/" + id + "/directories/" + directory)
                        .json(Map.of("groupRoles", Map.of("Everyone", "admin"))),
                calls.as(old, "PATCH", "/" + id + "/members/" + member).json(Map.of("role", "owner")),
                calls.as(old, "DELETE", "/" + id))) {
            assertThat(call.expect(403).text("code")).isEqualTo("reauthentication_required");
        }
        calls.as(old, "POST", "/" + id + "/invitations")
                .json(Map.of("email", email, "role", "member"))
                .expect(201);
    }

    private String status() {
        return calls.as(owner, "GET", "/" + id + "/invitations").expect(200).text("0/status");
    }

    @Test
    void theMailHasTheTokenAndNothingElseDoes() {
        calls.set(Map.of("organizations", Map.of("invitationUrl", "https://app.example.com/join?x=1#/a")));
        var invited = invite();
        var mail = world.mailbox().await(email, 1);
        assertThat(TestMailbox.text(mail))
                .contains("Engines", "7 days", "https://app.example.com/join?x=1&token=oi_")
                .contains("#/a");
        assertThat(TestMailbox.html(mail)).contains("Engines");
        assertThat(invited.text("status")).isEqualTo("pending");
        assertThat(invited.text("invitedBy")).isEqualTo(OrganizationCalls.id(owner));
        assertThat(invited.body()).doesNotContain("oi_");
        var token = token(1);
        assertThat(calls.as(owner, "GET", "/" + id + "/invitations").expect(200).body())
                .doesNotContain(token);
        assertThat(server.sql()
                        .texts(
                                "SELECT row_to_json(organization_invitations)::text FROM organization_invitations"
                                        + " WHERE project_id = ?::uuid",
                                project.id()))
                .singleElement()
                .asString()
                .doesNotContain(token.substring(3));
    }

    @Test
    void theInvitedUserAcceptsAndTheirEmailIsProved() {
        calls.subscribe();
        invite();
        var token = token(1);
        var ada = project.signUp(email);
        var member = accept(ada, token).expect(200);
        assertThat(member.text("userId")).isEqualTo(OrganizationCalls.id(ada));
        assertThat(member.text("role")).isEqualTo("member");
        assertThat(project.me(ada.accessToken()).expect(200).text("emailVerified"))
                .isEqualTo("true");
        assertThat(status()).isEqualTo("accepted");
        assertThat(calls.events())
                .containsExactly(
                        "organization.invitation.created",
                        "organization.member.added",
                        "organization.invitation.accepted");
        assertThat(calls.audited(id)).endsWith("org.invitation.sent", "org.member.added", "org.invitation.accepted");
    }

    @Test
    void aTokenWorksOnce() {
        invite();
        var token = token(1);
        var ada = project.signUp(email);
        accept(ada, token).expect(200);
        accept(ada, token).expect(404);
        acceptByToken(token).expect(404);
        calls.as(ada, "POST", "/" + id + "/leave").expect(200);
        accept(ada, token).expect(404);
        reject(token).expect(404);
    }

    private Call reject(String token) {
        return project.post(INVITATIONS + "/reject").json(Map.of("token", token));
    }

    @Test
    void ofFiftyAcceptancesAtOnceOneSucceeds() {
        invite();
        var token = token(1);
        var ada = project.signUp(email);
        var answers = Parallel.send(50, i -> i % 2 == 0 ? accept(ada, token) : acceptByToken(token));
        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(answers.stream().map(Response::status).distinct()).isSubsetOf(200, 401, 404, 429, 503);
        assertThat(calls.roles(id)).containsExactly("owner", "member");
    }

    @Test
    void anInvitationIsForTheInvitedEmailAlone() {
        invite();
        var token = token(1);
        project.signUp(email);
        var thief = project.signUp();
        assertThat(accept(thief, token).expect(403).text("code")).isEqualTo("wrong_invitee");
        assertThat(project.post(INVITATIONS + "/accept")
                        .bearer(thief.accessToken())
                        .json(Map.of("token", token))
                        .expect(403)
                        .text("code"))
                .isEqualTo("wrong_invitee");
        assertThat(calls.roles(id)).containsExactly("owner");
        acceptByToken(token).expect(200);
    }

    @Test
    void anExpiredInvitationIsGoodForNothingUntilItIsResent() {
        var invitation = invite().text("id");
        var token = token(1);
        project.signUp(email);
        world.clock().advance(Duration.ofDays(7).plusSeconds(1));
        var ada = project.signIn(email);
        owner = project.signIn(owner.text("user/email"));
        accept(ada, token).expect(404);
        acceptByToken(token).expect(404);
        assertThat(status()).isEqualTo("expired");
        calls.as(owner, "POST", "/" + id + "/invitations/" + invitation + "/resend")
                .expect(200);
        assertThat(status()).isEqualTo("pending");
        accept(ada, tokenAfter(token)).expect(200);
    }

    private String tokenAfter(String earlier) {
        Eventually.until(
                "another invitation",
                () -> world.mailbox().to(email).stream()
                        .map(TestMailbox::text)
                        .anyMatch(text -> TOKEN.matcher(text).find() && !text.contains(earlier)));
        return world.mailbox().to(email).stream()
                .map(TestMailbox::text)
                .filter(text -> TOKEN.matcher(text).find() && !text.contains(earlier))
                .map(OrganizationInvitationsIT::tokenIn)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aResentTokenReplacesTheLastOne() {
        var invitation = invite().text("id");
        var first = token(1);
        var resend = "/" + id + "/invitations/" + invitation + "/resend";
        assertThat(calls.as(owner, "POST", resend).expect(429).text("code")).isEqualTo("too_many_invitations");
        world.passAMinute();
        calls.as(owner, "POST", resend).expect(200);
        var second = tokenAfter(first);
        acceptByToken(first).expect(404);
        world.passAMinute();
        assertThat(inviting(email, "admin").expect(201).text("id")).isEqualTo(invitation);
        acceptByToken(second).expect(404);
    }

    @Test
    void aRevokedInvitationOpensNothing() {
        var invitation = invite().text("id");
        var token = token(1);
        calls.as(owner, "DELETE", "/" + id + "/invitations/" + invitation).expect(200);
        acceptByToken(token).expect(404);
        calls.as(owner, "DELETE", "/" + id + "/invitations/" + invitation).expect(404);
        calls.as(owner, "POST", "/" + id + "/invitations/" + invitation + "/resend")
                .expect(404);
        assertThat(calls.audited(id)).endsWith("org.invitation.revoked");
    }

    @Test
    void whoWasInvitedCanReject() {
        invite();
        var token = token(1);
        reject(token).expect(200);
        assertThat(status()).isEqualTo("rejected");
        acceptByToken(token).expect(404);
        world.passAMinute();
        invite();
        var ada = project.signUp(email);
        server.api()
                .post(INVITATIONS + "/" + tokenAfter(token) + "/reject")
                .bearer(ada.accessToken())
                .expect(200);
        assertThat(calls.roles(id)).containsExactly("owner");
    }

    /** Somebody else may have signed up with the address before its owner reads the invitation. */
    @Test
    void aStrangerInAnUnprovedAccountIsOutBeforeItJoins() {
        var stranger = project.signUp(email);
        invite();
        acceptByToken(tokenAfter("none before")).expect(200);
        project.me(stranger.accessToken()).expect(401);
        assertThat(calls.roles(id)).containsExactly("owner", "member");
    }

    @Test
    void whatAStrangerMadeInAnUnprovedAccountEndsWhenItIsProvedInASession() {
        var ada = project.signUp(email);
        var key = project.post("/v1/auth/me/api-keys")
                .bearer(ada.accessToken())
                .json(Map.of("name", "Mallory's", "scopes", List.of()))
                .expect(201)
                .text("key");
        invite();

        accept(ada, tokenAfter("none before")).expect(200);

        assertThat(project.manage("POST", "/v1/backend/keys/verify")
                        .json(Map.of("key", key))
                        .expect(200)
                        .json()
                        .path("valid")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void aTokenAloneSignsNobodyUp() {
        invite();
        var token = token(1);
        assertThat(acceptByToken(token).expect(409).text("code")).isEqualTo("account_required");
        project.signUp(email);
        assertThat(acceptByToken(token).expect(200).body()).doesNotContain("accessToken");
    }

    @Test
    void aBannedUserDoesNotJoin() {
        invite();
        var token = token(1);
        var ada = project.signUp(email);
        server.ban(OrganizationCalls.id(ada));
        acceptByToken(token).expect(403);
    }

    @Test
    void aTokenOfAnotherProjectIsUnknown() {
        invite();
        var token = token(1);
        var other = server.newProject();
        other.signUp(email);
        other.post(INVITATIONS + "/accept").json(Map.of("token", token)).expect(404);
        other.post(INVITATIONS + "/reject").json(Map.of("token", token)).expect(404);
        for (var odd : List.of("x", "oi_", "%00", "é", "a".repeat(3000))) {
            assertThat(project.post(INVITATIONS + "/accept")
                            .json(Map.of("token", odd))
                            .expect(404)
                            .text("code"))
                    .isEqualTo("not_found");
        }
    }

    @Test
    void aFullOrganizationTakesNobodyAndTheInvitationStays() {
        calls.as(owner, "PATCH", "/" + id).json(Map.of("maxMembers", 1)).expect(200);
        invite();
        var token = token(1);
        project.signUp(email);
        assertThat(acceptByToken(token).expect(409).text("code")).isEqualTo("limit_reached");
        assertThat(inviting(TestServer.newEmail(), "member").expect(409).text("code"))
                .isEqualTo("limit_reached");
        calls.as(owner, "PATCH", "/" + id).json(Map.of("maxMembers", 2)).expect(200);
        acceptByToken(token).expect(200);
    }

    @Test
    void onlyWhoManagesMembersInvitesAndOnlyToWhatTheyCouldGive() {
        var invitation = inviting(email, "owner").expect(201).text("id");
        for (var role : List.of("member", "admin")) {
            var address = TestServer.newEmail();
            var user = project.signUp(address);
            server.proveEmail(address);
            calls.join(id, user, role);
            var path = "/" + id + "/invitations";
            assertThat(calls.as(user, "POST", path)
                            .json(Map.of("email", TestServer.newEmail(), "role", "owner"))
                            .expect(403)
                            .text("code"))
                    .isEqualTo("role_not_allowed");
            calls.as(user, "DELETE", path + "/" + invitation).expect(403);
            calls.as(user, "POST", path + "/" + invitation + "/resend").expect(403);
            assertThat(calls.as(user, "POST", path)
                            .json(Map.of("email", email, "role", "member"))
                            .expect(403)
                            .text("code"))
                    .as("to replace it is to revoke it")
                    .isEqualTo("role_not_allowed");
            calls.as(user, "GET", path).expect(role.equals("admin") ? 200 : 403);
        }
        var stranger = project.signUp();
        calls.as(stranger, "GET", "/" + id + "/invitations").expect(404);
        calls.as(stranger, "DELETE", "/" + id + "/invitations/" + invitation).expect(404);
        calls.as(owner, "DELETE", "/" + id + "/invitations/" + UUID.randomUUID())
                .expect(404);
    }

    @Test
    void somebodyWithAMadeUpAddressInvitesNobody() {
        var user = project.signUp();
        calls.join(id, user, "admin");
        assertThat(calls.as(user, "POST", "/" + id + "/invitations")
                        .json(Map.of("email", email))
                        .expect(403)
                        .text("code"))
                .isEqualTo("unverified_email");
    }

    @Test
    void aMemberIsNotInvitedAgain() {
        var ada = project.signUp(email);
        calls.join(id, ada, "member");
        assertThat(inviting(email, "member").expect(409).text("code")).isEqualTo("already_member");
        assertThat(inviting("no email", "everything").expect(422).failingFields())
                .containsExactly("email", "role");
    }

    @Test
    void serversAndTheDashboardInviteToo() {
        var invited = calls.manage("POST", "/" + id + "/invitations")
                .json(Map.of("email", email, "role", "admin"))
                .expect(201);
        assertThat(calls.manage("GET", "/" + id + "/invitations").expect(200).text("0/id"))
                .isEqualTo(invited.text("id"));
        var listed = project.manage("GET", "/v1/dashboard/organizations/" + id + "/invitations")
                .expect(200);
        assertThat(listed.text("invitations/0/email")).isEqualTo(email);
        assertThat(listed.text("total")).isEqualTo("1");
        project.signUp(email);
        assertThat(acceptByToken(tokenAfter("none before")).expect(200).text("role"))
                .isEqualTo("admin");
        server.newProject()
                .manage("GET", "/v1/backend/organizations/" + id + "/invitations")
                .expect(404);
    }

    @Test
    void theInvitationsOfADeletedOrganizationAreGone() {
        invite();
        var token = token(1);
        project.signUp(email);
        calls.as(owner, "DELETE", "/" + id).expect(200);
        acceptByToken(token).expect(404);
    }
}
