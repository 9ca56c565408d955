package dev.vestibule.page.hosted;

import static dev.vestibule.fixture.OauthProject.CALLBACK;
import static dev.vestibule.fixture.OauthProject.newSubject;
import static dev.vestibule.fixture.OauthProject.parameters;
import static dev.vestibule.fixture.OauthProject.unverified;
import static dev.vestibule.fixture.OauthProject.verified;
import static dev.vestibule.page.hosted.HostedBrowser.encode;
import static dev.vestibule.page.hosted.HostedBrowser.onward;
import static dev.vestibule.page.hosted.HostedBrowser.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sign ins with a provider on the hosted page, in a browser without scripts. */
@ExtendWith(WithProvider.class)
class HostedProvidersIT {
    private final OauthWorld world;
    private final OauthProject app;
    private final HostedBrowser browser;
    private final String subject = newSubject();
    private final String email = TestServer.newEmail();

    HostedProvidersIT(OauthWorld world) {
        this.world = world;
        this.app = world.newProject();
        this.browser = new HostedBrowser(app.project());
    }

    /** Presses the button, and returns where the page sends the browser. */
    private String leave(HostedBrowser in) {
        in.open(Map.of());
        return onward(in.submit("provider", Map.of("provider", "oidc"))).toString();
    }

    /** Returns where the server's callback sends the browser. */
    private String callback(Map<String, String> response) {
        return sentOn(app.redirect(response).send());
    }

    private static String sentOn(Response answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(302);
        return local(answer.header("Location").orElseThrow());
    }

    /** The test server does not run at its public URL. */
    private static String local(String url) {
        assertThat(url).startsWith("https://auth.example.com/p/");
        return url.substring("https://auth.example.com".length());
    }

    private String comeBack(String authorizationUrl, Map<String, ?> claims) {
        var back = world.provider().login(authorizationUrl, subject, claims);
        return sentOn(world.server()
                .api()
                .get(back.getRawPath() + "?" + back.getRawQuery())
                .send());
    }

    private HttpResponse<String> signIn(Map<String, ?> claims) {
        return browser.get(comeBack(leave(browser), claims));
    }

