package dev.vestibule.database.embedded;

import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs PostgreSQL's own programs; their output goes to the server's log. */
final class Programs {
    private final Path bin;
    private final ServerLog log;
    private final List<String> prefix;

    Programs(Path home, ServerLog log) throws IOException {
        this.bin = home.resolve("bin");
        this.log = log;
        this.prefix = isRoot() ? unshare() : List.of();
    }

    /** Throws with the errors that the program and the server wrote. */
    void run(String program, Duration limit, List<String> arguments) {
        log.forward();
        List<String> command = new ArrayList<>(prefix);
        command.add(bin.resolve(program).toString());
        command.addAll(arguments);
        if (!succeeds(command, limit)) {
            throw new EmbeddedServerException(
                    "PostgreSQL's " + program + " failed: " + String.join("; ", log.forward()));
        }
    }

    private boolean succeeds(List<String> command, Duration limit) {
        try {
            Process process = builder(command).start();
            try {
                boolean isOver = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
                return isOver && process.exitValue() == 0;
            } finally {
                process.destroyForcibly(); // has no effect if it has ended
            }
        } catch (IOException e) {
            throw new EmbeddedServerException("PostgreSQL's programs cannot be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedServerException("Interrupted while PostgreSQL's programs ran", e);
        }
    }

    private ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.file().toFile()));
        // PGPORT and similar variables would change what runs, and a locale would change the messages that we look
        // for. PostgreSQL does not need our secrets.
        builder.environment().keySet().removeIf(name -> name.matches("(PG|LC_|LANG|VESTIBULE_).*"));
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    private static boolean isRoot() throws IOException {
        Path self = Path.of("/proc/self");
        return Files.exists(self) && Integer.valueOf(0).equals(Files.getAttribute(self, "unix:uid"));
    }

    /** PostgreSQL refuses to run as root; in its own user namespace it does not notice. */
    private static List<String> unshare() {
        if (!LinuxUtils.isUnshareAvailable()) {
            throw new EmbeddedServerException("The embedded PostgreSQL does not run as root where `unshare -U` is not"
                    + " permitted: run as another user, or set database.url to a PostgreSQL of yours");
        }
        return List.of("unshare", "-U");
    }
}
