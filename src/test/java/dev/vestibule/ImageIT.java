package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The jar serves as the image's build expects, which itself needs Docker. */
@ExtendWith(WithServer.class)
class ImageIT {
    private static final Pattern AWAITED_LINE = Pattern.compile("until grep --quiet '([^']+)' log");

    private final JarCommand command;

    ImageIT(TestDatabase database, @TempDir Path folder) {
        command = JarCommand.in(folder)
                .with("VESTIBULE_DATABASE_URL", database.createDatabase())
                .with("VESTIBULE_SECRET", TestServer.SECRET);
    }

    @Test
    void theServerPrintsTheLineThatTheScriptOfTheCacheAwaits() throws IOException {
        var awaited = Pattern.compile(find(AWAITED_LINE, "make-aot-cache.sh"), Pattern.MULTILINE);
        try (var server = command.start()) {
            Eventually.until(
                    "it is printed", () -> awaited.matcher(server.output()).find());
        }
    }

    private static String find(Pattern pattern, String file) throws IOException {
        return pattern.matcher(Files.readString(Path.of("docker", file)))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }
}
