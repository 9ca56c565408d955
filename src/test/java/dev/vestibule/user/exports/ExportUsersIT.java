package dev.vestibule.user.exports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.crypto.foreign.Vector;
import dev.vestibule.fixture.DatabaseProxy;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
@TakesLong("Several times, it exports more than the buffers on the way hold.")
class ExportUsersIT {
    private static final String PATH = "/v1/dashboard/users/export";
    private static final String WITH_HASHES = PATH + "?withHashes=true&projectId=";

    /** With 40 kB each: more than the buffers on the way hold, which the kernel lets grow to 36 MB. */
    private static final int MANY = 1_200;

    private final TestDatabase database;
    private final TestServer server;
    private final TestProject project;

    ExportUsersIT(TestDatabase database, TestServer server) {
        this.database = database;
        this.server = server;
        this.project = server.newProject();
    }

    private static List<String> export(TestProject of) {
        return of.manage("GET", PATH).expect(200).body().lines().toList();
    }

    private static void importInto(TestProject target, List<String> lines) {
        assertThat(target.manage("POST", "/v1/dashboard/users/import")
                        .raw("application/x-ndjson", String.join("\n", lines))
                        .expect(200)
                        .body())
                .contains("\"done\":true,\"created\":%d,\"exists\":0,\"failed\":0".formatted(lines.size()));
    }

    private static void fill(TestServer at, TestProject of, int users) {
        fill(at, of, users, 40_000);
    }

    private static void fill(TestServer at, TestProject of, int users, int bytes) {
        at.sql().update("""
                        INSERT INTO users (project_id, id, email, public_metadata, created_at, updated_at)
                        SELECT ?::uuid, gen_random_uuid(), 'user' || n || '@example.com',
                               jsonb_build_object('text', repeat('x', ?::int)), now(), now()
                        FROM generate_series(1, ?) AS n
                        """, of.id(), bytes, users);
    }

