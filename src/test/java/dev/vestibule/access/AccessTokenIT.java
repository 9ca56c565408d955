package dev.vestibule.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the routes of a signed-in user treat credentials. */
@ExtendWith(WithServer.class)
class AccessTokenIT {
    private final TestServer server;
    private final TestProject project;

    AccessTokenIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Call call(String method, String path) {
        var call = server.api().call(method, path);
        return method.equals("PATCH") ? call.text("{}") : call;
    }

    @ParameterizedTest
    @CsvSource({"GET, /v1/auth/me", "PATCH, /v1/auth/me", "GET, /v1/auth/token/verify", "POST, /v1/auth/signout"})
    void aRouteOfAUserNeedsAnAccessToken(String method, String path) {
        var token = project.signUp().accessToken();

        call(method, path).expect(401);
        call(method, path).bearer("nonsense").expect(401);
        call(method, path).bearer("a.b.c").expect(401);
        call(method, path).header("Authorization", "Bearer ").expect(401);
        call(method, path).header("Authorization", token).expect(401);
        call(method, path).header("Authorization", "Token " + token).expect(401);
        call(method, path).header("Authorization", "Bearer" + token).expect(401);
        call(method, path).key(token).expect(401);
    }

    @ParameterizedTest
    @CsvSource({"GET, /v1/auth/me", "PATCH, /v1/auth/me", "GET, /v1/auth/token/verify", "POST, /v1/auth/signout"})
    void aKeyIsNotAcceptedAsAnAccessToken(String method, String path) {
        call(method, path).key(project.publishableKey()).expect(401);
        call(method, path).bearer(project.publishableKey()).expect(401);
        call(method, path).bearer(project.secretKey()).expect(401);
    }

    @ParameterizedTest
    @CsvSource({"GET, /v1/auth/me", "PATCH, /v1/auth/me", "GET, /v1/auth/token/verify", "POST, /v1/auth/signout"})
    void aRefreshTokenIsNotAcceptedAsAnAccessToken(String method, String path) {
        call(method, path).bearer(project.signUp().refreshToken()).expect(401);
    }

    @ParameterizedTest
    @CsvSource({"GET, /v1/auth/me", "PATCH, /v1/auth/me", "GET, /v1/auth/token/verify", "POST, /v1/auth/signout"})
    void aKeySentWithATokenMustBelongToItsProject(String method, String path) {
        var token = project.signUp().accessToken();

        call(method, path)
                .key(server.newProject().publishableKey())
                .bearer(token)
                .expect(403);
        call(method, path).key("pk_live_nonsense").bearer(token).expect(401);
        call(method, path).key(project.publishableKey()).bearer("nonsense").expect(401);
        call(method, path).key(project.publishableKey()).bearer(token).expect(200);
    }

    @ParameterizedTest
    @CsvSource({"GET, /v1/auth/me", "PATCH, /v1/auth/me", "GET, /v1/auth/token/verify", "POST, /v1/auth/signout"})
    void aTokenIsEnoughAndTheSchemesCaseDoesNotMatter(String method, String path) {
        call(method, path)
                .header("Authorization", "bEARER " + project.signUp().accessToken())
                .expect(200);
    }

    @ParameterizedTest
    @CsvSource({"GET, /v1/auth/me", "PATCH, /v1/auth/me", "GET, /v1/auth/token/verify", "POST, /v1/auth/signout"})
    void theTokensOfABannedUserAreWorthless(String method, String path) {
        var email = TestServer.newEmail();
        var signedUp = project.signUp(email);
        var inVariantB = project.signInInVariantB(email);
        server.ban(signedUp.text("user/id"));

        call(method, path).bearer(signedUp.accessToken()).expect(401);
        project.refresh(signedUp.refreshToken()).expect(401);
        project.refreshAccessToken(inVariantB.refreshToken()).expect(401);
    }

    @ParameterizedTest
    @CsvSource({"GET, /v1/auth/me", "PATCH, /v1/auth/me", "GET, /v1/auth/token/verify", "POST, /v1/auth/signout"})
    void theTokensOfADeletedUserAreWorthless(String method, String path) {
        var signedUp = project.signUp();
        assertThat(server.sql().update("DELETE FROM users WHERE id = ?::uuid", signedUp.text("user/id")))
                .isOne();

        call(method, path).bearer(signedUp.accessToken()).expect(401);
        project.refresh(signedUp.refreshToken()).expect(401);
    }

    @ParameterizedTest
    @CsvSource({"GET, /v1/dashboard/projects", "POST, /v1/dashboard/projects"})
    void theDashboardIsForDashboardUsers(String method, String path) {
        call(method, path).expect(401);
        call(method, path).bearer("nonsense").expect(401);
        call(method, path).key("pk_live_nonsense").expect(401);
        call(method, path).key(project.publishableKey()).expect(403);
        call(method, path).key(project.secretKey()).expect(403);
        call(method, path).bearer(project.secretKey()).expect(403);
        call(method, path).bearer(project.signUp().accessToken()).expect(403);
        call(method, path)
                .key(project.publishableKey())
                .bearer(server.newDashboardUser())
                .expect(403);
    }
}
