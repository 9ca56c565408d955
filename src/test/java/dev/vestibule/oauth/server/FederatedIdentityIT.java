package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.register;
import static dev.vestibule.fixture.OauthBrowser.token;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Service accounts that prove who they are by a token of the platform that they run on. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FederatedIdentityIT {
    private static final String API = "https://orders.example.com/";
    private static final String TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    private static final String JOB = "repo:acme/shop:ref:refs/heads/main";
    private static final String POD = "system:serviceaccount:shop:orders";

    private final TestReceiver site = TestReceiver.start();
    private final TestServer server;
    private final TestServer careful;
    private final RSAKey key;
    private final RSAKey other;
    private TestProject project;
    private String platform = "";
    private String client = "";

    FederatedIdentityIT(TestDatabase database, TestServer careful) throws JOSEException {
        this.careful = careful;
        server = TestServer.start(database, Map.of("VESTIBULE_OAUTH_ALLOW_PRIVATE_ISSUERS", "true"));
        key = new RSAKeyGenerator(2048).keyID("one").generate();
        other = new RSAKeyGenerator(2048).keyID("two").generate();
        project = server.newProject();
    }

    @BeforeEach
    final void newPlatform() {
        project = server.newProject();
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of("uri", API, "name", "Orders", "scopes", List.of(Map.of("name", "read"))))
                .expect(201);
        platform = site.url("/" + UUID.randomUUID());
        publish(platform, key);
        client = service(identity(JOB)).text("clientId");
    }

    @AfterAll
    void stop() {
        server.close();
        site.close();
    }

    private static String path(String url) {
        return url.replaceFirst("http://[^/]*", "");
    }

    private void publish(String issuer, JWK... keys) {
        discovery(issuer, Map.of("issuer", issuer, "jwks_uri", issuer + "/jwks"));
        site.answer(path(issuer) + "/jwks", 200, new JsonObject(set(keys)).encode());
    }

    private void discovery(String issuer, Map<String, Object> document) {
        site.answer(path(issuer) + "/.well-known/openid-configuration", 200, new JsonObject(document).encode());
    }

    private int lookUps() {
        return site.to(path(platform) + "/.well-known/openid-configuration").size();
    }

    private static Map<String, Object> set(JWK... keys) {
        return Map.of(
                "keys",
                List.of(keys).stream()
                        .map(one -> one.toPublicJWK().toJSONObject())
                        .toList());
    }

    private Map<String, Object> identity(String subject) {
        return new HashMap<>(Map.of("issuer", platform, "subject", subject));
    }

    private static Map<String, Object> with(Map<String, Object> fields, String name, Object value) {
        fields.put(name, value);
        return fields;
    }

    private Response service(Map<String, Object> identity) {
        return register(
                project,
                "service",
                Map.of("apiScopes", Map.of(API, List.of("read")), "federatedIdentities", List.of(identity)));
    }

    private String issuer() {
        return "https://auth.example.com" + OauthBrowser.issuerPath(project);
    }

    private JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(platform)
                .subject(JOB)
                .audience(issuer())
                .expirationTime(Date.from(Instant.now().plusSeconds(300)))
                .jwtID(UUID.randomUUID().toString());
    }

    private static String sign(JWSHeader header, JWSSigner signer, JWTClaimsSet claims) {
        try {
            var signed = new SignedJWT(header, claims);
            signed.sign(signer);
            return signed.serialize();
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String sign(RSAKey by, JWTClaimsSet claims) {
        try {
            return sign(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                            .keyID(by.getKeyID())
                            .build(),
                    new RSASSASigner(by),
                    claims);
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private Map<String, String> form(String assertion) {
        return new HashMap<>(Map.of(
                "grant_type",
                "client_credentials",
                "client_id",
                client,
                "client_assertion_type",
                TYPE,
                "client_assertion",
                assertion));
    }

    private Response call(String assertion, int status) {
        return token(project, form(assertion), status);
    }

    private void isRefused(Consumer<JWTClaimsSet.Builder> change, String why) {
        var claims = claims();
        change.accept(claims);
        var refused = call(sign(key, claims.build()), 401);
        assertThat(refused.text("error")).isEqualTo("invalid_client");
        assertThat(refused.text("error_description")).contains(why);
    }

    @Test
    void aJobGetsTokensByTheTokenOfItsPlatformAndHasNoSecret() {
        assertThat(call(sign(key, claims().build()), 200).text("scope")).isEqualTo("read");
        call(sign(key, claims().audience(issuer() + "/oauth/token").build()), 200);
        assertThat(lookUps()).as("keys are kept").isEqualTo(1);

        var shown = project.asOwner("GET", "/oauth-clients/" + client).expect(200);
        assertThat(shown.text("authentication")).isEqualTo("federated_identity");
        assertThat(shown.json().path("secrets")).isEmpty();
        assertThat(shown.json().at("/federatedIdentities/0/subject").asText()).isEqualTo(JOB);
        assertThat(shown.json().at("/federatedIdentities/0/singleUse").asBoolean())
                .isTrue();
        project.asOwner("POST", "/oauth-clients/" + client + "/secrets").expect(409);
    }

    @Test
    void anotherWorkloadIssuerOrAudienceIsRefusedBeforeAnybodyIsAskedForKeys() {
        isRefused(claims -> claims.subject(JOB + "x"), "no federated identity");
        isRefused(claims -> claims.subject("repo:acme/shop:pull_request"), "no federated identity");
        isRefused(claims -> claims.subject(JOB.toUpperCase(Locale.ROOT)), "no federated identity");
        isRefused(claims -> claims.subject(null), "no federated identity");
        isRefused(claims -> claims.issuer(platform + "/"), "no federated identity");
        isRefused(claims -> claims.issuer(site.url("/elsewhere")), "no federated identity");
        isRefused(claims -> claims.audience("https://github.com/acme"), "no federated identity");
        isRefused(claims -> claims.audience(List.of(issuer(), "https://other.example.com")), "no federated identity");
        isRefused(claims -> claims.audience((String) null), "no federated identity");
        var foreign = server.newProject();
        isRefused(
                claims -> claims.audience("https://auth.example.com" + OauthBrowser.issuerPath(foreign)),
                "no federated identity");
        assertThat(lookUps()).isZero();
        assertThat(site.to("/elsewhere/.well-known/openid-configuration")).isEmpty();
    }

    @Test
    void aClientOfAnotherProjectIsUnknown() {
        var here = project;
        var assertion = sign(key, claims().build());
        project = server.newProject();
        call(assertion, 401);
        project = here;
        call(assertion, 200);
    }

    @Test
    void aTokenIsCurrentAndNotForLong() {
        var now = Instant.now();
        isRefused(claims -> claims.expirationTime(Date.from(now.minusSeconds(90))), "expired");
        isRefused(claims -> claims.expirationTime(null), "expired");
        isRefused(claims -> claims.expirationTime(Date.from(now.plusSeconds(25 * 3600))), "a day");
        isRefused(claims -> claims.notBeforeTime(Date.from(now.plusSeconds(90))), "expired");
        isRefused(claims -> claims.issueTime(Date.from(now.plusSeconds(90))), "expired");
        call(sign(key, claims().expirationTime(Date.from(now.plusSeconds(3600))).build()), 200);
    }

    @Test
    void onlySignaturesOfTheIssuersKeysCount() throws JOSEException {
        var publicBytes = key.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8);
        var forger = new RSAKeyGenerator(2048).keyID("one").generate();
        for (var forged : List.of(
                sign(forger, claims().build()),
                sign(other, claims().build()),
                new PlainJWT(claims().build()).serialize(),
                sign(new JWSHeader(JWSAlgorithm.HS256), new MACSigner(publicBytes), claims().build()),
                sign(
                        new JWSHeader.Builder(JWSAlgorithm.RS256)
                                .jwk(other.toPublicJWK())
                                .build(),
                        new RSASSASigner(other),
                        claims().build()))) {
            call(forged, 401);
        }
        assertThat(server.sql().count("SELECT count(*) FROM used_once WHERE project_id = ?::uuid", project.id()))
                .isZero();
    }

    @Test
    void aTokenWithAnIdWorksOnceAlsoWhenItComesFiftyTimesAtOnce() {
        var form = form(sign(key, claims().build()));
        var winners = Parallel.send(50, number -> OauthBrowser.call(project, form)).stream()
                .filter(answer -> answer.status() == 200)
                .count();
        assertThat(winners).isEqualTo(1);
        var anonymous = sign(key, claims().jwtID(null).build());
        call(anonymous, 200);
        call(anonymous, 200);
    }

    @Test
    void aPodUsesItsTokenUntilItExpiresByKeysThatAreNowhereOnline() {
        var cluster = Map.<String, Object>of(
                "issuer",
                "https://kubernetes.default.svc.cluster.local",
                "subject",
                POD,
                "audience",
                "vestibule",
                "singleUse",
                false,
                "jwks",
                set(other));
        client = service(cluster).text("clientId");
        var claims = claims().issuer("https://kubernetes.default.svc.cluster.local")
                .subject(POD)
                .audience(List.of("vestibule"));
        var token = sign(other, claims.build());
        call(token, 200);
        call(token, 200);
        call(sign(key, claims.build()), 401);
        call(sign(other, claims.audience(issuer()).build()), 401);
    }

    @Test
    void aWildcardStandsForTheRestOfASubject() {
        client = service(identity("repo:acme/*")).text("clientId");
        call(sign(key, claims().build()), 200);
        call(
                sign(
                        key,
                        claims().subject("repo:acme/other:environment:production")
                                .build()),
                200);
        isRefused(claims -> claims.subject("repo:acme-evil/shop:ref:refs/heads/main"), "no federated identity");
        isRefused(claims -> claims.subject("x:repo:acme/shop"), "no federated identity");

        client = service(identity("repo:acme/*:pull_request")).text("clientId");
        isRefused(claims -> claims.subject("repo:acme/shop:pull_request"), "no federated identity");
        call(sign(key, claims().subject("repo:acme/*:pull_request").build()), 200);
    }

    @Test
    void keysOfTheIssuerAreReadAgainWhenItHasANewOne() {
        call(sign(key, claims().build()), 200);
        publish(platform, other);
        call(sign(other, claims().build()), 200);
        for (var i = 0; i < 5; i++) {
            call(sign(key, claims().build()), 401);
        }
        assertThat(lookUps()).as("not once for each guess").isLessThan(4);
    }

    @Test
    void keysThatCannotBeFoundProveNothing() {
        for (var lie : List.<Function<String, Map<String, Object>>>of(
                issuer -> Map.of("issuer", issuer + "/", "jwks_uri", issuer + "/jwks"),
                issuer -> Map.of("jwks_uri", issuer + "/jwks"),
                issuer -> Map.of("issuer", issuer),
                issuer -> Map.of("issuer", issuer, "jwks_uri", 7),
                issuer -> Map.of("issuer", issuer, "jwks_uri", "file:///etc/passwd"),
                issuer -> Map.of("issuer", issuer, "jwks_uri", issuer + "/missing"))) {
            newPlatform();
            discovery(platform, lie.apply(platform));
            site.answer(path(platform) + "/missing", 404, "{}");
            assertThat(call(sign(key, claims().build()), 401).text("error_description"))
                    .contains("cannot be read");
        }
        newPlatform();
        var right = platform;
        site.answer(
                path(platform) + "/.well-known/openid-configuration",
                request -> request.response()
                        .setStatusCode(302)
                        .putHeader("Location", right + "/moved")
                        .end());
        call(sign(key, claims().build()), 401);
        assertThat(site.to(path(platform) + "/moved")).isEmpty();
        newPlatform();
        site.flood(path(platform) + "/jwks");
        call(sign(key, claims().build()), 401);
    }

    @Test
    void clientsThatTrustNobodyAreNotReachedByPlatforms() {
        var plain = register(project, "service", Map.of("apiScopes", Map.of(API, List.of("read"))));
        var federated = client;
        client = plain.text("clientId");
        call(sign(key, claims().build()), 401);
        client = federated;
        var own = claims().issuer(client).subject(client);
        call(sign(key, own.build()), 401);
        token(project, Map.of("grant_type", "client_credentials", "client_id", client), 401);
        token(
                project,
                Map.of(
                        "grant_type",
                        "client_credentials",
                        "client_id",
                        client,
                        "client_secret",
                        plain.text("clientSecret")),
                401);
        var unnamed = form(sign(key, claims().build()));
        unnamed.remove("client_id");
        token(project, unnamed, 401);
        for (var id : List.of("\u0000", "x", UUID.randomUUID().toString())) {
            var odd = form(sign(key, claims().build()));
            odd.put("client_id", id);
            assertThat(OauthBrowser.call(project, odd).send().status()).isIn(400, 401);
        }
        assertThat(lookUps()).isZero();
    }

    @Test
    void anIdentityThatIsRemovedIsRefusedAtOnceAndTheAuditLogSaysWhatChanged() {
        call(sign(key, claims().build()), 200);
        project.asOwner("PATCH", "/oauth-clients/" + client)
                .json(Map.of("federatedIdentities", List.of(identity(POD))))
                .expect(200);
        call(sign(key, claims().build()), 401);
        call(sign(key, claims().subject(POD).build()), 200);
        assertThat(project.asOwner("GET", "/audit-logs?limit=1").expect(200).body())
                .contains("oauth_client.updated")
                .contains("federatedIdentities");
        project.asOwner("PATCH", "/oauth-clients/" + client)
                .json(Map.of("federatedIdentities", List.of()))
                .expect(422);
    }

    @Test
    void aRegistrationNamesOneWorkloadOrTheRestOfAName() {
        for (var wrong : List.of(
                identity("*"),
                identity("repo:*"),
                identity("repo:acme*"),
                identity("repo:acme/shop*"),
                identity(""),
                identity("x".repeat(513)),
                identity("line\nbreak"),
                with(identity(JOB), "issuer", "not a url"),
                with(identity(JOB), "issuer", platform + "?tenant=1"),
                with(identity(JOB), "issuer", platform + "#part"),
                with(identity(JOB), "jwks", Map.of("keys", List.of(key.toJSONObject()))),
                with(identity(JOB), "jwks", Map.of("keys", List.of())),
                with(identity(JOB), "singleUse", "yes"),
                with(identity(JOB), "audience", ""),
                with(identity(JOB), "subjects", "x"),
                Map.<String, Object>of("issuer", platform),
                Map.<String, Object>of("subject", JOB))) {
            refuses(project, "service", List.of(wrong));
        }
        refuses(project, "service", Collections.nCopies(21, identity(JOB)));
        refuses(project, "service", "x");
        refuses(project, "api", List.of(identity(JOB)));
        project.asOwner("POST", "/oauth-clients")
                .json(Map.of("kind", "service", "name", "Shop", "authentication", "federated_identity"))
                .expect(422);
        project.asOwner("POST", "/oauth-clients")
                .json(Map.of(
                        "kind",
                        "web",
                        "name",
                        "Shop",
                        "redirectUris",
                        List.of(OauthBrowser.APP),
                        "authentication",
                        "federated_identity"))
                .expect(422);
        var strict = careful.newProject();
        for (var unsafe : List.of(
                "http://issuer.example.com", "https://127.0.0.1", "https://localhost", "https://169.254.169.254/")) {
            refuses(strict, "service", List.of(with(identity(JOB), "issuer", unsafe)));
        }
    }

    private static void refuses(TestProject at, String kind, Object identities) {
        at.asOwner("POST", "/oauth-clients")
                .json(Map.of("kind", kind, "name", "Shop", "resource", API, "federatedIdentities", identities))
                .expect(422);
    }
}