    /** A response whose body is read only when the test reads it. */
    private static HttpResponse<InputStream> open(TestProject of) {
        var request = HttpRequest.newBuilder(of.api().base().resolve(PATH))
                .header("x-api-key", of.secretKey())
                .build();
        try {
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .build()
                    .send(request, BodyHandlers.ofInputStream());
        } catch (IOException failure) {
            throw new AssertionError(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    private static List<String> rest(InputStream body) throws IOException {
        return new String(body.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void whatOneProjectExportsAnotherImports() {
        var vector = Vector.of("bcrypt 2b");
        importInto(
                project,
                List.of(
                        """
                        {"id":"6b1ed7a4-2c4f-4f57-9d2e-0a5c3e0f9b71","email":"ada@example.com","emailVerified":true,\
                        "displayName":"Ada \\"the\\" Löwe\\\\","avatarUrl":"https://cdn.example.com/a.png",\
                        "phone":"+14155550123","phoneVerified":true,"publicMetadata":{"plan":"pro","n":[1,2.5,null,1e300,-1e-300]},\
                        "externalId":"customer/1","privateMetadata":{"limit":500},\
                        "passwordHash":"%s","signInCount":7,"lastSignInAt":"2024-03-01 09:59:31.123+00",\
                        "createdAt":1575964800,"updatedAt":"2024-03-02T00:00:00Z"}""".formatted(vector.hash()),
                        """
                        {"email":"banned@example.com","isBanned":true,"identities":[{"provider":"google",\
                        "subject":"1"},{"provider":"oidc","issuer":"https://id.example.com","subject":"ö"},\
                        {"provider":"github","subject":"7"}]}""",
                        "{\"identities\":[{\"provider\":\"kakao\",\"subject\":\"none has an email\"}]}"));
        var exported = export(project);
        assertThat(exported).hasSize(3).noneMatch(line -> line.contains("passwordHash"));

        var copy = server.newProject();
        importInto(copy, exported);
        assertThat(export(copy)).isEqualTo(exported);

        var other = server.newProject();
        importInto(
                other,
                project.api()
                        .get(WITH_HASHES + project.id())
                        .bearer(project.owner())
                        .expect(200)
                        .body()
                        .lines()
                        .toList());
        assertThat(other.trySignIn("ada@example.com", vector.password())
                        .expect(200)
                        .text("user/id"))
                .isEqualTo("6b1ed7a4-2c4f-4f57-9d2e-0a5c3e0f9b71");
    }

    /** A stolen token must not be enough to get all password hashes. */
    @Test
    void passwordHashesRequireARecentSignIn() {
        var clock = new TestClock();
        try (var aging = TestServer.start(database, Map.of("VESTIBULE_LIMITS_ENABLED", "false"), clock)) {
            var of = aging.newProject();
            var hashes = WITH_HASHES + of.id();
            of.api().get(hashes).bearer(of.owner()).expect(200);
            clock.advance(Duration.ofMinutes(10).plusSeconds(1));

            var refused = of.api().get(hashes).bearer(of.owner()).expect(403);

            assertThat(refused.text("reason")).isEqualTo("reauthentication_required");
            of.api().get(PATH + "?projectId=" + of.id()).bearer(of.owner()).expect(200);
            of.api().call("HEAD", hashes).bearer(of.owner()).expect(403);
            var again = of.api()
                    .post("/v1/auth/reauthenticate")
                    .bearer(of.owner())
                    .json(Map.of("password", "a dashboard password"))
                    .expect(200);
            of.api().get(hashes).bearer(again.accessToken()).expect(200);
        }
    }

    @Test
    void onlyAnOwnersTokenExportsPasswordHashes() {
        project.signUp();
        assertThat(project.manage("GET", PATH + "?withHashes=true").expect(403).text("message"))
                .contains("owner");
        var developer = server.newMember(project, "developer");
        project.api().get(WITH_HASHES + project.id()).bearer(developer).expect(403);
        assertThat(project.api()
                        .get(PATH + "?projectId=" + project.id())
                        .bearer(developer)
                        .expect(200)
                        .body())
                .contains("email")
                .doesNotContain("argon2");
        project.api()
                .get(WITH_HASHES + project.id())
                .bearer(server.newDashboardUser())
                .expect(404);
        project.get(PATH).expect(403);
        assertThat(project.api()
                        .get(WITH_HASHES + project.id())
                        .bearer(project.owner())
                        .expect(200)
                        .body())
                .contains("$argon2id$");
    }

    @Test
    void aSupportersTokenExportsNoDataForServersAndAViewersNothing() {
        var user = project.signUp().text("user/id");
        project.manage("PATCH", "/v1/dashboard/users/" + user)
                .json(Map.of("privateMetadata", Map.of("limit", "private")))
                .expect(200);
        var path = PATH + "?projectId=" + project.id();
        assertThat(project.api()
                        .get(path)
                        .bearer(server.newMember(project, "support"))
                        .expect(200)
                        .body())
                .contains(user)
                .doesNotContain("private");
        assertThat(project.api()
                        .get(path)
                        .bearer(server.newMember(project, "viewer"))
                        .expect(403)
                        .text("code"))
                .isEqualTo("role_not_allowed");
        assertThat(project.api().get(path).bearer(project.owner()).expect(200).body())
                .contains("\"privateMetadata\":{\"limit\":\"private\"}");
        assertThat(export(project).get(0)).contains("\"privateMetadata\"");
    }

    @Test
    void aProjectWithoutUsersExportsNothing() {
        server.newProject().signUp();
        assertThat(project.manage("GET", PATH).expect(200).body()).isEmpty();
        assertThat(project.manage("GET", PATH + "?withHashes=yes").expect(422).failingFields())
                .containsExactly("withHashes");
    }

    @Test
    void allLinesAreOfOneSnapshotThoughTheReaderIsSlow() throws IOException {
        fill(server, project, MANY);
        var response = open(project);
        try (var body = response.body()) {
            assertThat(body.read()).isEqualTo('{');
            server.sql().update("DELETE FROM users WHERE project_id = ?::uuid", project.id());
            IntStream.range(0, 3).forEach(i -> project.signUp());

            var lines = rest(body);
            assertThat(lines).hasSize(MANY).allMatch(line -> line.endsWith("}"));
            assertThat(lines.stream()
                            .map(line -> line.replaceAll(".*\"id\":\"([^\"]+)\".*", "$1"))
                            .collect(Collectors.toSet()))
                    .hasSize(MANY);
        }
    }

    @Test
    void aReaderThatStopsIsCutOffAndFreesItsSlot() throws IOException {
        var settings = Map.of("VESTIBULE_EXPORTS_STALL_SECONDS", "10", "VESTIBULE_EXPORTS_WAITING_BYTES", "1024");
        try (var own = TestServer.start(database, settings);
                var stopped = new Socket()) {
            var big = own.newProject();
            fill(own, big, MANY);
            startReading(big, stopped);
            assertThat(big.manage("GET", PATH).expect(503).header("Retry-After"))
                    .hasValue("10");

            Eventually.until(
                    "there is room for another",
                    () -> big.manage("GET", PATH).send().status() == 200);
            Eventually.until("no transaction is left open", () -> own.sql().count("""
                            SELECT count(*) FROM pg_stat_activity
                            WHERE datname = current_database() AND state LIKE 'idle in transaction%'
                            """) == 0);
            assertThat(isWhole(stopped.getInputStream())).isFalse();
            assertThat(export(big)).hasSize(MANY);
        }
    }

    /** Such a reader needs more time for a page of users than the stall time allows, but keeps reading. */
    @Test
    void aSlowReaderGetsEverything() throws IOException {
        var settings = Map.of("VESTIBULE_EXPORTS_STALL_SECONDS", "3", "VESTIBULE_EXPORTS_WAITING_BYTES", "1024");
        try (var own = TestServer.start(database, settings);
                var slow = new Socket()) {
            var big = own.newProject();
            fill(own, big, 200, 300_000);
            startReading(big, slow);
            assertThat(readSlowly(slow.getInputStream())).endsWith("\r\n0\r\n\r\n");
        }
    }

    /** Reads 8 MB a second or less; returns the last bytes. */
    private static String readSlowly(InputStream response) throws IOException {
        var end = "";
        while (!end.endsWith("\r\n0\r\n\r\n")) {
            var piece =
                    response.readNBytes(end.isEmpty() ? 80_000 : Math.max(1, Math.min(80_000, response.available())));
            if (piece.length == 0) {
                break;
            }
            end = new String(piece, StandardCharsets.US_ASCII);
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
        return end;
    }

    /** Keeps the buffer small: the kernel would let it grow until it holds a whole export. */
    private static void startReading(TestProject of, Socket reader) throws IOException {
        var server = of.api().base();
        reader.setReceiveBufferSize(65_536);
        reader.connect(new InetSocketAddress(server.getHost(), server.getPort()));
        var head = "GET %s HTTP/1.1\r\nHost: %s\r\nx-api-key: %s\r\n\r\n"
                .formatted(PATH, server.getAuthority(), of.secretKey());
        reader.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        assertThat(reader.getInputStream().read()).isEqualTo('H');
    }

    private static boolean isWhole(InputStream response) {
        try {
            return new String(response.readAllBytes(), StandardCharsets.UTF_8).endsWith("\r\n0\r\n\r\n");
        } catch (IOException reset) {
            return false;
        }
    }

    /** A file that only looks complete would lose users. */
    @Test
    void anExportThatFailsMidwayHasNoProperEnd() {
        var proxy = DatabaseProxy.before(database.createDatabase());
        try (proxy;
                var own = TestServer.startOn(
                        proxy.url(), TestServer.USUAL_DATABASE_WAITS, Clock.tickMillis(ZoneOffset.UTC))) {
            var big = own.newProject();
            fill(own, big, MANY);
            var response = open(big);
            assertThat(response.statusCode()).isEqualTo(200);
            proxy.takeAway();
            assertThatThrownBy(() -> rest(response.body())).isInstanceOf(IOException.class);
            proxy.restore();
        }
    }
}
