package dev.vestibule.database.embedded;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Forwards PostgreSQL's log to ours: errors and warnings at their levels, everything else at debug level. PostgreSQL
 * writes to a file and not to a pipe, because a pipe would break when this process ends, and the server may still run.
 */
final class ServerLog {
    private static final Logger LOG = LoggerFactory.getLogger(ServerLog.class);
    private static final Pattern LINE = Pattern.compile("([a-z ]+)/([A-Z0-9]+): .*");
    private static final long LIMIT_BYTES = 1 << 20;

    private final Path file;
    private long position;

    ServerLog(Path file) throws IOException {
        this.file = file;
        this.position = Files.size(file);
    }

    Path file() {
        return file;
    }

    /** Logs the new lines and returns the errors among them; empties the file when it gets long. */
    synchronized List<String> forward() {
        List<String> errors = new ArrayList<>();
        try {
            long size = Files.exists(file) ? Files.size(file) : 0;
            position = Math.min(position, size); // another program may have emptied or removed it
            if (size > position) {
                for (String line : read(size).lines().toList()) {
                    Level level = level(line);
                    LOG.atLevel(level).log(line);
                    if (level == Level.ERROR) {
                        errors.add(line);
                    }
                }
            }
        } catch (IOException e) {
            LOG.warn("Cannot read {}", file, e);
        }
        return errors;
    }

    private String read(long size) throws IOException {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "rw")) {
            // Only the newest part of a flood; the older part would be dropped below anyway.
            long from = Math.max(position, size - LIMIT_BYTES);
            byte[] bytes = new byte[(int) (size - from)];
            log.seek(from);
            log.readFully(bytes);
            position = size;
            if (size > LIMIT_BYTES) {
                log.setLength(0);
                position = 0;
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private static Level level(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            return line.contains(" error: ") || line.contains("FATAL: ") || line.contains("could not ")
                    ? Level.ERROR
                    : Level.DEBUG;
        }
        String severity = matcher.group(2);
        if (severity.equals("PANIC") || line.contains("was terminated by")) {
            return Level.ERROR;
        }
        if (matcher.group(1).equals("client backend")) {
            return Level.DEBUG; // the client gets its errors itself
        }
        return switch (severity) {
            case "FATAL", "ERROR" -> Level.ERROR;
            case "WARNING" -> Level.WARN;
            default -> Level.DEBUG;
        };
    }
}
