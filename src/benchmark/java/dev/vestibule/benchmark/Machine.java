package dev.vestibule.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Where, when and with what the figures were measured. */
record Machine(String processor, int cores, long memoryMib, String system, String java, String source, String at) {
    static Machine current() {
        return new Machine(
                field("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(),
                Long.parseLong(field("/proc/meminfo", "MemTotal").replaceAll("\\D", "")) / 1024,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                Runtime.version().toString(),
                commit(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    String inWords() {
        return "%s, %d cores for server, PostgreSQL and load together, Java %s, source %s"
                .formatted(processor, cores, java, source);
    }

    private static String field(String file, String name) {
        try (var lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("0");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The commit as git describes it; uncommitted changes show as "dirty". */
    private static String commit() {
        try {
            var git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12").start();
            return new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException noGit) {
            return "unknown";
        }
    }
}
