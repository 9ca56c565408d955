package dev.vestibule.http.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class RateLimitIT {
    /** So few that even a busy machine sends one more before another is allowed, which takes half a minute. */
    private static final int QUOTA = 2;

    private static final List<String> LIMITED = List.of(
            "SIGNUP",
            "SIGNIN",
            "REFRESH",
            "CHANGES",
            "DASHBOARD_REGISTER",
            "DASHBOARD_LOGIN",
            "DASHBOARD_MEMBERS",
            "SIGNING_KEY_ROTATIONS",
            "BRANDING",
            "PAGES",
            "OAUTH",
            "OAUTH_SERVER",
            "OAUTH_POLL");

    private final TestDatabase database;
    private final TestServer server;
    private final TestProject project;

    RateLimitIT(TestDatabase database) {
        this.database = database;
        this.server = TestServer.start(database, smallQuotas());
        this.project = server.newProject();
    }

    private static Map<String, String> smallQuotas() {
        var settings = new HashMap<>(Map.of("VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1/32,::1/128"));
        LIMITED.forEach(name -> settings.put("VESTIBULE_LIMITS_" + name + "_PER_MINUTE", "" + QUOTA));
        return settings;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void signUpHasAQuota() {
        exhaust("signup", 422, signUp(project));
    }

    @Test
    void theManagementOfRegisteredClientsHasAQuota() {
        var path = "/v1/projects/" + project.id() + "/oauth/register/x";
        exhaust("oauth-server", 404, () -> server.api().get(path));
        server.api().call("PUT", path).json(Map.of()).expect(429);
        server.api().call("DELETE", path).expect(429);
    }

    @Test
    void signInHasAQuota() {
        exhaust("signin", 401, () -> project.trySignIn(TestServer.newEmail(), "not the password"));
    }

    @Test
    void theStepsOfASignInWithAProviderShareAQuota() {
        for (int i = 0; i < QUOTA; i++) {
            (i % 2 == 0
                            ? project.get("/v1/auth/oauth/google/url")
                            : project.post("/v1/auth/oauth/callback").json(Map.of()))
                    .send();
        }
        project.get("/v1/auth/oauth/google/url").expect(429);
        project.post("/v1/auth/oauth/callback").json(Map.of()).expect(429);
        exhaust("oauth", 404, () -> server.api().get("/v1/auth/oauth/redirect"));
        exhaust("oauth-poll", 404, () -> project.get("/v1/auth/oauth/poll?state=x"));
    }

    /** It signs in all users of the application from one address. */
    @Test
    void anApplicationsServerWithTheSecretKeyHasAQuotaOfItsOwn() {
        exhaust("oauth", 422, () -> project.post("/v1/auth/hosted/callback").json(Map.of()));
        exhaust(
                "oauth-server",
                422,
                () -> server.api()
                        .post("/v1/auth/hosted/callback")
                        .key(project.secretKey())
                        .json(Map.of()));
    }

    @Test
    void theHostedPageAndItsStyleShareAQuota() {
        var page = "/p/" + project.asOwner("GET", "").expect(200).text("slug") + "/";
        var pages = ApiClient.undescribed(server.api().base());
        pages.get(page).expect(200);
        pages.get(page + "style.css").expect(200);
        assertThat(pages.get(page + "style.css").expect(429).header("RateLimit-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).contains("page"));
        pages.get(page).expect(429);
    }

    @Test
    void bothRefreshesShareAQuota() {
        var inA = project.signUp();
        var inB = project.signUpInVariantB();
        project.refresh(inA.refreshToken()).expect(200);
        for (int i = 1; i < QUOTA; i++) {
            project.refreshAccessToken(inB.refreshToken()).expect(200);
        }
        project.refresh(inA.refreshToken()).expect(429);
        project.refreshAccessToken(inB.refreshToken()).expect(429);
    }

    @Test
    void whateverElseUsersChangeSharesAQuota() {
        var token = project.signUp().accessToken();
        exhaust(
                "change",
                200,
                () -> server.api().patch("/v1/auth/me").bearer(token).json(Map.of("displayName", "Ann")));
        server.api()
                .call("DELETE", "/v1/auth/passkeys/" + UUID.randomUUID())
                .bearer(token)
                .expect(429);
        server.api().post("/v1/auth/signout").bearer(token).expect(200);
    }

    @Test
    void dashboardRegistrationHasAQuota() {
        exhaust(
                "dashboard-register",
                422,
                () -> from("203.0.113.1", "/v1/dashboard/auth/register").json(Map.of()));
    }

    @Test
    void dashboardLoginHasAQuota() {
        exhaust(
                "dashboard-login",
                401,
                () -> server.api()
                        .post("/v1/dashboard/auth/login")
                        .json(Map.of("email", TestServer.newEmail(), "password", "not the password")));
    }

    @Test
    void rotationsOfSigningKeysHaveAQuota() {
        exhaust(
                "signing-keys",
                200,
                () -> project.asOwner("POST", "/signing-keys/rotate").json(Map.of("revoke", true)));
    }

    /** Logos take time to check, even those from a member who may not change anything. */
    @Test
    void changesAndPreviewsOfABrandingShareAQuota() {
        var viewer = server.newMember(project, "viewer");
        exhaust(
                "branding",
                200,
                () -> project.as(viewer, "POST", "/branding/preview").json(Map.of("show", "signIn")));
        project.asOwner("PATCH", "/branding").json(Map.of()).expect(429);
    }

    @Test
    void invitingMembersHasAQuotaThatMoreProjectsDoNotRaise() {
        exhaust(
                "dashboard-members",
                201,
                () -> project.asOwner("POST", "/members")
                        .json(Map.of("email", TestServer.newEmail(), "role", "viewer")));
        server.newProject(project.owner(), "One more")
                .asOwner("POST", "/members")
                .json(Map.of())
                .expect(429);
    }

    @Test
    void projectsDoNotShareAQuota() {
        var other = server.newProject();
        exhaust("signup", 422, signUp(project));
        other.signUp();
    }

    @Test
    void clientsBehindATrustedProxyDoNotShareAQuota() {
        exhaust("signup", 422, () -> signUpFrom("203.0.113.1"));
        signUpFrom("203.0.113.2").expect(422);
        signUpFrom("203.0.113.1").expect(429);
    }

    @Test
    void aClientCannotForgeTheAddressThatItIsCountedBy() {
        exhaust("signup", 422, () -> signUpFrom("198.51.100." + System.nanoTime() % 200 + ", 203.0.113.1"));
    }

    @Test
    void clientsOfOneIpv6NetworkShareAQuota() {
        exhaust("signup", 422, () -> signUpFrom("2001:db8:0:1::" + Long.toHexString(System.nanoTime() & 0xffff)));
        signUpFrom("2001:db8:0:2::1").expect(422);
    }

    @Test
    void aProjectForTestsHasTheSameQuota() {
        var testProject = TestProject.create(
                server.api(), server.newDashboardUser(), Map.of("name", "Tests", "environment", "test"));
        exhaust("signup", 422, signUp(testProject));
    }

    @Test
    void aRouteWithoutAQuotaHasNone() {
        var token = project.signUp().accessToken();
        for (int i = 0; i < 10 * QUOTA; i++) {
            project.me(token).expect(200);
        }
    }

    @Test
    void headersOfUntrustedPeersAreIgnored() {
        var environment = smallQuotas();
        environment.remove("VESTIBULE_HTTP_TRUSTED_PROXIES");
        try (var plain = TestServer.start(database, environment)) {
            var there = plain.newProject();
            exhaust(
                    "signup",
                    422,
                    () -> signUp(there).get().header("X-Forwarded-For", "203.0.113." + System.nanoTime() % 200));
        }
    }

    @Test
    void allLimitsCanBeSwitchedOff() {
        var environment = smallQuotas();
        environment.put("VESTIBULE_LIMITS_ENABLED", "false");
        try (var free = TestServer.start(database, environment)) {
            var there = free.newProject();
            there.signUp("ann@example.com");
            for (int i = 0; i < 3 * QUOTA; i++) {
                there.trySignIn("ann@example.com", "not the password").expect(401);
            }
            there.signIn("ann@example.com");
        }
    }

    private interface Calls {
        Call get();
    }

    private static Calls signUp(TestProject project) {
        return () -> project.api()
                .post("/v1/auth/signup")
                .key(project.publishableKey())
                .json(Map.of());
    }

    private Call signUpFrom(String forwardedFor) {
        return from(forwardedFor, "/v1/auth/signup")
                .key(project.publishableKey())
                .json(Map.of());
    }

    private Call from(String forwardedFor, String path) {
        return server.api().post(path).header("X-Forwarded-For", forwardedFor);
    }

    /** This many calls are allowed, whatever their responses; the next gets 429 with the time to wait. */
    private static void exhaust(String title, int status, Calls calls) {
        for (int i = 0; i < QUOTA; i++) {
            calls.get().expect(status);
        }
        var refused = calls.get().expect(429);
        assertThat(refused.json().get("statusCode").asInt()).isEqualTo(429);
        assertThat(refused.text("error")).isEqualTo("Too Many Requests");
        assertThat(refused.text("message")).isNotBlank();
        assertThat(refused.header("Content-Type")).hasValue("application/json");
        assertThat(refused.header("RateLimit-Policy")).hasValue("\"" + title + "\";q=" + QUOTA + ";w=60");
        var seconds = Integer.parseInt(refused.header("Retry-After").orElseThrow());
        assertThat(seconds).isBetween(1, 60 / QUOTA);
        assertThat(refused.header("RateLimit")).hasValue("\"" + title + "\";r=0;t=" + seconds);
    }
}
