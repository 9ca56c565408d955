package dev.vestibule.telemetry.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.telemetry.log.Logging.RequestContext;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The log is stuck, as when nobody reads a pipe. */
class BoundedAppenderTest {
    private static final int LINES = 64;

    private final LoggerContext logs = new LoggerContext();
    private final CountDownLatch isRead = new CountDownLatch(1);
    private final CountDownLatch isStuck = new CountDownLatch(1);
    private final List<String> written = new CopyOnWriteArrayList<>();
    private final BoundedAppender appender = new BoundedAppender(LINES);

    BoundedAppenderTest() throws InterruptedException {
        logs.setMDCAdapter(new RequestContext());
        var stuck = new AppenderBase<ILoggingEvent>() {
            @Override
            protected void append(ILoggingEvent event) {
                try {
                    isStuck.countDown();
                    isRead.await();
                    written.add(event.getFormattedMessage());
                } catch (InterruptedException end) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        stuck.setContext(logs);
        stuck.start();
        appender.setContext(logs);
        appender.addAppender(stuck);
        appender.start();
        log(Level.INFO, 1);
        isStuck.await(); // so the queue is empty again
    }

    @AfterEach
    void stop() {
        isRead.countDown();
        appender.stop();
    }

    private void log(Level level, int times) {
        for (int i = 0; i < times; i++) {
            appender.doAppend(new LoggingEvent("", logs.getLogger("a"), level, level.toString(), null, null));
        }
    }

    @Test
    void linesThatDoNotFitAreDroppedAndCountedWithoutWaiting() {
        log(Level.INFO, 1000);
        assertThat(appender.dropped()).isBetween(1000L - LINES, 1000L - LINES + LINES / 8);
        isRead.countDown();
        Eventually.until("the rest is written", () -> written.size() == 1 + 1000 - appender.dropped());
    }

    @Test
    void thereIsRoomForWarningsAfterOrdinaryLinesHaveFilledTheQueue() {
        log(Level.INFO, 1000);
        var before = appender.dropped();
        log(Level.WARN, LINES / 8);
        assertThat(appender.dropped()).isEqualTo(before);
        log(Level.ERROR, 1000);
        assertThat(appender.dropped()).isEqualTo(before + 1000);
        isRead.countDown();
        Eventually.until("they are written", () -> written.contains("WARN"));
    }
}