    @Test
    void aSignInWithAProviderBringsTheBrowserBackWithACodeForTokens() {
        var page = browser.open(Map.of());
        assertThat(page.body()).contains("Continue with OpenID Connect", ">or</p>");

        var left = browser.submit("provider", Map.of("provider", "oidc"));
        assertThat(left.statusCode()).isEqualTo(200);
        assertThat(left.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("form-action 'self'");
        var back = comeBack(onward(left).toString(), verified(email));
        assertThat(back).doesNotContain("code=", email);
        var response = browser.get(back);

        assertThat(response.statusCode()).isEqualTo(200);
        var url = onward(response);
        assertThat(url.toString()).startsWith(CALLBACK + "?code=");
        assertThat(parameter(url, "state")).isEqualTo("the state & more");
        assertThat(response.body()).doesNotContain("rt_", "eyJhbGciOi");
        var tokens = browser.redeem(response, 200);
        assertThat(tokens.text("user/email")).isEqualTo(email);
        assertThat(tokens.text("user/emailVerified")).isEqualTo("true");
        assertThat(Jwt.parse(tokens.accessToken()).claims().path("amr")).hasToString("[\"fed\"]");
    }

    /** Somebody may find a browser in which another person is signed in, here and at the provider. */
    @Test
    void whereASignInHasToBeFreshTheProviderHasToAskToo() {
        var client = OauthBrowser.register(app.project(), "spa", Map.of()).text("clientId");
        var apps = new OauthBrowser(app.project());
        var first = leave(apps, client, Map.of());
        assertThat(first.getQuery()).doesNotContain("prompt");
        var known = apps.get(comeBack(first.toString(), authenticated(Duration.ofMinutes(5))));
        assertThat(parameter(OauthBrowser.onward(known), "code")).isNotEmpty();
        for (var fresh : List.of(
                Map.of("prompt", "login"),
                Map.of("prompt", "select_account"),
                Map.of("max_age", "0"),
                Map.of("max_age", "100"))) {
            var anew = new OauthBrowser(app.project());
            var left = leave(anew, client, fresh);
            assertThat(parameter(left, "prompt")).as("%s", fresh).isEqualTo("login");
            var old = anew.get(comeBack(left.toString(), authenticated(Duration.ofMinutes(5))));
            assertThat(old.body()).as("%s", fresh).contains("The provider did not confirm the sign in");
        }
        var left = leave(apps, client, Map.of("prompt", "login"));
        var back = apps.get(comeBack(left.toString(), authenticated(Duration.ZERO)));
        assertThat(parameter(OauthBrowser.onward(back), "code")).isNotEmpty();

        browser.open(Map.of("prompt", "login"));
        left = onward(browser.submit("provider", Map.of("provider", "oidc")));
        assertThat(parameter(left, "prompt")).isEqualTo("login");
        var old = browser.get(comeBack(left.toString(), authenticated(Duration.ofMinutes(5))));
        assertThat(old.body()).contains("The provider did not confirm the sign in");
    }

    /** Its forms know a request from when the sign in was fresh enough. */
    @Test
    void aPageThatWasKeptOpenAsksForAFreshSignInToo() {
        var client = OauthBrowser.register(app.project(), "spa", Map.of()).text("clientId");
        var apps = new OauthBrowser(app.project());
        apps.get(comeBack(leave(apps, client, Map.of()).toString(), authenticated(Duration.ofMinutes(5))));
        var kept = apps.authorize(client, Map.of("prompt", "consent", "max_age", "100"));
        assertThat(kept.body()).contains("value=\"allow\"");
        var left = OauthBrowser.onward(apps.submit("provider", Map.of("provider", "oidc")));
        assertThat(parameter(left, "prompt")).isEqualTo("login");
        var old = apps.get(comeBack(left.toString(), authenticated(Duration.ofMinutes(5))));
        assertThat(old.body()).contains("The provider did not confirm the sign in");
    }

    private static URI leave(OauthBrowser apps, String client, Map<String, String> request) {
        apps.authorize(client, request);
        return OauthBrowser.onward(apps.submit("provider", Map.of("provider", "oidc")));
    }

    /** That long ago. */
    private Map<String, Object> authenticated(Duration age) {
        var claims = new HashMap<>(verified(email));
        claims.put("auth_time", Instant.now().minus(age).getEpochSecond());
        return claims;
    }

    /** The provider would choose the one that it knows. */
    @Test
    void whoWantsAnotherAccountIsAskedAtTheProviderToo() {
        var client = OauthBrowser.register(app.project(), "spa", Map.of()).text("clientId");
        var apps = new OauthBrowser(app.project());
        apps.get(comeBack(leave(apps, client, Map.of()).toString(), verified(email)));
        apps.authorize(client, Map.of("prompt", "select_account"));
        apps.submit("consent", Map.of("decision", "switch"));
        var left = OauthBrowser.onward(apps.submit("provider", Map.of("provider", "oidc")));
        assertThat(parameter(left, "prompt")).isEqualTo("login");
    }

    private String connect(String domain, String policy) {
        var organizations = "/v1/dashboard/organizations";
        var id = app.project()
                .manage("POST", organizations)
                .json(Map.of(
                        "name", "Engines", "createdBy", app.project().signUp().text("user/id")))
                .expect(201)
                .text("id");
        var provider = app.project()
                .manage("POST", organizations + "/" + id + "/connections")
                .json(Map.of(
                        "name", "Engines <b>",
                        "issuer", world.provider().newIssuer(),
                        "clientId", "the-client",
                        "clientSecret", "a secret"))
                .expect(201)
                .text("provider");
        app.project()
                .manage("POST", organizations + "/" + id + "/domains")
                .json(Map.of("domain", domain, "policy", policy))
                .expect(201);
        world.server()
                .sql()
                .update(
                        "UPDATE organization_domains SET verified_at = now(), next_check_at = now() + interval '1 day'"
                                + " WHERE project_id = ?::uuid",
                        app.project().id());
        return provider;
    }

    @Test
    void theEmailComesFirstWhereOrganizationsHaveConnectedTheirProviders() {
        assertThat(browser.open(Map.of()).body()).contains("type=\"password\"");
        var domain = UUID.randomUUID() + ".example.com";
        var provider = connect(domain, "none");
        assertThat(browser.open(Map.of("email", email)).body())
                .contains("action=\"email\"", "value=\"" + email + "\"", "Continue with OpenID Connect")
                .doesNotContain("type=\"password\"");
        assertThat(browser.open(Map.of("screen", "sign-up")).body()).contains("action=\"sign-up\"");

        browser.open(Map.of());
        var others = browser.submit("email", Map.of("email", email));
        assertThat(others.statusCode()).isEqualTo(200);
        assertThat(others.body())
                .contains("type=\"password\"", "value=\"" + email + "\"")
                .doesNotContain("Engines");
        browser.open(Map.of());
        var own = browser.submit("email", Map.of("email", "Ada@" + domain));
        assertThat(own.body()).contains("Continue with Engines &lt;b&gt;", "type=\"password\"", "value=\"" + provider);
        var wrong = browser.submit("sign-in", Map.of("email", "ada@" + domain, "password", "a wrong password"));
        assertThat(wrong.body()).contains("wrong", "Continue with Engines");
        var left = onward(browser.submit("provider", Map.of("provider", provider, "email", "ada@" + domain)));
        assertThat(parameter(left, "login_hint")).isEqualTo("ada@" + domain);
        var back = browser.get(comeBack(left.toString(), Map.of("email", "ada@" + domain)));
        assertThat(browser.redeem(back, 200).text("user/email")).isEqualTo("ada@" + domain);
    }

    @Test
    void anEmailWhoseDomainRequiresItsConnectionLeadsThereWithOrWithoutAnAccount() {
        var domain = UUID.randomUUID() + ".example.com";
        app.project().signUp("ada@" + domain);
        connect(domain, "sso_required");
        var pages = new ArrayList<String>();
        for (var who : List.of("ada", "nobody")) {
            browser.open(Map.of());
            var left = browser.submit("email", Map.of("email", who + "@" + domain));
            assertThat(left.statusCode()).isEqualTo(200);
            assertThat(parameter(onward(left), "login_hint")).isEqualTo(who + "@" + domain);
            pages.add(onward(left).getPath());
        }
        assertThat(Set.copyOf(pages)).hasSize(1);
        for (var who : List.of(app.project().signUp().text("user/email"), TestServer.newEmail())) {
            browser.open(Map.of());
            assertThat(browser.submit("email", Map.of("email", who)).body())
                    .contains("value=\"" + who + "\"")
                    .satisfies(
                            body -> pages.add(body.replace(who, "").replaceAll("name=\"request\" value=\"[^\"]*", "")));
        }
        assertThat(pages.get(2)).isEqualTo(pages.get(3));
    }

    @Test
    void aCodeFromBeforeTheDomainRequiredItsConnectionGivesNoTokens() {
        var domain = UUID.randomUUID() + ".example.com";
        app.project().signUp("ada@" + domain);
        browser.open(Map.of());
        var fields = Map.of("email", "ada@" + domain, "password", TestProject.PASSWORD);
        var response = browser.submit("sign-in", fields);
        connect(domain, "sso_required");
        browser.redeem(response, 401);
    }

    @Test
    void anEmailThatCannotSignInAnywhereIsSaidToBeSoAndAnOddOneIsNamed() {
        connect(UUID.randomUUID() + ".example.com", "none");
        for (var odd : new String[] {"", "ada", "ada@", "a\u0000@example.com", "x".repeat(300) + "@example.com"}) {
            browser.open(Map.of());
            var refused = browser.submit("email", Map.of("email", odd));
            assertThat(refused.statusCode()).as(odd).isEqualTo(422);
            assertThat(refused.body()).contains("Enter an email such as").doesNotContain("type=\"password\"");
        }
        browser.open(Map.of());
        assertThat(browser.submit("email", Map.of("email", email), "Sec-Fetch-Site", "cross-site")
                        .statusCode())
                .isEqualTo(403);
        browser.open(Map.of());
        assertThat(browser.submit("email", Map.of("email", email, "to", "sign-up"))
                        .body())
                .contains("action=\"sign-up\"", "value=\"" + email + "\"");
        app.project().asOwner("DELETE", "/providers/oidc").expect(200);
        app.change(Map.of("factors", Map.of("password", false, "passwordless", false), "confirm", true));
        browser.open(Map.of());
        var nowhere = browser.submit("email", Map.of("email", email));
        assertThat(nowhere.statusCode()).isEqualTo(422);
        assertThat(nowhere.body()).contains("Nobody with this email can sign in here.");
    }

    @Test
    void theButtonsAreOnBothScreensInTheProjectsOrderAndHiddenOnesAreNot() {
        assertThat(browser.open(Map.of("screen", "sign-up")).body()).contains("Continue with OpenID Connect");
        app.project()
                .asOwner("PUT", "/providers/github")
                .json(Map.of("clientId", "the-app", "clientSecret", "a secret", "enabled", true))
                .expect(200);
        app.project()
                .asOwner("PATCH", "/branding")
                .json(Map.of("providerOrder", List.of("oidc", "github"), "showDivider", false))
                .expect(200);
        assertThat(browser.open(Map.of("locale", "de")).body())
                .containsSubsequence("Weiter mit OpenID Connect", "Weiter mit GitHub")
                .doesNotContain(">oder</p>");

        app.project()
                .asOwner("PATCH", "/branding")
                .json(Map.of("hiddenProviders", List.of("oidc")))
                .expect(200);
        assertThat(browser.open(Map.of()).body())
                .contains("Continue with GitHub")
                .doesNotContain("OpenID Connect");
        app.change(Map.of("factors", Map.of("password", false, "passwordless", false)));
        assertThat(browser.open(Map.of()).body())
                .contains("Continue with GitHub")
                .doesNotContain("You cannot sign in here yet", "type=\"password\"");
    }

    @Test
    void nobodyCompletesTheSignInOfAnotherBrowser() {
        var back = comeBack(leave(browser), verified(email));
        var victim = new HostedBrowser(app.project());

        var response = victim.get(back);

        assertThat(response.statusCode()).isEqualTo(410);
        assertThat(response.body()).contains("was started in another browser").doesNotContain("id=\"onward\"");
        assertThat(browser.get(back).statusCode()).isEqualTo(410);
        assertThat(app.users()).isZero();
    }

    /** The attack: somebody starts a sign in and lets another person complete it, to get that person's session. */
    @Test
    void sendingTheProvidersPageToAnotherPersonGetsNothing() {
        var attacker = new HostedBrowser(app.project());
        var url = leave(attacker);
        var victim = new HostedBrowser(app.project());
        victim.open(Map.of());

        var response = parameters(world.provider().login(url, subject, verified(email)));
        assertThat(victim.get(callback(response)).statusCode()).isEqualTo(410);

        app.poll(Objects.requireNonNull(response.get("state"))).expect(404);
        assertThat(attacker.get("/p/" + attacker.path().substring(3) + "from-provider?state=" + response.get("state"))
                        .statusCode())
                .isEqualTo(410);
        assertThat(app.users()).isZero();
    }

    /** A sign in of the page is not valid for the application, or for the page of another project. */
    @Test
    void theCodeOfAPagesSignInIsInvalidElsewhere() {
        var response = parameters(world.provider().login(leave(browser), subject, verified(email)));
        app.callback(Map.of("code", response.get("code"), "state", response.get("state")))
                .expect(401);
        app.callback(Map.of(
                        "code",
                        response.get("code"),
                        "state",
                        response.get("state"),
                        "codeVerifier",
                        HostedBrowser.VERIFIER))
                .expect(401);
        var back = callback(response);
        var other = new HostedBrowser(world.newProject().project());
        assertThat(other.get(other.path() + "from-provider?" + back.split("\\?", -1)[1])
                        .statusCode())
                .isEqualTo(410);

        browser.redeem(browser.get(back), 200);
    }

    @Test
    void aSignInReturnsOnce() {
        var back = comeBack(leave(browser), verified(email));
        browser.redeem(browser.get(back), 200);

        assertThat(browser.get(back).statusCode()).isEqualTo(410);
    }

    @Test
    void aResponseThatWasChangedOrSwappedGetsNothing() {
        var first = comeBack(leave(browser), verified(email));
        var second = comeBack(leave(browser), verified(email));
        var mixed = first.replaceAll("response=.*", "") + second.replaceAll(".*(response=)", "$1");

        assertThat(browser.get(mixed).statusCode()).isEqualTo(410);
        for (var text :
                List.of("", "AAAA", "%00", "x".repeat(3000), "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")) {
            var back = comeBack(leave(browser), verified(email));
            assertThat(browser.get(back.replaceAll("response=.*", "response=" + text))
                            .statusCode())
                    .as(text)
                    .isEqualTo(410);
        }
        assertThat(app.users()).isZero();
    }

    @Test
    void aRequestThatNoPersonSeesUsesUpNoSignIn() {
        var back = comeBack(leave(browser), verified(email));
        assertThat(browser.get(back, "Sec-Fetch-Dest", "image").statusCode()).isEqualTo(410);
        assertThat(browser.get(back, "Sec-Fetch-Dest", "iframe").statusCode()).isEqualTo(410);

        browser.redeem(browser.get(back, "Sec-Fetch-Dest", "document"), 200);
    }

    @Test
    void aProviderThatPostsItsResponseWorksTheSameWay() {
        var response = new HashMap<>(parameters(world.provider().login(leave(browser), subject, verified(email))));
        response.put("user", "{\"name\":{\"firstName\":\"Ann\"}}");
        var posted = world.server()
                .api()
                .post(app.returnPath())
                .raw("application/x-www-form-urlencoded", encode(response))
                .expect(302);
        var location = posted.header("Location").orElseThrow();
        assertThat(location).doesNotContain("Ann");

        browser.redeem(browser.get(local(location)), 200);
    }

    @Test
    void errorsOfTheProviderEndOnTheSignInScreen() {
        var cancelled = browser.get(callback(
                Map.of("state", parameters(URI.create(leave(browser))).get("state"), "error", "access_denied")));
        assertThat(cancelled.statusCode()).isEqualTo(403);
        assertThat(cancelled.body()).contains("You cancelled the sign in.", "type=\"password\"");
        assertThat(browser.hidden("request")).isNotEmpty();

        var broken = browser.get(callback(Map.of(
                "state",
                parameters(URI.create(leave(browser))).get("state"),
                "error",
                "<script>alert(1)</script>",
                "iss",
                "x")));
        assertThat(broken.statusCode()).isEqualTo(502);
        assertThat(broken.body())
                .contains("The provider did not confirm the sign in.")
                .doesNotContain("<script>");

        var wrongCode = browser.get(callback(Map.of(
                "state",
                parameters(URI.create(leave(browser))).get("state"),
                "code",
                "not the provider's",
                "iss",
                app.issuer())));
        assertThat(wrongCode.statusCode()).isIn(422, 502);
        assertThat(wrongCode.body()).contains("The provider did not confirm the sign in.", "type=\"password\"");

        var another = new HashMap<>(parameters(world.provider().login(leave(browser), subject, verified(email))));
        another.put("iss", "https://evil.example.com");
        assertThat(browser.get(callback(another)).body()).contains("The provider did not confirm the sign in.");
        assertThat(app.users()).isZero();
    }

    @Test
    void anUnverifiedEmailOfAnotherAccountIsReportedAndGetsNothing() {
        app.project().signUp(email);

        var response = signIn(unverified(email));

        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.body()).contains("There is already an account with this email", "type=\"password\"");
    }

