package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** A warning in the log is for what an operator should look at. */
@ExtendWith(WithServer.class)
@Isolated("it reads what the whole process logs")
class CleanStartIT {
    private final TestDatabase database;

    CleanStartIT(TestDatabase database) {
        this.database = database;
    }

    @Test
    void aLifeWithoutTroubleLogsNoWarning() {
        var events = loggedDuring(() -> {
            try (var server = TestServer.start(database, Map.of())) {
                var project = server.newProject();
                var signedUp = project.signUp();
                project.refresh(signedUp.refreshToken()).expect(200);
                project.signOut(signedUp.accessToken()).expect(200);
                project.me(signedUp.accessToken()).expect(401);
            }
        });
        assertThat(events)
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .filteredOn(
                        event -> !event.getLoggerName().endsWith(".BlockedThreadChecker")) // the machine stood still
                .isEmpty();
    }

    private static List<ILoggingEvent> loggedDuring(Runnable work) {
        var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        var appender = new ListAppender<ILoggingEvent>();
        appender.start();
        root.addAppender(appender);
        try {
            work.run();
            return List.copyOf(appender.list);
        } finally {
            root.detachAppender(appender);
        }
    }
}
