package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.JarServer;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The jar, with the modules of the image, serves as the image's build expects, which itself needs Docker. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImageIT {
    /** What jdeps finds in the jar, and more; the last one is a part of java.base since Java 22. */
    private static final String FOUND = "java.se,jdk.jfr,jdk.management,jdk.unsupported,jdk.crypto.ec,";

    private static final Pattern ADDED_MODULES = Pattern.compile("--add-modules \"\\$modules,([^\"]+)\"");
    private static final Pattern AWAITED_LINE = Pattern.compile("until grep --quiet '([^']+)' log");

    private final JarServer server;

    ImageIT(TestDatabase database, @TempDir Path folder) throws IOException {
        server = JarCommand.in(folder)
                .with("VESTIBULE_DATABASE_URL", database.createDatabase())
                .with("VESTIBULE_SECRET", TestServer.SECRET)
                .addJava("--limit-modules", FOUND + find(ADDED_MODULES, "Dockerfile"))
                .start();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void theModulesOfTheImageSufficeForPagesAndForMailsInOtherLanguages() {
        ApiClient.undescribed(server.api().base()).get("/console/").expect(200);
        assertThat(server.firstProject()
                        .asOwner("POST", "/message-texts/notice.password_changed/de/preview")
                        .json(Map.of())
                        .expect(200)
                        .text("html"))
                .contains("Vereinigtes Königreich");
    }

    @Test
    void theServerPrintsTheLineThatTheScriptOfTheCacheAwaits() throws IOException {
        var awaited = Pattern.compile(find(AWAITED_LINE, "make-aot-cache.sh"), Pattern.MULTILINE);
        Eventually.until("it is printed", () -> awaited.matcher(server.output()).find());
    }

    private static String find(Pattern pattern, String file) throws IOException {
        return pattern.matcher(Files.readString(Path.of("docker", file)))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }
}
