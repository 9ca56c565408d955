package dev.vestibule.journal.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What users do, and what others try in their place, as those who can read the log see it. */
@ExtendWith(WithProvider.class)
class UserAuditIT {
    private static final String WRONG = "not the password";

    private final OauthWorld world;
    private final OauthProject oauth;
    private final TestProject project;
    private final String email = TestServer.newEmail();

    UserAuditIT(OauthWorld world) {
        this.world = world;
        this.oauth = world.newProject();
        this.project = oauth.project();
    }

    /** The entries of an event, the oldest first. */
    private List<JsonNode> entries(String event) {
        var found = new ArrayList<JsonNode>();
        project.api()
                .get("/v1/dashboard/audit-logs?limit=100&event=" + event + "&projectId=" + project.id())
                .bearer(project.owner())
                .expect(200)
                .json()
                .path("data")
                .forEach(entry -> found.add(0, entry));
        return found;
    }

    private List<JsonNode> await(String event, int number) {
        Eventually.until(number + " of " + event, () -> entries(event).size() >= number);
        assertThat(entries(event)).hasSize(number);
        return entries(event);
    }

    private JsonNode only(String event) {
        return await(event, 1).get(0);
    }

    private static String who(JsonNode entry) {
        return entry.path("actorId").asText();
    }

    private static String whom(JsonNode entry) {
        return entry.path("targetId").asText();
    }

    private static String id(TestProject project, String token) {
        return project.me(token).expect(200).text("id");
    }

    @Test
    void aChangedProfileRecordsOnlyTheNamesOfKnownFields() {
        var token = project.signUp(email).accessToken();
        project.api()
                .call("PATCH", "/v1/auth/me")
                .bearer(token)
                .json(Map.of("displayName", "Ada Secret", "nobodyKnowsThis", "field"))
                .expect(200);
        project.api().call("PATCH", "/v1/auth/me").bearer(token).json(Map.of()).expect(200);

        var entry = only("auth.profile.updated");
        assertThat(entry.path("metadata").toString()).isEqualTo("{\"fields\":[\"displayName\"]}");
        assertThat(who(entry)).isEqualTo(id(project, token)).isEqualTo(whom(entry));
    }

    @Test
    void aChangedPasswordIsRecordedAndAWrongOneIsARefusedSignIn() {
        var token = project.signUp(email).accessToken();
        changePassword(token, WRONG, 401);
        changePassword(token, TestProject.PASSWORD, 200);

        assertThat(who(only("auth.password.changed"))).isEqualTo(id(project, token));
        assertThat(only("auth.signin.failed").at("/metadata/reason").asText()).isEqualTo("wrong_current_password");
    }

    private void changePassword(String token, String current, int status) {
        project.post("/v1/auth/password/change")
                .bearer(token)
                .json(Map.of("currentPassword", current, "newPassword", "another fine password"))
                .expect(status);
    }

    @Test
    void aResetIsRecordedFromTheRequestToTheNewPassword() {
        var user = project.signUp(email).text("user/id");
        world.mailbox().await(email, 1);
        forgot(email);
        var code = world.mailbox().awaitCode(email, 2);
        reset("00000-0000-0000", 401);
        reset(code, 200);

        assertThat(whom(only("auth.password.reset_requested"))).isEqualTo(user);
        var refused = only("auth.code.refused");
        assertThat(whom(refused)).isEqualTo(user);
        assertThat(refused.path("metadata").toString()).isEqualTo("{\"purpose\":\"password_reset\"}");
        assertThat(who(only("auth.password.reset"))).isEqualTo(user);
        assertThat(whom(only("auth.email.verified"))).isEqualTo(user);
    }

    private void forgot(String address) {
        project.post("/v1/auth/password/forgot").json(Map.of("email", address)).expect(200);
    }

    private void reset(String code, int status) {
        project.post("/v1/auth/password/reset")
                .json(Map.of("email", email, "code", code, "password", "another fine password"))
                .expect(status);
    }

    @Test
    void requestsForAnEmailWithoutAnAccountAreRecordedWithAHash() {
        forgot(email);
        reset("00000-0000-0000", 401);

        for (var event : List.of("auth.password.reset_requested", "auth.code.refused")) {
            var entry = only(event);
            assertThat(entry.path("targetId").isNull()).isTrue();
            assertThat(entry.at("/metadata/emailHash").asText()).matches("[0-9a-f]{64}");
            assertThat(entry.toString()).doesNotContain(email);
        }
    }

    @Test
    void aVerifiedEmailIsRecordedAfterTheSignUpThatWaitedForIt() {
        oauth.change(Map.of("requireEmailVerification", true));
        project.signUp(email);
        var code = world.mailbox().awaitCode(email);
        verify(code.equals("000000") ? "000001" : "000000", 401);
        var user = verify(code, 200);

        assertThat(whom(only("auth.signup"))).isEqualTo(user);
        assertThat(only("auth.code.refused").at("/metadata/purpose").asText()).isEqualTo("verification");
        assertThat(who(only("auth.email.verified"))).isEqualTo(user);
        assertThat(who(only("auth.signin"))).isEqualTo(user);
    }

