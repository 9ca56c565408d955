package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.issuerPath;
import static dev.vestibule.fixture.OauthBrowser.onward;
import static dev.vestibule.fixture.OauthBrowser.parameter;
import static dev.vestibule.fixture.OauthBrowser.refreshForm;
import static dev.vestibule.fixture.OauthBrowser.register;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.dpop.DefaultDPoPProofFactory;
import com.nimbusds.oauth2.sdk.token.DPoPAccessToken;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.URI;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tokens that are bound to a key of the client (RFC 9449). */
@ExtendWith(WithServer.class)
class DpopIT {
    private final TestServer server;
    private final TestProject project;
    private final String issuer;
    private final String email = TestServer.newEmail();
    private final String client;
    private final ECKey key = newKey();

    DpopIT(TestServer server) {
        this.server = server;
        project = server.newProject();
        project.signUp(email);
        client = register(project, "spa", Map.of()).text("clientId");
        issuer = project.api()
                .get(issuerPath(project) + "/.well-known/openid-configuration")
                .expect(200)
                .text("issuer");
    }

    static ECKey newKey() {
        try {
            return new ECKeyGenerator(Curve.P_256).generate();
        } catch (com.nimbusds.jose.JOSEException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static String thumbprint(ECKey of) throws Exception {
        return of.computeThumbprint().toString();
    }

    static JWTClaimsSet.Builder claims(String method, String url) {
        return new JWTClaimsSet.Builder()
                .jwtID(UUID.randomUUID().toString())
                .claim("htm", method)
                .claim("htu", url)
                .issueTime(Date.from(Instant.now()));
    }

    private static String sign(JWSHeader header, JWTClaimsSet claims, ECKey by) throws Exception {
        var proof = new SignedJWT(header, claims);
        proof.sign(new ECDSASigner(by));
        return proof.serialize();
    }

    static String proof(ECKey by, JWTClaimsSet claims) throws Exception {
        var header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .type(new JOSEObjectType("dpop+jwt"))
                .jwk(by.toPublicJWK())
                .build();
        return sign(header, claims, by);
    }

    private String proof(ECKey by) throws Exception {
        return proof(by, claims("POST", issuer + "/oauth/token").build());
    }

    private static String hash(String token) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(token));
    }

    private String code(Map<String, String> more) {
        return new OauthBrowser(project).code(client, email, more);
    }

    private Call exchange(String code, @Nullable String proof) {
        return with(
                proof,
                OauthBrowser.call(
                        project,
                        Map.of(
                                "grant_type",
                                "authorization_code",
                                "client_id",
                                client,
                                "code",
                                code,
                                "redirect_uri",
                                OauthBrowser.APP,
                                "code_verifier",
                                OauthBrowser.VERIFIER)));
    }

    private static Call with(@Nullable String proof, Call call) {
        return proof == null ? call : call.header("DPoP", proof);
    }

    private Call refresh(Response tokens, @Nullable String proof) {
        return with(proof, OauthBrowser.call(project, refreshForm(client, tokens.text("refresh_token"))));
    }

    private Response bound() throws Exception {
        return exchange(code(Map.of()), proof(key)).expect(200);
    }

    private Call userinfo(String scheme, String token, @Nullable String proof) {
        return with(
                proof,
                project.api()
                        .get(issuerPath(project) + "/oauth/userinfo")
                        .header("Authorization", scheme + " " + token));
    }

    private String proofOf(ECKey by, String token) throws Exception {
        return proof(
                by,
                claims("GET", issuer + "/oauth/userinfo")
                        .claim("ath", hash(token))
                        .build());
    }

