package dev.vestibule.page.hosted;

import static dev.vestibule.page.hosted.HostedBrowser.allowing;
import static dev.vestibule.page.hosted.HostedBrowser.onward;
import static dev.vestibule.page.hosted.HostedBrowser.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An owner of the project acts as one of its users in the application, which signs in with the hosted page. */
@ExtendWith(WithServer.class)
class ImpersonationPageIT {
    private final TestServer server;
    private final TestProject project;
    private final HostedBrowser browser;
    private final String userId;

    ImpersonationPageIT(TestServer server) {
        this.server = server;
        this.project = allowing(server.newProject());
        this.browser = new HostedBrowser(project);
        this.userId = project.signUp().text("user/id");
    }

    private Response begin(HostedBrowser in) {
        var begun = project.asOwner("POST", "/users/" + userId + "/impersonate/in-browser")
                .json(Map.of("reason", "Ticket 4711"))
                .expect(200);
        in.setCookie(begun.header("Set-Cookie").orElseThrow());
        return begun;
    }

    /** The application sends the browser to sign in. */
    private HttpResponse<String> visit(HostedBrowser in, Map<String, String> request, String... headers) {
        var url = URI.create(in.requestUrl(request));
        return in.get(in.path() + "?" + url.getRawQuery(), headers);
    }

    private static void asksToSignIn(HttpResponse<String> page) {
        assertThat(page.body()).contains("action=\"sign-in\"").doesNotContain("code=");
    }

