package dev.vestibule.telemetry.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.Timer;
import java.util.TimerTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Ends the process when memory has run out, as {@code -XX:+ExitOnOutOfMemoryError} does; that option works only on the
 * command line. Event loops and futures catch an {@link OutOfMemoryError} wherever it is thrown, and leave the
 * interrupted work half done. So this class watches what threads throw and what is logged, since code that catches the
 * error logs it, and it regularly tests whether any memory is left.
 */
public final class OutOfMemoryWatch extends TurboFilter {
    /** The exit code of a process that the JVM ends because of that option. */
    static final int EXIT_CODE = 3;

    private static final int PROBE_BYTES = 256 * 1024;
    private static final long PROBE_MILLIS = 100;
    private static final int MAX_CAUSES = 20;
    private static final byte[] LAST_WORDS =
            "Vestibule has run out of memory and ends. Give Java more by -Xmx, or lower the limits in http.*.\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private OutOfMemoryWatch() {}

    /** Starts watching, until the process ends. */
    public static void install() {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            endIfOutOfMemory(failure);
            LoggerFactory.getLogger(OutOfMemoryWatch.class).error("Thread {} failed", thread.getName(), failure);
        });
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logs) {
            logs.addTurboFilter(new OutOfMemoryWatch());
        }
        new Timer("out-of-memory-watch", true)
                .schedule(
                        new TimerTask() {
                            @Override
                            public void run() {
                                tryToAllocate();
                            }
                        },
                        0,
                        PROBE_MILLIS);
    }

    private static void tryToAllocate() {
        try {
            var memory = new byte[PROBE_BYTES];
            try {
                memory[0] = 1;
            } finally {
                Reference.reachabilityFence(memory); // or the compiler could remove the allocation
            }
        } catch (OutOfMemoryError failure) {
            end();
        }
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] parameters,
            @Nullable Throwable failure) {
        endIfOutOfMemory(failure);
        if (parameters != null) {
            // where Logback has the throwable of a message with arguments
            for (var parameter : parameters) {
                if (parameter instanceof Throwable logged) {
                    endIfOutOfMemory(logged);
                }
            }
        }
        return FilterReply.NEUTRAL;
    }

    private static void endIfOutOfMemory(@Nullable Throwable failure) {
        var cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            if (cause instanceof OutOfMemoryError) {
                end();
            }
            cause = cause.getCause();
        }
    }

    /**
     * Ends the process without shutdown hooks, which would need memory: like a kill, which loses nothing that was
     * answered.
     */
    private static void end() {
        try (var error = new FileOutputStream(FileDescriptor.err)) {
            error.write(LAST_WORDS);
        } catch (IOException | OutOfMemoryError nothingCanBeSaid) {
            // the process ends anyway
        } finally {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }
}
