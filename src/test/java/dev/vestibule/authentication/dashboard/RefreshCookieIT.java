package dev.vestibule.authentication.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A browser keeps the refresh token of a dashboard user where no script can read it. */
@ExtendWith(WithServer.class)
class RefreshCookieIT {
    private static final String PASSWORD = "a dashboard password";

    private final TestServer server;

    RefreshCookieIT(TestServer server) {
        this.server = server;
    }

    private Call registration() {
        return server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", TestServer.newEmail(), "password", PASSWORD));
    }

    private Response registered() {
        return registration().header("x-refresh-token", "cookie").expect(201);
    }

    private Call refresh(String cookie) {
        return server.api().post("/v1/dashboard/auth/refresh").header("Cookie", cookie);
    }

    private static String cookie(Response response) {
        return response.header("Set-Cookie").orElseThrow().replaceAll(";.*", "");
    }

    @Test
    void theConsoleNeverSeesItsRefreshToken() {
        var registered = registered();
        var refreshed =
                refresh(cookie(registered)).header("x-refresh-token", "cookie").expect(200);

        assertThat(registered.body()).doesNotContain("rt_");
        assertThat(refreshed.body()).doesNotContain("rt_");
        assertThat(registered.header("Set-Cookie").orElseThrow())
                .startsWith("__Secure-vestibule_refresh=rt_")
                .contains("; Max-Age=604800; ", "Path=/v1/dashboard/auth", "Secure", "HTTPOnly", "SameSite=Strict");
        assertThat(cookie(refreshed)).isNotEqualTo(cookie(registered));
        server.api()
                .get("/v1/dashboard/projects")
                .bearer(refreshed.accessToken())
                .expect(200);
    }

    @Test
    void noCookieIsSetUnlessItWasAskedFor() {
        var response = registration().expect(201);

        assertThat(response.header("Set-Cookie")).isEmpty();
        assertThat(response.refreshToken()).startsWith("rt_");
    }

    @Test
    void aCookieAloneRefreshesNothing() {
        refresh(cookie(registered())).expect(400);
    }

    @Test
    void noPageOfAnotherOriginCanUseTheCookie() {
        var cookie = cookie(registered());

        refresh(cookie)
                .header("x-refresh-token", "cookie")
                .header("Origin", "https://evil.example")
                .expect(403);
        var preflight = server.api()
                .call("OPTIONS", "/v1/dashboard/auth/refresh")
                .header("Origin", "https://evil.example")
                .header("Access-Control-Request-Method", "POST")
                .send();
        assertThat(preflight.header("Access-Control-Allow-Headers").orElseThrow())
                .doesNotContain("x-refresh-token");
        refresh(cookie).header("x-refresh-token", "cookie").expect(200);
    }

    @Test
    void aSignOutClearsTheCookie() {
        var signedOut = server.api()
                .post("/v1/dashboard/auth/signout")
                .bearer(registered().accessToken())
                .expect(200);

        assertThat(signedOut.header("Set-Cookie").orElseThrow()).contains("vestibule_refresh=;", "Max-Age=0");
    }

    @Test
    void aLateRefusalLeavesTheCookieThatAnotherTabMayHaveSet() {
        var registered = registered();
        server.api()
                .post("/v1/dashboard/auth/signout")
                .bearer(registered.accessToken())
                .expect(200);
        var refused =
                refresh(cookie(registered)).header("x-refresh-token", "cookie").expect(401);

        assertThat(refused.header("Set-Cookie")).isEmpty();
    }

    @Test
    void twoTabsThatRefreshAtOnceGetTheSameToken() {
        var first = registered();
        var second = refresh(cookie(first)).header("x-refresh-token", "cookie").expect(200);
        var late = refresh(cookie(first)).header("x-refresh-token", "cookie").expect(200);

        assertThat(cookie(late)).isEqualTo(cookie(second));
        refresh(cookie(late)).header("x-refresh-token", "cookie").expect(200);
    }

    @Test
    void aRequestWithoutTheCookieIsNotSignedIn() {
        server.api()
                .post("/v1/dashboard/auth/refresh")
                .header("x-refresh-token", "cookie")
                .expect(401);
    }

    @Test
    void thePageLearnsWhetherAnyoneMayRegister() {
        var need = server.api().get("/v1/dashboard/auth/registration").expect(200);

        assertThat(need.text("registration")).isEqualTo("open");
    }
}
