package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class SignOutIT {
    private final TestServer server;
    private final TestProject project;

    SignOutIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Call signOut(String accessToken) {
        return server.api().post("/v1/auth/signout").bearer(accessToken);
    }

    @Test
    void bothTokensAreWorthlessAtOnce() {
        var signedUp = project.signUp();
        var inVariantB = project.signUpInVariantB();

        assertThat(signOut(signedUp.accessToken()).expect(200).json()).hasToString("{\"success\":true}");
        signOut(inVariantB.accessToken()).expect(200);

        project.me(signedUp.accessToken()).expect(401);
        server.api().get("/v1/auth/token/verify").bearer(signedUp.accessToken()).expect(401);
        signOut(signedUp.accessToken()).expect(401);
        project.refresh(signedUp.refreshToken()).expect(401);
        project.refreshAccessToken(inVariantB.refreshToken()).expect(401);
    }

    @Test
    void everyAccessTokenOfTheSessionIsWorthlessToo() {
        var signedUp = project.signUp();
        var refreshed = project.refresh(signedUp.refreshToken()).expect(200);

        signOut(signedUp.accessToken()).expect(200);

        project.me(refreshed.accessToken()).expect(401);
        project.refresh(refreshed.refreshToken()).expect(401);
    }

    @Test
    void theUsersOtherSessionsContinue() {
        var signedUp = project.signUp("ann@example.com");
        var elsewhere = project.signIn("ann@example.com");

        signOut(signedUp.accessToken()).expect(200);

        project.me(elsewhere.accessToken()).expect(200);
        project.refresh(elsewhere.refreshToken()).expect(200);
    }

    @Test
    void noBodyIsNeededAndASmallOneDoesNoHarm() {
        signOut(project.signUp().accessToken()).expect(200);
        signOut(project.signUp().accessToken())
                .header("Content-Type", "application/json")
                .expect(200);
        signOut(project.signUp().accessToken()).text("").expect(200);
        signOut(project.signUp().accessToken()).text("{}").expect(200);
        signOut(project.signUp().accessToken()).text("nonsense").expect(200);
    }
}
