package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class BanUserIT {
    private static final String EMAIL = "ann@example.com";

    private final TestServer server;
    private final TestProject project;
    private final Response signedUp;
    private final String user;

    BanUserIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.signedUp = project.signUp(EMAIL);
        this.user = "/v1/dashboard/users/" + signedUp.text("user/id");
    }

    private Call ban() {
        return project.manage("PATCH", user + "/ban");
    }

    private Call unban() {
        return project.manage("PATCH", user + "/unban");
    }

    private Response detail() {
        return project.manage("GET", user).expect(200);
    }

    @Test
    void aBannedUserIsSignedOutEverywhere() {
        var elsewhere = project.signIn(EMAIL);
        var inVariantB = project.signInInVariantB(EMAIL);

        assertThat(ban().expect(200).json()).hasToString("{\"success\":true}");

        for (var session : new Response[] {signedUp, elsewhere, inVariantB}) {
            project.me(session.accessToken()).expect(401);
            project.verify(session.accessToken()).expect(401);
            project.signOut(session.accessToken()).expect(401);
            project.refresh(session.refreshToken()).expect(401);
            project.refreshAccessToken(session.refreshToken()).expect(401);
        }
        assertThat(detail().text("isBanned")).isEqualTo("true");
        assertThat(detail().json().path("sessions")).isEmpty();
    }

    @Test
    void anotherNodeAppliesTheBanAtOnce() {
        try (var second = TestServer.startOn(server.databaseUrl(), Map.of(), Clock.tickMillis(ZoneOffset.UTC))) {
            var there = project.at(second);
            there.me(signedUp.accessToken()).expect(200);

            ban().expect(200);

            there.me(signedUp.accessToken()).expect(401);
            there.refresh(signedUp.refreshToken()).expect(401);
            there.trySignIn(EMAIL, TestProject.PASSWORD).expect(403);
        }
    }

    @Test
    void onlyTheRightPasswordRevealsTheBan() {
        ban().expect(200);

        project.trySignIn(EMAIL, TestProject.PASSWORD).expect(403);
        project.trySignIn(EMAIL, "not the password").expect(401);
    }

    @Test
    void onlyThatUserIsBanned() {
        var other = project.signUp();
        var elsewhere = server.newProject();
        var namesake = elsewhere.signUp(EMAIL);

        ban().expect(200);

        project.me(other.accessToken()).expect(200);
        elsewhere.me(namesake.accessToken()).expect(200);
    }

    @Test
    void anUnbannedUserCanSignInAgainAndOldSessionsStayEnded() {
        ban().expect(200);
        project.trySignIn(EMAIL, TestProject.PASSWORD).expect(403);

        assertThat(unban().expect(200).json()).hasToString("{\"success\":true}");

        assertThat(detail().text("isBanned")).isEqualTo("false");
        project.me(project.signIn(EMAIL).accessToken()).expect(200);
        project.me(signedUp.accessToken()).expect(401);
        project.refresh(signedUp.refreshToken()).expect(401);
    }

    @Test
    void aSecondBanOrUnbanChangesNothing() {
        unban().expect(200);
        assertThat(detail().text("updatedAt")).isEqualTo(signedUp.text("user/updatedAt"));
        project.me(signedUp.accessToken()).expect(200);

        ban().expect(200);
        var banned = detail();
        assertThat(banned.text("updatedAt")).isGreaterThan(signedUp.text("user/updatedAt"));
        ban().expect(200);

        assertThat(detail().json()).isEqualTo(banned.json());
    }

    @Test
    void noBodyIsNeededAndOnlyAnEmptyOneIsAccepted() {
        ban().header("Content-Type", "application/json").expect(200);
        ban().text("{}").expect(200);
        unban().text("nonsense").expect(400);
        unban().expect(200);
    }
}
