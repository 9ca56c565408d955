package dev.vestibule.database;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWebhook;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The server with PgBouncer between it and PostgreSQL. */
@ExtendWith(WithServer.class)
@TakesLong("A crowd of users passes through three sessions.")
class PgBouncerIT {
    private static final List<Path> PROGRAMS = List.of(Path.of("/usr/sbin/pgbouncer"), Path.of("/usr/bin/pgbouncer"));

    private static final int USERS = 24;

    private static final String EXPORT = "/v1/dashboard/users/export";

    /** Users of 40 kB each: more than the network buffers hold, which the kernel lets grow to 36 MB. */
    private static final int MANY = 1_200;

    private final Path folder;
    private final URI direct;
    private final int port = FreePort.find();
    private final String pooled;

    PgBouncerIT(TestDatabase database, @TempDir Path folder) throws IOException {
        this.folder = folder;
        direct = URI.create(database.createDatabase());
        pooled = direct.toString().replace("@" + direct.getHost() + ":" + direct.getPort(), "@localhost:" + port);
    }

    @Test
    void sessionModeNeedsNoSetting() throws Exception {
        through("session", 60, Map.of());
    }

    /** There are more connections than sessions, so that each statement runs in another session. */
    @Test
    void transactionModeNeedsTheDirectAddressForMigrations() throws Exception {
        through("transaction", 3, Map.of("VESTIBULE_DATABASE_DIRECT_URL", direct.toString()));
    }

    private void through(String mode, int sessions, Map<String, String> settings) throws Exception {
        var program = PROGRAMS.stream().filter(Files::isExecutable).findFirst();
        assumeTrue(program.isPresent(), "PgBouncer is not on this machine");
        var pooler = start(program.get(), mode, sessions);
        var all = new HashMap<>(settings);
        all.put("VESTIBULE_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "true");
        try (var server = TestServer.startOn(pooled, all, Clock.tickMillis(ZoneOffset.UTC));
                var receiver = TestReceiver.start()) {
            var project = server.newProject();
            TestWebhook.create(server, project, receiver.url("/hook"));
            var signedUp = Parallel.send(USERS, number -> signUp(project, "user-" + number + "@example.com"));
            assertThat(signedUp).extracting(Response::status).containsOnly(201);
            for (var round = 0; round < 5; round++) {
                assertThat(Parallel.send(
                                USERS, number -> project.me(signedUp.get(number).accessToken())))
                        .extracting(answer -> answer.text("id"))
                        .containsExactlyElementsOf(signedUp.stream()
                                .map(answer -> answer.text("user/id"))
                                .toList());
            }
            var refreshed = Parallel.send(
                    USERS, number -> project.refresh(signedUp.get(number).refreshToken()));
            assertThat(refreshed).extracting(Response::status).containsOnly(200);
            assertThat(Parallel.send(
                            USERS,
                            number -> project.signOut(refreshed.get(number).accessToken())))
                    .extracting(Response::status)
                    .containsOnly(200);
            assertThat(Parallel.send(
                            USERS, number -> project.me(refreshed.get(number).accessToken())))
                    .extracting(Response::status)
                    .containsOnly(401);
            assertThat(project.manage("GET", "/v1/dashboard/users?search=user-1")
                            .expect(200)
                            .text("total"))
                    .isEqualTo("11");
            exportsEveryUserOfOneMoment(server, project);
            assertThat(receiver.await("/hook", USERS))
                    .extracting(received -> received.header("webhook-id"))
                    .doesNotHaveDuplicates();
        } finally {
            pooler.destroy();
            pooler.waitFor();
        }
    }

    /** Each page is a separate statement, and a snapshot is one transaction, so all of them must run in one session. */
    private static void exportsEveryUserOfOneMoment(TestServer server, TestProject project) throws Exception {
        server.sql().update("""
                        INSERT INTO users (project_id, id, email, public_metadata, created_at, updated_at)
                        SELECT ?::uuid, gen_random_uuid(), 'many-' || n || '@example.com',
                               jsonb_build_object('text', repeat('x', 40000)), now(), now()
                        FROM generate_series(1, ?) AS n
                        """, project.id(), MANY);
        var before = server.sql().texts("SELECT id FROM users WHERE project_id = ?::uuid ORDER BY id", project.id());
        assertThat(before).hasSize(USERS + MANY);
        var request = HttpRequest.newBuilder(project.api().base().resolve(EXPORT))
                .header("x-api-key", project.secretKey())
                .build();
        try (var body = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofInputStream())
                .body()) {
            var first = new byte[] {(byte) body.read()};
            server.sql().update("DELETE FROM users WHERE project_id = ?::uuid AND email LIKE 'many-%'", project.id());
            Parallel.send(USERS, number -> signUp(project, "late-" + number + "@example.com"));
            var lines = new String(first, UTF_8) + new String(body.readAllBytes(), UTF_8);
            assertThat(lines.lines()
                            .map(line -> line.replaceFirst("^[^}]*?\"id\":\"([^\"]+)\".*", "$1"))
                            .toList())
                    .isEqualTo(before);
        }
        assertThat(project.manage("GET", EXPORT).expect(200).body().lines()).hasSize(USERS + USERS);
    }

    private static Call signUp(TestProject project, String email) {
        return project.api()
                .post("/v1/auth/signup")
                .key(project.publishableKey())
                .json(Map.of("email", email, "password", TestProject.PASSWORD));
    }

    private Process start(Path program, String mode, int sessions) throws IOException {
        var userAndPassword = direct.getUserInfo().split(":", 2);
        var users = Files.writeString(
                folder.resolve("users.txt"), "\"%s\" \"%s\"%n".formatted(userAndPassword[0], userAndPassword[1]));
        var configuration = Files.writeString(folder.resolve("pgbouncer.ini"), """
                [databases]
                * = host=%s port=%d
                [pgbouncer]
                listen_addr = localhost
                listen_port = %d
                auth_type = scram-sha-256
                auth_file = %s
                pool_mode = %s
                default_pool_size = %d
                unix_socket_dir =
                """.formatted(
                        direct.getHost(), direct.getPort(), port, users, mode, sessions));
        var command = new ArrayList<String>(List.of(program.toString(), configuration.toString()));
        if (System.getProperty("user.name").equals("root")) { // as which PgBouncer refuses to run
            for (var path : List.of(folder, users, configuration)) {
                Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            command.addAll(1, List.of("-u", "nobody"));
        }
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        Eventually.until("PgBouncer listens", () -> listens(port));
        return process;
    }

    private static boolean listens(int port) {
        try (var socket = new Socket("localhost", port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }
}
