package dev.vestibule.user.organization;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.FakeProvider;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import dev.vestibule.fixture.WithServer;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The people whom the connection of an organization signs in, and those whom it refuses. */
@ExtendWith({WithServer.class, WithProvider.class})
class ConnectionSignInIT {
    private final OauthWorld world;
    private OauthProject app;
    private ConnectedOrganization engines;

    ConnectionSignInIT(OauthWorld world) {
        this.world = world;
        app = world.newProject();
        engines = ConnectedOrganization.of(world, app);
    }

    @BeforeEach
    void newOrganization() {
        engines = ConnectedOrganization.of(world, app);
    }

    private String email(String name) {
        return name + "@" + engines.domain();
    }

    private static void assertForeign(ConnectedOrganization organization, String subject, String email) {
        assertThat(organization.signIn(subject, email).expect(403).text("code")).isEqualTo("foreign_email");
    }

    @Test
    void aPersonOfTheDomainGetsAnAccountAndIsAMember() {
        var subject = OauthProject.newSubject();
        var first = engines.signIn(subject, email("ada")).expect(200);
        assertThat(first.text("user/email")).isEqualTo(email("ada"));
        assertThat(first.text("user/emailVerified")).isEqualTo("true");
        assertThat(engines.role(first)).isEqualTo("member");
        var again = engines.signIn(subject, email("ada")).expect(200);
        assertThat(again.text("user/id")).isEqualTo(first.text("user/id"));
    }

    @Test
    void aPersonWithAnAccountKeepsIt() {
        var before = app.project().signUp(email("bob"));
        world.server().proveEmail(email("bob"));
        var signedIn = engines.signIn(OauthProject.newSubject(), email("bob")).expect(200);
        assertThat(signedIn.text("user/id")).isEqualTo(before.text("user/id"));
        assertThat(engines.role(signedIn)).isEqualTo("member");
        app.project().signIn(email("bob"));
    }

    @Test
    void aStrangerWhoTookTheEmailBeforeWithoutProvingItIsSignedOut() {
        var squatter = app.project().signUp(email("carol"));
        var signedIn = engines.signIn(OauthProject.newSubject(), email("carol")).expect(200);
        assertThat(signedIn.text("user/id")).isEqualTo(squatter.text("user/id"));
        app.project().get("/v1/auth/me").bearer(squatter.accessToken()).expect(401);
        app.project()
                .post("/v1/auth/signin")
                .json(Map.of("email", email("carol"), "password", "correct horse battery staple"))
                .expect(401);
    }

    @Test
    void aConnectionSaysNothingAboutEmailsOfOthers() {
        var victim = app.project().signUp("victim-" + UUID.randomUUID() + "@example.org");
        world.server().proveEmail(victim.text("user/email"));
        var others = ConnectedOrganization.of(world, app);
        var subject = OauthProject.newSubject();
        for (var foreign : List.of(
                victim.text("user/email"),
                "eve@" + others.domain(),
                "eve@sub." + engines.domain(),
                "eve@not" + engines.domain(),
                "\"x@" + engines.domain() + "\"@example.org")) {
            var refused = engines.signIn(subject, foreign);
            assertThat(refused.send().status()).as(foreign).isEqualTo(403);
        }
        assertForeign(engines, subject, victim.text("user/email"));
        assertForeign(others, subject, email("ada"));
        var verified = engines.signIn(subject, Map.of("email", victim.text("user/email"), "email_verified", true));
        assertThat(verified.expect(403).text("code")).isEqualTo("foreign_email");
        assertThat(app.detail(victim.text("user/id")).path("providers")).isEmpty();
    }

    @Test
    void anEmailIsNeeded() {
        assertThat(engines.signIn(OauthProject.newSubject(), Map.of())
                        .expect(403)
                        .text("code"))
                .isEqualTo("provider_sends_no_email");
    }

