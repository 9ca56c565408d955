package dev.vestibule.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Revoking one session, or all sessions of a user. */
@ExtendWith(WithServer.class)
class RevokeSessionsIT {
    private static final String EMAIL = "ann@example.com";

    private final TestServer server;
    private final TestProject project;
    private final Response signedUp;

    RevokeSessionsIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.signedUp = project.signUp(EMAIL);
    }

    private Call revoke(Response tokens) {
        var session = Jwt.parse(tokens.accessToken()).claims().path("sid").asText();
        return project.manage("DELETE", "/v1/dashboard/sessions/" + session);
    }

    private Call revokeAll() {
        return project.manage("DELETE", "/v1/dashboard/users/" + signedUp.text("user/id") + "/sessions");
    }

    private void assertEnded(TestProject at, Response tokens) {
        at.me(tokens.accessToken()).expect(401);
        at.verify(tokens.accessToken()).expect(401);
        at.refresh(tokens.refreshToken()).expect(401);
        at.refreshAccessToken(tokens.refreshToken()).expect(401);
    }

    private void expire() {
        server.sql()
                .update(
                        "UPDATE sessions SET expires_at = now() - interval '1 s', sweep_at = now() - interval '1 s' WHERE project_id = ?::uuid",
                        project.id());
    }

    @Test
    void aRevokedSessionEndsAtOnceAndOthersStayActive() {
        var elsewhere = project.signIn(EMAIL);
        var inVariantB = project.signInInVariantB(EMAIL);

        assertThat(revoke(signedUp).expect(200).json()).hasToString("{\"success\":true}");
        assertThat(revoke(inVariantB).expect(200).json()).hasToString("{\"success\":true}");

        assertEnded(project, signedUp);
        assertEnded(project, inVariantB);
        project.me(elsewhere.accessToken()).expect(200);
        project.refresh(elsewhere.refreshToken()).expect(200);
    }

    @Test
    void aSessionIsRevokedOnce() {
        var revocation = revoke(signedUp);

        revocation.expect(200);

        revocation.expect(404);
    }

    @Test
    void anExpiredSessionCannotBeRevoked() {
        var revocation = revoke(signedUp);
        expire();

        revocation.expect(404);
    }

    @Test
    void aRevokedSessionEndsOnAnotherNodeToo() {
        try (var second = TestServer.startOn(server.databaseUrl(), Map.of(), Clock.tickMillis(ZoneOffset.UTC))) {
            var there = project.at(second);
            var other = project.signIn(EMAIL);
            there.me(signedUp.accessToken()).expect(200);
            there.me(other.accessToken()).expect(200);

            revoke(signedUp).expect(200);
            assertEnded(there, signedUp);
            there.me(other.accessToken()).expect(200);

            revokeAll().expect(200);
            assertEnded(there, other);
        }
    }

    @Test
    void allSessionsOfAUserAreRevokedAndCounted() {
        var elsewhere = project.signIn(EMAIL);
        var other = project.signUp();

        assertThat(revokeAll().expect(200).json()).hasToString("{\"revoked\":2}");

        assertEnded(project, signedUp);
        assertEnded(project, elsewhere);
        project.me(other.accessToken()).expect(200);
        project.signIn(EMAIL);
    }

    @Test
    void withoutActiveSessionsNoneIsRevoked() {
        expire();
        assertThat(revokeAll().expect(200).json()).hasToString("{\"revoked\":0}");
        project.signIn(EMAIL);

        assertThat(revokeAll().expect(200).json()).hasToString("{\"revoked\":1}");
        assertThat(revokeAll().expect(200).json()).hasToString("{\"revoked\":0}");
    }
}
