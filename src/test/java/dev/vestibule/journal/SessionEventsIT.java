package dev.vestibule.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The events of sessions that begin or end. */
@ExtendWith(WithServer.class)
class SessionEventsIT {
    private final TestClock clock = new TestClock();
    private final TestServer server;
    private final TestProject project;
    private final RecordedEvents recorded;
    private final String email = TestServer.newEmail();

    SessionEventsIT(TestDatabase database) {
        server = TestServer.start(database, Map.of("VESTIBULE_SESSIONS_SWEEP_SECONDS", "1"), clock);
        project = server.newProject();
        recorded = RecordedEvents.of(server, project);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aSignUpRecordsUserAndSession() {
        var signedUp = project.signUp(email);

        assertThat(recorded.summary()).containsExactly("user.created", "session.created");
        var user = recorded.last("user.created");
        assertThat(user.at("/data/user")).isEqualTo(signedUp.json().get("user"));
        assertThat(user.get("projectId").textValue()).isEqualTo(project.id());
        assertThat(user.get("data").fieldNames()).toIterable().containsExactly("user");
        var session = recorded.last("session.created");
        assertThat(session.at("/data/session/userId").textValue()).isEqualTo(signedUp.text("user/id"));
        assertThat(session.at("/data/session").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "id",
                        "userId",
                        "userAgent",
                        "ipAddress",
                        "country",
                        "createdAt",
                        "lastActiveAt",
                        "expiresAt",
                        "deviceName");
    }

    @Test
    void aSignInRecordsTheUserAfterTheChange() {
        project.signUp(email);
        recorded.forget();
        var signedIn = project.signIn(email);

        assertThat(recorded.summary()).containsExactly("session.created");
        assertThat(recorded.last("session.created").at("/data/user"))
                .isEqualTo(signedIn.json().get("user"));
    }

    @Test
    void anEvictedSessionIsRecorded() {
        server.change(project, "max_concurrent_sessions = 1");
        project.signUp(email);
        var first = recorded.last("session.created").at("/data/session");
        recorded.forget();
        project.signIn(email);

        assertThat(recorded.summary()).containsExactly("session.ended evicted", "session.created");
        assertThat(recorded.last("session.ended").at("/data/session")).isEqualTo(first);
    }

    @Test
    void anImpersonationRecordsWhoImpersonatesAndWhyItEnds() {
        var user = project.signUp(email).text("user/id");
        var owner = server.newMember(project, "owner");
        var ownerId = server.api().get("/v1/auth/me").bearer(owner).expect(200).text("id");
        recorded.forget();
        for (int i = 0; i < 2; i++) {
            project.as(owner, "POST", "/users/" + user + "/impersonate")
                    .json(Map.of("reason", "Ticket 4711"))
                    .expect(200);
        }
        project.asOwner("DELETE", "/members/" + ownerId).expect(200);

        assertThat(recorded.summary())
                .containsExactly(
                        "session.created",
                        "session.ended evicted",
                        "session.created",
                        "session.revoked impersonator_left");
        assertThat(recorded.all())
                .allSatisfy(event -> assertThat(
                                event.at("/data/session/impersonatedBy").textValue())
                        .isEqualTo(ownerId));
        assertThat(recorded.last("session.created").at("/data/user/id").textValue())
                .isEqualTo(user);
    }

    @Test
    void aSignOutIsRecordedOnce() {
        var token = project.signUp(email).accessToken();
        recorded.forget();
        project.signOut(token).expect(200);
        project.signOut(token).expect(401);

        assertThat(recorded.summary()).containsExactly("session.ended signed_out");
    }

    @Test
    void anExpiredSessionIsRecordedOnce() {
        server.change(project, "refresh_token_ttl_seconds = 600");
        project.signUp(email);
        recorded.forget();
        clock.advance(Duration.ofMinutes(10));

        Eventually.until("it is purged", () -> !recorded.summary().isEmpty());
        assertThat(recorded.summary()).containsExactly("session.ended expired");
    }

    @Test
    void aReusedRefreshTokenIsRecorded() {
        var signedUp = project.signUp(email);
        project.refresh(signedUp.refreshToken()).expect(200);
        clock.advance(Duration.ofSeconds(11));
        recorded.forget();
        project.refresh(signedUp.refreshToken()).expect(401);
        project.refresh(signedUp.refreshToken()).expect(401);

        assertThat(recorded.summary()).containsExactly("session.revoked token_reused");
    }

    @Test
    void aRefreshRecordsNothing() {
        var signedUp = project.signUp(email);
        recorded.forget();
        project.refresh(signedUp.refreshToken()).expect(200);

        assertThat(recorded.summary()).isEmpty();
    }

    @Test
    void everyRevokedSessionIsRecorded() {
        project.signUp(email);
        var session = recorded.last("session.created").at("/data/session/id").textValue();
        var user = project.signIn(email).text("user/id");
        project.signIn(email);
        recorded.forget();
        project.manage("DELETE", "/v1/dashboard/sessions/" + session).expect(200);
        project.manage("DELETE", "/v1/dashboard/sessions/" + session).expect(404);

        assertThat(recorded.summary()).containsExactly("session.revoked revoked");
        project.manage("DELETE", "/v1/dashboard/users/" + user + "/sessions").expect(200);
        assertThat(recorded.summary())
                .containsExactly("session.revoked revoked", "session.revoked revoked", "session.revoked revoked");
    }

    @Test
    void aChangedPasswordRecordsTheEndOfOtherSessions() {
        var token = project.signUp(email).accessToken();
        project.signIn(email);
        recorded.forget();
        project.post("/v1/auth/password/change")
                .bearer(token)
                .json(Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "another horse battery"))
                .expect(200);

        assertThat(recorded.summary()).containsExactly("session.revoked password_changed", "user.updated");
    }
}
