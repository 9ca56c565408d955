package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.issuerPath;
import static dev.vestibule.fixture.OauthBrowser.post;
import static dev.vestibule.fixture.OauthBrowser.redeem;
import static dev.vestibule.fixture.OauthBrowser.refreshForm;
import static dev.vestibule.fixture.OauthBrowser.register;
import static dev.vestibule.fixture.OauthBrowser.userinfo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Devices that show a code, which their person types in a browser elsewhere (RFC 8628). */
@ExtendWith(WithServer.class)
class DeviceFlowIT {
    private static final String DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";

    private final TestServer server;
    private final TestProject project;
    private final String email = TestServer.newEmail();
    private final String client;
    private final OauthBrowser phone;

    DeviceFlowIT(TestServer server) {
        this.server = server;
        project = server.newProject();
        project.signUp(email);
        client = register(project, "native", Map.of()).text("clientId");
        phone = new OauthBrowser(project);
    }

    private Response begin(String scope) {
        return post(project, "/oauth/device_authorization", Map.of("client_id", client, "scope", scope), 200);
    }

    private static Map<String, String> question(String client, Response device) {
        return Map.of("grant_type", DEVICE_CODE, "client_id", client, "device_code", device.text("device_code"));
    }

    private String refusal(String client, Response device) {
        return OauthBrowser.token(project, question(client, device), 400).text("error");
    }

    private Response tokens(Response device) {
        return OauthBrowser.token(project, question(client, device), 200);
    }

    private static String path(String url) {
        var uri = URI.create(url);
        return uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
    }

    /** Types the code on the page; the answer is what the browser shows next. */
    private static HttpResponse<String> type(OauthBrowser browser, Response device, String code) {
        browser.get(path(device.text("verification_uri")));
        return browser.follow(browser.submit("device", Map.of("code", code)));
    }

    private HttpResponse<String> typeAndSignIn(OauthBrowser browser, Response device) {
        type(browser, device, device.text("user_code"));
        return browser.signIn(email);
    }

    /** The device would wait this long. */
    private void pass(int seconds) {
        server.sql()
                .update(
                        "UPDATE oauth_device_requests SET asked_at = asked_at - make_interval(secs => " + seconds
                                + ") WHERE project_id = ?::uuid",
                        project.id());
    }

    @Test
    void aDeviceGetsTokensOnceItsPersonHasAllowedItElsewhere() {
        var device = begin("openid email offline_access");
        assertThat(device.text("user_code")).matches("[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}");
        assertThat(device.json().path("expires_in").asInt()).isEqualTo(600);
        assertThat(device.json().path("interval").asInt()).isEqualTo(5);
        assertThat(refusal(client, device)).isEqualTo("authorization_pending");

        assertThat(typeAndSignIn(phone, device).body()).contains("asks for access", "127.0.0.1", "in front of you");
        assertThat(phone.submit("consent", Map.of("decision", "allow")).body()).contains("Your device is connected");

        var tokens = tokens(device);
        assertThat(userinfo(project, tokens.text("access_token"), 200).text("email"))
                .isEqualTo(email);
        assertThat(tokens.text("id_token")).isNotEmpty();
        var form = refreshForm(client, tokens.text("refresh_token"));
        assertThat(OauthBrowser.token(project, form, 200).text("access_token")).isNotEmpty();
    }

    @Test
    void theCompleteAddressFillsInTheCodeAndStillAsks() {
        var device = begin("openid");
        var page = phone.get(path(device.text("verification_uri_complete")));
        assertThat(page.body()).contains("value=\"" + device.text("user_code") + "\"");
        assertThat(refusal(client, device)).isEqualTo("authorization_pending");
    }

    @Test
    void theCodeIsTakenAsPeopleTypeIt() {
        var device = begin("openid");
        var typed = " " + device.text("user_code").toLowerCase(Locale.ROOT).replace("-", " ") + " ";
        assertThat(type(phone, device, typed).body()).contains("Sign in");
        assertThat(phone.signIn(email).body()).contains("asks for access");
    }

    @Test
    void evenAnApplicationOfTheProjectItselfAlwaysAsks() {
        for (var round = 0; round < 2; round++) {
            var device = begin("openid");
            type(phone, device, device.text("user_code"));
            var page = round == 0 ? phone.signIn(email).body() : phone.page();
            assertThat(page).contains("asks for access");
            phone.submit("consent", Map.of("decision", "allow"));
            tokens(device);
        }
    }

    @Test
    void whoDoesNotAllowItEndsIt() {
        var device = begin("openid");
        typeAndSignIn(phone, device);
        assertThat(phone.submit("consent", Map.of("decision", "deny")).body()).contains("No access for the device");
        assertThat(refusal(client, device)).isEqualTo("access_denied");
        assertThat(type(phone, device, device.text("user_code")).body()).contains("No device waits");
    }

