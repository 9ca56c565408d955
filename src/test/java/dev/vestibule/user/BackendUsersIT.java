package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests of the published SDK for servers, exactly as it sends them. */
@ExtendWith(WithServer.class)
class BackendUsersIT {
    private static final String USERS = "/v1/backend/users";

    private final TestServer server;
    private final TestProject project;

    BackendUsersIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Response create(Map<String, ?> fields) {
        return tryCreate(project, fields, 201);
    }

    private static Response tryCreate(TestProject in, Map<String, ?> fields, int status) {
        var body = new LinkedHashMap<String, Object>(fields);
        body.putIfAbsent("email", TestServer.newEmail());
        return in.manage("POST", USERS).json(body).expect(status);
    }

    private static String byExternalId(String externalId) {
        return USERS + "/by-external-id/"
                + URLEncoder.encode(externalId, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Test
    void aUserIsCreatedReadChangedBannedAndDeleted() {
        var email = TestServer.newEmail();
        var created = create(Map.of(
                "email",
                email,
                "password",
                TestProject.PASSWORD,
                "displayName",
                "Ann",
                "externalId",
                "customer-4711",
                "provider",
                "email",
                "avatarUrl",
                "https://cdn.example.com/ann.png",
                "phone",
                "+14155550123",
                "emailVerified",
                true,
                "publicMetadata",
                Map.of("role", "editor"),
                "privateMetadata",
                Map.of("creditLimit", 500)));
        var path = USERS + "/" + created.text("id");
        assertThat(created.text("externalId")).isEqualTo("customer-4711");
        assertThat(created.text("privateMetadata/creditLimit")).isEqualTo("500");
        assertThat(created.json().path("emailVerified").asBoolean()).isTrue();

        assertThat(project.manage("GET", path).expect(200).text("email")).isEqualTo(email);
        assertThat(project.manage("GET", byExternalId("customer-4711"))
                        .expect(200)
                        .body())
                .isEqualTo(project.manage("GET", path).expect(200).body());

        var changed = project.manage("PATCH", path)
                .json(Map.of("displayName", "Anna", "privateMetadata", Map.of(), "externalId", "c/2 ü"))
                .expect(200);
        assertThat(changed.text("displayName")).isEqualTo("Anna");
        assertThat(changed.json().path("privateMetadata")).isEmpty();
        assertThat(changed.text("publicMetadata/role")).isEqualTo("editor");
        project.manage("GET", byExternalId("customer-4711")).expect(404);
        assertThat(project.manage("GET", byExternalId("c/2 ü")).expect(200).text("id"))
                .isEqualTo(created.text("id"));

        var signedIn = project.signIn(email);
        var sessions = project.manage("GET", path + "/sessions").expect(200);
        assertThat(sessions.json().isArray()).isTrue();
        assertThat(sessions.json()).hasSize(1);
        project.manage("DELETE", path + "/sessions/" + sessions.text("0/id")).expect(200);
        project.verify(signedIn.accessToken()).expect(401);
        project.manage("DELETE", path + "/sessions/" + sessions.text("0/id")).expect(404);

        var banned = project.manage("POST", path + "/ban")
                .json(Map.of("reason", "spam"))
                .expect(200);
        assertThat(banned.json().path("isBanned").asBoolean()).isTrue();
        assertThat(banned.text("externalId")).isEqualTo("c/2 ü");
        project.trySignIn(email, TestProject.PASSWORD).expect(403);
        project.manage("POST", path + "/ban").expect(200);
        var unbanned = project.manage("POST", path + "/unban").expect(200);
        assertThat(unbanned.json().path("isBanned").asBoolean()).isFalse();
        project.signIn(email);

        project.manage("DELETE", path).expect(200);
        project.manage("GET", path).expect(404);
        project.manage("GET", byExternalId("c/2 ü")).expect(404);
    }

    @Test
    void dataForServersReachesNoUserAndNoBrowser() {
        var email = TestServer.newEmail();
        var id = create(Map.of(
                        "email",
                        email,
                        "password",
                        TestProject.PASSWORD,
                        "externalId",
                        "the-external-id",
                        "privateMetadata",
                        Map.of("note", "the-private-note")))
                .text("id");
        var signedIn = project.signIn(email);
        var seen = List.of(
                signedIn,
                project.signInInVariantB(email),
                project.refresh(signedIn.refreshToken()).expect(200),
                project.verify(signedIn.accessToken()).expect(200),
                project.me(signedIn.accessToken()).expect(200),
                project.api()
                        .patch("/v1/auth/me")
                        .bearer(signedIn.accessToken())
                        .json(Map.of("displayName", "Eve", "privateMetadata", Map.of("note", 1), "externalId", "x"))
                        .expect(200));
        for (var response : seen) {
            assertThat(response.body()).doesNotContain("the-external-id", "the-private-note", "privateMetadata");
        }
        assertThat(project.manage("GET", USERS + "/" + id).expect(200).text("privateMetadata/note"))
                .isEqualTo("the-private-note");
        var events = server.sql()
                .count(
                        "SELECT count(*) FROM webhook_events WHERE project_id = ?::uuid AND payload::text LIKE '%private%'",
                        project.id());
        assertThat(events).isZero();
    }

    @Test
    void anExternalIdBelongsToOneUserOfAProject() {
        var first = create(Map.of("externalId", "7")).text("id");
        var second = create(Map.of()).text("id");
        assertThat(tryCreate(project, Map.of("externalId", "7"), 409).text("message"))
                .isEqualTo("Another user has this externalId.");
        assertThat(project.manage("PATCH", USERS + "/" + second)
                        .json(Map.of("externalId", "7"))
                        .expect(409)
                        .text("message"))
                .isEqualTo("Another user has this externalId.");
        project.manage("PATCH", "/v1/dashboard/users/" + first)
                .json(Map.of("externalId", "7", "displayName", "Same"))
                .expect(200);
        tryCreate(server.newProject(), Map.of("externalId", "7"), 201);

        project.manage("PATCH", USERS + "/" + first)
                .text("{\"externalId\":null}")
                .expect(200);
        project.manage("PATCH", USERS + "/" + second)
                .json(Map.of("externalId", "7"))
                .expect(200);
    }

    @Test
    void oneOfManySimultaneousUsersGetsAnExternalId() {
        var responses = Parallel.send(
                6,
                n -> project.manage("POST", USERS).json(Map.of("email", TestServer.newEmail(), "externalId", "raced")));
        assertThat(responses).extracting(Response::status).containsExactlyInAnyOrder(201, 409, 409, 409, 409, 409);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " a", "a ", "a\u0000b", "a\nb", "a\u2028b", "a\ud800", ".", ".."})
    void anExternalIdIsOneVisibleLine(String externalId) {
        assertThat(tryCreate(project, Map.of("externalId", externalId), 422).failingFields())
                .containsExactly("externalId");
    }

    @Test
    void anExternalIdHasALimitedLength() {
        create(Map.of("externalId", "ü".repeat(255)));
        project.manage("GET", byExternalId("ü".repeat(255))).expect(200);
        assertThat(tryCreate(project, Map.of("externalId", "x".repeat(256)), 422)
                        .failingFields())
                .containsExactly("externalId");
        project.manage("GET", byExternalId("x".repeat(256))).expect(404);
        project.manage("GET", USERS + "/by-external-id/%00").expect(404);
    }

    /** They are also segments of other paths. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sessions",
                "ban",
                "by-external-id",
                "...",
                "%2F",
                "a/../b",
                "019ba6eb-5800-73e4-9f21-6b0d84e7a915"
            })
    void anExternalIdCanLookLikeAPath(String externalId) {
        var id = create(Map.of("externalId", externalId)).text("id");
        assertThat(project.manage("GET", byExternalId(externalId)).expect(200).text("id"))
                .isEqualTo(id);
    }

    @Test
    void privateMetadataHasTheLimitsOfPublicMetadata() {
        create(Map.of("privateMetadata", Map.of("a", "x".repeat(16_384 - 8))));
        for (var wrong : List.of(Map.of("a", "x".repeat(16_384)), Map.of("a\u0000", 1), List.of(), "text", 1)) {
            assertThat(tryCreate(project, Map.of("privateMetadata", wrong), 422).failingFields())
                    .containsExactly("privateMetadata");
        }
    }

    @Test
    void aProviderIsCheckedAndLinksNothing() {
        var created = create(Map.of("provider", "google")).text("id");
        assertThat(project.manage("GET", USERS + "/" + created)
                        .expect(200)
                        .json()
                        .path("providers"))
                .isEmpty();
        assertThat(tryCreate(project, Map.of("provider", "gogle"), 422).failingFields())
                .containsExactly("provider");
    }

    @Test
    void onlyWebhooksGetTheReasonOfABan() {
        var email = TestServer.newEmail();
        var id =
                create(Map.of("email", email, "password", TestProject.PASSWORD)).text("id");
        for (var wrong : List.of("", "a\nb", "x".repeat(501), 1)) {
            assertThat(project.manage("POST", USERS + "/" + id + "/ban")
                            .json(Map.of("reason", wrong))
                            .expect(422)
                            .failingFields())
                    .containsExactly("reason");
        }
        project.manage("POST", USERS + "/" + id + "/ban")
                .json(Map.of("reason", "a chargeback"))
                .expect(200);
        assertThat(project.trySignIn(email, TestProject.PASSWORD).expect(403).body())
                .doesNotContain("chargeback");
    }

    @Test
    void usersAreListedInFullByNumberedPages() {
        var oldest = create(Map.of("externalId", "1")).text("id");
        var newest = create(Map.of("privateMetadata", Map.of("a", 1))).text("id");

        var first = project.manage("GET", USERS + "?page=1&limit=1").expect(200);
        assertThat(first.json().path("data").findValuesAsText("id")).containsExactly(newest);
        assertThat(first.text("data/0/privateMetadata/a")).isEqualTo("1");
        assertThat(first.text("total")).isEqualTo("2");
        assertThat(first.text("page")).isEqualTo("1");
        assertThat(first.text("limit")).isEqualTo("1");
        var second = project.manage("GET", USERS + "?page=2&limit=1").expect(200);
        assertThat(second.json().path("data").findValuesAsText("id")).containsExactly(oldest);
        assertThat(second.text("data/0/externalId")).isEqualTo("1");
        assertThat(project.manage("GET", USERS + "?page=3&limit=1")
                        .expect(200)
                        .json()
                        .path("data"))
                .isEmpty();
        assertThat(project.manage("GET", USERS + "?search=example&page=21474836&limit=100")
                        .expect(200)
                        .json()
                        .path("data"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"page=0", "page=x", "page=-1", "page=21474837&limit=100", "page=", "page=1.5"})
    void aPageOutOfBoundsIsRefused(String query) {
        assertThat(project.manage("GET", USERS + "?" + query).expect(422).failingFields())
                .containsExactly("page");
    }

    @Test
    void aSessionOfAnotherUserIsNotRevoked() {
        var one = project.signUp();
        var session = project.refresh(one.refreshToken()).expect(200).text("sessionId");
        var other = project.signUp().text("user/id");
        project.manage("DELETE", USERS + "/" + other + "/sessions/" + session).expect(404);
        project.manage("GET", USERS + "/" + UUID.randomUUID() + "/sessions").expect(404);
        project.manage("DELETE", USERS + "/" + one.text("user/id") + "/sessions/" + session)
                .expect(200);
    }

    @Test
    void anImportSaysWhoseExternalIdIsTaken() {
        create(Map.of("externalId", "7"));
        var lines = """
                {"email":"one@example.com","externalId":"7"}
                {"email":"two@example.com","externalId":"8","privateMetadata":{"n":1}}
                {"email":"three@example.com","externalId":"8"}
                """;
        var results = project.manage("POST", "/v1/dashboard/users/import")
                .raw("application/x-ndjson", lines)
                .expect(200)
                .body();
        assertThat(results.lines().filter(line -> line.contains("\"externalId\"")))
                .hasSize(2);
        assertThat(results).contains("\"created\":1,\"exists\":0,\"failed\":2");
        assertThat(project.manage("GET", byExternalId("8")).expect(200).text("privateMetadata/n"))
                .isEqualTo("1");
    }
}
