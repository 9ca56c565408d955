package dev.vestibule.token.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.HeldAccount;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class JwtTemplatesIT {
    private static final String TEMPLATES = "/v1/backend/jwt-templates";

    private final TestServer server;
    private final TestProject project;
    private final String email = TestServer.newEmail();

    JwtTemplatesIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Response tryCreate(Object claims, int status) {
        return tryCreate(Map.of("name", "t" + UUID.randomUUID(), "claims", claims), status);
    }

    private Response tryCreate(Map<String, ?> fields, int status) {
        return project.manage("POST", TEMPLATES).json(fields).expect(status);
    }

    private static Map<String, Object> from(String key, String source) {
        return Map.of("key", key, "source", source);
    }

    private static Map<String, Object> fixed(String key, Object value) {
        return Map.of("key", key, "value", value);
    }

    private Response createUser(Map<String, ?> fields) {
        var body = new HashMap<String, Object>(fields);
        body.putIfAbsent("email", email);
        body.put("password", TestProject.PASSWORD);
        return project.manage("POST", "/v1/backend/users").json(body).expect(201);
    }

    private static JsonNode claims(Response tokens) {
        return Jwt.parse(tokens.accessToken()).claims();
    }

    @Test
    void theFirstTemplateIsInEveryAccessToken() {
        createUser(Map.of(
                "displayName",
                "Ann",
                "externalId",
                "customer-1",
                "emailVerified",
                true,
                "publicMetadata",
                Map.of("role", "editor", "limits", Map.of("a", Map.of("b", List.of(1, 2.5, "x")))),
                "privateMetadata",
                Map.of("note", "the-private-note")));
        var created = tryCreate(
                List.of(
                        from("role", "publicMetadata.role"),
                        from("deep", "publicMetadata.limits.a.b"),
                        from("https://example.com/customer", "externalId"),
                        from("verified", "emailVerified"),
                        from("absent", "publicMetadata.none.at.all"),
                        from("phone", "phone"),
                        fixed("roles", Map.of("allowed", List.of("a", 1, true)))),
                201);
        assertThat(created.json().path("isDefault").asBoolean()).isTrue();

        var signedIn = project.signIn(email);
        var inB = project.signInInVariantB(email);
        for (var tokens : List.of(
                signedIn,
                inB,
                project.refresh(signedIn.refreshToken()).expect(200),
                project.refreshAccessToken(inB.refreshToken()).expect(200))) {
            var claims = claims(tokens);
            assertThat(claims.path("role").asText()).isEqualTo("editor");
            assertThat(claims.path("deep")).hasToString("[1,2.5,\"x\"]");
            assertThat(claims.path("https://example.com/customer").asText()).isEqualTo("customer-1");
            assertThat(claims.path("verified").isBoolean()).isTrue();
            assertThat(claims.has("absent")).isFalse();
            assertThat(claims.has("phone")).isFalse();
            assertThat(claims.at("/roles/allowed")).hasToString("[\"a\",1,true]");
            assertThat(claims.path("type").asText()).isEqualTo("access");
            var payload =
                    project.verify(tokens.accessToken()).expect(200).json().path("payload");
            for (var name : List.of("role", "deep", "https://example.com/customer", "verified", "roles")) {
                assertThat(payload.path(name)).as(name).isEqualTo(claims.path(name));
            }
            assertThat(payload.has("sid")).isFalse();
            project.me(tokens.accessToken()).expect(200);
        }
    }

    @Test
    void anotherNodeVerifiesATokenWithOtherClaims() {
        createUser(Map.of());
        tryCreate(List.of(fixed("exp2", 1), fixed("permissions", List.of("x"))), 201);
        var token = project.signIn(email).accessToken();
        try (var other = TestServer.startOn(server.databaseUrl(), Map.of(), Clock.systemUTC())) {
            assertThat(project.at(other).verify(token).expect(200).json().at("/payload/permissions"))
                    .hasToString("[\"x\"]");
            var inB = project.at(other).signIn(email);
            assertThat(claims(inB).path("exp2").asInt()).isEqualTo(1);
            tryCreate(Map.of("name", "next", "claims", List.of(fixed("next", 1)), "isDefault", true), 201);
            Eventually.until(
                    "the other node uses the new template",
                    () -> claims(project.at(other).signIn(email)).has("next"));
        }
    }

    /** PostgreSQL writes it with all its 301 digits. */
    @Test
    void aTokenWithALongNumberIsGoodOnEveryNode() {
        createUser(Map.of("emailVerified", true, "publicMetadata", Map.of("far", 1e300)));
        tryCreate(List.of(from("data", "publicMetadata")), 201);
        var token = project.signIn(email).accessToken();

        try (var other = TestServer.startOn(server.databaseUrl(), Map.of(), Clock.systemUTC())) {
            project.at(other).me(token).expect(200);
            assertThat(project.at(other)
                            .verify(token)
                            .expect(200)
                            .json()
                            .at("/payload/data/far")
                            .asDouble())
                    .isEqualTo(1e300);
        }
    }

    @Test
    void aTemplateIsReadReplacedAndDeleted() {
        createUser(Map.of());
        var id = tryCreate(Map.of("name", "first", "claims", List.of(fixed("a", 1)), "allowedLifetime", 60), 201)
                .text("id");
        var path = TEMPLATES + "/" + id;
        var read = project.manage("GET", path).expect(200);
        assertThat(read.text("projectId")).isEqualTo(project.id());
        assertThat(read.text("allowedLifetime")).isEqualTo("60");
        assertThat(read.json().path("claims")).hasToString("[{\"key\":\"a\",\"value\":1}]");
        assertThat(project.manage("GET", TEMPLATES).expect(200).json()).containsExactly(read.json());

        var replaced = project.manage("PUT", path)
                .json(Map.of("name", "renamed", "claims", List.of(from("b", "email"))))
                .expect(200);
        assertThat(replaced.json().path("isDefault").asBoolean()).isTrue();
        assertThat(replaced.json().path("allowedLifetime").isNull()).isTrue();
        assertThat(claims(project.signIn(email)).path("b").asText()).isEqualTo(email);

        project.manage("DELETE", path).expect(200);
        project.manage("DELETE", path).expect(404);
        project.manage("GET", path).expect(404);
        assertThat(claims(project.signIn(email)).has("b")).isFalse();
    }

    /** Whatever changes a template locks the project first, so that no two changes wait for each other. */
    @Test
    void aDeletionThatWaitsForTheProjectLeavesTheTemplateFree() {
        var id = tryCreate(Map.of("name", "short", "claims", List.of(), "allowedLifetime", 60), 201)
                .text("id");

        var deleted = HeldAccount.during(
                server.sql(),
                "projects",
                project.id(),
                project.manage("DELETE", TEMPLATES + "/" + id)::sendAsync,
                "UPDATE jwt_templates SET name = name WHERE project_id = ?");
        assertThat(deleted.status()).isEqualTo(200);
    }

    @Test
    void aProjectHasOneDefault() {
        createUser(Map.of());
        var first = tryCreate(Map.of("name", "first", "claims", List.of(fixed("one", 1))), 201);
        var second = tryCreate(Map.of("name", "second", "claims", List.of(fixed("two", 2))), 201);
        assertThat(second.json().path("isDefault").asBoolean()).isFalse();
        tryCreate(Map.of("name", "third", "claims", List.of(fixed("three", 3)), "isDefault", true), 201);
        assertThat(claims(project.signIn(email)).has("three")).isTrue();
        project.manage("PUT", TEMPLATES + "/" + second.text("id"))
                .json(Map.of("name", "second", "claims", List.of(fixed("two", 2)), "isDefault", true))
                .expect(200);
        assertThat(claims(project.signIn(email)).has("two")).isTrue();
        assertThat(project.manage("GET", TEMPLATES).expect(200).json().findValues("isDefault").stream()
                        .filter(JsonNode::asBoolean))
                .hasSize(1);
        project.manage("PUT", TEMPLATES + "/" + UUID.randomUUID())
                .json(Map.of("name", "none", "claims", List.of(), "isDefault", true))
                .expect(404);
        assertThat(claims(project.signIn(email)).has("two")).isTrue();
        project.manage("PUT", TEMPLATES + "/" + first.text("id"))
                .json(Map.of("name", "second", "claims", List.of()))
                .expect(409);
        tryCreate(Map.of("name", "second", "claims", List.of()), 409);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "iss",
                "sub",
                "aud",
                "exp",
                "nbf",
                "iat",
                "jti",
                "sid",
                "type",
                "auth_time",
                "amr",
                "acr",
                "act",
                "azp",
                "scope",
                "nonce",
                "projectId",
                "Sub",
                "EXP",
                "projectid",
                "cnf",
                "client_id",
                "",
                "a b",
                "1a",
                "a\u0000",
                "ä"
            })
    void aReservedOrInvalidNameIsRefused(String key) {
        assertThat(tryCreate(List.of(fixed(key, 1)), 422).failingFields()).containsExactly("claims.0.key");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "privateMetadata",
                "privateMetadata.note",
                "password",
                "passwordHash",
                "publicMetadata.",
                "publicMetadata..a",
                "publicMetadata.a.",
                "publicMetadataX",
                "email.a",
                "",
                "publicMetadata.\u0000"
            })
    void aSourceThatIsNotForTokensIsRefused(String source) {
        assertThat(tryCreate(List.of(from("a", source)), 422).failingFields()).containsExactly("claims.0.source");
    }

    @Test
    void aClaimHasEitherASourceOrAValue() {
        assertThat(tryCreate(List.of(Map.of("key", "a")), 422).failingFields()).containsExactly("claims.0.source");
        assertThat(tryCreate(List.of(Map.of("key", "a", "source", "email", "value", 1)), 422)
                        .failingFields())
                .containsExactly("claims.0.source");
        assertThat(tryCreate(List.of(fixed("a", 1), fixed("a", 2)), 422).failingFields())
                .containsExactly("claims");
        assertThat(tryCreate(Map.of("name", "x"), 422).failingFields()).containsExactly("claims");
        assertThat(tryCreate(Map.of("name", "x", "claims", List.of(), "allowedLifetime", 29), 422)
                        .failingFields())
                .containsExactly("allowedLifetime");
        var many = IntStream.range(0, 51).mapToObj(n -> fixed("c" + n, n)).toList();
        assertThat(tryCreate(many, 422).failingFields()).containsExactly("claims");
        var large = IntStream.range(0, 5)
                .mapToObj(n -> fixed("c" + n, "x".repeat(1000)))
                .toList();
        assertThat(tryCreate(large, 422).failingFields()).containsExactly("claims");
        tryCreate(List.of(from("a", "publicMetadata" + ".b".repeat(15))), 201);
        assertThat(tryCreate(List.of(from("a", "publicMetadata" + ".b".repeat(16))), 422)
                        .failingFields())
                .containsExactly("claims.0.source");
    }

    /** What an application writes into metadata must never lock the user out. */
    @Test
    void claimsThatDoNotFitIntoATokenAreLeftOut() {
        createUser(Map.of("publicMetadata", Map.of("large", "ü".repeat(8000), "small", "s")));
        var rules = new ArrayList<>(List.of(
                from("before", "publicMetadata.small"),
                from("all", "publicMetadata"),
                from("large", "publicMetadata.large"),
                from("after", "publicMetadata.small")));
        rules.add(fixed("filler", "x".repeat(4000)));
        rules.add(from("email", "email"));
        tryCreate(rules, 201);
        var tokens = project.signIn(email);
        var claims = claims(tokens);
        assertThat(claims.has("large") || claims.has("all")).isFalse();
        assertThat(claims.path("before").asText()).isEqualTo("s");
        assertThat(claims.path("after").asText()).isEqualTo("s");
        assertThat(claims.path("filler").asText()).hasSize(4000);
        assertThat(tokens.accessToken()).hasSizeLessThan(7000);
        project.me(tokens.accessToken()).expect(200);
        project.refresh(tokens.refreshToken()).expect(200);
        assertThat(server.metric("vestibule_tokens_claims_left_out_total")).isGreaterThanOrEqualTo(4);
    }

    /** Like one from a project that another server has exported. */
    @Test
    void aReservedClaimOfAnImportedTemplateIsNotIssued() {
        createUser(Map.of());
        var id = tryCreate(List.of(fixed("a", 1)), 201).text("id");
        server.sql()
                .update(
                        "UPDATE jwt_templates SET claims ="
                                + " '{\"claims\":[{\"key\":\"act\",\"value\":{\"sub\":\"x\"}},{\"key\":\"sub\",\"value\":\"x\"},{\"key\":\"nbf\",\"value\":1}]}'"
                                + " WHERE id = ?::uuid",
                        id);
        project.asOwner("PATCH", "").json(Map.of("name", "Read again")).expect(200);
        var tokens = project.signIn(email);
        assertThat(claims(tokens).has("act")).isFalse();
        assertThat(claims(tokens).has("nbf")).isFalse();
        project.me(tokens.accessToken()).expect(200);
    }

    @Test
    void aBackEndGetsATokenOfAnotherTemplate() {
        createUser(Map.of("publicMetadata", Map.of("role", "editor")));
        tryCreate(Map.of("name", "usual", "claims", List.of(fixed("usual", true))), 201);
        tryCreate(
                Map.of(
                        "name",
                        "for the data service",
                        "claims",
                        List.of(from("role", "publicMetadata.role")),
                        "allowedLifetime",
                        60),
                201);
        var signedIn = project.signIn(email);
        var session = claims(signedIn).path("sid").asText();
        var path = "/v1/backend/sessions/" + session + "/token";
        var issued = project.manage("POST", path)
                .json(Map.of("template", "for the data service"))
                .expect(200);
        assertThat(issued.text("expiresIn")).isEqualTo("60");
        var claims = claims(issued);
        assertThat(claims.path("role").asText()).isEqualTo("editor");
        assertThat(claims.has("usual")).isFalse();
        assertThat(claims.path("exp").asLong() - claims.path("iat").asLong()).isEqualTo(60);
        project.me(issued.accessToken()).expect(200);

        project.manage("POST", path).json(Map.of("template", "unknown")).expect(404);
        server.newProject()
                .manage("POST", path)
                .json(Map.of("template", "usual"))
                .expect(404);
        project.post(path).json(Map.of("template", "usual")).expect(403);
        project.signOut(signedIn.accessToken()).expect(200);
        project.manage("POST", path).json(Map.of("template", "usual")).expect(404);
        project.me(issued.accessToken()).expect(401);
    }

    @Test
    void aTokenFromATemplateDoesNotOutliveItsSession() {
        createUser(Map.of());
        project.asOwner("PATCH", "")
                .json(Map.of("sessionConfig", Map.of("refreshTokenTtl", 300)))
                .expect(200);
        tryCreate(Map.of("name", "long", "claims", List.of(), "allowedLifetime", 86_400), 201);
        var signedIn = project.signIn(email);
        var issued = project.manage(
                        "POST",
                        "/v1/backend/sessions/" + claims(signedIn).path("sid").asText() + "/token")
                .json(Map.of("template", "long"))
                .expect(200);
        assertThat(issued.json().path("expiresIn").asInt()).isBetween(1, 300);

        project.manage("POST", "/v1/backend/users/" + signedIn.text("user/id") + "/ban")
                .expect(200);
        project.manage(
                        "POST",
                        "/v1/backend/sessions/" + claims(signedIn).path("sid").asText() + "/token")
                .json(Map.of("template", "long"))
                .expect(404);
    }

    @Test
    void aTemplateOfAnotherProjectIsUnknown() {
        var id = tryCreate(List.of(), 201).text("id");
        var other = server.newProject();
        other.manage("GET", TEMPLATES + "/" + id).expect(404);
        other.manage("PUT", TEMPLATES + "/" + id)
                .json(Map.of("name", "x", "claims", List.of()))
                .expect(404);
        other.manage("DELETE", TEMPLATES + "/" + id).expect(404);
        assertThat(other.manage("GET", TEMPLATES).expect(200).json()).isEmpty();
    }

    @Test
    void membersManageTemplatesByTheirRole() {
        var path = "/v1/dashboard/projects/" + project.id() + "/jwt-templates";
        var developer = server.newMember(project, "developer");
        var template = Map.of("name", "plan", "claims", List.of(fixed("plan", "pro")));
        var id = server.api()
                .post(path)
                .bearer(developer)
                .json(template)
                .expect(201)
                .text("id");
        var another = server.newProject();

        for (var role : List.of("viewer", "support")) {
            var member = server.newMember(project, role);
            assertThat(server.api().get(path).bearer(member).expect(200).json()).hasSize(1);
            server.api().post(path).bearer(member).json(template).expect(403);
            server.api()
                    .call("PUT", path + "/" + id)
                    .bearer(member)
                    .json(template)
                    .expect(403);
            server.api().call("DELETE", path + "/" + id).bearer(member).expect(403);
        }
        another.asOwner("PUT", "/jwt-templates/" + id).json(template).expect(404);
        another.asOwner("DELETE", "/jwt-templates/" + id).expect(404);
        server.api().get(path).bearer(another.owner()).expect(404);
        server.api()
                .post(path + "/preview")
                .bearer(another.owner())
                .json(Map.of())
                .expect(404);
        server.api()
                .call("PUT", path + "/" + id)
                .bearer(developer)
                .json(template)
                .expect(200);
        server.api().call("DELETE", path + "/" + id).bearer(developer).expect(200);
        for (var odd : List.of(id, "no-id", "%00")) {
            server.api().call("DELETE", path + "/" + odd).bearer(developer).expect(404);
        }
    }

    @Test
    void aPreviewShowsWhatATokenOfTheUserWouldHaveAndStoresNothing() {
        var user = createUser(Map.of("publicMetadata", Map.of("role", "editor"), "privateMetadata", Map.of("a", 1)))
                .text("id");
        var claims = List.of(
                from("role", "publicMetadata.role"), fixed("plan", "pro"), from("absent", "publicMetadata.none"));

        assertThat(preview(user, claims).expect(200).body())
                .isEqualTo("{\"claims\":{\"role\":\"editor\",\"plan\":\"pro\"}}");
        assertThat(project.manage("GET", TEMPLATES).expect(200).json()).isEmpty();
        assertThat(preview(user, List.of(from("note", "privateMetadata.a")))
                        .expect(422)
                        .failingFields())
                .containsExactly("claims.0.source");
        assertThat(preview(user, List.of(fixed("sub", "me"))).expect(422).failingFields())
                .containsExactly("claims.0.key");
        for (var id : List.of("no-id", "", "\u0000", UUID.randomUUID() + "x")) {
            assertThat(preview(id, claims).expect(422).failingFields()).containsExactly("userId");
        }
        preview(server.newProject().signUp().text("user/id"), claims).expect(404);
        preview(UUID.randomUUID().toString(), claims).expect(404);
    }

    private ApiClient.Call preview(String user, List<?> claims) {
        return project.asOwner("POST", "/jwt-templates/preview").json(Map.of("userId", user, "claims", claims));
    }
}