    private String verify(String code, int status) {
        var answer = project.post("/v1/auth/verify-email")
                .json(Map.of("email", email, "code", code))
                .expect(status);
        return status == 200 ? answer.text("user/id") : "";
    }

    @Test
    void recentAuthenticationIsRecorded() {
        var token = project.signUp(email).accessToken();
        project.post("/v1/auth/reauthenticate")
                .bearer(token)
                .json(Map.of("password", TestProject.PASSWORD))
                .expect(200);

        var entry = only("auth.reauthenticated");
        assertThat(who(entry)).isEqualTo(id(project, token));
        assertThat(entry.path("targetType").asText()).isEqualTo("session");
    }

    @Test
    void linkingAndUnlinkingAProviderIsRecorded() {
        var subject = OauthProject.newSubject();
        var claims = Map.of("email", email, "email_verified", true);
        var signedIn = oauth.signIn(subject, claims).expect(200);
        var user = signedIn.text("user/id");
        oauth.signIn(subject, claims).expect(200); // links nothing more
        setPassword();
        project.api()
                .call("DELETE", "/v1/auth/me/providers/oidc")
                .bearer(project.trySignIn(email, "another fine password")
                        .expect(200)
                        .accessToken())
                .expect(200);

        assertThat(only("auth.signup").at("/metadata/amr/0").asText()).isEqualTo("fed");
        for (var event : List.of("auth.provider.linked", "auth.provider.unlinked")) {
            var entry = only(event);
            assertThat(who(entry)).isEqualTo(user).isEqualTo(whom(entry));
            assertThat(entry.path("metadata").toString()).isEqualTo("{\"provider\":\"oidc\"}");
        }
    }

    private void setPassword() {
        forgot(email);
        reset(world.mailbox().awaitCode(email, 1), 200);
    }

    /** Of many simultaneous guesses, only the one that locks the account is recorded as a lock. */
    @Test
    void aLockIsRecordedOnce() {
        var user = project.signUp(email).text("user/id");
        world.server().sql().update("DELETE FROM sign_in_networks WHERE project_id = ?::uuid", project.id());
        Parallel.send(30, number -> project.trySignIn(email, WRONG));
        project.trySignIn(email, TestProject.PASSWORD).expect(429);

        var entry = only("auth.account.locked");
        assertThat(whom(entry)).isEqualTo(user);
        assertThat(entry.path("actorId").isNull()).isTrue();
        assertThat(entry.at("/metadata/lockedUntil").asText()).matches("\\d{4}-.*Z");
    }

    @Test
    void aLockOfAnEmailWithoutAnAccountIsRecordedUnderItsHash() {
        for (int guess = 0; guess < 11; guess++) {
            project.trySignIn(email, WRONG).send();
        }

        var entry = only("auth.account.locked");
        assertThat(entry.path("targetId").isNull()).isTrue();
        Eventually.until(
                "refused sign ins are in the log",
                () -> !entries("auth.signin.failed").isEmpty());
        assertThat(entry.at("/metadata/emailHash"))
                .isEqualTo(entries("auth.signin.failed").get(0).at("/metadata/emailHash"));
    }

    @Test
    void aReusedRefreshTokenRecordsWhoseSessionItEnded() {
        var signedUp = project.signUp(email);
        var user = signedUp.text("user/id");
        var second = project.refresh(signedUp.refreshToken()).expect(200).refreshToken();
        project.refresh(second).expect(200);
        project.refresh(signedUp.refreshToken()).expect(401);
        project.refresh(signedUp.refreshToken()).expect(401); // of a session that has ended

        var entry = only("auth.token.reused");
        assertThat(whom(entry)).isEqualTo(user);
        assertThat(entry.path("actorId").isNull()).isTrue();
        assertThat(entry.at("/metadata/sessionId").asText()).hasSize(36);
    }

    @Test
    void refreshesAreRecordedOnlyIfTheOperatorWantsThem() {
        project.refresh(project.signUp(email).refreshToken()).expect(200);
        assertThat(entries("auth.token.refresh")).isEmpty();

        try (var node = TestServer.startOn(
                world.server().databaseUrl(),
                Map.of("VESTIBULE_AUDIT_REFRESHES", "true"),
                Clock.tickMillis(ZoneOffset.UTC))) {
            var there = project.at(node);
            var user = there.signIn(email);
            there.refresh(user.refreshToken()).expect(200);
            there.refreshAccessToken(there.signInInVariantB(email).refreshToken())
                    .expect(200);

            assertThat(await("auth.token.refresh", 2))
                    .allMatch(entry -> who(entry).equals(user.text("user/id"))
                            && entry.path("targetType").asText().equals("session"));

            var acting = there.asOwner("POST", "/users/" + user.text("user/id") + "/impersonate")
                    .json(Map.of("reason", "Ticket 4711"))
                    .expect(200);
            there.refresh(acting.refreshToken()).expect(200);
            assertThat(await("auth.token.refresh", 3)).anySatisfy(entry -> {
                assertThat(entry.path("actorType").asText()).isEqualTo("admin");
                assertThat(entry.at("/metadata/actingAs").asText()).isEqualTo(user.text("user/id"));
            });
        }
    }
}