    @Test
    void anEmailThatTheProviderItselfDoubtsOpensNothing() {
        assertThat(engines.signIn(OauthProject.newSubject(), OauthProject.unverified(email("ceo")))
                        .expect(403)
                        .text("code"))
                .isEqualTo("unverified_email");
        engines.signIn(OauthProject.newSubject(), OauthProject.verified(email("ceo")))
                .expect(200);
    }

    @Test
    void aDomainThatIsNotProvenOrNoLongerSignsNobodyIn() {
        var subject = OauthProject.newSubject();
        engines.signIn(subject, email("ada")).expect(200);
        engines.manage("POST", "/domains")
                .json(Map.of("domain", "pending." + engines.domain()))
                .expect(201);
        assertForeign(engines, OauthProject.newSubject(), "ada@pending." + engines.domain());
        assertThat(engines.route("ada@pending." + engines.domain())
                        .json()
                        .path("connection")
                        .isNull())
                .isTrue();

        engines.loseProof();
        assertForeign(engines, subject, email("ada"));
        assertThat(engines.route(email("ada")).json().path("connection").isNull())
                .isTrue();
    }

    @Test
    void anIdentityDoesNotFollowAnAccountOutOfTheDomain() {
        var subject = OauthProject.newSubject();
        var user = engines.signIn(subject, email("dan")).expect(200);
        world.server()
                .sql()
                .update(
                        "UPDATE users SET email = ? WHERE project_id = ?::uuid AND id = ?::uuid",
                        "dan-" + UUID.randomUUID() + "@example.org",
                        app.project().id(),
                        user.text("user/id"));
        assertForeign(engines, subject, email("dan"));
    }

    @Test
    void aLinkedIdentityWhoseProviderNamesAForeignEmailIsRefused() {
        var subject = OauthProject.newSubject();
        engines.signIn(subject, email("eve")).expect(200);
        assertForeign(engines, subject, "eve-" + UUID.randomUUID() + "@example.org");
    }

    @Test
    void aPersonWhomTheProviderCreatedAgainKeepsTheAccountAndTheirFormerIdentityDoesNot() {
        var former = OauthProject.newSubject();
        var before = engines.signIn(former, email("ada")).expect(200);
        var key = app.project()
                .post("/v1/auth/me/api-keys")
                .bearer(before.accessToken())
                .json(Map.of("name", "Build"))
                .expect(201)
                .text("key");
        var subject = OauthProject.newSubject();
        var after = engines.signIn(subject, email("ada")).expect(200);
        assertThat(after.text("user/id")).isEqualTo(before.text("user/id"));
        assertThat(engines.role(after)).isEqualTo("member");
        app.project().me(before.accessToken()).expect(401);
        app.project().refresh(before.refreshToken()).expect(401);
        assertThat(app.project()
                        .manage("POST", "/v1/backend/keys/verify")
                        .json(Map.of("key", key))
                        .expect(200)
                        .text("valid"))
                .isEqualTo("false");
        app.project().me(after.accessToken()).expect(200);
        assertThat(app.detail(after.text("user/id")).path("providers")).hasSize(1);
        assertThat(world.server()
                        .sql()
                        .texts(
                                "SELECT event || ' ' || coalesce(metadata ->> 'reason', '') FROM audit_log"
                                        + " WHERE project_id = ?::uuid AND target_id = ?::uuid AND event LIKE 'auth.provider.%'"
                                        + " ORDER BY created_at, id",
                                app.project().id(), after.text("user/id")))
                .containsExactly(
                        "auth.provider.linked ", "auth.provider.unlinked identity_replaced", "auth.provider.linked ");
        assertThat(engines.signIn(former, email("ada-king")).expect(200).text("user/id"))
                .isNotEqualTo(before.text("user/id"));
        engines.signIn(subject, email("ada")).expect(200);
    }

