package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.JarCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that README.md tells a newcomer to paste work unchanged. */
class ReadmeIT {
    private static final String FIRST_SESSION = "```sh\n# a first session\n";
    private static final String SERVERS = "```sh\n# what servers do\n";
    private static final String PASSWORDS = "```sh\n# passwords and emails\n";
    private static final String END = "```\n";
    private static final String NEXT_BLOCK = "--next-block--";
    private static final String MAILED = "code=";
    private static final String USUAL_URL = "http://localhost:8080";

    /** In one shell and on one server, as a reader goes from block to block. */
    @Test
    void eachBlockWorksAfterTheOnesBefore(@TempDir Path folder) throws Exception {
        var outputs = run(folder, block(FIRST_SESSION), block(SERVERS), block(PASSWORDS));

        assertThat(outputs.get(0))
                .anyMatch(line -> line.contains("\"valid\":true"))
                .last(InstanceOfAssertFactories.STRING)
                .isEqualTo("{\"success\":true}");
        assertThat(outputs.get(1))
                .anyMatch(line -> line.contains("\"role\":\"admin\""))
                .anyMatch(line -> line.contains("\"done\":true,\"created\":2"))
                .last(InstanceOfAssertFactories.STRING)
                .contains("\"key\":\"sk_live_");
        assertThat(outputs.get(2))
                .anyMatch(line -> line.contains("\"emailVerified\":true"))
                .last(InstanceOfAssertFactories.STRING)
                .isEqualTo("{\"success\":true}");
    }

    /** A reader looks for the code of each mail in the log. */
    private static String withMailedCodes(String script, Path log) {
        var lines = new StringBuilder();
        var codes = 0;
        for (var line : script.split("\n", -1)) {
            lines.append(line.startsWith(MAILED) ? MAILED + codeInLog(log, ++codes) : line)
                    .append('\n');
        }
        return lines.toString();
    }

    private static String codeInLog(Path log, int number) {
        return "$(until sed -n 's/.* to ann@example.com with the code \\([^ ]*\\) .*/\\1/p' " + log + " | sed -n "
                + number + "p | grep .; do sleep 0.1; done)";
    }

    /** The lines that each block printed, none of them an error. */
    private static List<List<String>> run(Path folder, String... blocks) throws Exception {
        var script = String.join("echo " + NEXT_BLOCK + "\n", blocks);
        try (var server = JarCommand.in(folder).start()) {
            var shell = new ProcessBuilder(
                            "sh",
                            "-eu",
                            "-c",
                            withMailedCodes(script, server.log())
                                    .replace(USUAL_URL, server.api().base().toString()))
                    .redirectErrorStream(true)
                    .start();
            var output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(shell.waitFor()).as(output).isZero();
            assertThat(output).doesNotContain("statusCode");
            return Stream.of(output.split(NEXT_BLOCK + "\n"))
                    .map(lines -> lines.lines().toList())
                    .toList();
        }
    }

    private static String block(String beginning) throws IOException {
        var readme = Files.readString(Path.of("README.md"));
        var start = readme.indexOf(beginning);
        assertThat(start)
                .as("README.md has a block that begins with " + beginning)
                .isNotNegative();
        return readme.substring(start + beginning.length(), readme.indexOf(END, start + beginning.length()));
    }
}
