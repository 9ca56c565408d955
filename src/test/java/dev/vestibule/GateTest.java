package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Chromium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@code .ci/run} installs before it runs the tests, on a machine whose programs only note that they were called.
 */
class GateTest {
    private static final String CALLED = "called";

    private final Path programs;

    GateTest(@TempDir Path programs) {
        this.programs = programs;
    }

    static List<String> browsers() {
        return Chromium.NAMES;
    }

    @ParameterizedTest
    @MethodSource("browsers")
    void anyBrowserOfTheTestsIsEnough(String browser) throws Exception {
        assertThat(run(browser, "pgbouncer")).containsExactly("mvn verify");
    }

    @Test
    void whereThereIsNoBrowserOneIsInstalled() throws Exception {
        assertThat(run("pgbouncer"))
                .anyMatch(call -> call.matches(".*apt-get install .* chromium-headless-shell"))
                .last()
                .isEqualTo("mvn verify");
    }

    private List<String> run(String... installed) throws Exception {
        for (var tool : List.of("dirname", "id")) {
            Files.createSymbolicLink(programs.resolve(tool), Path.of("/usr/bin", tool));
        }
        for (var program : List.of("mvn", "apt-get", "sudo")) {
            install(program);
        }
        for (var program : installed) {
            install(program);
        }
        var gate = new ProcessBuilder("/bin/bash", ".ci/run");
        gate.environment().put("PATH", programs.toString());
        assertThat(gate.inheritIO().start().waitFor()).isZero();
        return Files.readAllLines(programs.resolve(CALLED));
    }

    private void install(String program) throws IOException {
        var script = "#!/bin/sh\necho %s \"$@\" >> %s\n".formatted(program, programs.resolve(CALLED));
        Files.setPosixFilePermissions(
                Files.writeString(programs.resolve(program), script), PosixFilePermissions.fromString("rwx------"));
    }
}
