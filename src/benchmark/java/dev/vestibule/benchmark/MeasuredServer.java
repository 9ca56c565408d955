package dev.vestibule.benchmark;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.JarServer;
import dev.vestibule.fixture.TestProject;
import java.nio.file.Path;
import java.util.Map;

/** The real jar with its embedded database, in separate processes, without limits for the single client network. */
final class MeasuredServer implements AutoCloseable {
    private final JarServer jar;
    private final EmbeddedDatabase database;

    private MeasuredServer(JarServer jar, Path folder) {
        this.jar = jar;
        this.database = new EmbeddedDatabase(folder.resolve("data"));
    }

    static JarCommand command(Path folder) {
        return JarCommand.unconfigured(folder)
                .with("VESTIBULE_HTTP_PORT", "0")
                .with("VESTIBULE_MANAGEMENT_PORT", "0")
                .with("VESTIBULE_LIMITS_ENABLED", "false");
    }

    /** Uses hashes so cheap that thousands of accounts can be created in seconds. */
    static JarCommand cheap(Path folder) {
        return command(folder).with("VESTIBULE_PASSWORDS_MEMORY", "1024").with("VESTIBULE_PASSWORDS_ITERATIONS", "1");
    }

    static MeasuredServer start(JarCommand command) {
        return new MeasuredServer(command.start(), command.folder());
    }

    /** A new project, whose tokens outlive any benchmark. */
    TestProject firstProject() {
        var project = through(jar.firstProject());
        project.asOwner("PATCH", "")
                .json(Map.of("sessionConfig", Map.of("accessTokenTtl", 86_400)))
                .expect(200);
        return project;
    }

    /** The project, called at this server by a client that only sends. */
    TestProject through(TestProject project) {
        return project.through(ApiClient.undescribed(jar.api().base()));
    }

    int port() {
        return jar.api().base().getPort();
    }

    JarServer jar() {
        return jar;
    }

    ServerProcess process() {
        return new ServerProcess(jar.pid());
    }

    EmbeddedDatabase database() {
        return database;
    }

    String postgresVersion() {
        return database.sql().texts("SHOW server_version").get(0);
    }

    CpuClock clock() {
        return new CpuClock(ProcessHandle.of(jar.pid()).orElseThrow(), database.postmaster());
    }

    @Override
    public void close() {
        jar.close();
    }
}
