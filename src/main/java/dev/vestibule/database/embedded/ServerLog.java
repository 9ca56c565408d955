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
 * Passes what the server writes on to our log: its troubles loudly, its chatter at debug level. It writes to a file and
 * not into a pipe, because a pipe of ours would end with us, and the server may not.
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

    /** Logs what is new, and gives its errors back; what has been logged is dropped when it gets long. */
    synchronized List<String> forward() {
        List<String> errors = new ArrayList<>();
        try {
            long size = Files.exists(file) ? Files.size(file) : 0;
            position = Math.min(position, size); // somebody else may have emptied or removed it
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
            // Of a flood, the newest: the older part would be dropped below at any rate.
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
            return Level.DEBUG; // a client's errors are told to the client
        }
        return switch (severity) {
            case "FATAL", "ERROR" -> Level.ERROR;
            case "WARNING" -> Level.WARN;
            default -> Level.DEBUG;
        };
    }
}
