package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.redeem;
import static dev.vestibule.fixture.OauthBrowser.refreshForm;
import static dev.vestibule.fixture.OauthBrowser.register;
import static dev.vestibule.fixture.OauthBrowser.token;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
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
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that sign a JWT instead of sending a secret (RFC 7523). */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientAssertionIT {
    private static final String API = "https://orders.example.com/";
    private static final String TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

    private final TestReceiver site = TestReceiver.start();
    private final TestServer server;
    private final TestServer careful;
    private final ECKey key;
    private final RSAKey rsaKey;
    private TestProject project;
    private String client;

    ClientAssertionIT(TestDatabase database, TestServer careful) throws JOSEException {
        this.careful = careful;
        server = TestServer.start(database, Map.of("VESTIBULE_OAUTH_ALLOW_PRIVATE_ISSUERS", "true"));
        key = new ECKeyGenerator(Curve.P_256).keyID("one").generate();
        rsaKey = new RSAKeyGenerator(2048).keyID("rsa").generate();
        newClient();
    }

    @BeforeEach
    final void newClient() {
        project = server.newProject();
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of("uri", API, "name", "Orders", "scopes", List.of(Map.of("name", "read"))))
                .expect(201);
        client = register(project, "service", service(Map.of("jwks", set(key)))).text("clientId");
    }

    @AfterAll
    void stop() {
        server.close();
        site.close();
    }

    private static Map<String, Object> service(Map<String, ?> more) {
        var fields = new HashMap<String, Object>(more);
        fields.put("apiScopes", Map.of(API, List.of("read")));
        return fields;
    }

    static Map<String, Object> set(JWK key) {
        return Map.of("keys", List.of(key.toPublicJWK().toJSONObject()));
    }

    private static String issuer(TestProject of) {
        return "https://auth.example.com" + OauthBrowser.issuerPath(of);
    }

    private JWTClaimsSet.Builder claims() {
        return claims(client, issuer(project));
    }

    static JWTClaimsSet.Builder claims(String client, String audience) {
        return new JWTClaimsSet.Builder()
                .issuer(client)
                .subject(client)
                .audience(audience)
                .expirationTime(Date.from(Instant.now().plusSeconds(60)))
                .jwtID(UUID.randomUUID().toString());
    }

    private static String sign(JWSHeader header, JWSSigner signer, JWTClaimsSet claims) {
        try {
            var token = new SignedJWT(header, claims);
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static String sign(ECKey by, JWTClaimsSet claims) {
        try {
            return sign(
                    new JWSHeader.Builder(JWSAlgorithm.ES256)
                            .keyID(by.getKeyID())
                            .build(),
                    new ECDSASigner(by),
                    claims);
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static Map<String, String> form(String assertion) {
        return new HashMap<>(Map.of(
                "grant_type", "client_credentials", "client_assertion_type", TYPE, "client_assertion", assertion));
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
    void aClientThatSignsGetsTokensAndNeverASecret() {
        assertThat(call(sign(key, claims().build()), 200).text("scope")).isEqualTo("read");
        call(sign(key, claims().audience(issuer(project) + "/oauth/token").build()), 200);
        var named = form(sign(key, claims().build()));
        named.put("client_id", client);
        token(project, named, 200);

        var shown = project.asOwner("GET", "/oauth-clients/" + client).expect(200);
        assertThat(shown.text("authentication")).isEqualTo("private_key_jwt");
        assertThat(shown.json().path("secrets")).isEmpty();
        project.asOwner("POST", "/oauth-clients/" + client + "/secrets").expect(409);
    }

    @Test
    void anAssertionWorksOnceAlsoWhenItComesFiftyTimesAtOnce() {
        var form = form(sign(key, claims().build()));
        var winners = Parallel.send(50, number -> OauthBrowser.call(project, form)).stream()
                .filter(answer -> answer.status() == 200)
                .toList();
        assertThat(winners).hasSize(1);
        assertThat(token(project, form, 401).text("error_description")).contains("used before");
    }

    @Test
    void anAssertionForSomebodyElseIsWorthNothing() {
        isRefused(claims -> claims.audience(List.of()), "aud");
        isRefused(claims -> claims.audience("https://auth.example.com"), "aud");
        isRefused(claims -> claims.audience(issuer(server.newProject())), "aud");
        isRefused(claims -> claims.audience(List.of(issuer(project), "https://evil.example.com")), "aud");
        isRefused(claims -> claims.issuer("somebody"), "iss and sub");
        isRefused(claims -> claims.issuer(null), "iss and sub");
        isRefused(claims -> claims.subject(null), "iss and sub");
        var other = form(sign(key, claims().build()));
        other.put("client_id", register(project, "web", Map.of()).text("clientId"));
        token(project, other, 401);
    }

    @Test
    void anAssertionOfTheWrongTimeIsWorthNothing() {
        isRefused(claims -> claims.expirationTime(null), "exp");
        isRefused(claims -> claims.expirationTime(Date.from(Instant.now().minusSeconds(61))), "expired");
        isRefused(claims -> claims.expirationTime(Date.from(Instant.now().plusSeconds(600))), "5 minutes");
        isRefused(claims -> claims.claim("exp", 1e300), "expired");
        isRefused(claims -> claims.claim("exp", "tomorrow"), "expired");
        isRefused(claims -> claims.notBeforeTime(Date.from(Instant.now().plusSeconds(120))), "expired");
        isRefused(claims -> claims.issueTime(Date.from(Instant.now().plusSeconds(120))), "expired");
        isRefused(claims -> claims.jwtID(null), "jti");
        isRefused(claims -> claims.jwtID("x".repeat(256)), "jti");
    }

    /** What strangers send must not fill the table of used assertions. */
    @Test
    void aRefusedAssertionIsNotRemembered() throws JOSEException {
        var stranger = new ECKeyGenerator(Curve.P_256).keyID("one").generate();
        assertThat(call(sign(stranger, claims().build()), 401).text("error_description"))
                .contains("no key of the client");
        isRefused(claims -> claims.audience("urn:other"), "aud");
        assertThat(server.sql().count("SELECT count(*) FROM used_once WHERE project_id = ?::uuid", project.id()))
                .isZero();
    }

    @Test
    void onlySignaturesOfThePrivateKeyCount() throws JOSEException {
        var publicBytes = key.toPublicJWK().toJSONString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        for (var forged : List.of(
                new PlainJWT(claims().build()).serialize(),
                sign(new JWSHeader(JWSAlgorithm.HS256), new MACSigner(publicBytes), claims().build()),
                sign(
                        new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("one").build(),
                        new RSASSASigner(rsaKey),
                        claims().build()),
                sign(
                        new JWSHeader.Builder(JWSAlgorithm.RS256)
                                .jwk(rsaKey.toPublicJWK())
                                .build(),
                        new RSASSASigner(rsaKey),
                        claims().build()),
                sign(
                        new JWSHeader.Builder(JWSAlgorithm.ES256)
                                .type(new JOSEObjectType("at+jwt"))
                                .build(),
                        new ECDSASigner(key),
                        claims().build()),
                sign(key, claims().build()) + "x",
                "a.b.c",
                "\u0000",
                "x".repeat(8000))) {
            var answer = OauthBrowser.call(project, form(forged)).send();
            assertThat(answer.status()).as(forged).isIn(400, 401);
        }
        assertThat(call("x".repeat(9000), 400).text("error")).isEqualTo("invalid_request");
    }

    @Test
    void aClientOfOneKindOfAuthenticationIsNotAcceptedByAnother() {
        var web = register(project, "web", Map.of());
        var assertion = sign(
                key,
                claims().issuer(web.text("clientId"))
                        .subject(web.text("clientId"))
                        .build());
        call(assertion, 401);
        token(project, Map.of("grant_type", "client_credentials", "client_id", client), 401);
        token(
                project,
                Map.of("grant_type", "client_credentials", "client_id", client, "client_secret", "cs_guess"),
                401);
        var both = form(sign(key, claims().build()));
        both.put("client_secret", web.text("clientSecret"));
        assertThat(token(project, both, 400).text("error")).isEqualTo("invalid_request");
        var untyped = form(sign(key, claims().build()));
        untyped.put("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:saml2-bearer");
        token(project, untyped, 401);
        untyped.remove("client_assertion_type");
        token(project, untyped, 400);
    }

    @Test
    void aReplacedKeyIsRefusedAtOnce() throws JOSEException {
        var next = new ECKeyGenerator(Curve.P_256).keyID("two").generate();
        project.asOwner("PATCH", "/oauth-clients/" + client)
                .json(Map.of("jwks", set(next)))
                .expect(200);
        call(sign(key, claims().build()), 401);
        call(sign(next, claims().build()), 200);
    }

    @Test
    void aRegistrationNeedsPublicKeysOrAUrl() {
        for (var wrong : List.of(
                Map.of("jwks", Map.of("keys", List.of(key.toJSONObject()))),
                Map.of("jwks", Map.of("keys", List.of(Map.of("kty", "oct", "k", "c2VjcmV0")))),
                Map.of("jwks", Map.of("keys", List.of())),
                Map.of("jwks", Map.of()),
                Map.of("jwks", set(key), "jwksUri", "https://app.example.com/jwks"),
                Map.of("jwksUri", "ftp://app.example.com/jwks"),
                Map.of("authentication", "private_key_jwt"))) {
            project.asOwner("POST", "/oauth-clients")
                    .json(with(wrong, Map.of("kind", "web", "name", "Shop", "redirectUris", List.of(OauthBrowser.APP))))
                    .expect(422);
        }
        for (var uri : List.of("https://127.0.0.1/jwks", "https://localhost/jwks", "http://app.example.com/jwks")) {
            careful.newProject()
                    .asOwner("POST", "/oauth-clients")
                    .json(Map.of("kind", "service", "name", "Shop", "jwksUri", uri))
                    .expect(422);
        }
    }

    private static Map<String, Object> with(Map<String, ?> one, Map<String, ?> other) {
        var all = new HashMap<String, Object>(one);
        all.putAll(other);
        return all;
    }

    @Test
    void keysAreRemovedFromAClientThatAuthenticatesInAnotherWay() {
        var path = "/oauth-clients/" + client;
        var removal = new HashMap<String, Object>();
        removal.put("jwks", null);
        removal.put("jwksUri", null);
        project.asOwner("PATCH", path).json(removal).expect(422);
        removal.put("authentication", "any");

        var changed = project.asOwner("PATCH", path).json(removal).expect(200);

        assertThat(changed.json().path("jwks").isNull()).isTrue();
        call(sign(key, claims().build()), 401);
    }

    @Test
    void keysAtAUrlAreReadAgainWhenTheClientHasANewOne() throws JOSEException {
        var path = "/keys/" + UUID.randomUUID();
        site.answer(path, 200, new JsonObject(set(key)).encode());
        client = register(project, "service", service(Map.of("jwksUri", site.url(path))))
                .text("clientId");
        call(sign(key, claims().build()), 200);
        var next = new ECKeyGenerator(Curve.P_256).keyID("next").generate();
        site.answer(path, 200, new JsonObject(set(next)).encode());
        call(sign(next, claims().build()), 200);
        for (var i = 0; i < 5; i++) {
            call(sign(key, claims().build()), 401);
        }
        assertThat(site.to(path)).as("not once for each guess").hasSizeLessThan(4);
    }

    @Test
    void keysThatCannotBeReadProveNothing() {
        site.answer(
                "/moved",
                request -> request.response()
                        .setStatusCode(302)
                        .putHeader("Location", site.url("/right"))
                        .end());
        site.answer("/right", 200, new JsonObject(set(key)).encode());
        site.answer("/list", 200, "[]");
        site.answer("/text", 200, "keys");
        for (var path : List.of("/moved", "/list", "/text", "/missing")) {
            client = register(project, "service", service(Map.of("jwksUri", site.url(path))))
                    .text("clientId");
            call(sign(key, claims().build()), 401);
        }
        assertThat(site.to("/right")).isEmpty();
    }

    @Test
    void aWebClientRedeemsItsCodeWithASignature() {
        var web = register(project, "web", Map.of("jwks", set(rsaKey))).text("clientId");
        var email = TestServer.newEmail();
        project.signUp(email);
        var code = new OauthBrowser(project).code(web, email, Map.of());
        redeem(project, web, code, 401);
        client = web;
        var form = new HashMap<>(Map.of(
                "grant_type",
                "authorization_code",
                "code",
                code,
                "redirect_uri",
                OauthBrowser.APP,
                "code_verifier",
                OauthBrowser.VERIFIER,
                "client_assertion_type",
                TYPE));
        try {
            form.put(
                    "client_assertion",
                    sign(
                            new JWSHeader.Builder(JWSAlgorithm.PS256)
                                    .keyID("rsa")
                                    .build(),
                            new RSASSASigner(rsaKey),
                            claims().build()));
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
        token(project, form, 200);
    }

    @Test
    void aClientWithAMetadataDocumentCanSign() {
        site.answer("/agent-keys", 200, new JsonObject(set(key)).encode());
        site.answer(
                "/agent",
                request -> request.response()
                        .putHeader("Content-Type", "application/json")
                        .end(new JsonObject()
                                .put("client_id", site.url("/agent"))
                                .put("redirect_uris", new JsonArray().add(OauthBrowser.APP))
                                .put("token_endpoint_auth_method", "private_key_jwt")
                                .put("jwks_uri", site.url("/agent-keys"))
                                .encode()));
        client = site.url("/agent");
        assertThat(new OauthBrowser(project).authorize(client, Map.of()).statusCode())
                .isEqualTo(200);

        assertThat(call(sign(key, claims().build()), 400).text("error")).isEqualTo("unauthorized_client");
        token(project, refreshForm(client, "x"), 401);
    }

    @Test
    void keysThatCannotBeReadAreNotAskedForWithEachRequest() {
        var path = "/broken/" + UUID.randomUUID();
        site.answer(path, request -> request.connection().close());
        client = register(project, "service", service(Map.of("jwksUri", site.url(path))))
                .text("clientId");
        Parallel.send(20, number -> OauthBrowser.call(project, form(sign(key, claims().build()))));
        call(sign(key, claims().build()), 401);
        assertThat(site.to(path)).hasSize(1);

        var other = "/broken/" + UUID.randomUUID();
        site.answer(other, 200, new JsonObject(set(key)).encode());
        client = register(project, "service", service(Map.of("jwksUri", site.url(other))))
                .text("clientId");
        call(sign(key, claims().build()), 200);
    }
}
