package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.JarCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar without PostgreSQL, for those who bring their own; that it serves, {@link TracesJarIT} shows. */
class SlimJarIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Path folder;

    SlimJarIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void withoutADatabaseTheSlimJarNamesTheSettingAndLeavesNothing() throws Exception {
        var server = JarCommand.unconfigured(folder).quick().slim().launch();
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
