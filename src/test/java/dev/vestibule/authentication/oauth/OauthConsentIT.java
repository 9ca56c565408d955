package dev.vestibule.authentication.oauth;

import static dev.vestibule.fixture.OauthProject.APP;
import static dev.vestibule.fixture.OauthProject.newSubject;
import static dev.vestibule.fixture.OauthProject.outcome;
import static dev.vestibule.fixture.OauthProject.question;
import static dev.vestibule.fixture.OauthProject.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import dev.vestibule.fixture.WithServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Somebody begins a sign in, sends its address to a victim, and waits at the poll for the victim's tokens. This server
 * trusts no proxy, so the address that it sees is the same for both.
 */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OauthConsentIT {
    private static final String OWN_ORIGIN = "http://auth.example.com";

    private final OauthWorld world;
    private OauthProject app;
    private String subject;
    private String email;

    OauthConsentIT(TestDatabase database) {
        world = OauthWorld.start(
                database, Map.of("VESTIBULE_HTTP_TRUSTED_PROXIES", "", "VESTIBULE_PUBLIC_URL", OWN_ORIGIN));
    }

    @AfterAll
    void stop() {
        world.close();
    }

    @BeforeEach
    void newProject() {
        app = world.newProject();
        subject = newSubject();
        email = TestServer.newEmail();
    }

    private Call ask(String flow) {
        return app.askUrl(
                "redirectUri", OWN_ORIGIN + "/v1/auth/oauth/redirect", "flow", flow, "returnTo", APP + "/back");
    }

    private Response begun(String flow) {
        return ask(flow).expect(200);
    }

    private Response begunThroughProxy(String flow) {
        return ask(flow)
                .header("X-Forwarded-For", "198.51.100.66")
                .header("User-Agent", "Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36")
                .expect(200);
    }

    private Map<String, String> signedIn(Response url) {
        return app.login(url, subject, verified(email));
    }

    private Response cameBack(Map<String, String> parameters) {
        return app.redirect(parameters).header("X-Forwarded-For", "203.0.113.9").send();
    }

    private String status(Response url) {
        return app.poll(url.text("state")).expect(200).text("status");
    }

    @ParameterizedTest
    @ValueSource(strings = {"popup", "redirect"})
    void behindAnUnknownProxyNobodyGetsTheTokensOfAnother(String flow) {
        var attackers = begunThroughProxy(flow);
        var victims = signedIn(attackers);
        var page = cameBack(victims);

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body()).contains("action=\"../consent\"").doesNotContain("eyJ");
        assertThat(status(attackers)).isEqualTo("pending");
        assertThat(app.users()).isZero();
        assertThat(cameBack(victims).body()).as("a second visit").contains("<form");
        assertThat(status(attackers)).isEqualTo("pending");
    }

    @ParameterizedTest
    @CsvSource({
        "Forwarded,for=198.51.100.66,Host,auth.example.com",
        "Host,auth.example.com,Forwarded,for=198.51.100.66",
        "X-Real-IP,198.51.100.66,Host,auth.example.com",
        "CF-Connecting-IP,198.51.100.66,True-Client-IP,203.0.113.9",
        "X-Envoy-External-Address,198.51.100.66,X-Client-IP,203.0.113.9",
        "Host,auth.example.com,Via,1.1 proxy"
    })
    void aProxyAtTheBeginningOrTheEndIsEnoughToAsk(String atFirst, String firstValue, String atLast, String lastValue) {
        var begins = ask("redirect");
        var url = (atFirst.equals("Host") ? begins : begins.header(atFirst, firstValue)).expect(200);
        var back = app.redirect(signedIn(url));
        var page = (atLast.equals("Host") ? back : back.header(atLast, lastValue)).expect(200);

        assertThat(page.body()).contains("<form");
        assertThat(status(url)).isEqualTo("pending");
    }

    @Test
    void withoutAProxyAPersonInOneNetworkIsNotAsked() {
        var redirect = begun("redirect");
        assertThat(app.redirect(signedIn(redirect)).expect(302).header("Location"))
                .hasValueSatisfying(location -> assertThat(location).contains("authon_oauth_state="));
        assertThat(status(redirect)).isEqualTo("completed");

        var popup = begun("popup");
        var tokens = outcome(app.redirect(signedIn(popup)).expect(200)).at("/message/tokens");
        app.project().me(tokens.at("/accessToken").textValue()).expect(200);
    }

    @Test
    void theQuestionSaysForWhichApplicationWhenAndFromWhereItStarted() {
        app.change(Map.of("name", "Bank <b>&amp;"));
        var parameters = signedIn(begunThroughProxy("redirect"));
        var page = app.redirect(parameters)
                .header("X-Forwarded-For", "203.0.113.9")
                .header("Accept-Language", "de-AT,de;q=0.9")
                .expect(200);

        assertThat(page.body())
                .contains("lang=\"de\"", "Bei Bank &lt;b&gt;&amp;amp; anmelden?", "Nein, das war ich nicht")
                .contains("Begonnen", "<time datetime=\"20", "127.0.0.1", "Chrome, Windows")
                .doesNotContain("<b>");
        for (var language : List.of("en", "ko", "ja", "zh", "fr", "es", "pt")) {
            app.change(Map.of("locale", language));
            var asked = app.redirect(parameters)
                    .header("X-Forwarded-For", "203.0.113.9")
                    .expect(200);
            assertThat(asked.body()).contains("lang=\"" + language + "\"").doesNotContain("{application}");
        }
    }

    @Test
    void theUserAgentOfAnAttackerIsTextOnly() {
        var url = ask("redirect")
                .header("Via", "1.1 proxy")
                .header("User-Agent", "<script>alert(1)</script>\"'&")
                .expect(200);
        assertThat(cameBack(signedIn(url)).body())
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;")
                .doesNotContain("<script>alert");
    }

    @Test
    void theQuestionCannotBeFramedAndLoadsNothing() {
        var page = cameBack(signedIn(begunThroughProxy("redirect")));

        assertThat(page.header("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "frame-ancestors 'none'", "form-action 'self' " + APP + ";")
                .doesNotContain("unsafe", "*");
        assertThat(page.header("X-Frame-Options")).contains("DENY");
        assertThat(page.header("Cache-Control")).contains("no-store");
        assertThat(page.header("Referrer-Policy")).contains("same-origin");
        assertThat(page.body()).doesNotContain("src=", "href=", "url(");
    }

    @Test
    void aPersonWhoAgreesIsSignedIn() {
        var url = begunThroughProxy("redirect");
        var back = app.decide(question(cameBack(signedIn(url))), "allow").expect(302);

        assertThat(back.header("Location").orElseThrow()).contains("authon_oauth_state=" + url.text("state"));
        assertThat(app.poll(url.text("state")).expect(200).text("user/email")).isEqualTo(email);
    }

    @ParameterizedTest
    @ValueSource(strings = {"refuse", "anything", ""})
    void aRefusalEndsTheSignIn(String decision) {
        var url = begunThroughProxy("redirect");
        var parameters = signedIn(url);
        var form = question(cameBack(parameters));
        assertThat(app.decide(form, decision).expect(200).body()).contains("You refused the sign in");

        assertThat(app.poll(url.text("state")).expect(200).json())
                .hasToString("{\"status\":\"error\",\"message\":\"The sign in was refused.\"}");
        app.decide(form, "allow").expect(404);
        assertThat(cameBack(parameters).status()).isEqualTo(404);
        assertThat(app.users()).isZero();
    }

    @Test
    void aPollGetsNothingFromAPopupUntilThePersonAgrees() {
        var attackers = begun("popup");
        var page = app.redirect(signedIn(attackers)).expect(200);

        assertThat(Parallel.send(8, number -> app.poll(attackers.text("state"))))
                .allSatisfy(polled -> assertThat(polled.text("status")).isEqualTo("pending"));
        assertThat(app.decide(question(page), "allow").expect(200).body()).contains("You agreed");
        assertThat(app.poll(attackers.text("state")).expect(200).text("user/email"))
                .isEqualTo(email);
        app.poll(attackers.text("state")).expect(404);
    }

    @Test
    void aPopupThatIsRefusedEndsTheSessionThatItOpened() {
        var attackers = begun("popup");
        var page = app.redirect(signedIn(attackers)).expect(200);
        var accessToken = outcome(page).at("/message/tokens/accessToken").textValue();
        app.project().me(accessToken).expect(200);
        app.subscribe();
        app.decide(question(page), "refuse").expect(200);

        app.project().me(accessToken).expect(401);
        assertThat(status(attackers)).isEqualTo("error");
        assertThat(app.events()).containsExactly("session.ended signed_out");
        app.decide(question(page), "allow").expect(404);
    }

    @Test
    void aPopupBehindAnUnknownProxyIsAskedOnce() {
        var url = begunThroughProxy("popup");
        var end = app.decide(question(cameBack(signedIn(url))), "allow").expect(200);

        assertThat(outcome(end).at("/hasAgreed").asBoolean())
                .as("the page need not ask again before a poll may fetch the tokens")
                .isTrue();
        assertThat(status(url)).isEqualTo("pending");
        app.decide(question(end), "allow").expect(200);
        assertThat(status(url)).isEqualTo("completed");
    }

    @Test
    void aDecisionCannotBeForged() {
        var attackers = begunThroughProxy("redirect");
        var victims = signedIn(attackers);
        var form = question(cameBack(victims));
        var attackersOwn = question(cameBack(Map.of("state", attackers.text("state"), "code", "made up")));

        for (var consent : List.of("", "x", "A".repeat(43), "\u0000", attackersOwn.get("consent"), "=".repeat(9000))) {
            var forged = new HashMap<>(form);
            forged.put("consent", consent);
            app.decide(forged, "allow").expect(404);
            app.decide(forged, "refuse").expect(404);
        }
        app.decide(Map.of("state", attackers.text("state")), "allow").expect(404);
        app.decide(Map.of(), "allow").expect(404);
        app.decide(Map.of("state", "x".repeat(9000), "consent", "x"), "allow").expect(404);
        var ofAnother = begunThroughProxy("redirect");
        var mixed = new HashMap<>(form);
        mixed.put("state", ofAnother.text("state"));
        app.decide(mixed, "allow").expect(404);
        assertThat(status(attackers)).isEqualTo("pending");
        assertThat(app.users()).isZero();
        app.decide(form, "allow").expect(302);
    }

    @Test
    void thePersonWhoStartedAPopupCannotAnswerItsQuestion() {
        var attackers = begun("popup");
        app.redirect(signedIn(attackers)).expect(200);
        var again = app.redirect(Map.of("state", attackers.text("state"), "code", "made up"));
        again.expect(404);

        var ofAnotherPopup = begun("popup");
        var other = question(app.redirect(app.login(ofAnotherPopup, newSubject(), verified(TestServer.newEmail())))
                .expect(200));
        app.decide(Map.of("state", attackers.text("state"), "consent", other.get("consent")), "allow")
                .expect(404);
        assertThat(status(attackers)).isEqualTo("pending");
    }

    @ParameterizedTest
    @CsvSource({
        "Origin,https://evil.example",
        "Origin,null",
        "Origin,http://auth.example.com.evil.example",
        "Sec-Fetch-Site,cross-site",
        "Sec-Fetch-Site,same-site"
    })
    void aFormOfAnotherSiteIsRefused(String header, String value) {
        var url = begunThroughProxy("redirect");
        var form = question(cameBack(signedIn(url)));
        app.decide(form, "allow").header(header, value).expect(403);
        assertThat(status(url)).isEqualTo("pending");

        app.decide(form, "allow")
                .header("Origin", OWN_ORIGIN)
                .header("Sec-Fetch-Site", "same-origin")
                .expect(302);
    }

    @Test
    void aDecisionCountsOnce() {
        var url = begun("popup");
        var form = question(app.redirect(signedIn(url)).expect(200));
        assertThat(Parallel.send(8, number -> app.decide(form, number % 2 == 0 ? "allow" : "refuse")))
                .extracting(Response::status)
                .containsOnlyOnce(200)
                .containsOnly(200, 404);
    }

    @Test
    void aDecisionAboutADeletedProjectIsUnknown() {
        var form = question(cameBack(signedIn(begunThroughProxy("redirect"))));
        app.project().asOwner("DELETE", "").expect(200);
        app.decide(form, "allow").expect(404);
    }

    @Test
    void aSignInThatExpiredWhileThePersonReadIsUnknown() {
        var form = question(app.redirect(signedIn(begun("popup"))).expect(200));
        world.server()
                .sql()
                .update(
                        "UPDATE oauth_states SET expires_at = now() - interval '1 s' WHERE project_id = ?::uuid",
                        app.project().id());
        app.decide(form, "allow").expect(404);
    }

    /** An image or a frame in any page could complete it without a person who sees it. */
    @ParameterizedTest
    @ValueSource(strings = {"iframe", "image", "empty"})
    void onlyAVisiblePageCompletesASignIn(String destination) {
        var url = begun("redirect");
        var parameters = signedIn(url);
        app.redirect(parameters).header("Sec-Fetch-Dest", destination).expect(404);
        assertThat(status(url)).isEqualTo("pending");
        app.redirect(parameters).header("Sec-Fetch-Dest", "document").expect(302);
    }
}
