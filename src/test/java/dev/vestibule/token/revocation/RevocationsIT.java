package dev.vestibule.token.revocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What applications that verify tokens on their own learn of ended sessions and grants. */
@ExtendWith(WithServer.class)
class RevocationsIT {
    private static final String PATH = "/v1/backend/revocations";
    private static final int LONG = 10_000;

    private final TestServer server;
    private final TestProject project;
    private final String email = TestServer.newEmail();
    private final Response user;

    RevocationsIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.user = project.signUp(email);
    }

    private Call ask(String after, String more) {
        return project.manage("GET", PATH + "?" + (after.isEmpty() ? "" : "after=" + encode(after) + "&") + more);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private Response read(String after) {
        return ask(after, "").expect(200);
    }

    private static List<String> ids(Response response) {
        var ids = new ArrayList<String>();
        response.json()
                .path("revocations")
                .forEach(revocation -> ids.add(revocation.path("id").asText()));
        return ids;
    }

    private List<String> all() {
        return ids(read(""));
    }

    private static String session(Response tokens) {
        return claim(tokens.accessToken(), "sid");
    }

    private static String claim(String token, String name) {
        return Jwt.parse(token).claims().path(name).asText();
    }

    private static String grant(Response tokens) {
        return claim(tokens.text("access_token"), "jti").split("\\.", 2)[0];
    }

    /** A way to end the session of the user who has just signed up. */
    private record Way(String name, Consumer<RevocationsIT> end) {
        @Override
        public String toString() {
            return name;
        }
    }

    private void manage(String method, String path) {
        project.manage(method, path).expect(200);
    }

    private String userId() {
        return user.text("user/id");
    }

    static Stream<Way> ways() {
        return Stream.of(
                new Way(
                        "sign out",
                        it -> it.project.signOut(it.user.accessToken()).expect(200)),
                new Way("revocation", it -> it.manage("DELETE", "/v1/dashboard/sessions/" + session(it.user))),
                new Way(
                        "revocation of all",
                        it -> it.manage("DELETE", "/v1/dashboard/users/" + it.userId() + "/sessions")),
                new Way("ban", it -> it.manage("PATCH", "/v1/dashboard/users/" + it.userId() + "/ban")),
                new Way("deletion", it -> it.manage("DELETE", "/v1/dashboard/users/" + it.userId())),
                new Way(
                        "deletion behind the server's back",
                        it -> it.server.sql().update("DELETE FROM users WHERE id = ?::uuid", it.userId())),
                new Way(
                        "a new password",
                        it -> it.project
                                .manage("PATCH", "/v1/dashboard/users/" + it.userId())
                                .json(Map.of("password", "another fine password"))
                                .expect(200)),
                new Way("eviction", it -> {
                    it.server.change(it.project, "max_concurrent_sessions = 1");
                    Eventually.until("it is evicted", () -> {
                        it.project.signIn(it.email);
                        return it.project.me(it.user.accessToken()).send().status() == 401;
                    });
                }),
                new Way("reuse of a refresh token", it -> {
                    it.project.refresh(it.user.refreshToken()).expect(200);
                    it.server
                            .sql()
                            .update(
                                    "UPDATE sessions SET generation = generation + 5 WHERE project_id = ?::uuid",
                                    it.project.id());
                    it.project.refresh(it.user.refreshToken()).expect(401);
                }));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void whateverEndsASessionIsTold(Way way) {
        assertThat(all()).isEmpty();

        way.end().accept(this);

        assertThat(all()).contains(session(user));
    }

    @Test
    void anEntryStaysForAsLongAsATokenMayBeValid() {
        project.asOwner("PATCH", "")
                .json(Map.of("sessionConfig", Map.of("accessTokenTtl", 86_400)))
                .expect(200);
        var longer = project.signIn(email);
        project.asOwner("PATCH", "")
                .json(Map.of("sessionConfig", Map.of("accessTokenTtl", 60)))
                .expect(200);
        project.signOut(longer.accessToken()).expect(200);

        var told = read("").json().path("revocations").get(0);

        assertThat(told.path("id").asText()).isEqualTo(session(longer));
        assertThat(told.path("exp").asLong())
                .isGreaterThanOrEqualTo(Long.parseLong(claim(longer.accessToken(), "exp")));
    }

    @Test
    void aTokenOfATemplateIsCoveredAfterTheTemplateIsGone() {
        var template = project.manage("POST", "/v1/backend/jwt-templates")
                .json(Map.of("name", "long", "claims", List.of(), "allowedLifetime", 80_000))
                .expect(201);
        var token = project.manage("POST", "/v1/backend/sessions/" + session(user) + "/token")
                .json(Map.of("template", "long"))
                .expect(200)
                .accessToken();
        manage("DELETE", "/v1/backend/jwt-templates/" + template.text("id"));
        project.signOut(token).expect(200);

        assertThat(read("").json().at("/revocations/0/exp").asLong())
                .isGreaterThanOrEqualTo(Long.parseLong(claim(token, "exp")));
    }

    @Test
    void whatHadExpiredIsNotTold() {
        server.sql()
                .update(
                        "UPDATE sessions SET expires_at = now() - interval '1 s', sweep_at = now() - interval '1 s' WHERE project_id = ?::uuid",
                        project.id());
        manage("DELETE", "/v1/dashboard/users/" + userId());

        assertThat(all()).isEmpty();
    }

    @Test
    void aRevokedGrantIsTold() {
        var api = "https://api.example.com/" + UUID.randomUUID();
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of("uri", api, "name", "Orders", "scopes", List.of(Map.of("name", "orders:read"))))
                .expect(201);
        var service =
                OauthBrowser.register(project, "service", Map.of("apiScopes", Map.of(api, List.of("orders:read"))));
        var client = Map.of("client_id", service.text("clientId"), "client_secret", service.text("clientSecret"));
        var form = new HashMap<>(client);
        form.put("grant_type", "client_credentials");
        var revoked = OauthBrowser.token(project, form, 200);
        var deleted = OauthBrowser.token(project, form, 200);
        form.put("token", revoked.text("access_token"));
        OauthBrowser.post(project, "/oauth/revoke", form, 200);
        assertThat(all()).containsExactly(grant(revoked));

        project.asOwner("DELETE", "/oauth-clients/" + service.text("clientId")).expect(200);

        assertThat(all()).containsExactly(grant(revoked), grant(deleted));
    }

    /** Its session has expired before, so that only the grant's own end tells of it. */
    @ParameterizedTest
    @ValueSource(strings = {"ban", "sessions"})
    void aGrantThatOutlivedItsSessionEndsWithAllSessionsOfTheUser(String how) {
        var client = OauthBrowser.register(project, "spa", Map.of("firstParty", true))
                .text("clientId");
        var browser = new OauthBrowser(project);
        browser.authorize(client, Map.of("scope", "openid offline_access", "prompt", "consent"));
        browser.signIn(email);
        var allowed = browser.submit("consent", Map.of("decision", "allow"));
        var code = OauthBrowser.parameter(OauthBrowser.onward(allowed), "code");
        var tokens = OauthBrowser.redeem(project, client, code, 200);
        server.sql().update("UPDATE oauth_grants SET session_id = NULL WHERE project_id = ?::uuid", project.id());
        OauthBrowser.userinfo(project, tokens.text("access_token"), 200);

        manage(how.equals("ban") ? "PATCH" : "DELETE", "/v1/dashboard/users/" + userId() + "/" + how);

        assertThat(all()).contains(grant(tokens));
        if (how.equals("ban")) {
            manage("PATCH", "/v1/dashboard/users/" + userId() + "/unban");
        }
        OauthBrowser.userinfo(project, tokens.text("access_token"), 401);
    }

    @Test
    void aWaitingRequestIsAnsweredBySignOutsOnOtherNodes() {
        var other = project.signIn(email);
        var cursor = read("").text("cursor");
        try (var node = TestServer.startOn(server.databaseUrl(), Map.of(), Clock.systemUTC())) {
            var waiting = ask(cursor, "waitMilliseconds=" + LONG).sendAsync();
            project.at(node).signOut(user.accessToken()).expect(200);

            var answer = waiting.join();

            assertThat(ids(answer)).containsExactly(session(user));
            var next = ask(answer.text("cursor"), "waitMilliseconds=" + LONG).sendAsync();
            project.signOut(other.accessToken()).expect(200);
            assertThat(ids(next.join())).containsExactly(session(other));
        }
    }

    private static final String NUMBER_AS_ANOTHER_SERVER = """
            WITH ended AS (DELETE FROM revocations WHERE project_id = ?::uuid RETURNING project_id, id, expires_at),
            copied AS (
                INSERT INTO revocations (project_id, transaction_id, id, expires_at)
                SELECT project_id, (9000000000000 + n)::text::xid8, id, expires_at + make_interval(hours => n)
                FROM ended, generate_series(0, 2) AS n
                RETURNING project_id, transaction_id)
            INSERT INTO project_changes (project_id, transaction_id) SELECT project_id, transaction_id FROM copied
            """;

    /**
     * After a restore, or a copy by PostgreSQL's own tools, which bring the numbers of another server's transactions.
     */
    @Test
    void whatEndedBeforeTheDatabaseWasCopiedIsToldAfterAStart() {
        project.signOut(user.accessToken()).expect(200);
        var exp = read("").json().at("/revocations/0/exp").asLong();
        server.sql().update(NUMBER_AS_ANOTHER_SERVER, project.id());

        TestServer.startOn(server.databaseUrl(), Map.of(), Clock.systemUTC()).close();

        var told = read("");
        assertThat(ids(told)).containsExactly(session(user));
        assertThat(told.json().at("/revocations/0/exp").asLong())
                .isEqualTo(exp + Duration.ofHours(2).toSeconds());
        assertThat(server.sql()
                        .texts("SELECT transaction_id FROM project_changes WHERE project_id = ?::uuid", project.id()))
                .noneMatch(number -> number.startsWith("90000000"));
    }

    @Test
    void anotherProjectsSignOutsAreNotTold() {
        var cursor = read("").text("cursor");
        var waiting = ask(cursor, "waitMilliseconds=300").sendAsync();
        var another = server.newProject();
        another.signOut(another.signUp().accessToken()).expect(200);

        assertThat(ids(waiting.join())).isEmpty();
        assertThat(all()).isEmpty();
    }

    @Test
    void aResponseWithoutNewsContinuesWhereTheNextOneBegins() {
        var quiet = ask(read("").text("cursor"), "waitMilliseconds=1").expect(200);
        assertThat(quiet.json().path("hasMore").asBoolean()).isFalse();
        assertThat(ids(quiet)).isEmpty();
        project.signOut(user.accessToken()).expect(200);

        var news = read(quiet.text("cursor"));

        assertThat(ids(news)).containsExactly(session(user));
        assertThat(ids(read(news.text("cursor")))).isEmpty();
    }

    /** Adds the entry in a transaction that stays open, as the end of a session would. */
    private Connection revokeSlowly(String session) throws SQLException {
        var connection = server.sql().connect();
        connection.setAutoCommit(false);
        try (var statement = connection.prepareStatement("INSERT INTO revocations (project_id, id, expires_at)"
                + " VALUES (?::uuid, ?::uuid, now() + interval '1 hour')")) {
            statement.setString(1, project.id());
            statement.setString(2, session);
            assertThat(statement.executeUpdate()).isOne();
        }
        return connection;
    }

    @Test
    void aTransactionThatCommitsLateIsNotMissed() throws SQLException {
        var quick = project.signUp();
        try (var slow = revokeSlowly(session(user))) {
            manage("DELETE", "/v1/dashboard/sessions/" + session(quick));
            var before = read("");
            assertThat(ids(before)).containsExactly(session(quick));
            var waiting = ask(before.text("cursor"), "waitMilliseconds=" + LONG).sendAsync();
            slow.commit();

            assertThat(ids(waiting.join())).containsExactly(session(user));
        }
    }

    @Test
    void pagesMissNothingThatCommitsBetweenThem() throws SQLException {
        var first = project.signUp();
        var second = project.signUp();
        try (var slow = revokeSlowly(session(user))) {
            for (var quick : List.of(first, second)) {
                manage("DELETE", "/v1/dashboard/sessions/" + session(quick));
            }
            var page = ask("", "limit=1").expect(200);
            assertThat(ids(page)).containsExactly(session(first));
            assertThat(page.json().path("hasMore").asBoolean()).isTrue();
            slow.commit();

            var next = ask(page.text("cursor"), "limit=1").expect(200);
            assertThat(ids(next)).containsExactly(session(second));
            assertThat(ids(read(next.text("cursor")))).containsExactly(session(user));
        }
    }

    @Test
    void aCursorOfAnotherServerStartsFromTheBeginning() {
        project.signOut(user.accessToken()).expect(200);
        var cursor = read("").text("cursor");
        var server = cursor.substring(0, cursor.indexOf('~'));

        for (var other : List.of(
                cursor.replace(server, "000000FF" + server.substring(8)),
                cursor.replace(server, server + "1"),
                server + "~999999999999999:999999999999999:")) {
            assertThat(ids(read(other))).as(other).containsExactly(session(user));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "00000001-1~",
                "00000001-1~0:1:",
                "00000001-1~5:3:",
                "00000001-1~5:9:4",
                "00000001-1~5:9:6,6",
                "00000001-1~5:9:9",
                "00000001-1~5:9:,",
                "00000001-1~5:9:~5:9:~1",
                "00000001-1~5:9:~9:5:~1~00000000-0000-7000-8000-000000000000",
                "00000001-1~9999999999999999999:9999999999999999999:",
                "\u0000"
            })
    void aMalformedCursorIsRefused(String cursor) {
        assertThat(ask(cursor, "").expect(422).failingFields()).containsExactly("after");
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=10001", "waitMilliseconds=10001", "waitMilliseconds=-1"})
    void parametersHaveBounds(String parameter) {
        ask("", parameter).expect(422);
    }

    @Test
    void onlyTheSecretKeyReadsTheList() {
        project.get(PATH).expect(403);
        server.api().get(PATH).expect(401);
        server.api().get(PATH).bearer(user.accessToken()).expect(403);
    }

    @Test
    void aLimitedNumberOfRequestsWaits() {
        var settings = Map.of("VESTIBULE_TOKENS_WAITING_PER_PROJECT", "1", "VESTIBULE_SESSIONS_SWEEP_SECONDS", "1");
        try (var node = TestServer.startOn(server.databaseUrl(), settings, Clock.systemUTC())) {
            var there = project.at(node);
            var wait = PATH + "?waitMilliseconds=" + LONG;
            var calls = Stream.of(1, 2)
                    .map(number -> there.manage("GET", wait).sendAsync())
                    .toList();
            Eventually.until("one is refused", () -> calls.stream().anyMatch(call -> call.isDone()));
            var refused = calls.stream()
                    .filter(call -> call.isDone())
                    .findFirst()
                    .orElseThrow()
                    .join();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).contains("1");
            there.manage("GET", PATH).expect(200);

            project.signOut(user.accessToken()).expect(200);

            assertThat(calls).extracting(call -> call.join().status()).containsExactlyInAnyOrder(200, 503);

            server.sql()
                    .update(
                            "UPDATE revocations SET expires_at = now() - interval '1 s' WHERE project_id = ?::uuid",
                            project.id());
            assertThat(all()).as("nothing is told of tokens that have expired").isEmpty();
            Eventually.until(
                    "the row is removed",
                    () -> server.sql()
                                    .count("SELECT count(*) FROM revocations WHERE project_id = ?::uuid", project.id())
                            == 0);
        }
    }
}
