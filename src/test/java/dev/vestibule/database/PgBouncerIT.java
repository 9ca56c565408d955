package dev.vestibule.database;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** With PgBouncer in session mode between server and PostgreSQL. */
@ExtendWith(WithServer.class)
class PgBouncerIT {
    private static final List<Path> PROGRAMS = List.of(Path.of("/usr/sbin/pgbouncer"), Path.of("/usr/bin/pgbouncer"));

    @Test
    void sessionModeNeedsNoSetting(TestDatabase database, @TempDir Path folder) throws Exception {
        var program = PROGRAMS.stream().filter(Files::isExecutable).findFirst();
        assumeTrue(program.isPresent(), "PgBouncer is not on this machine");
        var direct = URI.create(database.createDatabase());
        var port = FreePort.find();
        var pooler = start(program.get(), folder, direct, port);
        try {
            var url = direct.toString().replace("@" + direct.getHost() + ":" + direct.getPort(), "@localhost:" + port);
            try (var server = TestServer.startOn(url, Map.of(), Clock.tickMillis(ZoneOffset.UTC))) {
                var project = server.newProject();
                var signedUp = project.signUp("ann@example.com");
                project.signIn("ann@example.com");
                project.me(signedUp.accessToken()).expect(200);
                project.verify(signedUp.accessToken()).expect(200);
                project.refresh(signedUp.refreshToken()).expect(200);
                project.signOut(signedUp.accessToken()).expect(200);
                project.me(signedUp.accessToken()).expect(401);
            }
        } finally {
            pooler.destroy();
            pooler.waitFor();
        }
    }

    private static Process start(Path program, Path folder, URI direct, int port) throws IOException {
        var userAndPassword = direct.getUserInfo().split(":", 2);
        var users = Files.writeString(
                folder.resolve("users.txt"), "\"%s\" \"%s\"%n".formatted(userAndPassword[0], userAndPassword[1]));
        var configuration = Files.writeString(
                folder.resolve("pgbouncer.ini"), """
                [databases]
                * = host=%s port=%d
                [pgbouncer]
                listen_addr = localhost
                listen_port = %d
                auth_type = scram-sha-256
                auth_file = %s
                pool_mode = session
                default_pool_size = 60
                unix_socket_dir =
                """.formatted(direct.getHost(), direct.getPort(), port, users));
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
