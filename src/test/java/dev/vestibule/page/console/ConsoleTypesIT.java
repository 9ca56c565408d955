package dev.vestibule.page.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.impl.driver.Driver;
import dev.vestibule.server.ApiDescription;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the scripts of all pages with TypeScript, in the Node.js of Playwright. */
class ConsoleTypesIT {
    private static final String TYPESCRIPT = "/META-INF/resources/webjars/typescript/6.0.3/lib";
    private static final String SCRIPT = "src/test/resources/console/check.mjs";

    /**
     * The types of requests and responses come from the API description, and the texts from {@code messages/en.json}.
     */
    @Test
    void theModulesMatchTheApiAndTheTextsAndUseAllTexts(@TempDir Path folder)
            throws IOException, URISyntaxException, InterruptedException {
        unpackTypeScript(folder);
        var node = Driver.ensureDriverInstalled(Map.of(), false)
                .createProcessBuilder()
                .command()
                .get(0);
        var check = new ProcessBuilder(node, SCRIPT, folder.toString())
                .redirectErrorStream(true)
                .start();
        try (var input = check.getOutputStream()) {
            input.write(ApiDescription.json().getBytes());
        }
        var found = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(found).as("what is wrong, by %s", SCRIPT).isBlank();
        assertThat(check.waitFor()).isZero();
    }

    /** The compiler, and the declarations of the language and of browsers. */
    private static void unpackTypeScript(Path folder) throws IOException, URISyntaxException {
        var url = Objects.requireNonNull(ConsoleTypesIT.class.getResource(TYPESCRIPT + "/typescript.js"));
        var jar = ((JarURLConnection) url.openConnection()).getJarFileURL();
        try (var system = FileSystems.newFileSystem(Path.of(jar.toURI()));
                var files = Files.list(system.getPath(TYPESCRIPT))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                var name = String.valueOf(file.getFileName());
                if (name.equals("typescript.js") || name.startsWith("lib.")) {
                    Files.copy(file, folder.resolve(name));
                }
            }
        }
    }
}
