package dev.vestibule.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads from {@code /proc}, so only on Linux, how much CPU time a process and a PostgreSQL with all its children have
 * used.
 */
record CpuClock(ProcessHandle process, @Nullable ProcessHandle postmaster) {
    private static final double TICKS_A_SECOND = 100; // USER_HZ, the same on all of Linux's platforms
    private static final int OWN_USER_AND_SYSTEM = 11; // fields after the command's name; see proc_pid_stat(5)
    private static final int OF_ENDED_CHILDREN = 13;

    static CpuClock of(ProcessHandle process) {
        return new CpuClock(process, null);
    }

    Cpu now() {
        return new Cpu(seconds(process), postmaster == null ? 0 : withChildren(postmaster));
    }

    private static double withChildren(ProcessHandle parent) {
        return Stream.concat(Stream.of(parent), parent.descendants())
                .mapToDouble(each -> seconds(each) + seconds(each, OF_ENDED_CHILDREN))
                .sum();
    }

    private static double seconds(ProcessHandle process) {
        return seconds(process, OWN_USER_AND_SYSTEM);
    }

    private static double seconds(ProcessHandle process, int firstField) {
        var fields = fields(process);
        return fields.isEmpty()
                ? 0
                : (Long.parseLong(fields.get(firstField)) + Long.parseLong(fields.get(firstField + 1)))
                        / TICKS_A_SECOND;
    }

    /** The fields after the command's name, which may contain spaces. Empty if the process has just ended. */
    private static List<String> fields(ProcessHandle process) {
        try {
            var stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
        } catch (NoSuchFileException ended) {
            return List.of();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