    @Test
    void aProviderDisabledMeanwhileSignsNobodyIn() {
        browser.open(Map.of());
        app.setUp(Map.of("enabled", false));
        var pressed = browser.submit("provider", Map.of("provider", "oidc"));
        assertThat(pressed.statusCode()).isEqualTo(404);
        assertThat(pressed.body()).contains("This way to sign in has been switched off.", "type=\"password\"");
        assertThat(pressed.body()).doesNotContain("Continue with");

        app.setUp(Map.of("enabled", true));
        var back = comeBack(leave(browser), verified(email));
        app.setUp(Map.of("enabled", false));
        var response = browser.get(back);
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body()).contains("This way to sign in has been switched off.");
        for (var name : List.of("", "github", "no such", "../x", "<b>")) {
            browser.open(Map.of());
            assertThat(browser.submit("provider", Map.of("provider", name)).statusCode())
                    .as(name)
                    .isEqualTo(404);
        }
    }

    @Test
    void thePageNeverReturnsToAnOriginRemovedMeanwhile() {
        var back = comeBack(leave(browser), verified(email));
        app.change(Map.of("callbackUrl", "https://new.example.com/", "allowedOrigins", List.of()));

        var response = browser.get(back);

        assertThat(response.statusCode()).isEqualTo(410);
        assertThat(response.body()).doesNotContain(CALLBACK);
        assertThat(app.users()).isZero();
    }

    @Test
    void aFormOfAnotherSiteStartsNothing() {
        browser.open(Map.of());
        assertThat(browser.post("provider", Map.of("provider", "oidc", "request", browser.hidden("request")))
                        .statusCode())
                .isEqualTo(403);
        browser.open(Map.of());
        assertThat(browser.submit("provider", Map.of("provider", "oidc"), "Sec-Fetch-Site", "cross-site")
                        .statusCode())
                .isEqualTo(403);
        assertThat(browser.get(browser.path() + "provider?provider=oidc")
                        .headers()
                        .firstValue("Location"))
                .contains("./");
        assertThat(world.server()
                        .sql()
                        .count(
                                "SELECT count(*) FROM oauth_states WHERE project_id = ?::uuid",
                                app.project().id()))
                .isZero();
    }

    @Test
    void aVisitToTheBareUrlOpensNoSessionAndLeadsToTheApplication() {
        browser.get(browser.path());
        var url = onward(browser.submit("provider", Map.of("provider", "oidc"))).toString();

        var response = browser.get(comeBack(url, verified(email)));

        assertThat(onward(response)).hasToString(CALLBACK);
        assertThat(world.server()
                        .sql()
                        .count(
                                "SELECT count(*) FROM sessions WHERE project_id = ?::uuid",
                                app.project().id()))
                .isZero();
    }

    @Test
    void aPersonWhoMustVerifyTheEmailFirstIsAskedForTheCode() {
        app.change(Map.of("requireEmailVerification", true));

        var response = signIn(unverified(email));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("Confirm your email", "value=\"" + email + "\"");
        var code = world.mailbox().awaitCode(email);
        browser.redeem(browser.submit("verify", Map.of("email", email, "code", code)), 200);
    }

    private Response enrol(String accessToken) {
        var project = app.project();
        var setup = project.post("/v1/auth/mfa/totp/setup")
                .bearer(accessToken)
                .json(Map.of())
                .expect(200);
        project.post("/v1/auth/mfa/totp/verify-setup")
                .bearer(accessToken)
                .json(Map.of("code", new Authenticator(setup.text("secret"), Clock.systemUTC()).code()))
                .expect(200);
        return setup;
    }

    /**
     * It is linked neither before the code nor by it: only a signed-in user can link a provider to an account with a
     * second factor.
     */
    @Test
    void aProviderThatOnlyKnowsTheEmailIsAskedForTheSecondFactorAndLinksNothing() {
        var owner = app.project().signUp(email);
        world.server().proveEmail(email);
        var setup = enrol(owner.accessToken());

        assertThat(signIn(verified(email)).body()).contains("Second step").doesNotContain("id=\"onward\"");
        assertThat(app.detail(owner.text("user/id")).get("providers")).isEmpty();
        var code = setup.json().at("/backupCodes/0").textValue();
        browser.redeem(browser.submit("second-factor", Map.of("code", code)), 200);
        assertThat(signIn(verified(email)).body()).contains("Second step");
        assertThat(app.detail(owner.text("user/id")).get("providers")).isEmpty();
    }

    @Test
    void aRequiredSecondFactorIsAskedForAfterTheProvider() {
        browser.redeem(signIn(verified(email)), 200);
        var setup = enrol(browser.redeem(signIn(verified(email)), 200).accessToken());
        browser.redeem(signIn(verified(email)), 200);
        app.change(Map.of("requireMfa", "required", "factors", Map.of("password", false)));

        var asked = signIn(verified(email));
        assertThat(asked.body()).contains("Second step").doesNotContain("id=\"onward\"");
        assertThat(browser.submit("second-factor", Map.of("code", "000000")).statusCode())
                .isEqualTo(422);
        var response = browser.submit(
                "second-factor",
                Map.of("code", setup.json().at("/backupCodes/0").textValue()));

        var tokens = browser.redeem(response, 200);
        assertThat(Jwt.parse(tokens.accessToken()).claims().path("amr")).hasToString("[\"fed\",\"otp\",\"mfa\"]");
        app.signIn(subject, verified(email)).expect(403);
    }

    @Test
    void aPersonWhoMustSetUpASecondFactorDoesSoAfterTheProvider() {
        browser.redeem(signIn(verified(email)), 200);
        app.change(Map.of("requireMfa", "required"));
        for (var update : List.of(
                "UPDATE projects SET mfa_required_since = mfa_required_since - interval '8 days' WHERE id = ?::uuid",
                "UPDATE users SET created_at = created_at - interval '8 days' WHERE project_id = ?::uuid")) {
            world.server().sql().update(update, app.project().id());
        }
        app.change(Map.of("requireMfa", "required")); // read again

        var asked = signIn(verified(email));
        assertThat(asked.body()).doesNotContain("id=\"onward\"");
        var key = Pattern.compile("<code class=\"key\">([^<]+)</code>").matcher(asked.body());
        assertThat(key.find()).as(asked.body()).isTrue();
        var code = new Authenticator(key.group(1).replace(" ", ""), Clock.systemUTC()).code();
        assertThat(browser.submit("set-up-factor", Map.of("code", code)).body()).contains("Your backup codes");

        var tokens = browser.redeem(browser.submit("go-on", Map.of()), 200);
        assertThat(Jwt.parse(tokens.accessToken()).claims().path("amr")).hasToString("[\"fed\",\"otp\",\"mfa\"]");
    }

    @Test
    void aBannedUserIsRefusedOnThePage() {
        var user = browser.redeem(signIn(verified(email)), 200).text("user/id");
        app.project()
                .manage("PATCH", "/v1/dashboard/users/" + user + "/ban")
                .json(Map.of())
                .expect(200);

        var response = signIn(verified(email));

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("That is not possible this way").doesNotContain("id=\"onward\"");
    }

    @Test
    void tooManyOpenSignInsAreReportedOnThePage() {
        for (int i = 0; i < 20; i++) {
            leave(browser);
        }
        browser.open(Map.of());
        var last = browser.submit("provider", Map.of("provider", "oidc"));
        assertThat(last.statusCode()).isEqualTo(503);
        assertThat(last.headers().firstValue("Retry-After")).isPresent();
        assertThat(last.body()).contains("We are busy.");
    }

    @Test
    void theApplicationsOwnSignInsAreUnchanged() {
        TestProject project = app.project();
        var tokens = app.signIn(subject, verified(email)).expect(200);
        project.me(tokens.accessToken()).expect(200);
        var response =
                app.login(app.serverUrl("redirect", "returnTo", OauthProject.APP + "/home"), subject, verified(email));
        assertThat(app.redirect(response).expect(302).header("Location").orElseThrow())
                .startsWith(OauthProject.APP + "/home?authon_oauth_state=");
    }

    /** Signs up, and signs in for the account page. */
    private Response account(HostedBrowser in, String as) {
        var user = app.project().signUp(as);
        enterAccount(in, as);
        return user;
    }

    private static void enterAccount(HostedBrowser in, String as) {
        var there =
                in.get(in.path() + "account/").headers().firstValue("location").orElseThrow();
        in.get(in.path() + there.substring("../".length()));
        in.submit("sign-in", Map.of("email", as, "password", TestProject.PASSWORD));
        assertThat(in.get(in.path() + "account/").statusCode()).isEqualTo(200);
    }

    private String leaveToLink() {
        var left = browser.submit("account/provider-linked", Map.of("item", "oidc"));
        assertThat(left.statusCode()).as(left.body()).isEqualTo(200);
        return comeBack(onward(left).toString(), verified(TestServer.newEmail()));
    }

    private List<String> links(Response user) {
        var links = new ArrayList<String>();
        app.detail(user.text("user/id")).path("providers").forEach(provider -> links.add(provider.asText()));
        return links;
    }

    @Test
    void aProviderIsLinkedOnTheAccountPageAndSignsInFromThenOn() {
        var user = account(browser, email);
        assertThat(browser.get(browser.path() + "account/").body()).contains("Link OpenID Connect");

        var linked = browser.get(leaveToLink());

        assertThat(linked.headers().firstValue("location")).hasValue("./?done=provider-linked");
        assertThat(browser.get(browser.path() + "account/").body())
                .contains("OpenID Connect<br>", "aria-label=\"Unlink OpenID Connect\"")
                .doesNotContain("Link OpenID Connect<");
        var elsewhere = new HostedBrowser(app.project());
        var back = comeBack(leave(elsewhere), unverified(TestServer.newEmail()));
        assertThat(elsewhere.redeem(elsewhere.get(back), 200).text("user/id")).isEqualTo(user.text("user/id"));
    }

    @Test
    void aProviderThatTheProjectHasNamedIsOfferedLinkedAndUnlinkedByItsName() {
        var acme = app.andProvider("oidc-acme");
        var icon = "data:image/svg+xml;base64,PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnLz4=";
        acme.setUp(Map.of("name", "Acme <b>", "icon", icon));
        var user = account(browser, email);
        world.server().proveEmail(email);
        assertThat(new HostedBrowser(app.project()).open(Map.of()).body())
                .contains("<img src=\"" + icon + "\" alt=\"\"", "Continue with Acme &lt;b&gt;")
                .contains("Continue with OpenID Connect");

        browser.get(browser.path() + "account/");
        var left = browser.submit("account/provider-linked", Map.of("item", "oidc-acme"));
        browser.get(comeBack(onward(left).toString(), verified(TestServer.newEmail())));

        assertThat(browser.get(browser.path() + "account/").body())
                .contains("Acme &lt;b&gt;<br>", "aria-label=\"Unlink Acme &lt;b&gt;\"");
        var elsewhere = new HostedBrowser(app.project());
        elsewhere.open(Map.of());
        var there = onward(elsewhere.submit("provider", Map.of("provider", "oidc-acme")));
        var back = elsewhere.get(comeBack(there.toString(), unverified(TestServer.newEmail())));
        assertThat(elsewhere.redeem(back, 200).text("user/id")).isEqualTo(user.text("user/id"));

        browser.get(browser.path() + "account/");
        browser.submit("account/provider-unlinked", Map.of("item", "oidc-acme"));
        assertThat(links(user)).isEmpty();
        Eventually.until(
                "two notices with its name",
                () -> world.mailbox().to(email).stream()
                                .filter(mail -> TestMailbox.text(mail).contains("Acme <b>"))
                                .count()
                        == 2);
    }

    /** The attack: somebody begins to link their own identity, and lets another person complete it. */
    @Test
    void nobodyLinksTheIdentityThatSomebodyElseWasAskedFor() {
        account(browser, TestServer.newEmail());
        var back = leaveToLink();
        var victim = new HostedBrowser(app.project());
        var user = account(victim, email);
        assertThat(victim.get(back).statusCode()).isEqualTo(400);
        assertThat(links(user)).isEmpty();

        var other = leaveToLinkAgain();
        browser.submit("account/sign-out", Map.of());
        enterAccount(browser, email);
        assertThat(browser.get(other).statusCode()).isEqualTo(400);
        assertThat(links(user)).isEmpty();
    }

    private String leaveToLinkAgain() {
        browser.get(browser.path() + "account/");
        var back = leaveToLink();
        browser.get(browser.path() + "account/");
        return back;
    }

    @Test
    void linksAndSignInsAreNotInterchangeable() {
        var user = account(browser, email);
        var signIn = browser.get(leaveToLink().replace("/account/from-provider", "/from-provider"));
        assertThat(signIn.statusCode()).isEqualTo(410);
        var link = browser.get(
                comeBack(leave(browser), verified(email)).replace("/from-provider", "/account/from-provider"));
        assertThat(link.statusCode()).isEqualTo(400);
        assertThat(links(user)).isEmpty();
    }

    @Test
    void anIdentityOfSomebodyElseIsNotLinked() {
        var other = new HostedBrowser(app.project());
        other.get(comeBack(leave(other), verified(TestServer.newEmail())));
        account(browser, email);

        var refused = browser.get(leaveToLink());

        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("This account is linked to somebody else here.");
    }

    @Test
    void whoChangesTheirMindAtTheProviderIsBackAtTheAccount() {
        var user = account(browser, email);
        var left = browser.submit("account/provider-linked", Map.of("item", "oidc"));
        var state = parameter(onward(left), "state");
        var back = browser.get(callback(Map.of("state", state, "error", "access_denied")));
        assertThat(back.statusCode()).isBetween(400, 499);
        assertThat(back.body()).contains("Your account", "problem");
        assertThat(links(user)).isEmpty();
    }
}