    @Test
    void nobodyElseReplacesAnIdentity() {
        var victim = engines.signIn(OauthProject.newSubject(), email("ada")).expect(200);
        var others = ConnectedOrganization.of(world, app);
        assertForeign(others, OauthProject.newSubject(), email("ada"));
        assertThat(engines.signIn(OauthProject.newSubject(), OauthProject.unverified(email("ada")))
                        .expect(403)
                        .text("code"))
                .isEqualTo("unverified_email");
        engines.manage("POST", "/domains")
                .json(Map.of("domain", "pending." + engines.domain()))
                .expect(201);
        assertForeign(engines, OauthProject.newSubject(), "ada@pending." + engines.domain());
        var claims = Map.of("email", email("ada"), "iss", "https://evil.example.com");
        engines.signIn(OauthProject.newSubject(), claims).expect(401);
        app.project().me(victim.accessToken()).expect(200);
        engines.loseProof();
        assertForeign(engines, OauthProject.newSubject(), email("ada"));
        app.project().me(victim.accessToken()).expect(200);
        assertThat(app.detail(victim.text("user/id")).path("providers")).hasSize(1);
    }

    @Test
    void aSecondConnectionOfTheOrganizationReplacesNothingOfTheFirst() {
        var subject = OauthProject.newSubject();
        var first = engines.signIn(subject, email("ada")).expect(200);
        var issuer = world.provider().newIssuer();
        var connection = engines.manage("POST", "/connections")
                .json(ConnectedOrganization.settings(issuer))
                .expect(201);
        var second = new ConnectedOrganization(world, app, engines.id(), engines.domain(), issuer, connection);
        second.signIn(OauthProject.newSubject(), email("ada")).expect(200);
        app.project().me(first.accessToken()).expect(200);
        assertThat(app.detail(first.text("user/id")).path("providers")).hasSize(2);
        engines.signIn(subject, email("ada")).expect(200);
    }

    @Test
    void aProviderOfTheProjectReplacesNothing() {
        var person = "ada-" + UUID.randomUUID() + "@example.org";
        var first = app.signIn(OauthProject.newSubject(), OauthProject.verified(person))
                .expect(200);
        assertThat(app.signIn(OauthProject.newSubject(), OauthProject.verified(person))
                        .expect(409)
                        .text("code"))
                .isEqualTo("provider_already_linked");
        app.project().me(first.accessToken()).expect(200);
    }

    @Test
    void ofTwoNewIdentitiesAtOnceOneStays() {
        var before = engines.signIn(OauthProject.newSubject(), email("ada")).expect(200);
        var claims = Map.of("email", email("ada"));
        var begun = List.of(
                app.login(engines.askUrl("").expect(200), OauthProject.newSubject(), claims),
                app.login(engines.askUrl("").expect(200), OauthProject.newSubject(), claims));
        var answers = Parallel.send(2, i -> engines.callback(begun.get(i)));
        assertThat(answers).allMatch(answer -> answer.status() == 200);
        assertThat(answers)
                .filteredOn(
                        answer -> app.project().me(answer.accessToken()).send().status() == 200)
                .hasSize(1);
        app.project().me(before.accessToken()).expect(401);
        assertThat(app.detail(before.text("user/id")).path("providers")).hasSize(1);
    }

    @Test
    void aBannedPersonIsNotReplaced() {
        var user = engines.signIn(OauthProject.newSubject(), email("mallory")).expect(200);
        app.project()
                .manage("PATCH", "/v1/dashboard/users/" + user.text("user/id") + "/ban")
                .expect(200);
        assertThat(engines.signIn(OauthProject.newSubject(), email("mallory"))
                        .expect(403)
                        .text("code"))
                .isEqualTo("account_banned");
        assertThat(app.detail(user.text("user/id")).path("providers")).hasSize(1);
    }

    @Test
    void anotherIssuerOfAConnectionOpensNoIdentityOfTheFormerOne() {
        var subject = OauthProject.newSubject();
        var ada = engines.signIn(subject, email("ada")).expect(200);
        engines.change(Map.of("issuer", world.provider().newIssuer(), "clientSecret", "another"));
        var eve = engines.signIn(subject, email("eve")).expect(200);
        assertThat(eve.text("user/id")).isNotEqualTo(ada.text("user/id"));
    }

