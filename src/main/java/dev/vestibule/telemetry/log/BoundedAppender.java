package dev.vestibule.telemetry.log;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writes lines on its own thread, so that no event loop waits for a disk, a pipe or a terminal. When too many lines
 * wait to be written, further ones are dropped and counted; the last eighth of the queue is reserved for warnings and
 * errors.
 */
final class BoundedAppender extends AsyncAppender {
    private static final int RESERVED = 8;

    private final LongAdder dropped = new LongAdder();

    BoundedAppender(int lines) {
        setQueueSize(lines);
        setDiscardingThreshold(lines / RESERVED + 1);
        setNeverBlock(true);
    }

    /** How many lines were dropped since the start. */
    long dropped() {
        return dropped.sum();
    }

    /** Logback calls this only when the queue is in its last eighth. */
    @Override
    protected boolean isDiscardable(ILoggingEvent event) {
        var isDropped = !event.getLevel().isGreaterOrEqual(Level.WARN) || getRemainingCapacity() == 0;
        if (isDropped) {
            dropped.increment();
        }
        return isDropped;
    }
}
