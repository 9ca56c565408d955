package dev.vestibule.database.backup;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/** Reports progress to a person: a line for each table that has rows, and more lines for a table that takes long. */
final class Progress {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Consumer<String> lines;
    private long lastNanos = System.nanoTime();

    Progress(Consumer<String> lines) {
        this.lines = lines;
    }

    void rows(String table, long soFar) {
        if (System.nanoTime() - lastNanos > PAUSE.toNanos()) {
            say("%s: %,d rows so far", table, soFar);
        }
    }

    void done(String table, long rows) {
        if (rows > 0) {
            say("%s: %,d rows", table, rows);
        }
    }

    void say(String format, Object... values) {
        lines.accept(String.format(Locale.ROOT, format, values));
        lastNanos = System.nanoTime();
    }
}