    @Test
    void aDeviceThatPollsTooOftenMustPollLessOftenFromThenOn() {
        var device = begin("openid");
        assertThat(refusal(client, device)).isEqualTo("authorization_pending");
        assertThat(refusal(client, device)).isEqualTo("slow_down");
        pass(6);
        assertThat(refusal(client, device)).isEqualTo("slow_down");
        pass(14);
        assertThat(refusal(client, device)).isEqualTo("slow_down");
        pass(21);
        assertThat(refusal(client, device)).isEqualTo("authorization_pending");
    }

    @Test
    void aCodeIsOverAfterTenMinutes() {
        var device = begin("openid");
        server.sql()
                .update(
                        "UPDATE oauth_device_requests SET expires_at = expires_at - interval '600 seconds'"
                                + " WHERE project_id = ?::uuid",
                        project.id());
        assertThat(refusal(client, device)).isEqualTo("expired_token");
        assertThat(type(phone, device, device.text("user_code")).body()).contains("No device waits");
    }

    @Test
    void aDeviceCodeWorksOnceAndItsSecondUseEndsWhatItGave() {
        var device = begin("openid");
        typeAndSignIn(phone, device);
        phone.submit("consent", Map.of("decision", "allow"));
        var answers = Parallel.send(50, i -> OauthBrowser.call(project, question(client, device)));
        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(refusal(client, device)).isEqualTo("invalid_grant");
        var text = answers.stream()
                .filter(answer -> answer.status() == 200)
                .findFirst()
                .orElseThrow()
                .text("access_token");
        userinfo(project, text, 401);
    }

    @Test
    void consentClickedTwiceIsOneGrant() {
        var device = begin("openid");
        typeAndSignIn(phone, device);
        var answers = phone.submitTogether(10, "consent", Map.of("decision", "allow"));
        assertThat(answers.stream().filter(answer -> answer.body().contains("is connected")))
                .hasSize(1);
        tokens(device);
    }

    @Test
    void onlyOneOfTwoPeopleWithTheSameCodeGetsIt() {
        var other = TestServer.newEmail();
        project.signUp(other);
        var device = begin("openid email");
        var stranger = new OauthBrowser(project);
        typeAndSignIn(phone, device);
        type(stranger, device, device.text("user_code"));
        stranger.signIn(other);
        phone.submit("consent", Map.of("decision", "allow"));
        assertThat(stranger.submit("consent", Map.of("decision", "allow")).body())
                .doesNotContain("is connected");
        assertThat(userinfo(project, tokens(device).text("access_token"), 200).text("email"))
                .isEqualTo(email);
    }

    /** Or a link would bring somebody who has seen no code to the question, one click from the device of a stranger. */
    @Test
    void theRequestOfACodeBelongsToTheBrowserThatTypedIt() {
        var device = begin("openid");
        phone.get(path(device.text("verification_uri")));
        var onward = path(phone.submit("device", Map.of("code", device.text("user_code")))
                .headers()
                .firstValue("Location")
                .orElseThrow());

        assertThat(new OauthBrowser(project).get(onward).statusCode()).isEqualTo(410);
        assertThat(phone.follow(phone.get(onward)).body()).contains("Sign in");
    }

    @Test
    void anotherClientOrProjectGetsNothingForTheCode() {
        var device = begin("openid");
        var stranger = register(project, "native", Map.of()).text("clientId");
        assertThat(refusal(stranger, device)).isEqualTo("invalid_grant");
        assertThat(refusal(client, device)).isEqualTo("authorization_pending");

        var there = server.newProject();
        var clientThere = register(there, "native", Map.of()).text("clientId");
        assertThat(OauthBrowser.token(there, question(clientThere, device), 400).text("error"))
                .isEqualTo("invalid_grant");
        var browserThere = new OauthBrowser(there);
        browserThere.get("/p/" + slug(there) + "/device");
        assertThat(browserThere
                        .submit("device", Map.of("code", device.text("user_code")))
                        .body())
                .contains("No device waits");

        typeAndSignIn(phone, device);
        phone.submit("consent", Map.of("decision", "allow"));
        assertThat(refusal(stranger, device)).isEqualTo("invalid_grant");
        assertThat(refusal(client, device)).isEqualTo("invalid_grant"); // somebody has it who should not
    }

    private static String slug(TestProject of) {
        return of.asOwner("GET", "").expect(200).text("slug");
    }

