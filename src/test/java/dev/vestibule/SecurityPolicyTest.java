package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** SECURITY.md is twelve sections, and the tests that these name exist. */
class SecurityPolicyTest {
    private static final Path POLICY = Path.of(".github/SECURITY.md");
    private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+(?:IT|Test))`");

    @Test
    void everyTestThatItNamesExists() throws IOException {
        var policy = Files.readString(POLICY);
        assertThat(policy.lines().filter(line -> line.startsWith("## "))).hasSize(12);
        try (var files = Files.walk(Path.of("src/test/java"))) {
            var names = files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toSet());
            assertThat(NAMED_TEST.matcher(policy).results().map(named -> named.group(1)))
                    .hasSizeGreaterThan(30)
                    .isSubsetOf(names);
        }
    }
}