    @Test
    void aBannedPersonStaysBanned() {
        var subject = OauthProject.newSubject();
        var user = engines.signIn(subject, email("mallory")).expect(200);
        app.project()
                .manage("PATCH", "/v1/dashboard/users/" + user.text("user/id") + "/ban")
                .expect(200);
        assertThat(engines.signIn(subject, email("mallory")).expect(403).text("code"))
                .isEqualTo("account_banned");
    }

    @Test
    void aDisabledConnectionNeitherBeginsNorEndsASignIn() {
        var begun = app.login(engines.askUrl("").expect(200), OauthProject.newSubject(), Map.of("email", email("ada")));
        engines.change(Map.of("enabled", false));
        assertThat(engines.callback(begun).expect(404).text("code")).isEqualTo("provider_not_enabled");
        engines.askUrl("").expect(404);
        assertThat(engines.route(email("ada")).json().path("connection").isNull())
                .isTrue();

        engines.change(Map.of("enabled", true));
        var again = app.login(engines.askUrl("").expect(200), OauthProject.newSubject(), Map.of("email", email("ada")));
        var user = engines.newPerson("bob");
        assertThat(app.detail(user.text("user/id")).path("providers")).hasSize(1);
        engines.manage("DELETE", engines.path()).expect(200);
        assertThat(app.detail(user.text("user/id")).path("providers")).isEmpty();
        engines.callback(again).expect(404);
        engines.askUrl("").expect(404);
    }

    @Test
    void aStateIsGoodForOneSignInByItsOwnConnection() {
        var others = ConnectedOrganization.of(world, app);
        var claims = Map.of("email", email("ada"));
        var used = app.login(engines.askUrl("").expect(200), OauthProject.newSubject(), claims);
        engines.callback(used).expect(200);
        engines.callback(used).expect(401);
        var stolen = app.login(engines.askUrl("").expect(200), OauthProject.newSubject(), claims);
        others.callback(stolen).expect(401);
        var ofProject = app.login(engines.askUrl("").expect(200), OauthProject.newSubject(), claims);
        app.callback(ofProject).expect(401);
        var elsewhere = world.newProject();
        var foreign = app.login(engines.askUrl("").expect(200), OauthProject.newSubject(), claims);
        elsewhere.callback(foreign).expect(401);
    }

    @Test
    void aTokenOfAnotherIssuerOrForAnotherClientIsRefused() {
        for (var claim : Map.<String, Object>of(
                        "iss", "https://evil.example.com", "aud", "another-client", "nonce", "another")
                .entrySet()) {
            var claims = Map.of("email", email("ada"), claim.getKey(), claim.getValue());
            engines.signIn(OauthProject.newSubject(), claims).expect(401);
        }
    }

