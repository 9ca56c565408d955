package dev.vestibule.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** What Linux and the JDK's tools report about a Java process. */
record ServerProcess(long pid) {
    private static final Pattern USED = Pattern.compile("used (\\d+)K");

    long residentMib() {
        return status("VmRSS") / 1024;
    }

    long highestResidentMib() {
        return status("VmHWM") / 1024;
    }

    long threads() {
        return status("Threads");
    }

    /** Includes sockets. */
    long openFiles() {
        try (var files = Files.list(proc("fd"))) {
            return files.count();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Collects the garbage first. */
    double heapMibAfterCollection() {
        jcmd("GC.run");
        return jcmd("GC.heap_info")
                        .lines()
                        .takeWhile(line -> !line.contains("Metaspace"))
                        .mapToLong(ServerProcess::used)
                        .sum()
                / 1024.0;
    }

    private static long used(String line) {
        var match = USED.matcher(line);
        return match.find() ? Long.parseLong(match.group(1)) : 0;
    }

    private String jcmd(String command) {
        try {
            var jcmd = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(pid),
                            command)
                    .redirectErrorStream(true)
                    .start();
            return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private long status(String name) {
        try (var lines = Files.lines(proc("status"))) {
            return lines.filter(line -> line.startsWith(name + ":"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Path proc(String file) {
        return Path.of("/proc", Long.toString(pid), file);
    }
}
