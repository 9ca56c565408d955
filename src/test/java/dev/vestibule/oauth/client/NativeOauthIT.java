package dev.vestibule.oauth.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.FakeProvider;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Apps in which the device itself signs in with Apple bring the ID token that it gave them. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NativeOauthIT {
    private static final String APPLE = "https://appleid.apple.com";
    private static final String APP = "com.example.app";
    private static final String WEB_CLIENT = "com.example.web";

    private final RSAKey key = FakeIssuer.rsaKey("apple");
    private final FakeProvider apple = new FakeProvider();
    private TestServer server;
    private TestProject project;

    @BeforeAll
    void start(TestDatabase database, @TempDir Path folder) throws IOException {
        apple.answers("/keys", FakeIssuer.keySet(key));
        var catalogue =
                Files.writeString(folder.resolve("providers.yaml"), "apple: {jwksUri: '" + apple.url() + "/keys'}\n");
        server = TestServer.start(database, Map.of("VESTIBULE_OAUTH_CATALOGUE_FILE", catalogue.toString()));
        project = newProject(List.of(APP, "com.example.second"));
    }

    @AfterAll
    void stop() {
        server.close();
        apple.close();
    }

    private TestProject newProject(List<String> apps) {
        var made = server.newProject();
        set(made, Map.of("nativeClientIds", apps)).expect(200);
        return made;
    }

    private static Call set(TestProject project, Map<String, ?> more) {
        var settings = new HashMap<String, Object>(Map.of(
                "clientId", WEB_CLIENT, "clientSecret", privateKey(), "teamId", "DEF123GHIJ", "keyId", "ABC123DEFG"));
        settings.put("enabled", true);
        settings.putAll(more);
        return project.asOwner("PUT", "/providers/apple").json(settings);
    }

    private static String privateKey() {
        try {
            return "-----BEGIN PRIVATE KEY-----\n"
                    + Base64.getMimeEncoder()
                            .encodeToString(
                                    FakeIssuer.ecKey("ours").toECPrivateKey().getEncoded())
                    + "\n-----END PRIVATE KEY-----";
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static JWTClaimsSet.Builder claims() {
        var now = Instant.now().getEpochSecond();
        return new JWTClaimsSet.Builder()
                .issuer(APPLE)
                .audience(APP)
                .subject("001234." + UUID.randomUUID())
                .claim("iat", now)
                .claim("exp", now + 600)
                .claim("email", TestServer.newEmail())
                .claim("email_verified", "true");
    }

    private String token(UnaryOperator<JWTClaimsSet.Builder> change) {
        return FakeIssuer.signed(key, change.apply(claims()).build());
    }

    /** The publishable key is in every app, so that anybody can send any name any number of times. */
    @Test
    void aProviderThatNobodyHasSetUpIsNotCountedByItsName() {
        for (var provider : List.of("anything-at-all", "oidc-anything", "org-" + "0".repeat(32))) {
            project.post("/v1/auth/oauth/native")
                    .json(Map.of("provider", provider, "identity_token", token(claims -> claims)))
                    .expect(404);
        }

        assertThat(server.metrics()).doesNotContain("anything");
    }

    private static Call signIn(TestProject project, String token) {
        return project.post("/v1/auth/oauth/native").json(Map.of("provider", "apple", "identity_token", token));
    }

    private Call signIn(String token) {
        return signIn(project, token);
    }

    @Test
    void theSignInIsInTheAuditLog() {
        var own = newProject(List.of(APP));
        var token = token(UnaryOperator.identity());
        signIn(own, token).expect(200);

        assertThat(server.sql()
                        .texts(
                                "SELECT event FROM audit_log WHERE project_id = ?::uuid AND event LIKE 'auth.%'"
                                        + " ORDER BY created_at, id",
                                own.id()))
                .containsExactly("auth.signup", "auth.provider.linked", "auth.signin");
    }

    @Test
    void anIdentityTokenForTheAppSignsIn() {
        var email = TestServer.newEmail();
        var first = signIn(token(claims -> claims.subject("one").claim("email", email)))
                .expect(200);

        assertThat(first.json().fieldNames()).toIterable().contains("accessToken", "refreshToken", "expiresIn", "user");
        assertThat(first.text("user/email")).isEqualTo(email);
        assertThat(first.text("user/emailVerified")).isEqualTo("true");
        project.me(first.accessToken()).expect(200);
        project.refresh(first.refreshToken()).expect(200);

        var again = signIn(token(claims -> claims.subject("one").audience("com.example.second")))
                .expect(200);
        assertThat(again.text("user/id")).isEqualTo(first.text("user/id"));
    }

    @Test
    void aTokenWorksOnce() {
        var token = token(claims -> claims);
        signIn(token).expect(200);

        assertThat(signIn(token).expect(401).text("message")).isEqualTo("The identity token was already used.");
        var end = token.length() - 1;
        for (var last : List.of('A', 'B', 'Q', 'g', 'w', '_')) {
            signIn(token.substring(0, end) + last).expect(401);
        }
        signIn(token + "=").expect(401);
    }

    @Test
    void ofManyConcurrentSignInsWithOneTokenOneSucceeds() {
        var token = token(claims -> claims);

        assertThat(Parallel.send(8, number -> signIn(token)))
                .extracting(Response::status)
                .containsOnlyOnce(200)
                .containsOnly(200, 401);
    }

    @Test
    void anotherProjectDoesNotAcceptATokenOfOneProjectsApp() {
        var other = newProject(List.of("com.example.other"));

        signIn(other, token(claims -> claims)).expect(401);
    }

    @Test
    void aTokenThatIsNotForAnAppOfTheProjectIsRefused() {
        var refused = new ArrayList<String>();
        refused.add(token(claims -> claims.audience("com.evil.app")));
        refused.add(token(claims -> claims.audience(WEB_CLIENT)));
        refused.add(token(claims -> claims.audience(List.of(APP, "com.evil.app"))));
        refused.add(token(claims -> claims.audience((String) null)));
        refused.add(token(claims -> claims.issuer("https://appleid.apple.com.evil.example")));
        refused.add(token(claims -> claims.issuer(null)));

        refused.forEach(token -> signIn(token).expect(401));
    }

    @Test
    void aTokenThatIsNotSignedByTheProviderIsRefused() {
        var good = claims().build();
        var refused = new ArrayList<String>();
        refused.add(FakeIssuer.signed(FakeIssuer.rsaKey("apple"), good));
        refused.add(FakeIssuer.signed(FakeIssuer.rsaKey("another"), good));
        refused.add(FakeIssuer.signed(
                FakeIssuer.header(JWSAlgorithm.HS256, "apple"),
                FakeIssuer.macSigner(key.toString().getBytes(StandardCharsets.UTF_8)),
                good));
        var parts = token(claims -> claims).split("\\.", -1);
        refused.add(base64("{\"alg\":\"none\"}") + "." + parts[1] + ".");
        refused.add(parts[0] + "." + base64(good.toString()) + "." + parts[2]);
        refused.add("nonsense");
        refused.add("a.b.c");

        refused.forEach(token -> signIn(token).expect(401));
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anExpiredOrOldTokenIsRefused() {
        var now = Instant.now().getEpochSecond();

        signIn(token(claims -> claims.claim("exp", now - 3600))).expect(401);
        signIn(token(claims -> claims.claim("iat", now - 3600).claim("exp", now + 86_400)))
                .expect(401);
        signIn(token(claims -> claims.claim("iat", now + 3600))).expect(401);
        signIn(token(claims -> claims.claim("exp", null))).expect(401);
        signIn(token(claims -> claims.claim("iat", null))).expect(401);
    }

    @Test
    void aNonceMustBeTheOneWhoseHashTheTokenNames() {
        var nonce = "the app's own secret";

        signInWith(nonce, token(claims -> claims.claim("nonce", sha256(nonce)))).expect(200);
        signInWith("another", token(claims -> claims.claim("nonce", sha256(nonce))))
                .expect(401);
        signInWith(nonce, token(claims -> claims.claim("nonce", nonce))).expect(401);
        signInWith(nonce, token(claims -> claims)).expect(401);
    }

    private Call signInWith(String nonce, String token) {
        return project.post("/v1/auth/oauth/native")
                .json(Map.of("provider", "apple", "identity_token", token, "nonce", nonce));
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Test
    void theAccountIsFoundAsByAnyProvider() {
        var email = TestServer.newEmail();
        project.signUp(email);

        signIn(token(claims -> claims.claim("email", email).claim("email_verified", "false")))
                .expect(409);
        var linked = signIn(token(claims -> claims.claim("email", email))).expect(200);

        assertThat(linked.text("user/email")).isEqualTo(email);
        project.trySignIn(email, TestProject.PASSWORD).expect(401);
    }

    @Test
    void anEmailThatMustBeVerifiedIsAnError() {
        var strict = newProject(List.of(APP));
        strict.asOwner("PATCH", "")
                .json(Map.of("requireEmailVerification", true))
                .expect(200);

        assertThat(signIn(strict, token(claims -> claims.claim("email_verified", "false")))
                        .expect(403)
                        .text("message"))
                .startsWith("Confirm your email");
    }

    @Test
    void itIsOnlyOfferedIfTheProjectNamesItsApps() {
        var none = newProject(List.of());
        signIn(none, token(claims -> claims)).expect(404);
        set(none, Map.of("nativeClientIds", List.of(APP), "enabled", false)).expect(200);
        signIn(none, token(claims -> claims)).expect(404);
        set(none, Map.of("nativeClientIds", List.of(APP), "enabled", true)).expect(200);
        signIn(none, token(claims -> claims)).expect(200);
        project.post("/v1/auth/oauth/native")
                .json(Map.of("provider", "google", "identity_token", "a.b.c"))
                .expect(404);
    }

    @Test
    void theAppsAreASettingOfApple() {
        var made = newProject(List.of(APP));
        assertThat(made.asOwner("GET", "/providers").expect(200).json().at("/providers/0/nativeClientIds"))
                .hasToString("[\"" + APP + "\"]");
        assertThat(set(made, Map.of()).expect(200).json().path("nativeClientIds"))
                .isEmpty();
        assertThat(set(made, Map.of("nativeClientIds", List.of(""))).expect(422).failingFields())
                .containsExactly("nativeClientIds");
        assertThat(made.asOwner("PUT", "/providers/google")
                        .json(Map.of("clientId", "x", "clientSecret", "y", "nativeClientIds", List.of(APP)))
                        .expect(422)
                        .failingFields())
                .containsExactly("nativeClientIds");
    }

    @Test
    void theBodyIsChecked() {
        assertThat(project.post("/v1/auth/oauth/native")
                        .json(Map.of())
                        .expect(422)
                        .failingFields())
                .containsExactly("provider", "identity_token");
        project.post("/v1/auth/oauth/native")
                .json(Map.of("provider", "apple", "identity_token", 1, "nonce", ""))
                .expect(422);
        signIn("x".repeat(8193)).expect(422);
        server.api()
                .post("/v1/auth/oauth/native")
                .json(Map.of("provider", "apple", "identity_token", "a.b.c"))
                .expect(401);
    }
}
