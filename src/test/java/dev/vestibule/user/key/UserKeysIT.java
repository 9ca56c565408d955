package dev.vestibule.user.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** API keys of users: from their creation to every way in which they end. */
@ExtendWith(WithServer.class)
class UserKeysIT {
    private static final String MINE = "/v1/auth/me/api-keys";
    private static final String API = "https://api.example.com/";

    private final TestServer server;
    private final TestProject project;
    private final Response user;

    UserKeysIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.user = project.signUp();
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of(
                        "uri",
                        API,
                        "name",
                        "Orders",
                        "scopes",
                        List.of(Map.of("name", "orders:read"), Map.of("name", "orders:write"))))
                .expect(201);
    }

    private Call tryCreate(Map<String, ?> fields) {
        return project.post(MINE).bearer(user.accessToken()).json(fields);
    }

    private Response create(Map<String, ?> fields) {
        return tryCreate(fields).expect(201);
    }

    private Response create() {
        return create(Map.of("name", "Build server", "scopes", List.of("orders:read")));
    }

    private Response verify(String key) {
        return project.manage("POST", "/v1/backend/keys/verify")
                .json(Map.of("key", key))
                .expect(200);
    }

    private boolean isValid(String key) {
        return verify(key).json().path("valid").asBoolean();
    }

    private String backend(String below) {
        return "/v1/backend/users/" + user.text("user/id") + below;
    }

    private Call exchange(String key, Map<String, ?> more) {
        var fields = new HashMap<String, Object>(more);
        fields.put("key", key);
        return project.post("/v1/auth/api-keys/token").json(fields);
    }

    @Test
    void aKeySaysWhoseItIsAndWhatItMayDo() {
        var created = create();

        var found = verify(created.text("key"));

        assertThat(found.text("user/id")).isEqualTo(user.text("user/id"));
        assertThat(found.text("key/id")).isEqualTo(created.text("id"));
        assertThat(found.json().at("/key/scopes/0").asText()).isEqualTo("orders:read");
        assertThat(found.body()).doesNotContain(created.text("key"));
    }

    @Test
    void scannersRecognizeAKeyByItsPrefixAndChecksum() {
        var key = create().text("key");

        assertThat(key).matches("uk_live_[A-Za-z0-9_-]{59}");
        var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(key.substring("uk_live_".length())));
        var crc = new CRC32();
        crc.update("uk_live_".getBytes(StandardCharsets.US_ASCII));
        crc.update(bytes.array(), 0, 40);
        assertThat(bytes.getInt(40)).isEqualTo((int) crc.getValue());
        assertThat(new UUID(bytes.getLong(0), bytes.getLong(8))).hasToString(project.id());
    }

    @Test
    void theDatabaseAndTheListsHaveOnlyAHash() {
        var created = create();

        var listed = project.get(MINE).bearer(user.accessToken()).expect(200);
        assertThat(listed.json()).hasSize(1);
        assertThat(listed.json().get(0).path("ending").asText())
                .isEqualTo(created.text("key").substring(created.text("key").length() - 4));
        assertThat(listed.body()).doesNotContain(created.text("key"));
        assertThat(project.manage("GET", backend("/api-keys")).expect(200).json())
                .isEqualTo(listed.json());
        assertThat(server.sql()
                        .texts("SELECT user_keys::text FROM user_keys WHERE project_id = ?::uuid", project.id())
                        .get(0))
                .doesNotContain(created.text("key").substring(20));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "uk_live_", "sk_live_x"})
    void otherTextsAreNoKeys(String text) {
        assertThat(isValid(text)).isFalse();
    }

    @Test
    void aChangedKeyOrOneOfAnotherProjectOrEnvironmentIsRefused() {
        var key = create().text("key");
        var changed = key.substring(0, 40) + (key.charAt(40) == 'A' ? 'B' : 'A') + key.substring(41);
        assertThat(isValid(changed)).isFalse();
        assertThat(isValid(key.replace("live", "test"))).isFalse();

        var another = server.newProject();
        assertThat(another.manage("POST", "/v1/backend/keys/verify")
                        .json(Map.of("key", key))
                        .expect(200)
                        .body())
                .isEqualTo("{\"valid\":false}");
        another.post("/v1/auth/api-keys/token").json(Map.of("key", key)).expect(401);
        another.manage("GET", backend("/api-keys")).expect(404);
        another.manage("DELETE", backend("/api-keys/" + UUID.randomUUID())).expect(404);
    }

    @Test
    void manyKeysThatAreCheckedAtOnceGetTheirOwnAnswers() {
        var other = project.signUp();
        var keys = List.of(
                create().text("key"),
                project.manage("POST", "/v1/backend/users/" + other.text("user/id") + "/api-keys")
                        .json(Map.of("name", "other"))
                        .expect(201)
                        .text("key"));
        var owners = List.of(user.text("user/id"), other.text("user/id"));

        var answers = Parallel.send(
                100,
                number -> project.manage("POST", "/v1/backend/keys/verify")
                        .json(Map.of("key", number % 3 == 2 ? "nonsense" : keys.get(number % 3))));

        for (var number = 0; number < answers.size(); number++) {
            assertThat(answers.get(number).json().at("/user/id").asText())
                    .isEqualTo(number % 3 == 2 ? "" : owners.get(number % 3));
        }
    }

    /** A way in which a key ends. */
    private record Way(String name, Consumer<UserKeysIT> end) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Way> ways() {
        return Stream.of(
                new Way(
                        "deleted by its user",
                        it -> it.project
                                .api()
                                .call("DELETE", MINE + "/" + it.keyId())
                                .bearer(it.user.accessToken())
                                .expect(200)),
                new Way(
                        "deleted by the server",
                        it -> it.project
                                .manage("DELETE", it.backend("/api-keys/" + it.keyId()))
                                .expect(200)),
                new Way(
                        "ban",
                        it -> it.project.manage("POST", it.backend("/ban")).expect(200)),
                new Way(
                        "deletion of the user",
                        it -> it.project.manage("DELETE", it.backend("")).expect(200)),
                new Way(
                        "a password set by management",
                        it -> it.project
                                .manage("PATCH", "/v1/dashboard/users/" + it.user.text("user/id"))
                                .json(Map.of("password", "another fine password"))
                                .expect(200)));
    }

    private String keyId() {
        return project.manage("GET", backend("/api-keys"))
                .expect(200)
                .json()
                .get(0)
                .path("id")
                .asText();
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aKeyAndItsTokensEndAtOnce(Way way) {
        var key = create();
        var token =
                exchange(key.text("key"), Map.of("audience", API)).expect(200).accessToken();
        assertThat(introspect(token).json().path("active").asBoolean()).isTrue();

        way.end().accept(this);

        assertThat(isValid(key.text("key"))).isFalse();
        exchange(key.text("key"), Map.of()).expect(401);
        assertThat(introspect(token).body()).isEqualTo("{\"active\":false}");
        assertThat(introspect(key.text("key")).body()).isEqualTo("{\"active\":false}");
        assertThat(project.manage("GET", "/v1/backend/revocations").expect(200).body())
                .contains(key.text("id"));
        if (way.name().equals("ban")) {
            project.manage("POST", backend("/unban")).expect(200);
            assertThat(isValid(key.text("key"))).as("a ban is an end").isFalse();
        }
    }

    @Test
    void aSignOutEverywhereLeavesKeys() {
        var key = create().text("key");
        project.manage("DELETE", "/v1/dashboard/users/" + user.text("user/id") + "/sessions")
                .expect(200);

        assertThat(isValid(key)).isTrue();
    }

    @Test
    void anExpiredKeyIsRefusedAndItsTokensEndNoLater() {
        var soon = Instant.now().plus(1, ChronoUnit.MINUTES);
        var key = create(Map.of("name", "short", "expiresAt", soon.toString())).text("key");
        var token = exchange(key, Map.of("audience", API)).expect(200);
        assertThat(Jwt.parse(token.accessToken()).claims().path("exp").asLong())
                .isLessThanOrEqualTo(soon.getEpochSecond());

        server.sql()
                .update(
                        "UPDATE user_keys SET expires_at = now() - interval '1 s' WHERE project_id = ?::uuid",
                        project.id());

        assertThat(isValid(key)).isFalse();
        assertThat(introspect(token.accessToken()).body()).isEqualTo("{\"active\":false}");
    }

    private Response introspect(String token) {
        var client = apiClient();
        return OauthBrowser.post(
                project,
                "/oauth/introspect",
                Map.of(
                        "client_id",
                        client.text("clientId"),
                        "client_secret",
                        client.text("clientSecret"),
                        "token",
                        token),
                200);
    }

    private Response apiClient() {
        return OauthBrowser.register(project, "api", Map.of("resource", API));
    }

    @Test
    void anApiMayIntrospectKeysAndOtherClientsMayNot() {
        var key = create().text("key");

        var found = introspect(key);
        assertThat(found.text("sub")).isEqualTo(user.text("user/id"));
        assertThat(found.text("scope")).isEqualTo("orders:read");
        assertThat(found.text("token_type")).isEqualTo("api_key");

        var web = OauthBrowser.register(project, "web", Map.of());
        assertThat(OauthBrowser.post(
                                project,
                                "/oauth/introspect",
                                Map.of(
                                        "client_id", web.text("clientId"),
                                        "client_secret", web.text("clientSecret"),
                                        "token", key),
                                200)
                        .body())
                .isEqualTo("{\"active\":false}");
    }

    @Test
    void aTokenForAnApiHasThoseOfTheScopesThatItHas() {
        var other = "https://other.example.com/";
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of("uri", other, "name", "Other", "scopes", List.of(Map.of("name", "mail"))))
                .expect(201);
        var key = create(Map.of("name", "both", "scopes", List.of("orders:read", "mail")));

        var token = exchange(key.text("key"), Map.of("audience", API)).expect(200);

        assertThat(token.text("expiresIn")).isEqualTo("300");
        var jwt = Jwt.parse(token.accessToken());
        assertThat(jwt.header().path("typ").asText()).isEqualTo("at+jwt");
        assertThat(jwt.claims().path("aud").asText()).isEqualTo(API);
        assertThat(jwt.claims().path("scope").asText()).isEqualTo("orders:read");
        assertThat(jwt.claims().path("jti").asText()).startsWith(key.text("id") + ".");
        project.me(token.accessToken()).expect(401);
        assertThat(exchange(key.text("key"), Map.of("audience", "https://unknown.example.com/"))
                        .expect(422)
                        .failingFields())
                .containsExactly("audience");
    }

    @Test
    void fieldsAreChecked() {
        assertThat(tryCreate(Map.of("scopes", List.of("orders:delete"), "name", "a"))
                        .expect(422)
                        .failingFields())
                .containsExactly("scopes");
        assertThat(tryCreate(Map.of("scopes", List.of("a b"))).expect(422).failingFields())
                .contains("name")
                .anyMatch(field -> field.startsWith("scopes"));
        assertThat(tryCreate(Map.of("name", "a", "expiresAt", "2020-01-01T00:00:00Z"))
                        .expect(422)
                        .failingFields())
                .containsExactly("expiresAt");
        tryCreate(Map.of("name", "a\u0000b")).expect(422);
    }

    @Test
    void theMaximumHoldsForManyAtOnce() {
        var answers = Parallel.send(30, number -> tryCreate(Map.of("name", "key " + number)));

        assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(20);
        assertThat(answers.stream().filter(answer -> answer.status() != 201))
                .allSatisfy(answer -> assertThat(answer.text("code")).isEqualTo("limit_reached"));
    }

    @Test
    void anOldSignInCannotMakeAKey() {
        project.asOwner("PATCH", "").json(Map.of("requireRecentSignIn", 1)).expect(200);
        Eventually.until(
                "the sign in is too old",
                () -> tryCreate(Map.of("name", "late")).send().status() == 403);
    }

    @Test
    void theHourOfTheLastUseIsKept() {
        var key = create().text("key");
        verify(key);

        Eventually.until(
                "it is noted",
                () -> server.sql()
                                .count(
                                        "SELECT count(*) FROM user_keys WHERE project_id = ?::uuid"
                                                + " AND last_used_at = date_trunc('hour', last_used_at)",
                                        project.id())
                        == 1);
    }

    @Test
    void credentialsAreAsForOtherRoutes() {
        project.get(MINE).expect(401);
        project.post("/v1/backend/keys/verify").json(Map.of("key", "x")).expect(403);
        project.api().get(MINE).bearer(create().text("key")).expect(401);
        assertThat(project.api()
                        .call("DELETE", MINE + "/" + create().text("id"))
                        .bearer(project.signUp().accessToken())
                        .expect(404)
                        .text("code"))
                .isEqualTo("not_found");
    }
}