    @Test
    void anUnchangedApplicationGetsTheSessionOfTheOwnerWhoActs() {
        var begun = begin(browser);
        assertThat(begun.json().fieldNames()).toIterable().containsExactly("url", "expiresIn", "sessionId");
        assertThat(begun.text("url")).isEqualTo(HostedBrowser.APP);
        assertThat(begun.text("expiresIn")).isEqualTo("60");
        assertThat(begun.header("Set-Cookie").orElseThrow())
                .startsWith("__Host-acting-" + project.id() + "=")
                .contains("; Path=/; Secure; HTTPOnly; SameSite=Lax", "Max-Age=60");

        var back = visit(browser, Map.of());
        assertThat(onward(back).toString()).startsWith(HostedBrowser.APP + "?code=");
        assertThat(parameter(onward(back), "state")).isEqualTo("the state & more");
        var tokens = browser.redeem(back, 200);

        assertThat(tokens.text("user/id")).isEqualTo(userId);
        var claims = Jwt.parse(tokens.accessToken()).claims();
        assertThat(claims.at("/act/sub").asText()).isNotEmpty();
        assertThat(claims.has("amr")).isFalse();
        assertThat(project.manage("GET", "/v1/dashboard/sessions")
                        .expect(200)
                        .json()
                        .findValuesAsText("impersonatedBy"))
                .containsExactly(claims.at("/act/sub").asText());
        server.api()
                .post("/v1/auth/password/change")
                .bearer(tokens.accessToken())
                .json(Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "a password of a thief"))
                .expect(403);
        var renewed = project.refresh(tokens.refreshToken()).expect(200);
        assertThat(Jwt.parse(renewed.accessToken()).claims().at("/act/sub").asText())
                .isNotEmpty();
    }

    /** However long the project's tokens are valid, a session of an hour has none that outlives it. */
    @Test
    void itsTokensEndWithTheSession() {
        project.asOwner("PATCH", "")
                .json(Map.of("sessionConfig", Map.of("accessTokenTtl", 86_400)))
                .expect(200);
        begin(browser);
        var tokens = browser.redeem(visit(browser, Map.of()), 200);
        assertThat(Jwt.parse(tokens.accessToken()).claims().path("exp").asLong())
                .isBetween(
                        Instant.now().getEpochSecond(),
                        Instant.now().plusSeconds(3600).getEpochSecond());
    }

    @Test
    void itWorksOnceAndForAMinute() {
        begin(browser);
        var cookieOfBefore = new HostedBrowser(project);
        cookieOfBefore.setCookie(begin(browser).header("Set-Cookie").orElseThrow());
        assertThat(onward(visit(browser, Map.of())).toString()).contains("code=");
        asksToSignIn(visit(browser, Map.of()));
        asksToSignIn(visit(cookieOfBefore, Map.of()));

        begin(browser);
        server.sql()
                .update(
                        "UPDATE hosted_codes SET expires_at = expires_at - interval '61 seconds'"
                                + " WHERE project_id = ?::uuid",
                        project.id());
        asksToSignIn(visit(browser, Map.of()));
    }

    @Test
    void nothingThatNoPersonSeesUsesItUp() {
        begin(browser);
        asksToSignIn(visit(browser, Map.of(), "Sec-Fetch-Dest", "iframe"));
        asksToSignIn(visit(browser, Map.of(), "Sec-Purpose", "prefetch"));
        assertThat(onward(visit(browser, Map.of())).toString()).contains("code=");
    }

    @Test
    void aRequestThatWantsThePersonTheirselvesGetsThePage() {
        begin(browser);
        asksToSignIn(browser.open(Map.of()));
        assertThat(visit(browser, Map.of("screen", "sign-up")).body()).contains("action=\"sign-up\"");
        var account = browser.get(browser.path() + "account/");
        asksToSignIn(browser.get(browser.path()
                + account.headers().firstValue("location").orElseThrow().substring("../".length())));
        assertThat(onward(visit(browser, Map.of())).toString()).contains("code=");
    }

    @Test
    void anotherProjectAnotherBrowserAndAnotherApplicationGetNothing() {
        var cookie = begin(browser).header("Set-Cookie").orElseThrow();
        var other = new HostedBrowser(allowing(server.newProject()));
        other.setCookie(cookie);
        var stolen = cookie.split(";", 2)[0].split("=", 2)[1];
        other.setCookie("__Host-acting-" + other.project().id() + "=" + stolen);
        for (var odd : List.of("", "x", "%00", "a".repeat(3000))) {
            var visitor = new HostedBrowser(project);
            visitor.setCookie("__Host-acting-" + project.id() + "=" + odd);
            asksToSignIn(visit(visitor, Map.of()));
        }
        asksToSignIn(visit(other, Map.of()));
        asksToSignIn(visit(new HostedBrowser(project), Map.of()));

        project.asOwner("PATCH", "")
                .json(Map.of("callbackUrl", "https://elsewhere.example.com/callback"))
                .expect(200);
        var here = browser.requestUrl(Map.of());
        allowing(project);
        assertThat(browser.get(browser.path() + "?" + URI.create(here).getRawQuery())
                        .body())
                .as("a return address that the project has removed")
                .doesNotContain("code=");
        assertThat(onward(visit(browser, Map.of())).toString()).contains("code=");
    }

    /** An application that knows the cookie has no verifier for it, and the attempt ends the session. */
    @Test
    void theCookieIsNoCode() {
        var begun = begin(browser);
        var secret = begun.header("Set-Cookie").orElseThrow().split(";", 2)[0].split("=", 2)[1];
        browser.redeem(Map.of("code", secret, "codeVerifier", HostedBrowser.VERIFIER), 401);
        asksToSignIn(visit(browser, Map.of()));
        assertThat(server.sql().count("SELECT count(*) FROM sessions WHERE id = ?::uuid", begun.text("sessionId")))
                .isZero();
    }

    @Test
    void aFormerOwnerGetsNoTokens() {
        var owner = server.newMember(project, "owner");
        var begun = project.as(owner, "POST", "/users/" + userId + "/impersonate/in-browser")
                .json(Map.of("reason", "Ticket 4711"))
                .expect(200);
        browser.setCookie(begun.header("Set-Cookie").orElseThrow());
        var back = visit(browser, Map.of());
        var id = server.api().get("/v1/auth/me").bearer(owner).expect(200).text("id");
        project.asOwner("PATCH", "/members/" + id)
                .json(Map.of("role", "developer"))
                .expect(200);
        browser.redeem(back, 401);
    }

    @Test
    void nobodyActsAsABannedUserOrOneOfAnotherProject() {
        var elsewhere = server.newProject().signUp().text("user/id");
        project.asOwner("POST", "/users/" + elsewhere + "/impersonate/in-browser")
                .json(Map.of("reason", "Ticket 4711"))
                .expect(404);
        begin(browser);
        var back = visit(browser, Map.of());
        project.manage("PATCH", "/v1/dashboard/users/" + userId + "/ban")
                .json(Map.of())
                .expect(200);
        browser.redeem(back, 401);
        assertThat(project.asOwner("POST", "/users/" + userId + "/impersonate/in-browser")
                        .json(Map.of("reason", "Ticket 4711"))
                        .expect(409)
                        .header("Set-Cookie"))
                .isEmpty();
    }
}