    @Test
    void deviceCodesAndAuthorizationCodesAreNotInterchangeable() {
        var device = begin("openid");
        typeAndSignIn(phone, device);
        phone.submit("consent", Map.of("decision", "allow"));
        var asCode =
                Map.of("grant_type", "authorization_code", "client_id", client, "code", device.text("device_code"));
        assertThat(OauthBrowser.token(project, asCode, 400).text("error")).isEqualTo("invalid_grant");

        var code = new OauthBrowser(project).code(client, email, Map.of());
        var asDevice = Map.of("grant_type", DEVICE_CODE, "client_id", client, "device_code", code);
        assertThat(OauthBrowser.token(project, asDevice, 400).text("error")).isEqualTo("invalid_grant");
        redeem(project, client, code, 400);
    }

    @Test
    void aNetworkCannotKeepTheDevicesOfOthersOut() {
        for (var i = 0; i < 50; i++) {
            begin("openid");
        }
        var form = Map.of("client_id", client);
        assertThat(post(project, "/oauth/device_authorization", form, 400).text("error"))
                .isEqualTo("temporarily_unavailable");
        server.sql()
                .update(
                        "UPDATE oauth_device_requests SET network_hash = 'other' WHERE project_id = ?::uuid",
                        project.id());
        post(project, "/oauth/device_authorization", form, 200);
    }

    @Test
    void aBrowserHasFiveTries() {
        var device = begin("openid");
        phone.get(path(device.text("verification_uri")));
        for (var i = 0; i < 5; i++) {
            assertThat(phone.submit("device", Map.of("code", "BBBB-BBBB")).body())
                    .contains("No device waits");
        }
        var refused = phone.submit("device", Map.of("code", device.text("user_code")));
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).doesNotContain("Sign in");
        assertThat(type(new OauthBrowser(project), device, device.text("user_code"))
                        .body())
                .contains("Sign in");
    }

    @Test
    void triesAtOnceAreNotMore() {
        phone.get(path(begin("openid").text("verification_uri")));
        var answers = phone.submitTogether(30, "device", Map.of("code", "BBBB-BBBB"));
        assertThat(answers.stream().filter(answer -> answer.statusCode() == 400))
                .hasSize(5);
        assertThat(answers.stream().filter(answer -> answer.statusCode() == 429))
                .hasSize(25);
    }

    @Test
    void aFormOfAnotherSiteDoesNothing() {
        var device = begin("openid");
        typeAndSignIn(phone, device);
        var forged = new HashMap<>(Map.of("decision", "allow", "formToken", "x"));
        assertThat(phone.submit("consent", forged).statusCode()).isEqualTo(403);
        assertThat(phone.submit("device", Map.of("code", device.text("user_code"), "formToken", "x"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(refusal(client, device)).isEqualTo("authorization_pending");
    }

    @Test
    void onlyClientsThatMayBeginIt() {
        var web = register(project, "web", Map.of());
        var form = Map.of("client_id", web.text("clientId"), "client_secret", web.text("clientSecret"));
        assertThat(post(project, "/oauth/device_authorization", form, 400).text("error"))
                .isEqualTo("unauthorized_client");
        project.asOwner("PATCH", "/oauth-clients/" + web.text("clientId"))
                .json(Map.of("deviceFlow", true))
                .expect(200);
        post(project, "/oauth/device_authorization", form, 200);
        post(project, "/oauth/device_authorization", Map.of("client_id", web.text("clientId")), 401);

        for (var kind : List.of("service", "api")) {
            project.asOwner("POST", "/oauth-clients")
                    .json(Map.of("kind", kind, "name", "Job", "deviceFlow", true))
                    .expect(422);
        }
    }

    @Test
    void whatIsNoLongerAllowedWhenThePersonDecidesIsRefused() {
        var device = begin("openid");
        typeAndSignIn(phone, device);
        project.asOwner("PATCH", "/oauth-clients/" + client)
                .json(Map.of("deviceFlow", false))
                .expect(200);
        assertThat(phone.submit("consent", Map.of("decision", "allow")).body()).doesNotContain("is connected");
        assertThat(refusal(client, device)).isEqualTo("unauthorized_client");
    }

    @Test
    void aBanBetweenTheConsentAndTheQuestionLeavesNothing() {
        var device = begin("openid");
        typeAndSignIn(phone, device);
        phone.submit("consent", Map.of("decision", "allow"));
        var user = project.me(project.signIn(email).accessToken()).expect(200).text("id");
        project.manage("PATCH", "/v1/dashboard/users/" + user + "/ban").expect(200);
        assertThat(refusal(client, device)).isEqualTo("invalid_grant");
    }

    @Test
    void theServerSaysWhereDevicesBegin() {
        var metadata = project.api()
                .get(issuerPath(project) + "/.well-known/openid-configuration")
                .expect(200);
        assertThat(metadata.text("device_authorization_endpoint")).endsWith("/oauth/device_authorization");
        assertThat(metadata.json().path("grant_types_supported").toString()).contains(DEVICE_CODE);
    }
}