    /** One token endpoint's answer, with the nonce of a sign in that begins. */
    private Call signInWith(FakeProvider provider, Function<JWTClaimsSet, JWT> idToken) {
        var begun = OauthProject.parameters(
                URI.create(engines.askUrl("").expect(200).text("url")));
        var now = Instant.now();
        var claims = new JWTClaimsSet.Builder()
                .issuer(provider.url().toString())
                .subject("ada")
                .audience("the-client")
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(300)))
                .claim("nonce", begun.get("nonce"))
                .claim("email", email("ada"))
                .build();
        provider.answers(
                "/token",
                new JsonObject()
                        .put("access_token", "a token")
                        .put("token_type", "Bearer")
                        .put("id_token", idToken.apply(claims).serialize()));
        return engines.callback(
                Map.of("code", UUID.randomUUID().toString(), "state", String.valueOf(begun.get("state"))));
    }

    private static JWT signed(JWSAlgorithm algorithm, JWSSigner signer, JWTClaimsSet claims) {
        try {
            var token =
                    new SignedJWT(new JWSHeader.Builder(algorithm).keyID("one").build(), claims);
            token.sign(signer);
            return token;
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Though the discovery document says that the provider may leave tokens unsigned, or sign with a shared secret. */
    @Test
    void onlyWhatTheProviderHasSignedWithItsPrivateKeyIsBelieved() throws JOSEException {
        var key = new RSAKeyGenerator(2048).keyID("one").generate();
        var secret = "a secret that members of the organization know, too";
        try (var provider = new FakeProvider()) {
            var issuer = provider.url().toString();
            provider.answers(
                    "/.well-known/openid-configuration",
                    new JsonObject()
                            .put("issuer", issuer)
                            .put("authorization_endpoint", issuer + "/authorize")
                            .put("token_endpoint", issuer + "/token")
                            .put("jwks_uri", issuer + "/jwks")
                            .put("id_token_signing_alg_values_supported", List.of("RS256", "HS256", "none")));
            provider.answers(
                    "/jwks",
                    new JsonObject().put("keys", List.of(key.toPublicJWK().toJSONObject())));
            engines.change(Map.of("issuer", issuer, "clientSecret", secret));
            signInWith(provider, PlainJWT::new).expect(401);
            for (var shared : List.of(
                    secret.getBytes(StandardCharsets.UTF_8),
                    key.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8),
                    key.toRSAPublicKey().getEncoded())) {
                var signer = new MACSigner(shared);
                signInWith(provider, claims -> signed(JWSAlgorithm.HS256, signer, claims))
                        .expect(401);
            }
            var signer = new RSASSASigner(key);
            signInWith(provider, claims -> signed(JWSAlgorithm.RS256, signer, claims))
                    .expect(200);
        }
    }

    @Test
    void aProviderThatIsDownIsABadGateway() {
        engines.change(Map.of("issuer", "http://127.0.0.1:1", "clientSecret", "x"));
        assertThat(engines.askUrl("").expect(502).text("code")).isEqualTo("provider_failed");
        assertThat(engines.route(email("ada")).text("connection/provider")).isEqualTo(engines.provider());
    }

    @Test
    void twoFirstSignInsMakeOneAccountAndOneMember() {
        var subject = OauthProject.newSubject();
        var claims = Map.of("email", email("twin"));
        var begun = List.of(
                app.login(engines.askUrl("").expect(200), subject, claims),
                app.login(engines.askUrl("").expect(200), subject, claims));
        var ids = Parallel.send(2, i -> engines.callback(begun.get(i))).stream()
                .map(answer -> answer.text("user/id"))
                .toList();
        assertThat(ids).hasSize(2).containsOnly(ids.get(0));
        assertThat(world.server()
                        .sql()
                        .count(
                                "SELECT count(*) FROM organization_members WHERE project_id = ?::uuid AND user_id = ?::uuid",
                                app.project().id(),
                                ids.get(0)))
                .isOne();
    }

    @Test
    void aFullOrganizationTakesNobodyInButItsPeopleSignIn() {
        engines.manage("PATCH", "").json(Map.of("maxMembers", 2)).expect(200);
        assertThat(engines.role(engines.newPerson("first"))).isEqualTo("member");
        var subject = OauthProject.newSubject();
        assertThat(engines.role(engines.signIn(subject, email("second")).expect(200)))
                .isEmpty();
        engines.manage("PATCH", "").json(Map.of("maxMembers", 3)).expect(200);
        assertThat(engines.role(engines.signIn(subject, email("second")).expect(200)))
                .isEqualTo("member");
    }

    @Test
    void aRemovedMemberSignsInToTheirAccountAndIsNoLongerAMember() {
        var subject = OauthProject.newSubject();
        var user = engines.signIn(subject, email("ada")).expect(200);
        var members = "/members";
        engines.manage("DELETE", members + "/" + user.text("user/id")).expect(200);
        assertThat(engines.role(engines.signIn(subject, email("ada")).expect(200)))
                .isEmpty();
        engines.manage("POST", members)
                .json(Map.of("userId", user.text("user/id")))
                .expect(201);
        assertThat(engines.role(engines.signIn(subject, email("ada")).expect(200)))
                .isEqualTo("member");
    }

    /**
     * The organization's provider sends the browser on to the project's own, with the challenge and the nonce of a sign
     * in that somebody has begun there, and gets its code if we take it for one of the organization's (RFC 9700, 4.4).
     */
    @Test
    void aCodeOfAnotherProviderNeverReachesTheProviderOfAConnection() {
        var tried = engines.project()
                .asOwner("POST", "/providers/" + engines.provider() + "/test")
                .expect(200);
        var begun = engines.askUrl("?flow=popup&redirectUri=" + OauthProject.OWN_REDIRECT)
                .expect(200);
        for (var state : List.of(
                begun.text("state"),
                OauthProject.parameters(URI.create(tried.text("url"))).get("state"))) {
            var own = app.serverUrl("popup");
            var victim = OauthProject.parameters(world.provider()
                    .login(
                            own.text("url").replace(own.text("state"), state),
                            OauthProject.newSubject(),
                            OauthProject.verified(TestServer.newEmail())));
            assertThat(victim).containsEntry("state", state);
            assertThat(app.redirect(victim).send().body()).doesNotContain("accessToken");
            victim.put("state", own.text("state"));
            assertThat(OauthProject.outcome(app.redirect(victim).expect(200))
                            .at("/message/tokens/user/id")
                            .asText())
                    .as("nobody has used the code")
                    .isNotEmpty();
        }
    }

    @Test
    void aConnectionIsNeverLinkedToTheAccountOfThePersonWhoBeginsIt() {
        var stranger = app.project().signUp("stranger-" + UUID.randomUUID() + "@example.org");
        var url = engines.askUrl("").bearer(stranger.accessToken()).expect(200);
        var answer = app.login(url, OauthProject.newSubject(), Map.of("email", email("ada")));
        app.project()
                .post("/v1/auth/me/providers/" + engines.provider())
                .bearer(stranger.accessToken())
                .json(Map.of("code", answer.get("code"), "state", answer.get("state")))
                .expect(401);
        assertThat(app.detail(stranger.text("user/id")).path("providers")).isEmpty();
    }

    @Test
    void theEmailFindsTheConnectionWhetherOrNotItHasAnAccount() {
        engines.newPerson("known");
        var known = engines.route(email("known"));
        assertThat(known.text("connection/provider")).isEqualTo(engines.provider());
        assertThat(known.text("connection/name")).isEqualTo("Engines' Okta");
        assertThat(known.text("connection/required")).isEqualTo("false");
        assertThat(engines.route(email("nobody")).json()).isEqualTo(known.json());
        assertThat(engines.route("ada@elsewhere.example.org")
                        .json()
                        .path("connection")
                        .isNull())
                .isTrue();
        assertThat(world.newProject()
                        .project()
                        .post("/v1/auth/oauth/connection")
                        .json(Map.of("email", email("known")))
                        .expect(200)
                        .json()
                        .path("connection")
                        .isNull())
                .isTrue();
        for (var odd : List.of("", "ada", "a\u0000@" + engines.domain(), "@" + engines.domain())) {
            app.project()
                    .post("/v1/auth/oauth/connection")
                    .json(Map.of("email", odd))
                    .expect(422);
        }
    }

    @Test
    void theProviderIsToldWhomItMayExpect() {
        assertThat(engines.askUrl("?loginHint=ada%40" + engines.domain())
                        .expect(200)
                        .text("url"))
                .contains("login_hint=ada%40" + engines.domain());
        engines.askUrl("?loginHint=no").expect(422);
        assertThat(engines.askUrl("").expect(200).text("url")).doesNotContain("login_hint");
    }
}
