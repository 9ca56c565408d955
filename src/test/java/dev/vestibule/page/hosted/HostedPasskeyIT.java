package dev.vestibule.page.hosted;

import static dev.vestibule.page.hosted.HostedBrowser.allowing;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.PasskeyDevice;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Signing in with a passkey on the hosted page. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostedPasskeyIT {
    private static final String PAGE = "https://auth.example.com";
    private static final String APPLICATION = "https://app.example.com";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final TestClock clock = new TestClock();
    private final TestServer server;
    private TestProject project;
    private HostedBrowser browser;
    private PasskeyDevice device;
    private String email = "";
    private Map<String, String> hidden = Map.of();

    HostedPasskeyIT(TestDatabase database) {
        server = TestServer.start(
                database, Map.of("VESTIBULE_PUBLIC_URL", PAGE, "VESTIBULE_LIMITS_OAUTH_PER_MINUTE", "100"), clock);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void newUser() {
        clock.advance(Duration.ofMinutes(1)); // resets the limits of each minute
        project = projectWithPasskeys();
        email = TestServer.newEmail();
        device = registered(project, project.signUp(email));
        browser = new HostedBrowser(project);
    }

    private TestProject projectWithPasskeys() {
        var made = allowing(server.newProject());
        set(
                made,
                Map.of(
                        "allowedOrigins",
                        List.of(APPLICATION),
                        "passkeyRpId",
                        "example.com",
                        "passkeyOrigins",
                        List.of(PAGE)));
        return made;
    }

    private static void set(TestProject where, Map<String, ?> settings) {
        where.asOwner("PATCH", "").json(settings).expect(200);
    }

    private static PasskeyDevice registered(TestProject where, Response user) {
        var device = new PasskeyDevice(APPLICATION);
        var options = where.post("/v1/auth/passkeys/register/options")
                .bearer(user.accessToken())
                .expect(200)
                .json()
                .path("options");
        where.post("/v1/auth/passkeys/register/verify")
                .bearer(user.accessToken())
                .json(device.create(options))
                .expect(200);
        return device;
    }

    /** Opens the page, and then requests a challenge like its script. */
    private JsonNode challenge() {
        browser.open(Map.of());
        hidden = Map.of("formToken", browser.hidden("formToken"), "request", browser.hidden("request"));
        var answer = browser.post("passkey-challenge", hidden);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        return json(answer.body());
    }

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Fills in the form like the script. */
    private Map<String, String> signed(JsonNode challenge) {
        JsonNode signed = MAPPER.valueToTree(device.get(challenge));
        var fields = new HashMap<>(hidden);
        fields.put("credential", signed.path("id").asText());
        for (var name : List.of("authenticatorData", "clientDataJSON", "signature", "userHandle")) {
            fields.put(name, signed.path("response").path(name).asText());
        }
        return fields;
    }

    private HttpResponse<String> signIn() {
        return browser.post("passkey", signed(challenge()));
    }

    private static void assertRefused(HttpResponse<String> page) {
        assertThat(page.statusCode()).as(page.body()).isEqualTo(422);
        assertThat(page.body())
                .contains("This passkey does not sign in here.", "id=\"passkey\"")
                .doesNotContain("id=\"onward\"");
    }

    @Test
    void aPasskeyOfTheApplicationSignsInOnThePage() {
        device.at(PAGE);

        var tokens = browser.redeem(signIn(), 200);

        assertThat(tokens.text("user/email")).isEqualTo(email);
        assertThat(Jwt.parse(tokens.accessToken()).claims().path("amr").toString())
                .contains("user", "mfa");
    }

    @Test
    void aPasskeyThatNamesNobodySignsInToo() {
        device.at(PAGE).userHandle(null);

        browser.redeem(signIn(), 200);
    }

    @Test
    void aSignedChallengeIsValidOnceAndForFiveMinutes() {
        device.at(PAGE);
        var fields = signed(challenge());
        browser.redeem(browser.post("passkey", fields), 200);
        assertRefused(browser.post("passkey", fields));

        var late = signed(challenge());
        clock.advance(Duration.ofMinutes(6));
        assertRefused(browser.post("passkey", late));
    }

    @Test
    void aSignatureForAnotherPageIsRefused() {
        device.at("https://evil.example.com");
        assertRefused(signIn());
        device.at("https://example.com.evil.example");
        assertRefused(signIn());
        device.at(PAGE).rpId("evil.example");
        assertRefused(signIn());
    }

    @Test
    void aChallengeOrPasskeyOfAnotherProjectIsRefused() {
        device.at(PAGE);
        var other = projectWithPasskeys();
        var foreign = other.post("/v1/auth/passkeys/authenticate/options")
                .expect(200)
                .json()
                .path("options");
        challenge();
        assertRefused(browser.post("passkey", signed(foreign)));

        device = registered(other, other.signUp()).at(PAGE);
        assertRefused(signIn());
    }

    @Test
    void aChangedSignatureAndGarbageAreRefusedAlike() {
        device.at(PAGE);
        for (var name : List.of("credential", "authenticatorData", "clientDataJSON", "signature", "userHandle")) {
            for (var garbage : List.of("\u0000", "<script>", "é", "AAAA", "A".repeat(30_000))) {
                clock.advance(Duration.ofMinutes(1));
                var fields = signed(challenge());
                fields.put(name, garbage);
                assertRefused(browser.post("passkey", fields));
            }
        }
        challenge();
        assertRefused(browser.post("passkey", hidden));
        device.signature(bytes -> {
            bytes[bytes.length - 1] ^= 1;
            return bytes;
        });
        assertRefused(signIn());
    }

    @Test
    void aFormOfAnotherSiteGetsNoChallengeAndSignsNobodyIn() {
        device.at(PAGE);
        var fields = signed(challenge());
        var forged = new HashMap<>(fields);
        forged.remove("formToken");

        assertThat(browser.post("passkey-challenge", forged).statusCode()).isEqualTo(403);
        assertThat(browser.post("passkey-challenge", fields, "Sec-Fetch-Site", "same-site")
                        .statusCode())
                .isEqualTo(403);
        assertThat(browser.post("passkey", forged).statusCode()).isEqualTo(403);
        assertThat(browser.post("passkey", fields, "Sec-Fetch-Site", "cross-site")
                        .statusCode())
                .isEqualTo(403);

        browser.redeem(browser.post("passkey", fields), 200);
    }

    @Test
    void challengesAreCountedLikeThoseOfTheApi() {
        challenge();
        var statuses = new HashMap<Integer, Integer>();
        for (int i = 0; i < 300 && !statuses.containsKey(429); i++) {
            statuses.merge(browser.post("passkey-challenge", hidden).statusCode(), 1, Integer::sum);
        }

        assertThat(statuses).containsOnlyKeys(200, 429);
    }

    @Test
    void aBannedUserIsRefused() {
        device.at(PAGE);
        server.ban(server.sql()
                .texts("SELECT id::text FROM users WHERE email = '" + email + "'")
                .get(0));

        assertThat(signIn().statusCode()).isEqualTo(403);
    }

    @Test
    void passkeysAreOfferedOnlyIfTheProjectHasThemForThisPage() {
        var offered = browser.open(Map.of());
        assertThat(offered.body())
                .contains(
                        "<script type=\"module\" src=\"../../assets/",
                        "id=\"passkey\" data-origin=\"" + PAGE + "\" hidden",
                        "autocomplete=\"username webauthn\"");
        assertThat(policy(offered)).contains("script-src 'self'", "connect-src 'self'", "default-src 'none'");
        assertThat(policy(browser.open(Map.of("screen", "sign-up"))))
                .doesNotContain("script-src 'self'", "connect-src");

        for (var without : List.<Map<String, ?>>of(
                Map.of("passkeyOrigins", List.of()),
                Map.of("passkeyOrigins", List.of(PAGE), "passkeyRpId", "app.example.com"),
                Map.of("passkeyRpId", "example.com", "factors", Map.of("passkeys", false)))) {
            set(project, without);
            var page = browser.open(Map.of());
            assertThat(page.body()).doesNotContain("passkey.js", "webauthn", "id=\"passkey\"");
            assertThat(policy(page)).doesNotContain("script-src 'self'", "connect-src");
        }
    }

    private static String policy(HttpResponse<String> page) {
        return page.headers().firstValue("Content-Security-Policy").orElseThrow();
    }

    @Test
    void theScriptIsServedUnderItsHash() {
        var source = browser.open(Map.of()).body().replaceAll("(?s).*src=\"../../(assets/[^\"]+)\".*", "$1");

        var script = browser.get("/" + source);

        assertThat(script.statusCode()).isEqualTo(200);
        assertThat(script.headers().firstValue("Content-Type")).contains("text/javascript; charset=utf-8");
        assertThat(script.headers().firstValue("Cache-Control").orElseThrow()).contains("immutable");
    }

    @Test
    void aProjectWithPasskeysOnlyShowsThem() {
        set(project, Map.of("factors", Map.of("password", false, "passwordless", false)));

        var page = browser.open(Map.of());

        assertThat(page.body())
                .contains("id=\"passkey\"")
                .doesNotContain("type=\"password\"", "You cannot sign in here yet");
    }

    /** Signs in with the password, for the account page, whose body this is. */
    private String account() {
        var there = browser.get(browser.path() + "account/")
                .headers()
                .firstValue("location")
                .orElseThrow();
        browser.get(browser.path() + there.substring("../".length()));
        browser.submit("sign-in", Map.of("email", email, "password", TestProject.PASSWORD));
        return browser.get(browser.path() + "account/").body();
    }

    /** Fills in the form of a new passkey like the script. */
    private static Map<String, String> made(PasskeyDevice by, HttpResponse<String> options) {
        JsonNode made = MAPPER.valueToTree(by.create(json(options.body()).path("options")));
        return Map.of(
                "credential",
                made.path("id").asText(),
                "clientDataJSON",
                made.path("response").path("clientDataJSON").asText(),
                "attestationObject",
                made.path("response").path("attestationObject").asText());
    }

    @Test
    void aPasskeyIsAddedOnTheAccountPageAndSignsInFromThenOn() {
        assertThat(account()).contains("id=\"new-passkey\" data-origin=\"" + PAGE + "\" hidden");
        var added = new PasskeyDevice(PAGE);
        var options = browser.submit("account/passkey-options", Map.of());
        assertThat(options.statusCode()).isEqualTo(200);
        assertThat(options.headers().firstValue("Cache-Control")).contains("no-store");
        browser.get(browser.path() + "account/");
        var made = made(added, options);
        assertThat(browser.submit("account/passkey-added", made).headers().firstValue("location"))
                .hasValue("./?done=passkey-added");
        browser.get(browser.path() + "account/");
        var again = browser.submit("account/passkey-added", made);
        assertThat(again.statusCode()).isBetween(400, 499);
        assertThat(again.body()).contains("No passkey was added.");

        device = added;
        browser = new HostedBrowser(project);
        assertThat(browser.redeem(signIn(), 200).text("user/email")).isEqualTo(email);
    }

    @Test
    void withoutARecentSignInNoPasskeyIsAdded() {
        account();
        var options = browser.submit("account/passkey-options", Map.of());
        clock.advance(Duration.ofMinutes(11));
        browser.get(browser.path() + "account/");
        var refused = browser.submit("account/passkey-options", Map.of());
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).doesNotContain("challenge");
        browser.get(browser.path() + "account/");
        var late = browser.submit("account/passkey-added", made(new PasskeyDevice(PAGE), options));
        assertThat(late.statusCode()).isEqualTo(403);
        assertThat(late.body()).contains("This needs a recent sign in.");
    }

    @Test
    void theAccountPageAsksForNoPasskeyThatThePageCouldNotUse() {
        set(project, Map.of("passkeyOrigins", List.of()));
        assertThat(account()).doesNotContain("new-passkey");
        var refused = browser.post("account/passkey-options", Map.of());
        assertThat(refused.statusCode()).isEqualTo(403);
    }
}
