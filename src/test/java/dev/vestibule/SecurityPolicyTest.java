package dev.vestibule;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each attack in the threat model of SECURITY.md names the tests that its defence is held by, and they exist. */
class SecurityPolicyTest {
    private static final Path POLICY = Path.of(".github/SECURITY.md");
    private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");

    @Test
    void everyDefenceNamesTestsThatExist() throws IOException {
        var sources = testSources();
        var defences = Files.readAllLines(POLICY).stream()
                .dropWhile(line -> !line.startsWith("|---"))
                .skip(1)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        assertThat(defences).hasSizeGreaterThan(30);
        assertThat(defences).allSatisfy(line -> {
            var named = NAMED_TEST.matcher(line).results().toList();
            assertThat(named).as(line).isNotEmpty();
            assertThat(named)
                    .allSatisfy(test -> assertThat(sources.getOrDefault(test.group(1), ""))
                            .as(test.group())
                            .contains("void " + test.group(2) + "("));
        });
    }

    private static Map<String, String> testSources() throws IOException {
        try (var files = Files.walk(Path.of("src/test/java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("package-info.java"))
                    .collect(toMap(
                            file -> file.getFileName().toString().replace(".java", ""), SecurityPolicyTest::text));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
