package dev.vestibule.authentication.oauth;

import static dev.vestibule.fixture.OauthProject.newSubject;
import static dev.vestibule.fixture.OauthProject.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.FakeProvider;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sign ins in which a page of the application receives the code. */
@ExtendWith(WithProvider.class)
class OauthCallbackIT {
    /** Appendix B of RFC 7636. */
    private static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

    private static final String CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    private final OauthWorld world;
    private final OauthProject app;
    private final String subject = newSubject();
    private final String email = TestServer.newEmail();

    OauthCallbackIT(OauthWorld world) {
        this.world = world;
        this.app = world.newProject();
    }

    private Map<String, Object> cameBack(Response url) {
        return new HashMap<>(app.login(url, subject, verified(email)));
    }

    private static Map<String, Object> with(Map<String, Object> fields, String name, Object value) {
        var changed = new HashMap<>(fields);
        changed.put(name, value);
        return changed;
    }

    @Test
    void aCodeOpensASession() {
        var claims = new HashMap<>(verified(email));
        claims.putAll(Map.of("name", "Ada Lovelace", "picture", "https://cdn.example.com/ada.png"));
        var answer = app.signIn(subject, claims).expect(200);

        assertThat(answer.text("user/email")).isEqualTo(email);
        assertThat(answer.json().at("/user/emailVerified").asBoolean()).isTrue();
        assertThat(answer.text("user/displayName")).isEqualTo("Ada Lovelace");
        assertThat(answer.text("user/avatarUrl")).isEqualTo("https://cdn.example.com/ada.png");
        assertThat(answer.text("user/signInCount")).isEqualTo("1");
        assertThat(answer.text("expiresIn")).isEqualTo("900");
        app.project().me(answer.accessToken()).expect(200);
        app.project().refresh(answer.refreshToken()).expect(200);
    }

    @Test
    void aSecretKeyOpensASessionToo() {
        app.project()
                .manage("POST", "/v1/auth/oauth/callback")
                .json(with(cameBack(app.url()), "provider", "oidc"))
                .expect(200);
    }

    @Test
    void aChallengeRequiresItsVerifier() {
        app.callback(with(cameBack(app.url("codeChallenge", CHALLENGE)), "codeVerifier", VERIFIER))
                .expect(200);

        app.callback(cameBack(app.url("codeChallenge", CHALLENGE))).expect(401);
        app.callback(with(cameBack(app.url("codeChallenge", CHALLENGE)), "codeVerifier", VERIFIER.replace('d', 'e')))
                .expect(401);
        app.callback(with(cameBack(app.url("codeChallenge", CHALLENGE)), "codeVerifier", CHALLENGE))
                .expect(401);
    }

    /** Otherwise anyone who strips the challenge from the URL would turn it off. */
    @Test
    void aVerifierWithoutAChallengeIsRefused() {
        app.callback(with(cameBack(app.url()), "codeVerifier", VERIFIER)).expect(401);
    }

    @Test
    void aStateWorksOnce() {
        var fields = cameBack(app.url());
        app.callback(fields).expect(200);
        app.callback(fields).expect(401);
    }

    @Test
    void ofConcurrentCallbacksOneWins() {
        var fields = cameBack(app.url());
        var answers = Parallel.send(8, number -> app.callback(fields));

        assertThat(answers).extracting(Response::status).containsOnlyOnce(200).containsOnly(200, 401);
        assertThat(app.users()).isEqualTo(1);
    }

    @Test
    void aCodeWorksOnceWhateverTheState() {
        var fields = cameBack(app.url());
        app.callback(fields).expect(200);
        app.callback(with(fields, "state", app.url().text("state"))).expect(401);
    }

    /** Code injection: a stolen code does not fit the nonce and the verifier of another sign in. */
    @Test
    void aCodeOfAnotherSignInIsRefused() {
        var theirs = cameBack(app.url());
        app.callback(with(theirs, "state", app.url().text("state"))).expect(401);
        assertThat(app.users()).isZero();
    }

    @Test
    void aFailedAttemptUsesUpTheState() {
        var fields = cameBack(app.url("codeChallenge", CHALLENGE));
        app.callback(fields).expect(401);
        app.callback(with(fields, "codeVerifier", VERIFIER)).expect(401);
    }

    @Test
    void aStateIsValidForTenMinutes() {
        var fields = cameBack(app.url());
        var left = world.server()
                .sql()
                .count(
                        "SELECT extract(epoch FROM max(expires_at) - now())::int FROM oauth_states"
                                + " WHERE project_id = ?::uuid",
                        app.project().id());
        assertThat(left).isBetween(590L, 600L);
        world.server()
                .sql()
                .update(
                        "UPDATE oauth_states SET expires_at = now() - interval '1 second' WHERE project_id = ?::uuid",
                        app.project().id());
        app.callback(fields).expect(401);
    }

    @Test
    void aStateOfAnotherProjectIsUnknownAndStaysValid() {
        var fields = cameBack(app.url());
        world.newProject().callback(fields).expect(401);
        app.callback(fields).expect(200);
    }

    /** The mix-up attack (RFC 9700, 4.4). */
    @Test
    void aStateIsBoundToItsProvider() {
        app.project()
                .asOwner("PUT", "/providers/google")
                .json(Map.of("clientId", "id", "clientSecret", "secret", "enabled", true))
                .expect(200);
        app.callback(with(cameBack(app.url()), "provider", "google")).expect(401);
    }

