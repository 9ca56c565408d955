package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The jar without PostgreSQL, for those who bring their own. */
@ExtendWith(WithServer.class)
class SlimJarIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final TestDatabase database;
    private final Path folder;

    SlimJarIT(TestDatabase database, @TempDir Path folder) {
        this.database = database;
        this.folder = folder;
    }

    @Test
    void theSlimJarServesOnAConfiguredDatabase() {
        var given = JarCommand.in(folder)
                .slim()
                .with("VESTIBULE_DATABASE_URL", database.createDatabase())
                .with("VESTIBULE_SECRET", TestServer.SECRET);
        try (var server = given.start()) {
            server.firstProject().signUp("ann@example.com");
            assertThat(server.output()).doesNotContain("NoClassDefFoundError", "does not load");
        }
    }

    @Test
    void withoutADatabaseTheSlimJarNamesTheSettingAndLeavesNothing() throws Exception {
        var server = JarCommand.unconfigured(folder).slim().launch();
        assertThat(server.awaitExit(LIMIT)).isEqualTo(2);
        assertThat(server.output().lines())
                .singleElement()
                .asString()
                .startsWith("database.url must be set")
                .contains("vestibule.jar");
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void theSlimJarIsLessThanHalfAsLarge() throws Exception {
        var slim = Files.size(JarCommand.fatJar().resolveSibling("vestibule-slim.jar"));
        assertThat(slim).isLessThan(Files.size(JarCommand.fatJar()) / 2);
    }
}
