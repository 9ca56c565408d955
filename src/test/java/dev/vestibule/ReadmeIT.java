package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.JarCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What README.md tells a newcomer to paste works as it stands. */
class ReadmeIT {
    private static final String START = "```sh\n# a first session\n";
    private static final String END = "```\n";
    private static final String USUAL_URL = "http://localhost:8080";

    @Test
    void theFirstSessionEndsWithAVerifiedToken(@TempDir Path folder) throws Exception {
        try (var server = JarCommand.in(folder).start()) {
            var script = firstSession().replace(USUAL_URL, server.api().base().toString());
            var bash = new ProcessBuilder("bash", "-euo", "pipefail", "-c", script)
                    .redirectErrorStream(true)
                    .start();
            var output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(bash.waitFor()).as(output).isZero();
            assertThat(output.lines().reduce((earlier, last) -> last).orElseThrow())
                    .contains("\"valid\":true");
            assertThat(output).doesNotContain("statusCode");
        }
    }

    private static String firstSession() throws IOException {
        var readme = Files.readString(Path.of("README.md"));
        var start = readme.indexOf(START);
        assertThat(start).as("README.md has a block that begins with " + START).isNotNegative();
        assertThat(readme).contains(USUAL_URL);
        return readme.substring(start + START.length(), readme.indexOf(END, start + START.length()));
    }
}