    @Test
    void aBoundTokenIsExchangedOnlyForABoundOne() throws Exception {
        var orders = "https://orders.example.com/";
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of("uri", orders, "name", "Orders", "scopes", List.of(Map.of("name", "read"))))
                .expect(201);
        var api = register(project, "api", Map.of("resource", orders, "tokenExchange", true));
        var tokens = exchange(code(Map.of("resource", orders, "scope", "read")), proof(key))
                .expect(200);
        var form = Map.of(
                "grant_type", "urn:ietf:params:oauth:grant-type:token-exchange",
                "client_id", api.text("clientId"),
                "client_secret", api.text("clientSecret"),
                "subject_token", tokens.text("access_token"),
                "subject_token_type", "urn:ietf:params:oauth:token-type:access_token");
        assertThat(OauthBrowser.token(project, form, 400).text("error")).isEqualTo("invalid_dpop_proof");
        var own = newKey();
        var exchanged = with(proof(own), OauthBrowser.call(project, form)).expect(200);
        assertThat(exchanged.text("token_type")).isEqualTo("DPoP");
        assertThat(Jwt.parse(exchanged.text("access_token"))
                        .claims()
                        .path("cnf")
                        .path("jkt")
                        .asText())
                .isEqualTo(thumbprint(own));
    }

    @Test
    void aTokenIsWorthNothingWithoutTheKey() throws Exception {
        var tokens = bound();
        assertThat(tokens.text("token_type")).isEqualTo("DPoP");
        var access = tokens.text("access_token");
        assertThat(Jwt.parse(access).claims().path("cnf").path("jkt").asText()).isEqualTo(thumbprint(key));

        assertThat(userinfo("DPoP", access, proofOf(key, access)).expect(200).text("email"))
                .isEqualTo(email);
        var asBearer = userinfo("Bearer", access, null).expect(401);
        assertThat(asBearer.header("WWW-Authenticate").orElseThrow())
                .startsWith("DPoP ")
                .contains("error=\"invalid_token\"", "ES256");
        userinfo("Bearer", access, proofOf(key, access)).expect(401);
        userinfo("DPoP", access, null).expect(401);
        userinfo("DPoP", access, proofOf(newKey(), access)).expect(401);
        userinfo("DPoP", access, proofOf(key, access + "x")).expect(401);
        userinfo(
                        "DPoP",
                        access,
                        proof(key, claims("GET", issuer + "/oauth/userinfo").build()))
                .expect(401);
        userinfo(
                        "DPoP",
                        access,
                        proof(
                                key,
                                claims("POST", issuer + "/oauth/userinfo")
                                        .claim("ath", hash(access))
                                        .build()))
                .expect(401);
        OauthBrowser.post(project, "/oauth/userinfo", Map.of("access_token", access), 401);
    }

    @Test
    void aTokenThatIsNotBoundComesWithoutAProof() throws Exception {
        var access = exchange(code(Map.of()), null).expect(200).text("access_token");
        userinfo("Bearer", access, null).expect(200);
        userinfo("DPoP", access, proofOf(key, access)).expect(401);
    }

    @Test
    void aStolenRefreshTokenIsWorthNothingWithoutTheKey() throws Exception {
        var tokens = bound();
        for (var proof : Stream.of(null, proof(newKey())).toList()) {
            assertThat(refresh(tokens, proof).expect(400).text("error")).isEqualTo("invalid_grant");
        }
        var next = refresh(tokens, proof(key)).expect(200); // the thief has ended nothing
        assertThat(next.text("token_type")).isEqualTo("DPoP");
        refresh(next, proof(key)).expect(200);
    }

    @Test
    void aRefreshTokenIsBoundToTheKeyOfItsFirstProof() throws Exception {
        var unbound = exchange(code(Map.of()), null).expect(200);
        var first = refresh(unbound, proof(key)).expect(200);
        assertThat(refresh(unbound, proof(key)).expect(200).text("refresh_token")) // its answer may have been lost
                .isEqualTo(first.text("refresh_token"));
        for (var proof : Stream.of(null, proof(newKey())).toList()) {
            assertThat(refresh(first, proof).expect(400).text("error")).isEqualTo("invalid_grant");
        }
        refresh(refresh(first, proof(key)).expect(200), proof(key)).expect(200);
    }

    @Test
    void aThiefWhoBindsARefreshTokenToAnotherKeyIsNoticed() throws Exception {
        for (var proof : Stream.of(null, proof(key)).toList()) {
            var unbound = exchange(code(Map.of()), null).expect(200);
            var thief = newKey();
            var stolen = refresh(unbound, proof(thief)).expect(200);
            assertThat(refresh(unbound, proof).expect(400).text("error")).isEqualTo("invalid_grant");
            assertThat(refresh(stolen, proof(thief)).expect(400).text("error")).isEqualTo("invalid_grant");
        }
    }

    @Test
    void aClientWithASecretBindsEachAccessTokenToTheKeyOfItsRequest() throws Exception {
        var web = register(project, "web", Map.of());
        var own = Map.of("client_id", web.text("clientId"), "client_secret", web.text("clientSecret"));
        var form = new HashMap<>(own);
        form.putAll(Map.of(
                "grant_type",
                "authorization_code",
                "code",
                new OauthBrowser(project).code(web.text("clientId"), email, Map.of()),
                "redirect_uri",
                OauthBrowser.APP,
                "code_verifier",
                OauthBrowser.VERIFIER));
        var tokens = OauthBrowser.call(project, form).header("DPoP", proof(key)).expect(200);
        var refresh = new HashMap<>(own);
        refresh.putAll(Map.of("grant_type", "refresh_token", "refresh_token", tokens.text("refresh_token")));
        var other = newKey();
        var next =
                OauthBrowser.call(project, refresh).header("DPoP", proof(other)).expect(200);
        assertThat(Jwt.parse(next.text("access_token"))
                        .claims()
                        .path("cnf")
                        .path("jkt")
                        .asText())
                .isEqualTo(thumbprint(other));
        assertThat(OauthBrowser.token(project, refresh, 200).text("token_type")).isEqualTo("Bearer");
    }

    @Test
    void aProofWorksOnce() throws Exception {
        var proof = proof(key);
        var answers = Parallel.send(
                50, i -> OauthBrowser.call(project, refreshForm(client, "x")).header("DPoP", proof));
        assertThat(answers.stream().filter(answer -> answer.text("error").equals("invalid_grant")))
                .hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.text("error").equals("invalid_dpop_proof")))
                .hasSize(49);
    }

    @Test
    void twoProofsAreRefused() throws Exception {
        var answer = exchange("x", proof(key)).header("DPoP", proof(key)).expect(400);
        assertThat(answer.text("error")).isEqualTo("invalid_dpop_proof");
    }

    @Test
    void aProofIsForThisRequestAndOfThisMinute() throws Exception {
        var url = issuer + "/oauth/token";
        List<UnaryOperator<JWTClaimsSet.Builder>> wrong = List.of(
                claims -> claims.claim("htm", "GET"),
                claims -> claims.claim("htm", null),
                claims -> claims.claim("htm", List.of("POST")),
                claims -> claims.claim("htu", issuer + "/oauth/par"),
                claims -> claims.claim("htu", url + "/"),
                claims -> claims.claim("htu", "https://evil.example.com/oauth/token"),
                claims -> claims.claim("htu", null),
                claims -> claims.issueTime(Date.from(Instant.now().minusSeconds(90))),
                claims -> claims.issueTime(Date.from(Instant.now().plusSeconds(90))),
                claims -> claims.issueTime(null),
                claims -> claims.claim("iat", "1"),
                claims -> claims.jwtID(null),
                claims -> claims.jwtID("x".repeat(256)));
        for (var change : wrong) {
            var proof = proof(key, change.apply(claims("POST", url)).build());
            assertThat(exchange("x", proof).expect(400).text("error")).isEqualTo("invalid_dpop_proof");
        }
        var withQuery = proof(key, claims("POST", url + "?a=b#c").build());
        assertThat(exchange("x", withQuery).expect(400).text("error")).isEqualTo("invalid_grant");
    }

    @Test
    void aProofIsSignedWithThePublicKeyInItsHeader() throws Exception {
        var claims = claims("POST", issuer + "/oauth/token").build();
        var type = new JOSEObjectType("dpop+jwt");
        var right = new JWSHeader.Builder(JWSAlgorithm.ES256).type(type).jwk(key.toPublicJWK());
        var secret = new OctetSequenceKey.Builder(new byte[32]).build();
        var symmetric = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).type(type).build(), claims);
        symmetric.sign(new MACSigner(secret));
        var unsigned = Jwt.base64url(
                        "{\"alg\":\"none\",\"typ\":\"dpop+jwt\"}".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                + "." + claims.toPayload().toBase64URL() + ".";
        var privately = Jwt.base64url(("{\"alg\":\"ES256\",\"typ\":\"dpop+jwt\",\"jwk\":" + key.toJSONString() + "}")
                .getBytes(java.nio.charset.StandardCharsets.UTF_8));
        var good = proof(key, claims);
        var wrong = List.of(
                "x",
                "a.b.c",
                good + "x",
                good.substring(0, good.lastIndexOf('.') + 1),
                sign(right.build(), claims, newKey()),
                sign(new JWSHeader.Builder(JWSAlgorithm.ES256).type(type).build(), claims, key),
                sign(
                        new JWSHeader.Builder(right.build())
                                .type(JOSEObjectType.JWT)
                                .build(),
                        claims,
                        key),
                symmetric.serialize(),
                unsigned,
                privately + good.substring(good.indexOf('.')),
                "x".repeat(7000));
        for (var proof : wrong) {
            assertThat(exchange("x", proof).expect(400).text("error")).as(proof).isEqualTo("invalid_dpop_proof");
        }
    }

    @Test
    void aCodeCanBeBoundToAKeyBeforeItIsGiven() throws Exception {
        var code = code(Map.of("dpop_jkt", thumbprint(key)));
        assertThat(exchange(code, proof(newKey())).expect(400).text("error")).isEqualTo("invalid_grant");
        assertThat(exchange(code, proof(key)).expect(400).text("error"))
                .isEqualTo("invalid_grant"); // somebody has it who should not
        exchange(code(Map.of("dpop_jkt", thumbprint(key))), null).expect(400);
        exchange(code(Map.of("dpop_jkt", thumbprint(key))), proof(key)).expect(200);

        var refused = new OauthBrowser(project).authorize(client, Map.of("dpop_jkt", "short"));
        assertThat(parameter(onward(refused), "error")).isEqualTo("invalid_request");
    }

    @Test
    void aPushedRequestIsBoundByTheProofItComesWith() throws Exception {
        var url = issuer + "/oauth/par";
        var form = OauthBrowser.request(client, Map.of());
        var pushed =
                push(form, proof(key, claims("POST", url).build())).expect(201).text("request_uri");
        var browser = new OauthBrowser(project);
        browser.authorize(OauthBrowser.encode(Map.of("client_id", client, "request_uri", pushed)));
        var code = parameter(onward(browser.signIn(email)), "code");
        exchange(code, proof(newKey())).expect(400);

        var contrary = new HashMap<>(form);
        contrary.put("dpop_jkt", thumbprint(newKey()));
        assertThat(push(contrary, proof(key, claims("POST", url).build()))
                        .expect(400)
                        .text("error"))
                .isEqualTo("invalid_dpop_proof");
    }

    private Call push(Map<String, String> form, String proof) {
        return project.api()
                .post(issuerPath(project) + "/oauth/par")
                .raw("application/x-www-form-urlencoded", OauthBrowser.encode(form))
                .header("DPoP", proof);
    }

    @Test
    void aClientCanBeHeldToIt() throws Exception {
        project.asOwner("PATCH", "/oauth-clients/" + client)
                .json(Map.of("dpopBoundAccessTokens", true))
                .expect(200);
        var code = code(Map.of());
        assertThat(exchange(code, null).expect(400).text("error")).isEqualTo("invalid_dpop_proof");
        exchange(code, proof(key)).expect(200); // the code was not used
    }

    @Test
    void aProofForAnotherProjectIsRefused() throws Exception {
        var other = server.newProject();
        var there = register(other, "spa", Map.of()).text("clientId");
        var answer = OauthBrowser.call(other, refreshForm(there, "x"))
                .header("DPoP", proof(key))
                .expect(400);
        assertThat(answer.text("error")).isEqualTo("invalid_dpop_proof");
    }

    @Test
    void theApiLearnsOfTheKey() throws Exception {
        var api = register(project, "api", Map.of("resource", "https://orders.example.com/"));
        var resource = Map.of("uri", "https://orders.example.com/", "name", "Orders", "scopes", List.of());
        project.asOwner("POST", "/oauth-apis").json(resource).expect(201);
        var tokens = exchange(code(Map.of("resource", "https://orders.example.com/")), proof(key))
                .expect(200);
        var seen = OauthBrowser.post(
                project,
                "/oauth/introspect",
                Map.of(
                        "client_id", api.text("clientId"),
                        "client_secret", api.text("clientSecret"),
                        "token", tokens.text("access_token")),
                200);
        assertThat(seen.text("token_type")).isEqualTo("DPoP");
        assertThat(seen.text("cnf/jkt")).isEqualTo(thumbprint(key));
    }

    @Test
    void theProofsOfNimbusAreTaken() throws Exception {
        var factory = new DefaultDPoPProofFactory(key, JWSAlgorithm.ES256);
        var tokens = exchange(
                        code(Map.of()),
                        factory.createDPoPJWT("POST", URI.create(issuer + "/oauth/token"))
                                .serialize())
                .expect(200);
        var access = tokens.text("access_token");
        var proof = factory.createDPoPJWT("GET", URI.create(issuer + "/oauth/userinfo"), new DPoPAccessToken(access));
        userinfo("DPoP", access, proof.serialize()).expect(200);
    }
}