    /**
     * A provider of the project sends the victim's browser on to another one, with the challenge and the nonce of a
     * sign in that it has begun there itself, and gets the code from us.
     */
    @Test
    void aCodeThatWasSentToAnotherProviderOpensNothing() {
        try (var evil = new FakeProvider()) {
            var issuer = evil.url().toString();
            evil.answers(
                    "/.well-known/openid-configuration",
                    new JsonObject()
                            .put("issuer", issuer)
                            .put("authorization_endpoint", issuer + "/authorize")
                            .put("token_endpoint", issuer + "/token")
                            .put("jwks_uri", issuer + "/keys"));
            var toEvil = app.andProvider("oidc-evil");
            toEvil.setUp(Map.of("issuer", issuer));
            var victims = toEvil.url().text("state");
            var begunByEvil = app.url();

            var code = cameBack(begunByEvil).get("code");
            toEvil.callback(Map.of("code", code, "state", victims)).expect(502);

            assertThat(evil.asked("/token"))
                    .singleElement()
                    .satisfies(asked -> assertThat(asked.form().get("code")).isEqualTo(code));
            app.callback(Map.of("code", code, "state", begunByEvil.text("state")))
                    .expect(401);
        }
        assertThat(app.users()).isZero();
    }

    @Test
    void aStateOfAServerHandledFlowIsRefused() {
        app.callback(cameBack(app.serverUrl("popup"))).expect(401);
    }

    @Test
    void aProviderDisabledDuringTheSignInIsRefused() {
        var fields = cameBack(app.url());
        app.setUp(Map.of("enabled", false));
        app.callback(fields).expect(404);
    }

    @Test
    void aCodeUnknownToTheProviderIsRefused() {
        app.callback(Map.of("code", "made up", "state", app.url().text("state")))
                .expect(401);
    }

    @Test
    void missingAndMalformedFieldsAreNamedAtOnce() {
        var project = app.project();
        assertThat(project.post("/v1/auth/oauth/callback")
                        .json(Map.of())
                        .expect(422)
                        .failingFields())
                .containsExactlyInAnyOrder("provider", "code", "state");
        assertThat(project.post("/v1/auth/oauth/callback")
                        .json(Map.of("provider", 1, "code", "a\u0000", "state", "\ud800", "codeVerifier", "short"))
                        .expect(422)
                        .failingFields())
                .containsExactlyInAnyOrder("provider", "code", "state", "codeVerifier");
        assertThat(app.callback(Map.of("code", "x".repeat(4097), "state", "y", "iss", "z".repeat(3000)))
                        .expect(422)
                        .failingFields())
                .containsExactlyInAnyOrder("code", "iss");
        project.post("/v1/auth/oauth/callback").text("[]").expect(400);
        project.post("/v1/auth/oauth/callback").text("{").expect(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "AAAA", "\u20ac", "' OR 1=1 --"})
    void aMalformedStateIsUnknown(String state) {
        app.callback(Map.of("code", "x", "state", state)).expect(401);
        app.callback(Map.of("code", "x", "state", "A".repeat(64))).expect(401);
    }

    @Test
    void aKeyIsRequiredEvenWithAUser() {
        var api = world.server().api();
        api.post("/v1/auth/oauth/callback").json(Map.of()).expect(401);
        api.post("/v1/auth/oauth/callback")
                .bearer(app.project().signUp().accessToken())
                .json(Map.of())
                .expect(401);
    }

    @Test
    void signInsAndFailuresAreCounted() {
        app.signIn(subject, verified(email)).expect(200);
        app.callback(Map.of("code", "made up", "state", app.url().text("state")))
                .expect(401);
        assertThat(world.server().metrics())
                .contains("vestibule_oauth_signins_total{provider=\"oidc\"}")
                .contains("vestibule_oauth_failures_total{provider=\"oidc\",reason=\"unauthorized\"}");
    }

    /** Projects can name and rename as many as they like. */
    @Test
    void theProvidersThatProjectsNameAreCountedAsOne() {
        var named = app.andProvider("oidc-named-here");
        named.signIn(OauthProject.newSubject(), Map.of()).expect(200);
        named.callback(Map.of("code", "made up", "state", named.url().text("state")))
                .expect(401);

        assertThat(world.server().metrics())
                .contains("vestibule_oauth_signins_total{provider=\"oidc\"}")
                .doesNotContain("named-here");
    }

    @Test
    void theSessionBelongsToVariantA() {
        var tokens = app.signIn(OauthProject.newSubject(), Map.of()).expect(200);

        app.project().refreshAccessToken(tokens.refreshToken()).expect(401);
        app.project().refresh(tokens.refreshToken()).expect(200);
    }

    @Test
    void theSessionLimitIsEnforced() {
        app.change(Map.of("sessionConfig", Map.of("maxConcurrentSessions", 1)));
        var first = app.signIn(subject, verified(email)).expect(200);
        var second = app.signIn(subject, verified(email)).expect(200);

        app.project().me(first.accessToken()).expect(401);
        assertThat(app.project().me(second.accessToken()).expect(200).text("signInCount"))
                .isEqualTo("2");
    }
}
